package analysis_test

import (
	"errors"
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

// Requests per second of five trials of one server, in the order they ran.
var trials = []float64{5596.50, 7611.98, 7690.85, 7600.03, 5515.75}

// From five trials to a verdict, in the order of the questions: how fast, how sure, is the mean the right number at
// all, is the candidate faster, by how much, and does it matter.
func Example() {
	s, err := analysis.Summarize(trials)
	if err != nil {
		fmt.Println(err)
		return
	}
	ci, err := analysis.TInterval(trials, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("mean %.2f, 95 %% interval %.2f to %.2f: known to within %.0f %%\n", s.Mean, ci.Low, ci.High, 100*s.RelativeHalfWidth(0.95))

	tiers, err := analysis.Tiers(trials, 0.01)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("two levels: %s, so the mean describes no trial\n", tiers.Status)

	// A steadier server, beside a candidate in each of five blocks.
	candidate := []float64{1052, 1031, 1049, 1060, 1038}
	baseline := []float64{1001, 985, 1003, 1010, 990}
	t, err := analysis.LogPairedT(candidate, baseline)
	if err != nil {
		fmt.Println(err)
		return
	}
	d := analysis.Decide(t, 0.01, 0.05, 1, analysis.HigherIsBetter)
	fmt.Printf("the candidate is %s: ratio %.3f, 95 %% interval %.3f to %.3f\n", d.Verdict, d.Ratio, d.CI.Low, d.CI.High)
	// Output:
	// mean 6803.02, 95 % interval 5388.58 to 8217.46: known to within 21 %
	// two levels: proven, so the mean describes no trial
	// the candidate is faster: ratio 1.048, 95 % interval 1.046 to 1.051
}

// Location and spread; the median and the mean of these trials are far apart.
func ExampleSummarize() {
	s, err := analysis.Summarize(trials)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("mean %.2f, sd %.2f, CV %.1f %%\n", s.Mean, s.SD, 100*s.CV)
	fmt.Printf("median %.2f, MAD %.2f, range %.2f to %.2f\n", s.Median, s.MAD, s.Min, s.Max)
	fmt.Printf("geometric mean %.2f, times or divided by %.2f\n", s.GeometricMean, s.GeometricSD)
	// Output:
	// mean 6803.02, sd 1139.15, CV 16.7 %
	// median 7600.03, MAD 134.65, range 5515.75 to 7690.85
	// geometric mean 6722.98, times or divided by 1.19
}

// The same trials of 10 000 requests each have three means; say which one is meant.
func ExampleMeanRate() {
	requests, seconds := make([]float64, len(trials)), make([]float64, len(trials))
	for i, rate := range trials {
		requests[i], seconds[i] = 10000, 10000/rate
	}
	m, err := analysis.MeanRate(requests, seconds)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("mean of the rates %.2f\ntotal over total  %.2f\ngeometric mean    %.2f\n", m.Arithmetic, m.Total, m.Geometric)
	// Output:
	// mean of the rates 6803.02
	// total over total  6640.49
	// geometric mean    6722.98
}

// A distribution-free interval needs six values; five are refused, with the number that would do.
func ExampleMedianInterval() {
	_, err := analysis.MedianInterval(trials, 0.95)
	fmt.Println(err)
	fmt.Println("too few:", errors.Is(err, analysis.ErrTooFew))

	m, err := analysis.MedianInterval([]float64{812, 798, 805, 820, 801, 809, 815, 799, 803, 811}, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("median %.1f, %.1f %% interval %.0f to %.0f\n", m.Median, 100*m.Achieved, m.CI.Low, m.CI.High)
	// Output:
	// need 6 values for a 95 % interval of the median, have 5: too few values
	// too few: true
	// median 807.0, 97.9 % interval 799 to 815
}

// One trial has a value and no spread.
func ExampleTInterval() {
	s, err := analysis.Summarize([]float64{1197.17})
	fmt.Println(s.Mean, s.SD, err)
	_, err = analysis.TInterval([]float64{1197.17}, 0.95)
	fmt.Println(err)
	// Output:
	// 1197.17 NaN <nil>
	// need 2 values, have 1: too few values
}

// Five trials of one server fall into two levels.
func ExampleTiers() {
	r, err := analysis.Tiers(trials, 0.01)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("tiers %s, R2 %.5f, p %.4f; dip %.5f\n", r.Status, r.Split.R2, r.Split.P, r.Dip.D)
	for _, t := range r.Tiers {
		fmt.Printf("%.1f in %d of %d trials (true share %.0f to %.0f %%): %v\n", t.Mean, len(t.Members), len(trials),
			100*t.ShareCI.Low, 100*t.ShareCI.High, t.Members)
	}
	// Output:
	// tiers proven, R2 0.99843, p 0.0003; dip 0.19225
	// 5556.1 in 2 of 5 trials (true share 5 to 85 %): [0 4]
	// 7634.3 in 3 of 5 trials (true share 15 to 95 %): [1 2 3]
}

// A blocked comparison: the candidate ran beside the baseline in each of five blocks.
func ExampleDecide() {
	candidate := []float64{1052, 1031, 1049, 1060, 1038}
	baseline := []float64{1001, 985, 1003, 1010, 990}
	t, err := analysis.LogPairedT(candidate, baseline)
	if err != nil {
		fmt.Println(err)
		return
	}
	d := analysis.Decide(t, 0.01, 0.05, 1, analysis.HigherIsBetter)
	fmt.Printf("%s: ratio %.3f\n", d.Verdict, d.Ratio)
	// Output:
	// faster: ratio 1.048
}

// Not significant is not the same as equal: with a wide margin these blocks show equivalence, with a narrow one nothing.
func ExampleTOST() {
	candidate := []float64{1003, 988, 1001, 1012, 989}
	baseline := []float64{1001, 985, 1003, 1010, 990}
	t, err := analysis.LogPairedT(candidate, baseline)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, margin := range []float64{0.01, 0.001} {
		e := analysis.TOST(t, margin, 0.05)
		fmt.Printf("within %g %%: %v, p %.2g, 90 %% interval %.4f to %.4f\n", 100*margin, e.Equivalent, e.P, e.CI.Low, e.CI.High)
	}
	// Output:
	// within 1 %: true, p 0.00036, 90 % interval 0.9987 to 1.0029
	// within 0.1 %: false, p 0.42, 90 % interval 0.9987 to 1.0029
}

// Bounds of one's own: "at most 2 % slower", however much faster.
func ExampleTOSTBounds() {
	candidate := []float64{1003, 988, 1001, 1012, 989}
	baseline := []float64{1001, 985, 1003, 1010, 990}
	t, err := analysis.LogPairedT(candidate, baseline)
	if err != nil {
		fmt.Println(err)
		return
	}
	e := analysis.TOSTBounds(t, math.Log(0.98), math.Inf(1), 0.05)
	fmt.Println("not more than 2 % slower:", e.Equivalent)
	// Output:
	// not more than 2 % slower: true
}

// Measured apart, not in blocks: Welch's test on logarithms, and the ratio with its interval.
func ExampleLogWelchT() {
	before := []float64{1176, 1181, 1169, 1178}
	after := []float64{1197, 1204, 1190, 1199, 1201}
	t, err := analysis.LogWelchT(after, before)
	if err != nil {
		fmt.Println(err)
		return
	}
	ci := t.RatioInterval(0.95)
	fmt.Printf("ratio %.4f, 95 %% interval %.4f to %.4f, t %.2f on %.1f df, p %.4f\n", t.Ratio(), ci.Low, ci.High, t.T, t.DF, t.P)
	// Output:
	// ratio 1.0189, 95 % interval 1.0118 to 1.0260, t 6.38 on 6.6 df, p 0.0005
}

// Standardised differences describe the noise of the machine as much as the servers.
func ExampleHedgesG() {
	quiet, err := analysis.HedgesG([]float64{1010, 1011, 1012}, []float64{1000, 1001, 1002})
	if err != nil {
		fmt.Println(err)
		return
	}
	noisy, err := analysis.HedgesG([]float64{960, 1011, 1062}, []float64{950, 1001, 1052})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("the same +1 %%: g = %.2f on a quiet machine, %.2f on a noisy one\n", quiet, noisy)
	_, err = analysis.GlassDelta([]float64{1010, 1011}, []float64{1000, 1000})
	fmt.Println("against a baseline that never varies:", err)
	// Output:
	// the same +1 %: g = 7.98 on a quiet machine, 0.16 on a noisy one
	// against a baseline that never varies: zero variance
}

// A ratio to a mean that may be 0 has no bounded interval, and says so.
func ExampleRatioFieller() {
	grown := []float64{14.1, 12.9, 13.8, 13.2} // memory growth per trial, MB; it can be negative
	for _, base := range [][]float64{{6.2, 5.8, 6.6, 6.1}, {4.4, -3.1, 9.0, 0.2}} {
		r, err := analysis.RatioFieller(grown, base, 0.95)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("ratio %.2f, bounded %v, 95 %% interval %.2f to %.2f\n", r.Ratio, r.Bounded, r.CI.Low, r.CI.High)
	}
	// Output:
	// ratio 2.19, bounded true, 95 % interval 2.01 to 2.38
	// ratio 5.14, bounded false, 95 % interval NaN to NaN
}

// Both slow trials had retransmissions and none of the fast ones: with five trials even that may be chance.
func ExampleFisherExact() {
	const slowWith, slowWithout, fastWith, fastWithout = 2, 0, 0, 3
	r, err := analysis.FisherExact(slowWith, slowWithout, fastWith, fastWithout)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("p %.2f\n", r.P)
	// Output:
	// p 0.10
}

// Five trials say little about form: the coefficient sees no second mode where Tiers proves one.
func ExampleMeasureShape() {
	s, err := analysis.MeasureShape(trials)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("skewness %.2f, excess kurtosis %.2f, bimodality %.2f (uniform %.2f)\n", s.Skewness, s.ExcessKurtosis, s.Bimodality, 5./9)
	// Output:
	// skewness -0.61, excess kurtosis -3.31, bimodality 0.29 (uniform 0.56)
}
