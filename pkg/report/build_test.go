package report

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

func text(t *testing.T, r *Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := Render(&b, r, "table", Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// flat joins wrapped lines, so that a sentence can be looked for.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

func near(got *float64, want, tolerance float64) bool {
	return got != nil && math.Abs(*got-want) <= tolerance
}

// TestLighttpd: the five runs have proven tiers, and those are the headline. The mean and its interval are R's
// t.test(c(5596.50, 7611.98, 7690.85, 7600.03, 5515.75)).
func TestLighttpd(t *testing.T) {
	r := mustBuild(t, goldenCases["lighttpd"]())
	m, tiers := r.Targets[0].RPS, r.Targets[0].Tiers
	if !near(m.Mean, 6803.022, 1e-9) || m.CI == nil || !near(&m.CI.Low, 5388.58, 0.006) || !near(&m.CI.High, 8217.46, 0.006) {
		t.Errorf("mean %v CI %+v", m.Mean, m.CI)
	}
	if tiers.Status != "proven" || !near(tiers.R2, 0.99843, 5e-6) || !near(tiers.P, 0.00026, 0.00002) || len(tiers.Tiers) != 2 {
		t.Errorf("tiers %+v", tiers)
	}
	out := text(t, r)
	for _, want := range []string{
		"6803.02", "95 % CI 5388.58 … 8217.46", "R² 0.99843", "p ≈ 0.0003",
		"5556.1 (trials 1, 5)", "7634.3 (trials 2, 3, 4)", "two tiers proven", "two-tiers",
	} {
		if !strings.Contains(flat(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "6803.02 ±") || strings.Index(out, "5556.1") > strings.Index(out, "6803.02") {
		t.Errorf("the mean is the headline:\n%s", out)
	}
	if got := codes(r.Targets[0].Findings); got["two-tiers"] == "" || len(got) != 1 {
		t.Errorf("findings %v", got)
	}
}

func TestOrderUnclear(t *testing.T) {
	r := mustBuild(t, orderUnclearInput())
	got := codes(r.Targets[0].Findings)
	if r.Targets[0].Tiers.Status != "order-unclear" || (got["order-unclear"] == "" && got["level-shift"] == "") || got["two-tiers"] != "" {
		t.Errorf("status %s, findings %v", r.Targets[0].Tiers.Status, got)
	}
	if out := text(t, r); !strings.Contains(out, "6803.02 ± ") {
		t.Errorf("the mean is not shown:\n%s", out)
	}
}

// TestPHPClassOrFunction: 1197.17 against 1176.06, one run each and five each with a CV of exactly 0.5 %.
func TestPHPClassOrFunction(t *testing.T) {
	r := mustBuild(t, goldenCases["one-trial"]())
	c := r.Comparisons[0]
	if c.Verdict != "inconclusive" || c.DecidedBy != "none" || codes(c.Findings)["one-trial"] != "warning" {
		t.Errorf("%s by %s, findings %v", c.Verdict, c.DecidedBy, codes(c.Findings))
	}
	for _, want := range []string{"1.22 % with 5 trials each", "1.89 % with 10", "2.78 % with 20"} {
		if !strings.Contains(flat(text(t, r)), want) {
			t.Errorf("no %q in\n%s", want, text(t, r))
		}
	}
	for _, margin := range []float64{0.01, 0.02} {
		in := FromSeries("", "test", Rule{Margin: margin}, numbers("function", exact(5, 1176.06, 0.005)...), numbers("class", exact(5, 1197.17, 0.005)...))
		c := mustBuild(t, in).Comparisons[0]
		if c.Verdict != "faster" || c.DecidedBy != "log_welch" {
			t.Errorf("margin %g: %s by %s", margin, c.Verdict, c.DecidedBy)
		}
		both := strings.Contains(c.Sentence, "faster than function") && strings.Contains(c.Sentence, "not yet known to exceed the margin of 2 %")
		if both != (margin == 0.02) {
			t.Errorf("margin %g: %s", margin, c.Sentence)
		}
	}
}

// TestSwapSymmetry: with the targets exchanged, the verdict is the opposite and the ratio the inverse.
func TestSwapSymmetry(t *testing.T) {
	opposite := map[string]string{"faster": "slower", "slower": "faster", "equivalent": "equivalent", "inconclusive": "inconclusive", "none": "none"}
	seen := map[string]int{}
	for seed := range uint64(200) {
		in := two(3+int(seed%9), 1+float64(seed%7)/200, 0.002+float64(seed%5)/200, seed).input()
		if seed%3 == 0 {
			in.Design.Test = "welch"
		}
		one := mustBuild(t, in).Comparisons[0]
		in.Targets[0].Baseline, in.Targets[1].Baseline = false, true
		two := mustBuild(t, in).Comparisons[0]
		seen[one.Verdict]++
		if two.Baseline != "b" || two.Verdict != opposite[one.Verdict] || two.Direction != opposite[one.Direction] || two.Significant != one.Significant {
			t.Errorf("seed %d: %s/%s against %s/%s", seed, one.Verdict, one.Direction, two.Verdict, two.Direction)
		}
		if math.Abs(one.Ratio.Value*two.Ratio.Value-1) > 1e-9 || math.Abs(one.Ratio.CI.Low*two.Ratio.CI.High-1) > 1e-9 {
			t.Errorf("seed %d: ratios %g and %g", seed, one.Ratio.Value, two.Ratio.Value)
		}
		if (one.TrialsNeeded == nil) != (two.TrialsNeeded == nil) || one.TrialsNeeded != nil && *one.TrialsNeeded != *two.TrialsNeeded {
			t.Errorf("seed %d: trials needed differ", seed)
		}
	}
	for _, v := range []string{"faster", "equivalent", "inconclusive"} {
		if seen[v] == 0 {
			t.Errorf("no case was %s: %v", v, seen)
		}
	}
}

// TestNoFalseClaims: a target against itself, in blocks with common shocks. False claims stay within alpha and three
// binomial standard errors, and with three targets over the whole family.
func TestNoFalseClaims(t *testing.T) {
	seeds := 2000
	if testing.Short() {
		seeds = 200
	}
	for _, names := range [][]string{{"a", "b"}, {"a", "b", "c"}} {
		rates := []float64{6000, 6000, 6000}[:len(names)]
		wrong := 0
		for seed := range seeds {
			in := synthetic{blocks: 10, names: names, rates: rates, shock: 0.03, noise: 0.02, seed: uint64(seed)}.input()
			base := newArm(in.Targets[0], in.Design)
			for _, candidate := range in.Targets[1:] {
				c := newContest(in.Design, base, newArm(candidate, in.Design), len(names)-1)
				c.judge() // what Build does, without the planning of further trials, which is slow
				if c.out.Verdict == "faster" || c.out.Verdict == "slower" {
					wrong++
					break
				}
			}
		}
		n := float64(seeds)
		if limit := 0.05 + 3*math.Sqrt(0.05*0.95/n); float64(wrong)/n > limit {
			t.Errorf("%d targets: %d of %d experiments made a false claim, the limit is %.4f", len(names), wrong, seeds, limit)
		}
		t.Logf("%d targets: %d of %d", len(names), wrong, seeds)
	}
}

// TestVerdicts: what decides, what caps, and what every sentence must say.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		name, verdict, by, direction string
		capped                       string
		say                          []string
	}{
		{"faster", "faster", "paired", "faster", "", []string{"b is faster than a by ", "n = 10 blocks, paired t p"}},
		{"slower", "slower", "paired", "slower", "", []string{"b is slower than a by ", "% slower; ratio 0.9"}},
		{"equivalent", "equivalent", "paired", "none", "", []string{"equivalent to a within ±1 %", "90 % CI"}},
		{"equivalent-detectable", "equivalent", "paired", "faster", "", []string{"equivalent to a within ±1 %; detectably faster by 0."}},
		{"inconclusive", "inconclusive", "paired", "none", "", []string{"Inconclusive: ", " blocks would decide", "can resolve a change of"}},
		{"capped", "inconclusive", "log_welch", "slower", "tiers", []string{"depends on how often", "from tier to tier the ratio is 0.76"}},
		{"every-tier", "faster", "log_welch", "faster", "", []string{"faster than flat in every tier by "}},
		{"differs", "inconclusive", "none", "none", "response-differs", []string{"different replies", "Not to be quoted: +"}},
		{"aborted", "inconclusive", "none", "none", "", []string{"no trial of b counts"}},
		{"zero", "faster", "log_welch", "faster", "", []string{"faster than a by 3.00"}},
		{"two-trials", "inconclusive", "paired", "none", "", []string{"n = 2 blocks"}},
	} {
		input, ok := goldenCases[c.name]
		if c.name == "differs" {
			input, ok = differsInput, true
		}
		if !ok {
			t.Fatalf("no case %s", c.name)
		}
		got := mustBuild(t, input()).Comparisons[0]
		if got.Verdict != c.verdict || got.DecidedBy != c.by || got.Direction != c.direction || strings.Join(got.CappedBy, ",") != c.capped {
			t.Errorf("%s: %s by %s, direction %s, capped by %v; want %+v", c.name, got.Verdict, got.DecidedBy, got.Direction, got.CappedBy, c)
		}
		for _, say := range c.say {
			if !strings.Contains(got.Sentence, say) {
				t.Errorf("%s: no %q in %q", c.name, say, got.Sentence)
			}
		}
	}
}

// TestBlockTiersCap: a target that draws one of two tiers in each block has no verdict that holds in both.
func TestBlockTiersCap(t *testing.T) {
	s := two(12, 1, 0.002, 21)
	s.adjust = func(target, block int, rate float64) float64 {
		if target == 1 && block*7%12 < 8 {
			return rate * 0.8
		}
		return rate
	}
	in := s.input()
	c := mustBuild(t, in).Comparisons[0]
	if c.Verdict != "inconclusive" || strings.Join(c.CappedBy, ",") != "tiers" || c.Direction != "slower" || codes(c.Findings)["two-tiers"] == "" {
		t.Errorf("%s %v %s %v: %s", c.Verdict, c.CappedBy, c.Direction, codes(c.Findings), c.Sentence)
	}
	// The whole machine in two tiers, block by block: the ratios have none, and the verdict stands.
	s = two(12, 1.05, 0.002, 22)
	s.shock = 0.001
	s.adjust = func(_, block int, rate float64) float64 {
		if block*7%12 < 8 {
			return rate * 0.8
		}
		return rate
	}
	c = mustBuild(t, s.input()).Comparisons[0]
	if c.Verdict != "faster" || len(c.CappedBy) != 0 || !strings.Contains(c.Sentence, "in every tier") {
		t.Errorf("%s %v: %s", c.Verdict, c.CappedBy, c.Sentence)
	}
}

// TestWelchOnBlocks: --test welch lets log-Welch decide blocked data, and both p-values are shown.
func TestWelchOnBlocks(t *testing.T) {
	in := two(10, 1.02, 0.002, 23).input()
	in.Design.Test = "welch"
	r := mustBuild(t, in)
	c := r.Comparisons[0]
	if c.DecidedBy != "log_welch" || c.Paired == nil || c.LogWelch == nil || c.Welch == nil {
		t.Errorf("decided by %s", c.DecidedBy)
	}
	out := flat(text(t, r))
	if !strings.Contains(out, "paired t p") || !strings.Contains(out, "log-Welch p") || !strings.Contains(out, "(decides)") {
		t.Errorf("not both p-values in\n%s", out)
	}
	if got := codes(c.Findings)["tests-disagree"]; (got != "") != ((c.Paired.P < 0.05) != (c.LogWelch.P < 0.05)) {
		t.Errorf("tests-disagree %q with p %g and %g", got, c.Paired.P, c.LogWelch.P)
	}
}

func TestBadInput(t *testing.T) {
	ok := func() Input { return two(3, 1, 0.01, 1).input() }
	for name, c := range map[string]struct {
		change func(*Input)
		want   error
	}{
		"no target":        {func(in *Input) { in.Targets = nil }, ErrBadInput},
		"alpha 0":          {func(in *Input) { in.Design.Alpha = 0 }, ErrBadInput},
		"alpha NaN":        {func(in *Input) { in.Design.Alpha = math.NaN() }, ErrBadInput},
		"margin 0":         {func(in *Input) { in.Design.Margin = 0 }, ErrBadInput},
		"unknown test":     {func(in *Input) { in.Design.Test = "sign" }, ErrBadInput},
		"unknown metric":   {func(in *Input) { in.Design.Metric = "p98" }, ErrBadInput},
		"metric not shown": {func(in *Input) { in.Design.Metric = "server_cpu" }, ErrBadInput},
		"unknown family":   {func(in *Input) { in.Design.Family = "some" }, ErrBadInput},
		"paired unblocked": {func(in *Input) { in.Design.Test, in.Design.Blocked = "paired", false }, ErrNotBlocked},
		"fine":             {func(*Input) {}, nil},
		"paired":           {func(in *Input) { in.Design.Test = "paired" }, nil},
	} {
		in := ok()
		c.change(&in)
		if _, err := Build(in); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
}

// TestThreeTargets: verdicts at alpha/2, Holm as information.
func TestThreeTargets(t *testing.T) {
	r := mustBuild(t, threeInput())
	if len(r.primary()) != 2 {
		t.Fatalf("%d comparisons", len(r.primary()))
	}
	for _, c := range r.primary() {
		if c.HolmP == nil || *c.HolmP < c.Paired.P || math.Abs(c.Ratio.CI.Level-0.975) > 1e-12 || math.Abs(c.Equivalence.CI90.Level-0.95) > 1e-12 {
			t.Errorf("%s: Holm %v, p %v, levels %+v %+v", c.Candidate, c.HolmP, c.Paired, c.Ratio.CI, c.Equivalence.CI90)
		}
	}
	if codes(r.Findings)["one-restart"] != "note" {
		t.Errorf("findings %v", codes(r.Findings))
	}
}

// TestCleanRun: a clean pair of targets has no error and no warning in nearly all experiments.
func TestCleanRun(t *testing.T) {
	warnings := 0
	for seed := range uint64(200) {
		r := mustBuild(t, two(10, 1.05, 0.005, seed).input())
		for _, f := range r.allFindings() {
			switch f.Severity {
			case SeverityError:
				t.Errorf("seed %d: %+v", seed, f)
			case SeverityWarning:
				warnings++
			}
		}
	}
	if warnings > 60 {
		t.Errorf("%d warnings in 200 clean experiments", warnings)
	}
	t.Logf("%d warnings in 200 clean experiments", warnings)
}

func TestFromFile(t *testing.T) {
	in := two(4, 1.05, 0.004, 31).input()
	plan := result.Plan{
		Name: "pair", Blocks: 4, Order: "random-blocks", Seed: 31, Margin: 0.02, Alpha: 0.01, Test: "auto", Metric: "rps", Stop: "fixed",
		Targets: []result.Target{{Name: "a", URL: "http://127.0.0.1:{port}/"}, {Name: "b", Baseline: true, Load: result.Load{Concurrency: 9}}},
	}
	f := &result.File{
		Experiment:  &result.Experiment{Name: "pair", Version: "v9", Plan: plan, PlanSHA256: "abc", Machine: map[string]any{"cpus": 2}},
		ChainBroken: 3, Torn: true,
	}
	for i := range 4 {
		f.Trials = append(f.Trials, in.Targets[0].Trials[i], in.Targets[1].Trials[i])
	}
	f.Trials = append(f.Trials, nativeTrial("stranger", 1, 0, 0, 100))
	got := FromFile(f)
	if !got.Interrupted || !got.Torn || got.ChainBroken != 3 || !got.Design.Blocked || *got.Design.Seed != 31 || got.Design.Margin != 0.02 {
		t.Errorf("%+v", got)
	}
	if len(got.Targets) != 3 || len(got.Targets[1].Trials) != 4 || got.Targets[1].Plan == nil || got.Targets[2].Plan != nil {
		t.Fatalf("targets %+v", got.Targets)
	}
	r := mustBuild(t, got)
	want := map[string]string{"interrupted": "warning", "truncated-text": "warning", "inconsistent-numbers": "warning", "load-differs": "error"}
	for code, severity := range want {
		if codes(r.Findings)[code] != severity {
			t.Errorf("%s: %v", code, codes(r.Findings))
		}
	}
	if r.Version != "v9" || r.PlanSHA256 != "abc" || r.Environment["cpus"] != 2 || r.Comparisons[0].Baseline != "b" || r.Comparisons[0].Candidate != "a" {
		t.Errorf("%s %s %v %+v", r.Version, r.PlanSHA256, r.Environment, r.Comparisons[0])
	}
	bare := FromFile(&result.File{Trials: f.Trials})
	if bare.Design.Blocked || bare.Design.Alpha != DefaultAlpha || bare.Interrupted || len(bare.Targets) != 3 || bare.baseline() != 0 {
		t.Errorf("without a plan: %+v", bare.Design)
	}
}
