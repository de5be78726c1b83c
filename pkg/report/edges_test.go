package report

import (
	"strings"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// TestLoneValueIsNoTier: one trial apart from four makes tiers suspected, by the statistic that allows one member; the
// report shows that statistic, lists no tier of one, and says it once.
func TestLoneValueIsNoTier(t *testing.T) {
	r := mustBuild(t, FromSeries("x", "", Rule{}, numbers("x", 1000.1, 1010.2, 1003.3, 1007.4, 1200.5)))
	target := r.Targets[0]
	if target.Tiers.Status != "suspected" || target.Tiers.P == nil || *target.Tiers.P > 0.05 || *target.Tiers.R2 < 0.96 || len(target.Tiers.Tiers) != 0 {
		t.Errorf("tiers %+v, p %v, r2 %v", target.Tiers, *target.Tiers.P, *target.Tiers.R2)
	}
	got := codes(target.Findings)
	if got["outlier"] == "" || got["tiers-suspected"] != "" {
		t.Errorf("findings %v", got)
	}
	for _, f := range target.Findings {
		if f.Code == "outlier" && !strings.Contains(f.Advice, "run 5 more") {
			t.Errorf("advice %q", f.Advice)
		}
	}
	// The same shape within a tenth of the margin is nothing.
	r = mustBuild(t, FromSeries("x", "", Rule{}, numbers("x", 1000.1, 1000.2, 1000.3, 1000.4, 1001.5)))
	if got := codes(r.Targets[0].Findings); got["outlier"] != "" {
		t.Errorf("findings %v", got)
	}
}

// TestNotFoundIsNotAborted: trials that ran to their end with nothing but error replies are excluded, not given up.
func TestNotFoundIsNotAborted(t *testing.T) {
	in := change(func(x *result.Trial) {
		n := *x.Requests
		x.Valid, x.RPS, x.OK, x.Failed, x.Non2xx = false, nil, new(int64(0)), new(n), new(n)
		x.Status, x.Errors = map[string]int64{"404": n}, map[string]int64{"status": n}
	})
	target := mustBuild(t, in).Targets[1]
	if c := target.Trials; c.Valid != 0 || c.Aborted != 0 || c.Invalid != c.Total {
		t.Errorf("counts %+v", c)
	}
	if got := codes(target.Findings); got["no-throughput"] != "" || got["non-2xx"] == "" {
		t.Errorf("findings %v", got)
	}
	in = change(func(x *result.Trial) {
		x.Valid, x.RPS, x.OK, x.Failed, x.Status = false, nil, new(int64(0)), new(*x.Requests), nil
		x.Errors = map[string]int64{"timeout": *x.Requests}
	})
	if got := codes(mustBuild(t, in).Targets[1].Findings); got["no-throughput"] == "" {
		t.Errorf("findings %v", got)
	}
}

// TestNoCommonBlock: when no block is valid for both targets, nothing is compared over 0 blocks.
func TestNoCommonBlock(t *testing.T) {
	in := two(10, 1.05, 0.004, 42).input()
	for i := range in.Targets {
		for j := range in.Targets[i].Trials {
			x := &in.Targets[i].Trials[j]
			x.Valid = x.Block%2 == i
		}
	}
	c := mustBuild(t, in).Comparisons[0]
	if c.N != [2]int{0, 0} || c.Ratio != nil || c.ChangePercent != nil || c.Paired != nil || c.Verdict != "inconclusive" {
		t.Errorf("%+v", c)
	}
}

// TestTooManyOpenFiles: a lack of descriptors is not told as a lack of ports.
func TestTooManyOpenFiles(t *testing.T) {
	in := change(func(x *result.Trial) {
		x.Failed, x.Errors = new(int64(3)), map[string]int64{"address-unavailable": 3}
		x.FirstError = "dial tcp 127.0.0.1:80: socket: too many open files"
	})
	for _, f := range mustBuild(t, in).Targets[1].Findings {
		if f.Code == "port-exhaustion" && (!strings.Contains(f.Text, "open files") || !strings.Contains(f.Advice, "ulimit")) {
			t.Errorf("%+v", f)
		}
	}
}
