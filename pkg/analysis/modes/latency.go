package modes

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// Limits of LatencyModes.
const (
	MinModeMass  = .01 // a mode holds at least this share of the requests
	MaxValley    = .8  // and is set apart by a valley no higher than this share of the lower peak
	MinModeShare = .8  // and shows in at least this share of the trials
)

const (
	modeLevel = .95
	// shortest and longest latency accepted, in ms: they bound the number of bins.
	shortest, longest = 1e-9, 1e12
)

// Weighted is a latency and how many requests had it: a raw value with Count 1, or a bucket of a histogram.
type Weighted struct {
	Value float64 // ms, the middle of the bucket
	Count int64
}

// LatencyMode is one peak of the latency distribution.
type LatencyMode struct {
	Location  float64           // ms, the top of the peak
	Low, High float64           // ms, the valleys on either side; the least and greatest latency seen at the ends
	Mass      float64           // share of requests between the valleys, mean over trials
	MassCI    analysis.Interval // 95 % interval of the share across trials, NaN ends for one trial
	Trials    int               // how many trials show it
	Confirmed bool              // Trials is at least MinModeShare of all
}

// LatencyModesResult is the outcome of LatencyModes.
type LatencyModesResult struct {
	Trials    int
	Modes     []LatencyMode // every candidate, fastest first
	Confirmed int           // how many of them are confirmed
	Bandwidth float64       // of the kernel, in decades
}

// LatencyModes finds the peaks of the latency distribution that most trials agree on. trials[i] is the requests of one
// trial, as raw values or as a histogram, in any order.
//
// Tests on pooled requests (dip, Silverman) always reject at 10⁵ requests: they take requests for independent and the
// steps of the clock for peaks. Here each trial is a replicate. Its latencies go into 40 bins a decade, each value spread
// evenly over the quantum it was rounded to; a Gaussian kernel (0.9·min(sd, IQR/1.34)·n^−1/5 of log10 latencies, median
// over trials, Silverman 1986 eq. 3.31, at least 1 bin) smooths them. A candidate is a peak of the average of the trials'
// densities, all trials weighted alike, with (i) at least 1 % of the requests and (ii) valleys of at most 0.8 times the
// lower of the two peaks they part. A trial shows it when a peak of its own density, by the same rules, lies within half
// a bin of the candidate's top, the stretch where the average is at least 0.8 of the peak: inside it no peak is told from
// another by rule (ii), and a flat top has no sharper place. (iii) A candidate is confirmed when 80 % of the trials show it.
//
// MassCI is a t interval of logit((requests + ½)/(n + 1)) across trials; [1, 1] for a single mode. There is no p-value.
// Quanta are inferred from the distances of the distinct values of all trials: half-way to either neighbour, but at most
// ten times the smaller distance and a tenth of the value or the smallest distance of all. Readings to two significant
// digits, in whole milliseconds or from an HdrHistogram are handled. A mode of less than 1 %, or within about two
// bandwidths of another, is not found. It needs 1000 requests per trial to mean much. No reference tool computes this.
//
// Errors: ErrEmpty without trials or for one without requests; ErrNonFinite, ErrNonPositive for a latency that is no
// positive number; ErrOutOfRange outside 1e−9 to 1e12 ms; ErrBadParam for a negative count. Counts of 0 are
// skipped. Inputs are not modified. O(N log N).
func LatencyModes(trials [][]Weighted) (LatencyModesResult, error) {
	samples, err := merged(trials)
	if err != nil {
		return LatencyModesResult{}, fmt.Errorf("find latency modes: %w", err)
	}
	g := newGrid(samples)
	hist := make([][]float64, len(samples))
	bandwidths := make([]float64, len(samples))
	for i, s := range samples {
		hist[i] = g.histogram(s)
		bandwidths[i] = ruleOfThumb(hist[i], s)
	}
	h := max(1, num.QuantileSorted(num.Sorted(bandwidths), .5)) // in bins
	average := make([]float64, g.bins)
	own := make([][]peak, len(samples))
	for i := range samples {
		d := smooth(hist[i], h)
		own[i] = findPeaks(d, hist[i])
		for j, v := range d {
			average[j] += v / float64(len(samples))
		}
	}
	pooled := make([]float64, g.bins)
	for _, b := range hist {
		for j, v := range b {
			pooled[j] += v / float64(len(samples))
		}
	}
	r := LatencyModesResult{Trials: len(samples), Bandwidth: h / binsPerDecade}
	candidates := findPeaks(average, pooled)
	for _, c := range candidates {
		m := g.describe(c, average, hist, samples, own)
		if len(candidates) == 1 {
			m.MassCI = analysis.Interval{Level: modeLevel, Low: 1, High: 1}
		}
		if m.Confirmed {
			r.Confirmed++
		}
		r.Modes = append(r.Modes, m)
	}
	return r, nil
}

// sample is one trial: distinct latencies ascending, and the number of its requests.
type sample struct {
	values []Weighted
	total  float64
}

// merged checks and sorts the trials and adds up equal values.
func merged(trials [][]Weighted) ([]sample, error) {
	if len(trials) == 0 {
		return nil, num.ErrEmpty
	}
	out := make([]sample, len(trials))
	for i, trial := range trials {
		v := slices.Clone(trial)
		for _, w := range v {
			switch {
			case math.IsNaN(w.Value) || math.IsInf(w.Value, 0):
				return nil, fmt.Errorf("trial %d has latency %v: %w", i+1, w.Value, num.ErrNonFinite)
			case w.Value <= 0:
				return nil, fmt.Errorf("trial %d has latency %v: %w", i+1, w.Value, num.ErrNonPositive)
			case w.Value < shortest || w.Value > longest:
				return nil, fmt.Errorf("trial %d has latency %v ms: %w", i+1, w.Value, num.ErrOutOfRange)
			case w.Count < 0:
				return nil, fmt.Errorf("trial %d counts %d requests of %v ms: %w", i+1, w.Count, w.Value, num.ErrBadParam)
			}
		}
		v = slices.DeleteFunc(v, func(w Weighted) bool { return w.Count == 0 })
		slices.SortFunc(v, func(a, b Weighted) int { return cmp.Compare(a.Value, b.Value) })
		for _, w := range v {
			out[i].total += float64(w.Count)
			if n := len(out[i].values); n > 0 && out[i].values[n-1].Value == w.Value {
				out[i].values[n-1].Count += w.Count
				continue
			}
			out[i].values = append(out[i].values, w)
		}
		if out[i].total == 0 {
			return nil, fmt.Errorf("trial %d: %w", i+1, num.ErrEmpty)
		}
	}
	return out, nil
}
