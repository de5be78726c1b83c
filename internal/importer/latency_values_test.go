package importer_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/benchstat-http/benchstat-http/internal/importer"
	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// distribution is what matters of a trial of latencies.
type distribution struct {
	target                      string
	trial, block, restart, line int
	n, low, high, sum           int64
}

func distributionOf(r result.Trial) distribution {
	return distribution{r.Target, r.Trial, r.Block, r.Restart, r.Source.Line, r.Total.N(), r.Total.Min, r.Total.Max, r.Total.Sum}
}

func TestLatencies(t *testing.T) {
	const ms, s = importer.ValuesLatencyMS, importer.ValuesLatencyS
	for name, c := range map[string]struct {
		text   string
		values importer.Values
		want   []distribution
	}{
		"milliseconds": {"1.5\n2\n0.25\n", ms, []distribution{{"", 1, 0, 0, 1, 3, 250000, 2000000, 3750000}}},
		"seconds":      {"1.5\n2\n.25", s, []distribution{{"", 1, 0, 0, 1, 3, 250e6, 2e9, 3750e6}}},
		"zero":         {"0\n0.0000001\n1\n", ms, []distribution{{"", 1, 0, 0, 1, 3, 0, 1e6, 1e6}}},
		"comments":     {"# a\n\n  1 # b\n#2\n\t+3e0\u00a0\n", ms, []distribution{{"", 1, 0, 0, 3, 2, 1e6, 3e6, 4e6}}},
		"windows":      {"\ufeff1\r\n2\r\n", ms, []distribution{{"", 1, 0, 0, 1, 2, 1e6, 2e6, 3e6}}},
		"old mac":      {"1\r2\r", ms, []distribution{{"", 1, 0, 0, 1, 2, 1e6, 2e6, 3e6}}},
		"UTF-16":       {"\xff\xfe1\x00\n\x002\x00\n\x00", ms, []distribution{{"", 1, 0, 0, 1, 2, 1e6, 2e6, 3e6}}},
		"column":       {"latency\n1\n2\n", ms, []distribution{{"", 1, 0, 0, 2, 2, 1e6, 2e6, 3e6}}},
		"table":        {"time,Latency_MS\nx,1\n\ny,2\n", ms, []distribution{{"", 1, 0, 0, 2, 2, 1e6, 2e6, 3e6}}},
		"both units":   {"latency_s\tlatency_ms\n0.001\t1\n0.002\t2\n", s, []distribution{{"", 1, 0, 0, 2, 2, 1e6, 2e6, 3e6}}},
		"trials": {"target;trial;latency_ms\na;1;1\nb;1;2\na;1;3\na;2;4\n\"b\";2;+5\n", ms, []distribution{
			{"a", 1, 0, 0, 2, 2, 1e6, 3e6, 4e6}, {"b", 1, 0, 0, 3, 1, 2e6, 2e6, 2e6}, {"a", 2, 0, 0, 5, 1, 4e6, 4e6, 4e6}, {"b", 2, 0, 0, 6, 1, 5e6, 5e6, 5e6}}},
		"blocks":      {"block,restart,latency\n1,1,1\n1,1,1\n2,1,1\n", ms, []distribution{{"", 1, 1, 1, 2, 2, 1e6, 1e6, 2e6}, {"", 2, 2, 1, 4, 1, 1e6, 1e6, 1e6}}},
		"long digits": {"0.12345678901234567\n", s, []distribution{{"", 1, 0, 0, 1, 1, 123456789, 123456789, 123456789}}},
	} {
		p, err := importer.ParseLatencies(iotest.OneByteReader(strings.NewReader(c.text)), "n.txt", c.values)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []distribution
		for _, r := range p.Trials {
			got = append(got, distributionOf(r))
			if !r.Valid || r.RPS != nil || r.OK != nil || r.Seconds != nil || *r.Requests != r.Total.N() || r.Source.Tool != "numbers" || r.Type != "trial" {
				t.Errorf("%s: trial %+v", name, r)
			}
			if err := r.Total.Validate(); err != nil || r.Total.Digits != 3 {
				t.Errorf("%s: %v", name, err)
			}
		}
		if p.Kind != importer.KindNumbers || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %s\n got %v\nwant %v", name, p.Kind, got, c.want)
		}
	}
}

func TestLatencyErrors(t *testing.T) {
	var trials strings.Builder
	for i := range 10001 {
		_, _ = fmt.Fprintf(&trials, "\n%d,1", i+1)
	}
	for text, want := range map[string]string{
		"":                                 "f: read measurements: the input is empty",
		" \n\n":                            "f: read measurements: the input is empty",
		"# nothing\n":                      "f: read latencies: the input holds no number",
		"latency_ms\n":                     "f: read latencies: the input holds no number",
		"\x7fELF\x02\x01\x00\x00":          "f: read measurements: the input is binary",
		"1\nNaN\n":                         `f:2:1: read latency: "NaN" is not a number that can be measured; leave the line out`,
		"-Inf\n":                           `f:1:1: read latency: "-Inf" is not a number that can be measured`,
		"1\n  -5\n":                        `f:2:3: read latency: "-5" is not a number of 0 or more; a latency cannot be negative`,
		"1e999\n":                          `f:1:1: read latency: "1e999" is too large for a number`,
		"9e12\n9e12\n":                     "f:2:1: read latency: the latencies add up to more than 292 years; check that --values names their unit",
		"1e300\n":                          "f:1:1: read latency: the latencies add up to more than 292 years",
		"1,5\n":                            `f:1:1: read latency: "1,5" is not a number; write a decimal point: 1.5`,
		"1\n 12 ms\n":                      `f:2:2: read latency: "12 ms" is not a number; write the milliseconds alone, without a unit`,
		"1 2\n":                            `f:1:1: read latency: "1 2" is not a number; write one number per line`,
		"1\n\xffx\n":                       "f:2:1: read latency: ",
		"1\noops\n":                        `f:2:1: read latency: "oops" is not a number; write milliseconds as a decimal number such as 12.5`,
		"oops\n1\n":                        `f:1:1: read latency: "oops" is not a number`,
		"rps\n1\n":                         `f:1:1: read latencies: the header names no latency_ms column (it has "rps"); name the column of latencies latency_ms, or give the --values that it holds`,
		"target,latency_s\na,1\n":          `f:1:1: read latencies: the header names no latency_ms column (it has "target, latency_s")`,
		"target,latency\nä,x\n":            `f:2:3: read latency: "x" is not a number`,
		"target,latency\na,1,2\n":          "f:2:1: read latencies: this row has 3 columns, the header 2;",
		"block,latency\n0,1\n":             `f:2:1: read block: "0" is not a whole number from 1`,
		"restart,latency\nx,1\n":           `f:2:1: read restart: "x" is not a whole number from 1`,
		"latency,trial\n1,-1\n":            `f:2:3: read trial: "-1" is not a whole number from 1`,
		"trial,latency" + trials.String():  "f:10002:1: read latencies: the table has more than 10000 trials;",
		"1\n" + strings.Repeat("1", 70000): "f:2:1: read latency: the line is longer than 64 KiB",
		"Running 30s test @ http://x/\n  2 threads and 4 connections\nRequests/sec: 5\n": "f:1:1: this is wrk output;",
	} {
		p, err := importer.ParseLatencies(strings.NewReader(text), "f", importer.ValuesLatencyMS)
		if err == nil {
			t.Errorf("%.60q: read as %s with %d trials, want %q", text, p.Kind, len(p.Trials), want)
			continue
		}
		if !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.60q:\n got %s\nwant %s", text, err, want)
		}
	}
}

// TestLatencyReader hands the reader's own error on, from the head of the text as from its middle.
func TestLatencyReader(t *testing.T) {
	broken := errors.New("read f: the disk is gone")
	for _, head := range []string{"", "1\n", strings.Repeat("1\n", 1<<17), strings.Repeat("# x\n", 1<<16)} {
		in := iotest.DataErrReader(&failing{strings.NewReader(head), broken})
		if _, err := importer.ParseLatencies(in, "f", importer.ValuesLatencyMS); !errors.Is(err, broken) {
			t.Errorf("after %d bytes: %v", len(head), err)
		}
	}
}

type failing struct {
	*strings.Reader
	err error
}

func (f *failing) Read(p []byte) (int, error) {
	if f.Len() == 0 {
		return 0, f.err
	}
	return f.Reader.Read(p)
}

// TestLatenciesOfOthers leaves what is not plain numbers to its own reader.
func TestLatenciesOfOthers(t *testing.T) {
	p, err := importer.ParseLatencies(strings.NewReader(base), "f", importer.ValuesLatencyMS)
	if err != nil || p.Kind != importer.KindAB || value(p.Trials[0].RPS) != 4000.01 {
		t.Errorf("ab: %+v, %v", p, err)
	}
	p, err = importer.ParseLatencies(strings.NewReader(`{"type":"trial","target":"a","trial":1,"valid":true,"rps":5}`+"\n"), "f", importer.ValuesLatencyS)
	if err != nil || p.Kind != importer.KindResult || p.File == nil {
		t.Errorf("result file: %+v, %v", p, err)
	}
}

// TestLatencyBuckets checks the buckets against those of HdrHistogram, in which trials measured here are recorded, and
// the stated error: no quantile lies below the true one by nearest rank, or 0.1 % above it.
func TestLatencyBuckets(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	other := hdrhistogram.New(1, 1<<50, 3)
	exact := make([]int64, 5000)
	for i := range exact {
		ns := int64(math.Exp(random.Float64() * 34))
		if i < 20 {
			ns = 2040 + int64(i)
		}
		exact[i] = ns
		_, _ = fmt.Fprintf(&text, "%d.%06d\n", ns/1e6, ns%1e6)
		if err := other.RecordValue(ns); err != nil {
			t.Fatal(err)
		}
	}
	p, err := importer.ParseLatencies(strings.NewReader(text.String()), "f", importer.ValuesLatencyMS)
	if err != nil {
		t.Fatal(err)
	}
	got := p.Trials[0].Total
	var want [][2]int64
	for _, bar := range other.Distribution() {
		if bar.Count > 0 {
			want = append(want, [2]int64{bar.To, bar.Count})
		}
	}
	if !reflect.DeepEqual(got.Counts, want) {
		t.Errorf("%d buckets, HdrHistogram has %d", len(got.Counts), len(want))
	}
	slices.Sort(exact)
	for _, q := range []float64{0, 0.001, 0.5, 0.9, 0.99, 0.999, 1} {
		v, _ := got.Quantile(q)
		least := exact[max(0, int(math.Ceil(q*5000))-1)]
		if v < least || float64(v) > 1.001*float64(least) {
			t.Errorf("quantile %v is %d, true %d", q, v, least)
		}
	}
}

// FuzzLatencies checks that no text makes ParseLatencies panic or give a distribution that is none.
func FuzzLatencies(f *testing.F) {
	for _, seed := range []string{"1.5\n2\n", "latency_ms,target\n1,a\n2,b\n", "trial\tlatency\n1\t0.5\n", "1\r2", "\xff\xfe1\x00\n\x00", "# x\n9e12\n9e12", base} {
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, seconds bool) {
		values := importer.ValuesLatencyMS
		if seconds {
			values = importer.ValuesLatencyS
		}
		p, err := importer.ParseLatencies(strings.NewReader(string(text)), "f", values)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("the error has more than one line: %q", err)
			}
			return
		}
		if p.Kind != importer.KindNumbers {
			return
		}
		for _, r := range p.Trials {
			if err := r.Total.Validate(); err != nil || r.Total.N() < 1 || r.Total.Min < 0 || r.Total.Sum < r.Total.Max {
				t.Fatalf("%+v, %v", r.Total, err)
			}
		}
	})
}

func BenchmarkLatencyValues(b *testing.B) {
	const lines = 1_000_000
	for name, format := range map[string]string{"short": "%.3f\n", "full": "%v\n"} {
		random := rand.New(rand.NewPCG(1, 2))
		var text strings.Builder
		for range lines {
			_, _ = fmt.Fprintf(&text, format, math.Exp(random.NormFloat64()))
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				if _, err := importer.ParseLatencies(strings.NewReader(text.String()), "f", importer.ValuesLatencyMS); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
