package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// change returns the clean pair with every trial of b changed.
func change(f func(t *result.Trial)) Input {
	in := two(10, 1.05, 0.004, 41).input()
	for i := range in.Targets[1].Trials {
		f(&in.Targets[1].Trials[i])
	}
	return in
}

// TestTargetFindings: each disturbance raises its code with its severity on its target, and only the codes listed.
func TestTargetFindings(t *testing.T) {
	for name, c := range map[string]struct {
		input Input
		want  string // codes that must be there, blank-separated
		may   string
	}{
		"clean":           {change(func(*result.Trial) {}), "", ""},
		"few failures":    {change(func(x *result.Trial) { x.Failed, x.Errors = new(int64(3)), map[string]int64{"reset": 3} }), "few-failures", ""},
		"failures":        {change(func(x *result.Trial) { x.Failed, x.Errors = new(int64(30)), map[string]int64{"reset": 30} }), "failed-requests", ""},
		"timeouts":        {change(func(x *result.Trial) { x.Failed, x.Errors = new(int64(3)), map[string]int64{"timeout": 3} }), "few-failures timeouts", ""},
		"said timeout":    {change(func(x *result.Trial) { x.ErrorLines = []string{"apr_poll: The timeout specified has expired (70007)"} }), "timeouts", ""},
		"no ports":        {change(func(x *result.Trial) { x.Failed, x.Errors = new(int64(3)), map[string]int64{"address-unavailable": 3} }), "few-failures port-exhaustion", ""},
		"said no ports":   {change(func(x *result.Trial) { x.FirstError = "connect: cannot assign requested address" }), "port-exhaustion", ""},
		"truncated":       {change(func(x *result.Trial) { x.Failed, x.Errors = new(int64(3)), map[string]int64{"truncated": 3} }), "few-failures truncated-replies", ""},
		"cut text":        {change(func(x *result.Trial) { x.Truncated = true }), "truncated-text", ""},
		"varying":         {change(func(x *result.Trial) { *x.BodyBytes += 17 }), "varying-length", ""},
		"drain":           {change(func(x *result.Trial) { x.T10, x.TLastIssue = new(*x.Seconds*0.09), new(*x.Seconds*0.9) }), "drain-tail", ""},
		"warming":         {change(func(x *result.Trial) { x.T10 = new(*x.Seconds * 0.2) }), "warmup-short", ""},
		"filling":         {change(func(x *result.Trial) { x.T10 = new(*x.Seconds * 0.1015) }), "", ""}, // by less than the first latency explains
		"short":           {change(func(x *result.Trial) { x.Seconds = new(0.2); x.T10, x.TLastIssue = nil, nil }), "short-trial", ""},
		"no reply":        {change(func(x *result.Trial) { x.RPS, x.OK, x.Valid = new(0.0), new(int64(0)), false }), "no-throughput no-valid-trial", ""},
		"unfinished only": {change(func(x *result.Trial) { x.Errors = map[string]int64{"unfinished": 50} }), "", ""},
		"outlier": {change(func(x *result.Trial) {
			if x.Trial == 4 {
				x.RPS = new(*x.RPS * 0.5)
			}
		}), "outlier", "tiers-suspected"},
		"no variation": {change(func(x *result.Trial) { x.RPS = new(6300.0) }), "resolution", ""},
	} {
		target := mustBuild(t, c.input).Targets[1]
		got := codes(target.Findings)
		want := strings.Fields(c.want)
		for _, code := range want {
			if got[code] != kinds[code].severity {
				t.Errorf("%s: no %s in %v", name, code, got)
			}
		}
		for code := range got {
			if !slices.Contains(append(want, strings.Fields(c.may)...), code) {
				t.Errorf("%s: unexpected %s: %+v", name, code, target.Findings)
			}
		}
	}
}

// TestExpectedStatus: a status that was asked for is no error but a note, and the verdict stands.
func TestExpectedStatus(t *testing.T) {
	in := two(10, 1.05, 0.004, 42).input()
	for i := range in.Targets {
		in.Targets[i].Plan = &result.Target{Expect: result.Expect{Status: new(404), MaxFailed: 0.001}}
		for j := range in.Targets[i].Trials {
			in.Targets[i].Trials[j].Non2xx = new(int64(testRequests))
			in.Targets[i].Trials[j].Status = map[string]int64{"404": testRequests}
		}
	}
	r := mustBuild(t, in)
	if r.Comparisons[0].Verdict != "faster" || codes(r.allFindings())["non-2xx"] != SeverityNote {
		t.Errorf("%s, %v", r.Comparisons[0].Verdict, codes(r.allFindings()))
	}
	// The same replies, not asked for: no trial counts, and the report says so before anything else.
	for i := range in.Targets {
		in.Targets[i].Plan.Expect.Status = nil
		for j := range in.Targets[i].Trials {
			x := &in.Targets[i].Trials[j]
			x.Valid, x.OK, x.Failed, x.RPS = false, new(int64(0)), new(int64(testRequests)), new(0.0)
			x.Errors = map[string]int64{"status": testRequests}
		}
	}
	r = mustBuild(t, in)
	got := codes(r.Targets[0].Findings)
	if got["non-2xx"] != "error" || got["failed-requests"] != "error" || got["no-valid-trial"] != "error" || len(r.WithoutValidTrial()) != 2 {
		t.Errorf("%v, %v", got, r.WithoutValidTrial())
	}
	if out := text(t, r); !strings.Contains(out, "status 404: 100,000") {
		t.Errorf("the status is not named in\n%s", out)
	}
}

// TestErrorPages: two targets that answer with error pages, read from text, are not compared.
func TestErrorPages(t *testing.T) {
	a, b := numbers("a", 100, 101, 102, 99, 100), numbers("b", 200, 201, 202, 199, 200)
	for i := range b.Trials {
		b.Trials[i].Requests, b.Trials[i].Non2xx = new(int64(1000)), new(int64(501))
	}
	c := mustBuild(t, FromSeries("", "test", Rule{}, a, b)).Comparisons[0]
	if c.Verdict != "inconclusive" || c.DecidedBy != "none" || strings.Join(c.CappedBy, ",") != "non-2xx" || !strings.Contains(c.Sentence, "the replies of b are mostly errors") {
		t.Errorf("%s by %s %v: %s", c.Verdict, c.DecidedBy, c.CappedBy, c.Sentence)
	}
}

// TestReplies: which differences between replies forbid a verdict.
func TestReplies(t *testing.T) {
	for name, c := range map[string]struct {
		f    func(t *result.Trial)
		want string // severity of response-differs
	}{
		"alike":           {func(*result.Trial) {}, ""},
		"half a percent":  {func(x *result.Trial) { x.DocumentLength, x.BodyBytes = new(int64(8730)), new(int64(8730*testRequests)) }, "note"},
		"two percent":     {func(x *result.Trial) { x.DocumentLength, x.BodyBytes = new(int64(8870)), new(int64(8870*testRequests)) }, "error"},
		"varying a bit":   {func(x *result.Trial) { x.BodyBytes = new(int64(8900*testRequests + 1)) }, ""},
		"varying grossly": {func(x *result.Trial) { x.BodyBytes = new(int64(4000*testRequests + 1)) }, "error"},
		"unknown":         {func(x *result.Trial) { x.DocumentLength, x.Bytes, x.BytesPerSecond = nil, nil, nil }, ""},
		"wire a bit":      {func(x *result.Trial) { x.DocumentLength, x.Bytes = nil, new(int64(9000*testRequests)) }, ""},
		"wire grossly":    {func(x *result.Trial) { x.DocumentLength, x.Bytes = nil, new(int64(1656*testRequests)) }, "error"},
		"rates grossly": {func(x *result.Trial) {
			x.DocumentLength, x.Bytes, x.BytesPerSecond = nil, nil, new(1656**x.RPS)
		}, "error"},
	} {
		got := mustBuild(t, change(c.f)).Comparisons[0]
		if codes(got.Findings)["response-differs"] != c.want {
			t.Errorf("%s: %v", name, got.Findings)
		}
		if (got.DecidedBy == "none") != (c.want == "error") {
			t.Errorf("%s: decided by %s", name, got.DecidedBy)
		}
	}
}

// TestABBreakdown: ab's failures by kind. A Length failure that no error reply or cut reply explains is a reply of
// another length.
func TestABBreakdown(t *testing.T) {
	for raw, want := range map[string]string{
		`{"failed_breakdown":{"connect":0,"receive":0,"length":66,"exceptions":0}}`:  "failed-requests varying-length",
		`{"failed_breakdown":{"connect":0,"receive":66,"length":66,"exceptions":0}}`: "failed-requests truncated-replies errors-counted-as-throughput",
		`{"tls":"TLSv1.3"}`: "failed-requests",
		`[1]`:               "failed-requests",
	} {
		s := numbers("page", 100, 101, 102, 99, 100.5)
		for i := range s.Trials {
			x := &s.Trials[i]
			x.Source.Tool, x.Raw, x.DocumentLength = "ab", []byte(raw), new(int64(25))
			x.Requests, x.Failed = new(int64(1000)), new(int64(66))
		}
		got := codes(mustBuild(t, FromSeries("", "test", Rule{}, s)).Targets[0].Findings)
		if len(got) != len(strings.Fields(want)) {
			t.Errorf("%s: %v", raw, got)
		}
		for code := range strings.FieldsSeq(want) {
			if got[code] == "" {
				t.Errorf("%s: no %s in %v", raw, code, got)
			}
		}
	}
}

// TestPositionEffect: a penalty for the second place is found, and does not move the verdict.
func TestPositionEffect(t *testing.T) {
	in := two(20, 1, 0.002, 43).input()
	for i := range in.Targets {
		for j := range in.Targets[i].Trials {
			x := &in.Targets[i].Trials[j]
			x.Position = 1 + (j+i)%2
			if x.Position == 2 {
				x.RPS = new(*x.RPS * 0.98)
			}
		}
	}
	c := mustBuild(t, in).Comparisons[0]
	if codes(c.Findings)["position-effect"] != "warning" || c.Verdict == "faster" || c.Verdict == "slower" {
		t.Errorf("%s, %v", c.Verdict, c.Findings)
	}
	if !strings.Contains(c.Findings[0].Text, "slower when it is measured later") {
		t.Errorf("%+v", c.Findings)
	}
}

// TestExcluded: excluded trials leave the pairs and are shown beside.
func TestExcluded(t *testing.T) {
	r := mustBuild(t, excludedInput())
	b, c := r.Targets[1], r.Comparisons[0]
	if b.Trials.Valid != 8 || b.Trials.Invalid != 2 || len(b.Trials.InvalidBecause) != 2 {
		t.Errorf("%+v", b.Trials)
	}
	if b.WithExcluded == nil || b.WithExcluded.N != 10 || b.RPS.N != 8 || r.Targets[0].WithExcluded != nil {
		t.Errorf("with excluded: %+v", b.WithExcluded)
	}
	if c.N != [2]int{8, 8} || codes(c.Findings)["unequal-trials"] != "note" || c.Paired.DF != 7 {
		t.Errorf("n %v, findings %v", c.N, c.Findings)
	}
	if out := flat(text(t, r)); !strings.Contains(out, "8/10") || !strings.Contains(out, "b: 2 trials excluded for failures; with them") {
		t.Errorf("not shown in %s", out)
	}
}

// TestEstimand: when total and geometric means point elsewhere, the report says so.
func TestEstimand(t *testing.T) {
	in := FromSeries("", "test", Rule{}, numbers("flat", 6722, 6724, 6723, 6722, 6724), numbers("tiers", lighttpd...))
	c := mustBuild(t, in).Comparisons[0]
	if codes(c.Findings)["estimand-matters"] != "warning" {
		t.Errorf("%v", c.Findings)
	}
}

// TestLatencyNeedsRequests: a percentile with fewer than ten requests beyond it is not printed.
func TestLatencyNeedsRequests(t *testing.T) {
	l := mustBuild(t, goldenCases["single"]()).Targets[0].Latency
	if l == nil || l.P50 == nil || l.P999 == nil || l.Max == nil || l.P50.CI == nil || l.Max.CI != nil || l.P50.N != 10 {
		t.Fatalf("%+v", l)
	}
	if l.P50.CI.Low > l.P50.ValueMS || l.P50.CI.High < l.P50.ValueMS {
		t.Errorf("p50 %g outside its interval %+v", l.P50.ValueMS, l.P50.CI)
	}
	in := change(func(x *result.Trial) {
		h := *x.Total
		h.Counts = [][2]int64{{h.Max, 999}}
		x.Total = &h
	})
	l = mustBuild(t, in).Targets[1].Latency
	if l == nil || l.P95 == nil || l.P99 != nil || l.P999 != nil {
		t.Errorf("with 999 requests: %+v", l)
	}
	if l := mustBuild(t, all404Input()).Targets[0].Latency; l.P99 == nil || l.P999 != nil || l.Max.ValueMS != 40 {
		t.Errorf("from text: %+v", l)
	}
}
