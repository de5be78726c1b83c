package planning

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/benchstat-http/benchstat-http/internal/page"
)

func request() Request { return Request{Alpha: .05, Power: .8, Margin: .01} }

func mustBuild(t *testing.T, r Request) *Plan {
	t.Helper()
	p, err := Build(r)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Trials per target for 80 % power, measured apart. R 4.2.2: ceiling(power.t.test(delta=log1p(e), sd=sqrt(log1p(cv^2)),
// power=.8, strict=TRUE)$n)
func TestTable(t *testing.T) {
	for cv, want := range map[float64][]int{.01: {65, 17, 6, 3, 2}, .02: {254, 65, 18, 4, 3}} {
		r := request()
		r.CV = cv
		p := mustBuild(t, r)
		for i, row := range p.Table {
			if *row.Difference.Apart != want[i] {
				t.Errorf("CV %v effect %v: %d, want %d", cv, row.Effect, *row.Difference.Apart, want[i])
			}
		}
	}
	r := request()
	r.CV, r.RatioCV = .02, .01
	if p := mustBuild(t, r); *p.Equivalence.Blocked != 11 || p.Spread.Ratio.Assumed {
		t.Errorf("blocks for equivalence: %d", *p.Equivalence.Blocked)
	}
}

// What n trials resolve and what an effect needs are inverses.
func TestResolutionAgreesWithSizes(t *testing.T) {
	r := request()
	r.CV, r.Trials = .012, 10
	p := mustBuild(t, r)
	r.Effect, r.Margin = *p.Resolution.Difference.Apart*1.0001, *p.Resolution.Equivalence.Blocked*1.0001
	q := mustBuild(t, r)
	if *q.Difference.Apart != 10 || *q.Equivalence.Blocked != 10 {
		t.Errorf("%d %d", *q.Difference.Apart, *q.Equivalence.Blocked)
	}
	r = request()
	r.Trials = 10
	p = mustBuild(t, r)
	// 1.34 % is the CV at which 10 and 10 trials find the 1.79 % of 1197.17 against 1176.06.
	r.Effects = []float64{1197.17/1176.06 - 1}
	if cv := *mustBuild(t, r).Table[0].LargestCV.Apart; math.Abs(cv-.0134) > .00006 {
		t.Errorf("largest CV %v", cv)
	}
	if p.Spread != nil || p.Difference != nil || p.Table[0].Difference != nil || p.Resolution.Difference != nil {
		t.Errorf("sizes without a spread: %+v", p)
	}
}

// blockedPilot is two targets that share what happens to a block; with starts > 0 a start lasts several blocks.
func blockedPilot(blocks, start int) *Pilot {
	rng := rand.New(rand.NewPCG(1, 2))
	p := &Pilot{Name: "pilot", Blocked: true, Targets: []Target{{Name: "a"}, {Name: "b"}}}
	levels := [2]float64{}
	for b := range blocks {
		shock := .05 * rng.NormFloat64()
		for i := range p.Targets {
			restart := 0
			if start > 0 {
				restart = b/start + 1
				if b%start == 0 {
					levels[i] = .02 * rng.NormFloat64()
				}
			}
			v := 1000 * math.Exp(shock+levels[i]+.01*rng.NormFloat64())
			p.Targets[i].Trials = append(p.Targets[i].Trials, Trial{Value: v, Block: b + 1, Restart: restart, Seconds: 10})
		}
	}
	return p
}

func TestPilot(t *testing.T) {
	r := request()
	r.Pilot = blockedPilot(10, 0)
	p := mustBuild(t, r)
	s := p.Spread
	if *s.Ratio.N != 10 || *s.Trial.N != 19 || s.Ratio.Assumed || s.Ratio.CV > .03 || s.Trial.CV < .03 || p.Unit != "trial" {
		t.Errorf("%+v", s)
	}
	// The limit at n = 10 is 1.469 sds.
	if got := logSD(*s.Ratio.Upper) / logSD(s.Ratio.CV); math.Abs(got-1.4694307) > 1e-6 {
		t.Errorf("upper limit %v times", got)
	}
	if *p.Equivalence.Blocked >= *p.Equivalence.Apart {
		t.Errorf("blocks do not help: %+v", p.Equivalence)
	}
	r.Pilot.Blocked = false
	if s := mustBuild(t, r).Spread; !s.Ratio.Assumed || s.Ratio.Upper != nil || math.Abs(s.Ratio.log/s.Trial.log-math.Sqrt2) > 1e-12 {
		t.Errorf("%+v", s.Ratio)
	}
}

// Starts of the servers are the replicates when each has several trials.
func TestRestarts(t *testing.T) {
	r := request()
	r.Pilot = blockedPilot(30, 3)
	p := mustBuild(t, r)
	if p.Unit != "restart" || *p.Spread.Ratio.N != 10 || p.Restarts == nil || p.Restarts.OptimalTrials != nil || !p.Restarts.TrialCostMeasured ||
		p.Restarts.Restarts != 20 || p.Restarts.Trials != 60 {
		t.Errorf("%+v %+v", p.Spread, p.Restarts)
	}
	r.RestartCost = 3000
	p = mustBuild(t, r)
	between, within := logSD(p.Restarts.CVBetween), logSD(p.Restarts.CVWithin)
	if want := math.Ceil(math.Sqrt(300) * within / between); p.Restarts.OptimalTrials == nil || float64(*p.Restarts.OptimalTrials) != want {
		t.Errorf("%+v, want %v", p.Restarts, want)
	}
	for i := range r.Pilot.Targets {
		for j := range r.Pilot.Targets[i].Trials {
			r.Pilot.Targets[i].Trials[j].Seconds = 0
		}
	}
	if _, err := Build(r); !errors.Is(err, ErrBadInput) {
		t.Error("costs without a duration", err)
	}
	r.Pilot = blockedPilot(10, 0)
	if _, err := Build(r); !errors.Is(err, ErrBadInput) {
		t.Error("a restart cost without restarts", err)
	}
}

func TestRefusals(t *testing.T) {
	for name, change := range map[string]func(*Request){
		"nothing":       func(*Request) {},
		"alpha":         func(r *Request) { r.CV, r.Alpha = .01, .5 },
		"power":         func(r *Request) { r.CV, r.Power = .01, .01 },
		"margin":        func(r *Request) { r.CV, r.Margin = .01, 1 },
		"effect":        func(r *Request) { r.CV, r.Effect = .01, -1 },
		"effects":       func(r *Request) { r.CV, r.Effects = .01, []float64{0} },
		"one trial":     func(r *Request) { r.Trials = 1 },
		"bare effect":   func(r *Request) { r.Trials, r.Effect = 10, .01 },
		"two spreads":   func(r *Request) { r.CV, r.Pilot = .01, blockedPilot(5, 0) },
		"only ratios":   func(r *Request) { r.RatioCV, r.Trials = .01, 5 },
		"single trials": func(r *Request) { r.Pilot = blockedPilot(1, 0) },
		"no spread": func(r *Request) {
			r.Pilot = &Pilot{Targets: []Target{{Trials: []Trial{{Value: 3}, {Value: 3}, {Value: 3}}}}}
		},
	} {
		r := request()
		change(&r)
		if _, err := Build(r); !errors.Is(err, ErrBadInput) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Every format shows every plan; lines fit the terminal, names cannot break out of it, and JSON has no NaN.
func TestFormats(t *testing.T) {
	hostile := blockedPilot(30, 3)
	hostile.Name, hostile.Targets[0].Name = "x\x1b[31m", strings.Repeat("long|name ", 12)
	for name, change := range map[string]func(*Request){
		"cv":       func(r *Request) { r.CV, r.Effect = .012, .02 },
		"ratio":    func(r *Request) { r.CV, r.RatioCV = .012, .01 },
		"trials":   func(r *Request) { r.Trials = 2 },
		"both":     func(r *Request) { r.Trials, r.CV = 20, .9 },
		"hopeless": func(r *Request) { r.CV, r.Effects = .99, []float64{1e-6} },
		"pilot":    func(r *Request) { r.Pilot = blockedPilot(6, 0) },
		"restarts": func(r *Request) { r.Pilot, r.RestartCost, r.Trials = hostile, 30, 5 },
	} {
		r := request()
		change(&r)
		p := mustBuild(t, r)
		var text, markdown, data bytes.Buffer
		if err := errors.Join(p.Text(&text), p.Markdown(&markdown), p.JSON(&data)); err != nil {
			t.Fatal(name, err)
		}
		for line := range strings.Lines(text.String()) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > page.Width || strings.Contains(line, "\x1b") {
				t.Errorf("%s: %d columns: %q", name, n, line)
			}
		}
		var back map[string]any
		if err := json.Unmarshal(data.Bytes(), &back); err != nil || back["schema"] != Schema {
			t.Errorf("%s: %v %v", name, back["schema"], err)
		}
		if strings.Contains(text.String()+markdown.String(), "NaN") || strings.Contains(markdown.String(), "long|name") {
			t.Errorf("%s:\n%s%s", name, text.String(), markdown.String())
		}
	}
}
