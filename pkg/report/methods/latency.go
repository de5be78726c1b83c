package methods

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/modes"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/percentile"
)

// leastRequests a trial must have for the modes of its latencies to mean something.
const leastRequests = 1000

// latencyModes lists the peaks of the latencies that most trials show, if there is more than one.
func (t *table) latencyModes(trials [][]modes.Weighted) {
	for _, trial := range trials {
		n := int64(0)
		for _, w := range trial {
			n += w.Count
		}
		if n < leastRequests {
			return
		}
	}
	if len(trials) == 0 {
		return
	}
	r, err := modes.LatencyModes(trials)
	if err != nil {
		t.add("latency modes", "modes", math.NaN(), none, math.NaN(), err, "")
		return
	}
	t.add("latency modes", "modes", float64(r.Confirmed), none, math.NaN(), nil, "peaks of the latencies that at least 80 % of the trials show")
	if r.Confirmed < 2 {
		return
	}
	for _, m := range r.Modes {
		if m.Confirmed {
			t.add(fmt.Sprintf("latencies about %.3g ms", m.Location), "share", m.Mass, m.MassCI, math.NaN(), nil, "")
		}
	}
}

// shift compares the nine deciles of the latencies. x and y hold the deciles of each trial, pair by pair when blocked.
func (t *table) shift(p Pair) {
	if len(p.DX) == 0 || len(p.DY) == 0 {
		return
	}
	blocked := len(p.PX) > 0
	t.n = len(p.DX) + len(p.DY)
	if blocked {
		t.n = len(p.DX)
	}
	deciles, err := percentile.CompareDeciles(p.DX, p.DY, percentile.ShiftOptions{Blocked: blocked, Level: 1 - p.Alpha, Resolution: p.DecileResolution})
	if err != nil {
		t.add("latency deciles", "ratio", math.NaN(), none, math.NaN(), err, "")
		return
	}
	for _, d := range deciles {
		t.add(fmt.Sprintf("latency at %.0f %%", 100*d.Q), "ratio", d.Ratio, d.CI, d.PAdjusted, nil, "the nine deciles hold together; p by Holm over them")
	}
}
