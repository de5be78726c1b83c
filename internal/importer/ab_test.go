package importer_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/benchstat-http/benchstat-http/internal/importer"
	"github.com/benchstat-http/benchstat-http/pkg/result"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// base is a report in the layout of ab 2.3 with every usual line; variants of it must read the same.
const base = `This is ApacheBench, Version 2.3 <$Revision: 655654 $>
Copyright 1996 Adam Twiss, Zeus Technology Ltd, http://www.zeustech.net/
Licensed to The Apache Software Foundation, http://www.apache.org/

Benchmarking example.test (be patient).....done


Server Software:        toy/1.0
Server Hostname:        example.test
Server Port:            8080

Document Path:          /page
Document Length:        1152 bytes

Concurrency Level:      50
Time taken for tests:   2.500 seconds
Complete requests:      10000
Failed requests:        12
   (Connect: 0, Receive: 0, Length: 12, Exceptions: 0)
Write errors:           0
Non-2xx responses:      12
Total transferred:      13920000 bytes
HTML transferred:       11520000 bytes
Requests per second:    4000.01 [#/sec] (mean)
Time per request:       12.500 [ms] (mean)
Time per request:       0.250 [ms] (mean, across all concurrent requests)
Transfer rate:          5437.50 [Kbytes/sec] received

Connection Times (ms)
              min  mean[+/-sd] median   max
Connect:        0    1   0.5      1       9
Processing:     2   11   3.5     10      80
Waiting:        1   10   3.4      9      79
Total:          3   12   3.6     11      81

Percentage of the requests served within a certain time (ms)
  50%     11
  66%     12
  75%     13
  80%     14
  90%     17
  95%     21
  98%     30
  99%     44
 100%     81 (longest request)
`

func parse(t *testing.T, text string) *importer.Parsed {
	t.Helper()
	p, err := importer.Parse([]byte(text), "page.txt")
	if err != nil {
		t.Fatalf("Parse: %v\n%s", err, text)
	}
	return p
}

func value[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

func TestBase(t *testing.T) {
	p := parse(t, base)
	if p.Kind != importer.KindAB || len(p.Trials) != 1 {
		t.Fatalf("kind %s, %d trials", p.Kind, len(p.Trials))
	}
	r := p.Trials[0]
	for name, pair := range map[string][2]any{
		"type": {r.Type, "trial"}, "trial": {r.Trial, 1}, "valid": {r.Valid, true}, "engine": {r.Engine, "ab"},
		"requests": {value(r.Requests), int64(10000)}, "failed": {value(r.Failed), int64(12)}, "ok": {value(r.OK), int64(9988)},
		"non2xx": {value(r.Non2xx), int64(12)}, "seconds": {value(r.Seconds), 2.5}, "rps": {value(r.RPS), 4000.01},
		"bytes": {value(r.Bytes), int64(13920000)}, "body": {value(r.BodyBytes), int64(11520000)}, "rate": {value(r.BytesPerSecond), 5437.5 * 1024},
		"concurrency": {value(r.Concurrency), 50}, "length": {value(r.DocumentLength), int64(1152)}, "software": {r.ServerSoftware, "toy/1.0"},
		"url": {r.URL, "http://example.test:8080/page"}, "p50": {r.LatencyMS["p50"], 11.0}, "p99": {r.LatencyMS["p99"], 44.0},
		"p100": {r.LatencyMS["p100"], 81.0}, "max": {r.LatencyMS["max"], 81.0}, "mean": {r.LatencyMS["mean"], 12.0},
		"stdev": {r.LatencyMS["stdev"], 3.6}, "median": {r.LatencyMS["median"], 11.0}, "waiting": {r.ConnectionTimes["waiting"]["sd"], 3.4},
		"source": {*r.Source, result.Source{Tool: "ab", Version: "2.3 rev 655654", File: "page.txt", Line: 1}},
		"flags":  {[3]bool{r.Aborted, r.Truncated, r.Interrupted}, [3]bool{}},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("%s = %v, want %v", name, pair[0], pair[1])
		}
	}
	var raw map[string]any
	if err := json.Unmarshal(r.Raw, &raw); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"time_per_request_ms": 12.5, "time_per_request_across_ms": 0.25, "transfer_rate_kbytes_s": 5437.5, "write_errors": 0.0,
		"failed_breakdown": map[string]any{"connect": 0.0, "receive": 0.0, "length": 12.0, "exceptions": 0.0}}
	if !reflect.DeepEqual(raw, want) {
		t.Errorf("raw = %v, want %v", raw, want)
	}
}

func eachLine(text string, f func(string) string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, l := range lines {
		lines[i] = f(l)
	}
	return strings.Join(lines, "\n") + "\n"
}

func utf16Bytes(text string, order binary.AppendByteOrder, mark bool) string {
	var b []byte
	if mark {
		b = order.AppendUint16(b, 0xfeff)
	}
	for _, u := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

func collapse(text string) string {
	return eachLine(text, func(l string) string { return strings.Join(strings.Fields(l), " ") })
}

func prefix(p string) func(string) string {
	return func(text string) string { return eachLine(text, func(l string) string { return p + l }) }
}

func escaped(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}

// disguises are the ways in which terminals, mail, wikis and web pages show a report.
var disguises = map[string]func(string) string{
	"windows line ends":  func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
	"old mac line ends":  func(s string) string { return strings.ReplaceAll(s, "\n", "\r") },
	"byte-order mark":    func(s string) string { return "\ufeff" + s },
	"utf-16 le":          func(s string) string { return utf16Bytes(s, binary.LittleEndian, true) },
	"utf-16 be":          func(s string) string { return utf16Bytes(s, binary.BigEndian, true) },
	"utf-16 le unmarked": func(s string) string { return utf16Bytes(s, binary.LittleEndian, false) },
	"utf-16 be unmarked": func(s string) string { return utf16Bytes(s, binary.BigEndian, false) },
	"flattened":          collapse,
	"indented":           prefix("    "),
	"tabs":               func(s string) string { return strings.ReplaceAll(s, "  ", "\t") },
	"no-break spaces":    func(s string) string { return strings.ReplaceAll(s, "  ", " \u00a0") },
	"ideographic spaces": func(s string) string { return strings.ReplaceAll(s, "  ", "\u3000") },
	"zero width":         func(s string) string { return strings.ReplaceAll(s, ":", "\u200b:") },
	"full-width colon":   func(s string) string { return strings.ReplaceAll(s, "Complete requests:", "Complete requests：") },
	"quoted":             prefix("> "),
	"quoted twice":       prefix(">> "),
	"compose":            prefix("bench_1  | "),
	"timestamps":         prefix("2026-11-30T21:15:13.123Z "),
	"comment":            prefix("# "),
	"colour": func(s string) string {
		return strings.ReplaceAll(s, "Requests per second:", "\x1b[1;32mRequests per second:\x1b[0m")
	},
	"code fence":        func(s string) string { return "Look:\n```bash\n" + s + "```\n" },
	"bold":              func(s string) string { return strings.ReplaceAll(s, "Failed requests:", "**Failed requests:**") },
	"blank between":     func(s string) string { return strings.ReplaceAll(s, "\n", "\n  \n") },
	"html pre":          func(s string) string { return "<html><body><pre>" + escaped(s) + "</pre></body></html>\n" },
	"html breaks":       func(s string) string { return "<p>" + strings.ReplaceAll(escaped(s), "\n", "<br />\n") + "</p>" },
	"html one line":     func(s string) string { return "<p>" + strings.ReplaceAll(escaped(s), "\n", "<br>") + "</p>" },
	"nbsp entities":     func(s string) string { return strings.ReplaceAll(escaped(s), "  ", "&nbsp; ") },
	"one line":          func(s string) string { return strings.Join(strings.Fields(s), " ") + "\n" },
	"escaped line ends": func(s string) string { return `out = "` + strings.ReplaceAll(s, "\n", `\n`) + "\"\n" },
	"bar in lone returns": func(s string) string {
		return strings.Replace(s, "Server Software", "10 %\r50 %\r100 %\rServer Software", 1)
	},
	"translator": func(s string) string {
		return strings.ReplaceAll(s, "Complete requests:      10000", "Complete requests:      10000 // 总请求数, 50% of 20000\n//Complete requests: 77")
	},
	"translator below": func(s string) string {
		return strings.ReplaceAll(s, "(mean)\n", "(mean)\n//平均, Time per request: 3 [ms]\n")
	},
	"arrow":         func(s string) string { return strings.ReplaceAll(s, "  12\n", "  12 <-------- !!!\n") },
	"wrapped value": func(s string) string { return strings.ReplaceAll(s, "rate:          5437", "rate:\n  5437") },
	"wrapped rps":   func(s string) string { return strings.ReplaceAll(s, "second:    4000", "second:\n4000") },
	"wrapped mean":  func(s string) string { return strings.ReplaceAll(s, "[ms] (mean", "[ms]\n(mean") },
	"wrapped row":   func(s string) string { return strings.ReplaceAll(s, "2   11   3.5 ", "2 \n  11   3.5\n") },
	"wrapped table": func(s string) string {
		return strings.ReplaceAll(strings.ReplaceAll(s, "Total:          3", "Total:\n3"), "Software:        toy", "Software:\ntoy")
	},
	"mention":        func(s string) string { return s + "\nThat is\nRequests per second: 4000.01 [#/sec] (mean). Good!\n" },
	"mention inside": func(s string) string { return s + "\nRPS结果是Requests per second: 4000.01 [#/sec] (mean)\n" },
	"prose": func(s string) string {
		return s + "\nRequests per second: how many were answered.\nFailed requests: none, really\n"
	},
	"prose elsewhere": func(s string) string { return s + "\nFailed requests: 12\nComplete requests: 9000\n" },
	"no last newline": func(s string) string { return strings.TrimSuffix(s, "\n") },
	"prose error": func(s string) string {
		return s + "\napr_socket_recv: Connection reset by peer (104) never happened.\n"
	},
	"progress": func(s string) string {
		return strings.Replace(s, ".....done", "\nCompleted 5000 requests\nCompleted 10000 requests\nFinished 10000 requests", 1)
	},
	"banner cut below": func(s string) string {
		return s + "This is ApacheBench, Version 2.3 <$Revision: 655654 $>\nCopyright 1996 Adam Twiss, Zeus Tech"
	},
	"script": func(s string) string { return "ABORTING: is the server up?\n" + s + "ABORTING: is the server up?\n" },
}

// TestDisguises reads the same report in every disguise.
func TestDisguises(t *testing.T) {
	want := parse(t, base).Trials[0]
	for name, disguise := range disguises {
		p := parse(t, disguise(base))
		if len(p.Trials) != 1 {
			t.Errorf("%s: %d trials", name, len(p.Trials))
			continue
		}
		got := p.Trials[0]
		got.Source, want.Source = nil, nil
		a, errA := json.Marshal(got)
		b, errB := json.Marshal(want)
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s:\n got %s\nwant %s", name, a, b)
		}
	}
}

// TestGolden compares whole pages with golden files: a trial a line, notes at the end.
func TestGolden(t *testing.T) {
	pages, err := filepath.Glob("testdata/ab/*.txt")
	if err != nil || len(pages) < 15 {
		t.Fatalf("pages: %d, %v", len(pages), err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		p, err := importer.Parse(text, filepath.Base(page))
		if err != nil {
			t.Errorf("%s: %v", page, err)
			continue
		}
		var got bytes.Buffer
		for _, trial := range p.Trials {
			line, err := json.Marshal(trial)
			if err != nil {
				t.Fatal(err)
			}
			got.Write(append(line, '\n'))
		}
		for _, n := range p.Notes {
			got.WriteString(n + "\n")
		}
		golden := strings.TrimSuffix(page, ".txt") + ".golden"
		if *update {
			if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))) {
			t.Errorf("%s:\n got %s\nwant %s", page, got.Bytes(), want)
		}
	}
}

// TestFiveRuns reads the page on which one command gave two speeds and the prose repeats every rate.
func TestFiveRuns(t *testing.T) {
	text, err := os.ReadFile("testdata/ab/lighttpd-five-runs-flat.txt")
	if err != nil {
		t.Fatal(err)
	}
	p := parse(t, string(text))
	want := []float64{5596.50, 7611.98, 7690.85, 7600.03, 5515.75}
	non2xx := []int64{10000, 10011, 10009, 10033, 10000}
	if len(p.Trials) != len(want) {
		t.Fatalf("%d trials, want %d", len(p.Trials), len(want))
	}
	for i, r := range p.Trials {
		if value(r.RPS) != want[i] || value(r.Non2xx) != non2xx[i] || !r.Valid || r.Trial != i+1 || value(r.DocumentLength) != int64(345) {
			t.Errorf("run %d: rps %v non2xx %v valid %v trial %d", i+1, value(r.RPS), value(r.Non2xx), r.Valid, r.Trial)
		}
	}
}
