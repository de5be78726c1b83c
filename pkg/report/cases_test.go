package report

import (
	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// lighttpd is five runs of one command against one lighttpd, in the order they were made.
var lighttpd = []float64{5596.50, 7611.98, 7690.85, 7600.03, 5515.75}

// goldenCases are the inputs whose output is kept in testdata/golden, in every format.
var goldenCases = map[string]func() Input{
	"faster":                func() Input { return two(10, 1.05, 0.004, 1).input() },
	"slower":                func() Input { return two(10, 1/1.1, 0.003, 2).input() },
	"equivalent":            func() Input { return two(10, 1.0005, 0.003, 3).input() },
	"equivalent-detectable": func() Input { return two(20, 1.003, 0.001, 4).input() },
	"inconclusive":          func() Input { return two(10, 1.004, 0.03, 5).input() },
	"one-trial": func() Input {
		return FromSeries("php5", "test", Rule{}, numbers("function", 1176.06), numbers("class", 1197.17))
	},
	"two-trials":    func() Input { return two(2, 1.02, 0.004, 6).input() },
	"lighttpd":      func() Input { return FromSeries("", "test", Rule{}, numbers("lighttpd", lighttpd...)) },
	"order-unclear": orderUnclearInput,
	"capped": func() Input {
		return FromSeries("tiers against flat", "test", Rule{},
			numbers("flat", 7301, 7295, 7310, 7299, 7305, 7288, 7312, 7303, 7297, 7306),
			numbers("tiers", 5596.5, 7611.98, 5590.85, 5600.03, 5515.75, 7650.1, 5580.2, 7640, 5560.3, 5570))
	},
	"every-tier": func() Input {
		return FromSeries("", "test", Rule{},
			numbers("flat", 3301, 3295, 3310, 3299, 3305), numbers("tiers", lighttpd...))
	},
	"all-404":     all404Input,
	"aborted":     abortedInput,
	"excluded":    excludedInput,
	"interrupted": interruptedInput,
	"three":       threeInput,
	"all-pairs":   allPairsInput,
	"not-separated": func() Input {
		in := synthetic{blocks: 10, names: []string{"a", "b", "c"}, rates: []float64{1000, 1095, 1100}, shock: 0.02, noise: 0.02, seed: 16}.input()
		in.Targets[2].Trials[0].Valid = false
		in.Design.Family = familyAllPairs
		return in
	},
	"metric-p99": func() Input {
		in := two(10, 1.05, 0.004, 17).input()
		in.Design.Metric, in.Design.PlannedMetric = "p99", "rps"
		return in
	},
	"metric-mean-tiers": func() Input {
		s := numbers("lighttpd", lighttpd...)
		for i := range s.Trials {
			s.Trials[i].LatencyMS = map[string]float64{"mean": 50e3 / lighttpd[i]}
			s.Trials[i].ConnectionTimes = map[string]map[string]float64{"connect": {"mean": []float64{3, 1, 1, 1, 3}[i]}}
		}
		return FromSeries("", "test", Rule{Metric: "mean"}, s)
	},
	"some-aborted": someAbortedInput,
	"verbose": func() Input {
		in := threeInput()
		in.Methods, in.Design.Family = true, familyAllPairs
		return in
	},
	"verbose-few": func() Input {
		in := FromSeries("", "test", Rule{}, numbers("function", 1176.06, 1180.1), numbers("class", 1197.17))
		in.Methods = true
		return in
	},
	"zero":         zeroInput,
	"hostile-name": hostileInput,
	"differs":      differsInput,
	"single": func() Input {
		return synthetic{blocks: 10, names: []string{"nginx"}, rates: []float64{14000}, noise: 0.01, seed: 10}.input()
	},
}

func orderUnclearInput() Input {
	s := numbers("lighttpd", 5596.50, 5515.75, 7611.98, 7690.85, 7600.03)
	return FromSeries("", "test", Rule{}, s)
}

func all404Input() Input {
	s := numbers("lighttpd", lighttpd...)
	for i := range s.Trials {
		t := &s.Trials[i]
		t.Source.Tool = "ab"
		t.Requests, t.Failed, t.Non2xx = new(int64(10000)), new(int64(0)), new(int64(10000+i))
		t.Seconds = new(10000 / *t.RPS)
		t.DocumentLength = new(int64(345))
		t.LatencyMS = map[string]float64{"p50": 6, "p90": 7, "p95": 8, "p99": 9 + float64(i), "max": 40}
	}
	return FromSeries("", "test", Rule{}, s)
}

func abortedInput() Input {
	in := two(10, 1.05, 0.004, 11).input()
	for i := range in.Targets[1].Trials {
		t := &in.Targets[1].Trials[i]
		t.Valid, t.Aborted, t.RPS, t.InvalidBecause = false, true, nil, "aborted: the first 100 attempts failed"
		t.Requests, t.OK, t.Failed, t.Total, t.Status = new(int64(100)), new(int64(0)), new(int64(100)), nil, nil
		t.Errors = map[string]int64{"connect-refused": 100}
		t.FirstError = "dial tcp 127.0.0.1:8080: connect: connection refused"
	}
	return in
}

func excludedInput() Input {
	in := two(10, 1.05, 0.004, 12).input()
	for _, i := range []int{2, 6} {
		t := &in.Targets[1].Trials[i]
		t.Valid, t.InvalidBecause = false, "1.2 % of the requests failed; the limit is 0.1 %"
		t.OK, t.Failed, t.Status = new(int64(9880)), new(int64(120)), map[string]int64{"200": 9880}
		t.Errors = map[string]int64{"timeout": 100, "reset": 20}
		t.RPS = new(round2(*t.RPS * 0.988))
		t.FirstError = "no reply byte within 30s"
	}
	in.Targets[0].Trials[3].Failed = new(int64(2))
	in.Targets[0].Trials[3].Errors = map[string]int64{"reset": 2}
	return in
}

func interruptedInput() Input {
	in := two(7, 1.05, 0.004, 13).input()
	in.Design.Blocks = 10
	in.Interrupted, in.Torn = true, true
	last := &in.Targets[1].Trials[6]
	last.Valid, last.Interrupted, last.RPS, last.InvalidBecause = false, true, nil, "interrupted"
	return in
}

func threeInput() Input {
	s := synthetic{
		blocks: 12, names: []string{"php 7.4", "php 8.2", "php 8.2 jit"}, rates: []float64{1200, 1206, 1290},
		shock: 0.02, noise: 0.006, seed: 14,
	}
	in := s.input()
	for i := range in.Targets {
		plan := &result.Target{Name: in.Targets[i].Name, Expect: result.Expect{MaxFailed: 0.001}, Servers: []result.Server{{Name: "php"}}}
		in.Targets[i].Plan = plan
		for j := range in.Targets[i].Trials {
			in.Targets[i].Trials[j].Restart = 1
		}
	}
	return in
}

func allPairsInput() Input {
	in := threeInput()
	in.Design.Family = familyAllPairs
	in.Targets[0].Baseline, in.Targets[1].Baseline = false, true
	return in
}

// someAbortedInput is a server that gave up all three of its trials, and one that survived both of its own.
func someAbortedInput() Input {
	dead := numbers("slow", 1, 1, 1)
	for i := range dead.Trials {
		dead.Trials[i].Valid, dead.Trials[i].Aborted, dead.Trials[i].RPS = false, true, nil
		dead.Trials[i].ErrorLines = []string{"apr_socket_recv: Connection timed out (110)"}
	}
	return FromSeries("", "test", Rule{}, numbers("steady", 512.2, 514.9), dead)
}

func zeroInput() Input {
	return FromSeries("", "test", Rule{}, numbers("a", 100, 100, 100, 100, 100), numbers("b", 103, 103, 103, 103, 103))
}

func hostileInput() Input {
	in := two(10, 1.05, 0.004, 15).input()
	in.Title = "a | b\x1b[2J <script>alert(1)</script> and a very long title that goes on beyond the end of any terminal line"
	in.Targets[0].Name = "base|line *bold* `code` \x1b[31mred\nnewline"
	in.Targets[1].Name = "http://127.0.0.1:8080/a/very/long/path/without/any/blank/that/is/wider/than/the/page/index.php?q=1&r=2"
	in.Targets[1].Trials[0].Failed = new(int64(1))
	in.Targets[1].Trials[0].Errors = map[string]int64{"protocol": 1}
	in.Targets[1].Trials[0].FirstError = "bad status line \"\x00\x01\x02|||\""
	return in
}

func differsInput() Input {
	in := two(10, 1.9, 0.004, 16).input()
	for i := range in.Targets[1].Trials {
		t := &in.Targets[1].Trials[i]
		t.DocumentLength, t.BodyBytes = new(int64(345)), new(int64(345*testRequests))
	}
	return in
}
