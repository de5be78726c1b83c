package importer_test

import (
	"encoding/json"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/benchstat-http/benchstat-http/internal/importer"
)

// row is what matters of a trial read from numbers.
type row struct {
	rps                   float64
	target                string
	trial, block, restart int
	line                  int
}

func TestNumbers(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []row
	}{
		"lines":       {"5596.50\n7611.98\n7690.85", []row{{5596.50, "", 1, 0, 0, 1}, {7611.98, "", 2, 0, 0, 2}, {7690.85, "", 3, 0, 0, 3}}},
		"one":         {"1197.17\n", []row{{1197.17, "", 1, 0, 0, 1}}},
		"comments":    {"# a day in May\n\n  5596.50  # first\n#7\n+7e3\n.5\n", []row{{5596.50, "", 1, 0, 0, 3}, {7000, "", 2, 0, 0, 5}, {0.5, "", 3, 0, 0, 6}}},
		"windows":     {"\ufeff1\r\n2\r\n", []row{{1, "", 1, 0, 0, 1}, {2, "", 2, 0, 0, 2}}},
		"old mac":     {"1\r2\r", []row{{1, "", 1, 0, 0, 1}, {2, "", 2, 0, 0, 2}}},
		"column":      {"rps\n10\n20\n", []row{{10, "", 1, 0, 0, 2}, {20, "", 2, 0, 0, 3}}},
		"csv":         {"block,target,RPS,note\n1,old,10,x\n1,new,11,\n2,new,12,\n2,old,13,y\n", []row{{10, "old", 1, 1, 0, 2}, {11, "new", 1, 1, 0, 3}, {12, "new", 2, 2, 0, 4}, {13, "old", 2, 2, 0, 5}}},
		"tsv":         {"rps\trestart\n10\t1\n20\t\n", []row{{10, "", 1, 0, 1, 2}, {20, "", 2, 0, 0, 3}}},
		"semicolons":  {"# exported\nrps;target\n10;a\n", []row{{10, "a", 1, 0, 0, 3}}},
		"quoted":      {"\"rps\",\"target\"\n\"10\",\"a, \"\"b\"\"\"\n", []row{{10, `a, "b"`, 1, 0, 0, 2}}},
		"ab is prose": {"# Requests per second: 3 [#/sec] (mean)\n5\n", []row{{5, "", 1, 0, 0, 2}}},
	} {
		p, err := importer.Parse([]byte(c.text), "n.txt")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []row
		for _, r := range p.Trials {
			got = append(got, row{*r.RPS, r.Target, r.Trial, r.Block, r.Restart, r.Source.Line})
			if !r.Valid || r.Source.Tool != "numbers" || r.Source.File != "n.txt" || r.Requests != nil || r.Type != "trial" {
				t.Errorf("%s: trial %+v", name, r)
			}
		}
		if p.Kind != importer.KindNumbers || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %s %v, want %v", name, p.Kind, got, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "f: read measurements: the input is empty",
		" \n\t\n":                       "f: read measurements: the input is empty",
		"\x7fELF\x02\x01\x00\x00":       "f: read measurements: the input is binary",
		"\x01\x02\x03\x04 x":            "f: read measurements: the input is binary",
		"# nothing\n":                   "f: read numbers: the input holds no number",
		"rps\n":                         "f: read numbers: the input holds no number",
		"Hello there.\nNo data.\n":      "f:1:1: find measurements: this is not ab output",
		"10\nNaN\n":                     `f:2:1: read rps: "NaN" is not a number that can be measured; leave the line out`,
		"+Inf\n":                        `f:1:1: read rps: "+Inf" is not a number that can be measured`,
		"10\n  -5\n":                    `f:2:3: read rps: "-5" is not a number above 0; requests per second cannot be negative`,
		"0\n":                           `f:1:1: read rps: "0" is not a rate: requests per second must be above 0`,
		"1e-999\n":                      `f:1:1: read rps: "1e-999" is not a rate`,
		"1e999\n":                       `f:1:1: read rps: "1e999" is too large for a number`,
		"7,611.98\n":                    `f:1:1: read rps: "7,611.98" is not a number; write it without thousands separators: 7611.98`,
		"7 611.98\n":                    `f:1:1: read rps: "7 611.98" is not a number; write it without thousands separators: 7611.98`,
		"7\u00a0611\n":                  "f:1:1: read rps: \"7\\u00a0611\" is not a number; write it without thousands separators: 7611",
		"7_611\n":                       `f:1:1: read rps: "7_611" is not a number; write it without thousands separators: 7611`,
		"1,234,567\n":                   `f:1:1: read rps: "1,234,567" is not a number; write it without thousands separators: 1234567`,
		"5596,5\n":                      `f:1:1: read rps: "5596,5" is not a number; write a decimal point: 5596.5`,
		"1.5 2.5\n":                     `f:1:1: read rps: "1.5 2.5" is not a number; write one number per line`,
		"10 req/s\n":                    `f:1:1: read rps: "10 req/s" is not a number; write the requests per second alone, without a unit`,
		"1k\n":                          `f:1:1: read rps: "1k" is not a number; write the requests per second alone`,
		strings.Repeat("5\n", 100001):   "f:100001:1: read numbers: there are more than 100000 rates, each of which is a trial; if these are the latencies",
		"0x10\n":                        `f:1:1: read rps: "0x10" is not a number`,
		"1.2.3\n":                       `f:1:1: read rps: "1.2.3" is not a number; write requests per second as a decimal number`,
		"10\n20\n30\noops\n":            `f:4:1: read rps: "oops" is not a number`,
		"5" + strings.Repeat("x", 50):   "f:1:1: read rps: \"5" + strings.Repeat("x", 39) + "…\"",
		"target,throughput\na,5\nb,6\n": `f:1:1: read numbers: the header names no rps column (it has "target, throughput"); name the column`,
		"target,rps\nä,x\n":             `f:2:3: read rps: "x" is not a number`,
		"target,rps\na,7,611.98\n":      "f:2:1: read numbers: this row has 3 columns, the header 2;",
		"rps,block\n5,zero\n":           `f:2:3: read block: "zero" is not a whole number from 1`,
		"rps,block,restart\n5,1,0\n":    `f:2:5: read restart: "0" is not a whole number from 1`,
		"Requests per second: 1,776.12 [#/sec]\n":                                                  `f:1:22: read requests per second: "1,776.12" is not one number; write it without thousands`,
		"Requests per second:    10|20|30|\n":                                                      `f:1:25: read requests per second: "10|20|30" is not one number; give each run's own output`,
		"This is ApacheBench, Version 2.3 <$Revi":                                                  "f: find measurements: there is ab text but no run in it",
		"Percentage served,Time in ms\n0,1.5\n":                                                    "f:1:1: this is the file of ab -e (a table of percentiles, without requests per second); reading it is not available in this version",
		"starttime\tseconds\tctime\tdtime\tttime\twait\nTue Dec 01 01:04:45 2026\t1\t0\t0\t0\t0\n": "f:1:1: this is the file of ab -g",
		"Running 30s test @ http://x/\n  2 threads and 4 connections\nRequests/sec: 5\n":           "f:1:1: this is wrk output; reading it is not available in this version",
		"finished in 1.02s, 990.11 req/s, 5MB/s\n":                                                 "f:1:1: this is h2load output;",
		"Summary:\n  Total: 1 secs\nResponse time histogram:\n":                                    "f:3:1: this is hey output;",
		"{\"type\":\"trial\",\"rps\":\n":                                                           "f:1:",
	} {
		p, err := importer.Parse([]byte(text), "f")
		if err == nil {
			t.Errorf("%q: read as %s with %d trials, want %q", text, p.Kind, len(p.Trials), want)
			continue
		}
		message := err.Error()
		if !strings.HasPrefix(strings.TrimPrefix(message, "read "), want) || strings.Contains(message, "\n") {
			t.Errorf("%q:\n got %s\nwant %s", text, message, want)
		}
	}
}

// TestTablesOfAB refuses the files that ab -e and ab -g write: they hold no rate.
func TestTablesOfAB(t *testing.T) {
	for path, want := range map[string]string{"testdata/ab/gen-e.csv": "this is the file of ab -e", "testdata/ab/gen-g.tsv": "this is the file of ab -g"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := importer.Parse(text, path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestResultFile(t *testing.T) {
	trial := parse(t, base).Trials[0]
	trial.Target = "a"
	line, err := json.Marshal(trial)
	if err != nil {
		t.Fatal(err)
	}
	p, err := importer.Parse(append(line, '\n'), "r.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if p.Kind != importer.KindResult || p.File == nil || len(p.Trials) != 1 || value(p.Trials[0].RPS) != 4000.01 || p.Trials[0].ServerSoftware != "toy/1.0" {
		t.Errorf("%+v", p)
	}
}

// FuzzParse checks that no text makes Parse panic, that every rate it accepts is a positive finite number or absent,
// and that accepted numbers written out again read the same.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{base, "5596.50\n7611.98\n", "rps,target\n1,a\n", "Requests per second: 5 [#/sec]\nTotal of 3 requests completed\n",
		"\xff\xfe1\x00\n\x00", "<table><tr><th>Requests per second:</th><td>5</td></tr>", "\x1b[1mx\x1b[0m", "Connect: 1 2\n3 4 5\n", "{\"type\":\"end\"}\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := importer.Parse(text, "f")
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("the error has more than one line: %q", err)
			}
			return
		}
		if p.Kind == importer.KindResult {
			return
		}
		if len(p.Trials) == 0 || len(p.Trials) > len(text) {
			t.Fatalf("%d trials from %d bytes", len(p.Trials), len(text))
		}
		var again strings.Builder
		for _, r := range p.Trials {
			if r.Valid != (r.RPS != nil && *r.RPS > 0) || r.Valid && *r.RPS > 1e300*1e8 {
				t.Fatalf("valid is %v with rps %v", r.Valid, value(r.RPS))
			}
			if _, err := json.Marshal(r); err != nil {
				t.Fatalf("not JSON: %v", err)
			}
			if r.Valid {
				again.WriteString(strconv.FormatFloat(*r.RPS, 'g', -1, 64) + "\n")
			}
		}
		if again.Len() == 0 {
			return
		}
		q, err := importer.Parse([]byte(again.String()), "f")
		if err != nil || q.Kind != importer.KindNumbers {
			t.Fatalf("written out again: %v", err)
		}
		i := 0
		for _, r := range p.Trials {
			if r.Valid {
				if *q.Trials[i].RPS != *r.RPS {
					t.Fatalf("%v became %v", *r.RPS, *q.Trials[i].RPS)
				}
				i++
			}
		}
	})
}
