package importer_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/benchstat-http/benchstat-http/internal/importer"
	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// ending describes how a run ended.
type ending struct {
	rps, requests             any
	aborted, trunc, interrupt bool
	valid                     bool
	lines                     []string
}

func endings(trials []result.Trial) []ending {
	var all []ending
	for _, r := range trials {
		all = append(all, ending{value(r.RPS), value(r.Requests), r.Aborted, r.Truncated, r.Interrupted, r.Valid, r.ErrorLines})
	}
	return all
}

func TestEndings(t *testing.T) {
	head := base[:strings.Index(base, ".....done")]
	report := base[strings.Index(base, "Server Software"):]
	cut := func(at string) string { return base[:strings.Index(base, at)+len(at)] }
	whole := ending{rps: 4000.01, requests: int64(10000), valid: true}
	reset := []string{"apr_socket_recv: Connection reset by peer (104)"}
	short := whole
	short.trunc = true
	for name, c := range map[string]struct {
		text string
		want []ending
	}{
		"glued error":   {head + "...apr_socket_recv: Connection refused (111)\n", []ending{{aborted: true, lines: []string{"apr_socket_recv: Connection refused (111)"}}}},
		"total":         {head + "\nCompleted 1000 requests\n" + reset[0] + "\nTotal of 1266 requests completed\n", []ending{{requests: int64(1266), aborted: true, lines: reset}}},
		"total glued":   {reset[0] + "\n" + head + "...Total of 7 requests completed\n", []ending{{requests: int64(7), aborted: true, lines: reset}}},
		"errors first":  {reset[0] + "\n" + head + "\n", []ending{{aborted: true, lines: reset}}},
		"only its tail": {reset[0] + "\nTotal of 9958 requests completed\n", []ending{{requests: int64(9958), aborted: true, lines: reset}}},
		"ten failures": {head + "\n\nTest aborted after 10 failures\n\napr_socket_connect(): Connection refused (61)\n",
			[]ending{{aborted: true, lines: []string{"Test aborted after 10 failures", "apr_socket_connect(): Connection refused (61)"}}}},
		"resolver":        {"This is ApacheBench, Version 2.3 <$Revision$>\napr_sockaddr_info_get() for nowhere.test: Name or service not known (670002)\nBenchmarking nowhere.test (be patient)", []ending{{aborted: true, lines: []string{"apr_sockaddr_info_get() for nowhere.test: Name or service not known (670002)"}}}},
		"two aborted":     {head + "\n" + reset[0] + "\nTotal of 3 requests completed\n" + head + "\n" + reset[0] + "\n", []ending{{requests: int64(3), aborted: true, lines: reset}, {aborted: true, lines: reset}}},
		"aborted, then":   {head + "\n" + reset[0] + "\n$ ab -n 10 http://x/\n" + report, []ending{{aborted: true, lines: reset}, whole}},
		"survived":        {head + "..." + reset[0] + "\n" + reset[0] + "\n..done\n\n" + report, []ending{{rps: 4000.01, requests: int64(10000), valid: true, lines: reset}}},
		"tls error":       {head + "...SSL read failed (1) - closing connection\n" + report, []ending{{rps: 4000.01, requests: int64(10000), valid: true, lines: []string{"SSL read failed (1) - closing connection"}}}},
		"only a head":     {head + "\nCompleted 1000 requests\n", []ending{{trunc: true}}},
		"stopped":         {head + "\nCompleted 1000 requests\n^C\n", []ending{{interrupt: true}}},
		"stopped, report": {head + "^C\n\n" + report, []ending{{rps: 4000.01, requests: int64(10000), valid: true, interrupt: true}}},
		"elided":          {head + "\nCompleted 1000 requests\n[...]\n" + report, []ending{whole}},
		"only the tables": {base[strings.Index(base, "Connection Times"):], []ending{{trunc: true}}},
		"cut at heading":  {cut("within a certain time (ms)\n"), []ending{short}},
		"not finished":    {head + "\nCompleted 2000 requests\nCompleted 4000 requests\n\n" + report, []ending{{rps: 4000.01, requests: int64(10000), valid: true, interrupt: true}}},
		"cut in html":     {cut("HTML transferred:       115"), []ending{{requests: int64(10000), trunc: true}}},
		"cut in rps":      {cut("Requests per second:    4000.0"), []ending{{requests: int64(10000), trunc: true}}},
		"cut and fenced":  {cut("Requests per second:    400") + "\n```\nmore prose\n", []ending{{requests: int64(10000), trunc: true}}},
		"cut after rps":   {cut("4000.01 [#"), []ending{whole}},
		"cut in a row":    {cut("Processing:     2   11"), []ending{short}},
		"cut in percents": {cut("  90%     1"), []ending{short}},
		"cut in a label":  {cut("  80%     14\n  9"), []ending{short}},
		"cut at 100":      {cut(" 100%     81"), []ending{whole}},
		"head is missing": {base[strings.Index(base, "Complete requests"):], []ending{whole}},
		"two, no head":    {report + report, []ending{whole, whole}},
		"report of zero":  {strings.ReplaceAll(base, "4000.01", "0.00"), []ending{{rps: 0.0, requests: int64(10000)}}},
		"report of inf":   {strings.ReplaceAll(base, "4000.01", "inf"), []ending{{requests: int64(10000)}}},
		"grep": {"Requests per second:    100.00 [#/sec] (mean)\nRequests per second:    100.00 [#/sec] (mean)\nRequests per second:    101.50 [#/sec] (mean)\n",
			[]ending{{rps: 100.0, valid: true}, {rps: 100.0, valid: true}, {rps: 101.5, valid: true}}},
		"grep with times": {strings.Repeat("Requests per second: 100.00 [#/sec] (mean)\nTime per request: 1.0 [ms] (mean)\nTime per request: 0.5 [ms] (mean, across all concurrent requests)\n", 2),
			[]ending{{rps: 100.0, valid: true}, {rps: 100.0, valid: true}}},
		"rounded mention": {base + "\nRequests per second: 4000\n", []ending{whole}},
	} {
		p, err := importer.Parse([]byte(c.text), "page.txt")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := endings(p.Trials); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n got %v\nwant %v", name, got, c.want)
		}
		for _, r := range p.Trials {
			if r.Valid == (r.InvalidBecause != "") {
				t.Errorf("%s: valid is %v because %q", name, r.Valid, r.InvalidBecause)
			}
		}
	}
}

// TestCutValueIsNotRead checks that digits cut off are not taken for the value, wherever the page ends.
func TestCutValueIsNotRead(t *testing.T) {
	for at, get := range map[string]func(result.Trial) any{
		"HTML transferred:       115":  func(r result.Trial) any { return value(r.BodyBytes) },
		"Total transferred:      1392": func(r result.Trial) any { return value(r.Bytes) },
		"Time taken for tests:   2.5":  func(r result.Trial) any { return value(r.Seconds) },
		"Requests per second:    4":    func(r result.Trial) any { return value(r.RPS) },
	} {
		text := base[:strings.Index(base, at)+len(at)]
		for _, tail := range []string{"", "\n", "\n```\n\nThat was it.\n"} {
			if got := get(parse(t, text+tail).Trials[0]); got != nil {
				t.Errorf("%q then %q: %v, want nil", at, tail, got)
			}
		}
	}
}

// TestPaddedMicroseconds checks the reading of "0.12345", which ab 2.0.40 prints for 12345 µs.
func TestPaddedMicroseconds(t *testing.T) {
	for _, c := range []struct {
		printed, rps string
		want         float64
	}{
		{"0.12345", "810044.55", 0.012345}, {"0.123", "81300813.00", 0.000123}, {"0.123", "81300.81", 0.123}, {"2.500", "4000.01", 2.5},
		{"1.786830", "5596.50", 1.786830}, {"3.45678", "3271.99", 3.045678}, {"12.5", "800.00", 12.5}, {"12", "800.00", 12},
	} {
		text := strings.ReplaceAll(strings.ReplaceAll(base, "4000.01", c.rps), "2.500 seconds", c.printed+" seconds")
		got := *parse(t, text).Trials[0].Seconds
		if math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s with %s requests/s: %v s, want %v", c.printed, c.rps, got, c.want)
		}
	}
	text := strings.ReplaceAll(base, "2.500 seconds", "0.12345 seconds")
	text = text[:strings.Index(text, "Requests per")]
	if got := *parse(t, text).Trials[0].Seconds; got != 0.012345 {
		t.Errorf("without a rate: %v", got)
	}
}

func TestOKOnlyWhenKnown(t *testing.T) {
	for breakdown, want := range map[string]any{
		"(Connect: 0, Receive: 0, Length: 12, Exceptions: 0)": int64(9988), "(Connect: 0, Receive: 4, Length: 4, Exceptions: 4)": nil,
		"(Connect: 0, Length: 12, Exceptions: 0)": int64(9988), "": int64(9988),
	} {
		text := strings.ReplaceAll(base, "(Connect: 0, Receive: 0, Length: 12, Exceptions: 0)", breakdown)
		if got := value(parse(t, text).Trials[0].OK); got != want {
			t.Errorf("%s: ok = %v, want %v", breakdown, got, want)
		}
	}
	if got := value(parse(t, strings.ReplaceAll(base, "Failed requests:        12", "Failed requests:        12000")).Trials[0].OK); got != nil {
		t.Errorf("more failures than requests: ok = %v", got)
	}
}

// TestHTMLThousandfold corrects the rate that ab -w of httpd 2.2.9 to 2.2.34 prints.
func TestHTMLThousandfold(t *testing.T) {
	const table = "<table>\n<tr><th>Time taken for tests:</th><td>2.500 seconds</td></tr>\n<tr><th>Complete requests:</th><td>10000</td></tr>\n" +
		"<tr><th>Requests per second:</th><td>4000010.00</td></tr>\n<tr><th>Transfer rate:</th><td>5.00 kb/s received</td></tr>\n</table>\n"
	r := parse(t, table).Trials[0]
	if value(r.RPS) != 4000.01 || value(r.BytesPerSecond) != 5120.0 || !bytes.Contains(r.Raw, []byte(`"rps_printed":4000010`)) {
		t.Errorf("rps %v, bytes/s %v, raw %s", value(r.RPS), value(r.BytesPerSecond), r.Raw)
	}
}

func TestHTTPS(t *testing.T) {
	text := strings.Replace(base, "Server Port:            8080", "Server Port:            443\nSSL/TLS Protocol:       TLSv1.3,X,256,256\nServer Temp Key:        X25519 253 bits\nTLS Server Name:        example.test", 1)
	text = strings.Replace(text, "1152 bytes", "Variable", 1)
	r := parse(t, text).Trials[0]
	if r.URL != "https://example.test/page" || r.DocumentLength != nil || !bytes.Contains(r.Raw, []byte(`"document_length":"Variable"`)) {
		t.Errorf("url %q, length %v, raw %s", r.URL, r.DocumentLength, r.Raw)
	}
}

// TestMixedPage reads ab's runs on a page that shows another tool's too, and says that those were left out.
func TestMixedPage(t *testing.T) {
	wrk := "\nRunning 10s test @ http://127.0.0.1:8000/\n  2 threads and 10 connections\nRequests/sec:   1484.87\n"
	p := parse(t, base+wrk+base)
	if len(p.Trials) != 2 || len(p.Notes) != 1 || !strings.HasPrefix(p.Notes[0], "page.txt:47:1: this is wrk output") {
		t.Errorf("%d trials, notes %q", len(p.Trials), p.Notes)
	}
}

// TestManyLines reads long logs: no run is lost, and lines that repeat do not pile up.
func TestManyLines(t *testing.T) {
	const runs = 20_000
	var text strings.Builder
	for i := range runs {
		text.WriteString("Requests per second: ")
		text.WriteString(strconv.Itoa(i + 1))
		text.WriteString(" [#/sec] (mean)\n\n")
	}
	if p := parse(t, text.String()); len(p.Trials) != runs {
		t.Errorf("%d trials, want %d", len(p.Trials), runs)
	}
	if p := parse(t, base+strings.Repeat("Total PUT: 5\n\nWARNING: The median is unreliable\n", runs)); len(p.Trials) != 1 {
		t.Errorf("%d trials, want 1", len(p.Trials))
	}
}

// TestSeeds reads the four pages that the program was made for; their folder is named by BENCHSTAT_HTTP_SEEDS.
func TestSeeds(t *testing.T) {
	dir := os.Getenv("BENCHSTAT_HTTP_SEEDS")
	if dir == "" {
		t.Skip("BENCHSTAT_HTTP_SEEDS is not set")
	}
	for name, want := range map[string][]any{
		"lighttpd-two-tiers-and-php4-vs-php5.zh.txt": {5596.50, 7611.98, 7690.85, 7600.03, 5515.75},
		"apache-vs-nginx-freebsd-localhost.ru.txt":   {3026.40, 4074.33},
		"nginx-sendfile-vs-aio-large-file.zh.txt":    {6.41, nil, nil, 6.40, nil},
		"php7-vs-hhvm-wordpress.zh.txt":              {258.22, 230.97},
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		var got []any
		for _, r := range parse(t, string(text)).Trials {
			got = append(got, value(r.RPS))
			if r.Aborted != (r.RPS == nil) {
				t.Errorf("%s: aborted is %v with rps %v", name, r.Aborted, value(r.RPS))
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
