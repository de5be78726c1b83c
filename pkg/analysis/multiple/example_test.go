package multiple_test

import (
	"fmt"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/multiple"
)

// Requests per second of three targets, one trial of each in every block.
var blocked = [][]float64{
	{1012, 1003, 1019, 1008, 1015, 1006},
	{1009, 1004, 1015, 1009, 1011, 1005},
	{981, 975, 990, 979, 984, 973},
}

// The best mean is not the fastest until it is ahead of the runner-up: here two targets stay unseparated.
func ExampleSeparated() {
	var family []multiple.Comparison
	var score []float64
	for i, x := range blocked {
		s, err := analysis.Summarize(x)
		if err != nil {
			fmt.Println(err)
			return
		}
		score = append(score, s.Mean)
		for j := i + 1; j < len(blocked); j++ {
			t, err := analysis.LogPairedT(x, blocked[j])
			if err != nil {
				fmt.Println(err)
				return
			}
			c := multiple.Comparison{Better: i, Worse: j, P: t.P}
			if t.Estimate < 0 {
				c.Better, c.Worse = j, i
			}
			family = append(family, c)
		}
	}
	s, err := multiple.Separated(score, family, 0.05)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("adjusted p %.2g\n", s.Adjusted)
	if s.Separated {
		fmt.Printf("%d is the fastest, ahead of %d\n", s.Best, s.RunnerUp)
	} else {
		fmt.Println("not separated:", s.Set)
	}
	// Output:
	// adjusted p [0.14 5.9e-07 2.5e-06]
	// not separated: [0 1]
}

func ExampleHolm() {
	p, err := multiple.Holm([]float64{0.01, 0.04, 0.03})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", p)
	// Output:
	// [0.03 0.06 0.06]
}

func ExampleBenjaminiHochberg() {
	p, err := multiple.BenjaminiHochberg([]float64{0.01, 0.04, 0.03})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", p)
	// Output:
	// [0.030 0.040 0.040]
}

func ExampleSimultaneous() {
	l, err := multiple.Simultaneous(0.05, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("difference %.2f %%, equivalence %.2f %%\n", 100*l.Difference, 100*l.Equivalence)
	// Output:
	// difference 98.33 %, equivalence 96.67 %
}

// Independent targets of different noise.
func ExampleGamesHowell() {
	groups := [][]float64{
		{5596.50, 7611.98, 7690.85, 7600.03, 5515.75},
		{7120.4, 7098.2, 7133.9, 7110.7, 7125.1},
		{6900.2, 7005.3, 6950.8, 6981.1, 6944.9},
	}
	w, err := multiple.WelchANOVA(groups)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("F(%.0f, %.1f) = %.1f, p = %.5f\n", w.DF1, w.DF2, w.F, w.P)
	pairs, err := multiple.GamesHowell(groups, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range pairs {
		fmt.Printf("%d-%d %+.1f [%.1f, %.1f] p %.4f\n", p.J, p.I, p.Diff, p.Interval.Low, p.Interval.High, p.P)
	}
	// Output:
	// F(2, 5.9) = 33.1, p = 0.00062
	// 1-0 +314.6 [-1500.9, 2130.2] p 0.8189
	// 2-0 +153.4 [-1661.3, 1968.1] p 0.9519
	// 2-1 -161.2 [-222.7, -99.7] p 0.0009
}

func ExampleTukeyHSD() {
	pairs, err := multiple.TukeyHSD([][]float64{{10, 11, 12}, {11, 12, 13}, {15, 16, 17}}, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range pairs {
		fmt.Printf("%d-%d %+.0f [%.2f, %.2f] p %.4f\n", p.J, p.I, p.Diff, p.Interval.Low, p.Interval.High, p.P)
	}
	// Output:
	// 1-0 +1 [-1.51, 3.51] p 0.4827
	// 2-0 +5 [2.49, 7.51] p 0.0021
	// 2-1 +4 [1.49, 6.51] p 0.0065
}

func ExampleOneWayANOVA() {
	a, err := multiple.OneWayANOVA([][]float64{{10, 11, 12}, {11, 12, 13}, {15, 16, 17}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("F(%d, %d) = %.0f, p = %.4f\n", a.DFBetween, a.DFWithin, a.F, a.P)
	// Output:
	// F(2, 6) = 21, p = 0.0020
}

// Block 2 lost its trial of B, block 4 that of C; what is left is still compared within blocks.
func ExampleBlockAdjusted() {
	obs := []multiple.Observation{
		{Block: "1", Treatment: "A", Y: 1012}, {Block: "1", Treatment: "B", Y: 1020}, {Block: "1", Treatment: "C", Y: 1003},
		{Block: "2", Treatment: "A", Y: 1031}, {Block: "2", Treatment: "C", Y: 1024},
		{Block: "3", Treatment: "A", Y: 996}, {Block: "3", Treatment: "B", Y: 1006}, {Block: "3", Treatment: "C", Y: 990},
		{Block: "4", Treatment: "A", Y: 1018}, {Block: "4", Treatment: "B", Y: 1025},
	}
	fit, err := multiple.BlockAdjusted(obs, []string{"A", "B", "C"})
	if err != nil {
		fmt.Println(err)
		return
	}
	l, err := multiple.Simultaneous(0.05, len(fit.Contrasts))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range fit.Contrasts {
		ci := c.Interval(l.Difference)
		fmt.Printf("%s - A %+.2f [%.2f, %.2f]\n", c.Treatment, c.Estimate, ci.Low, ci.High)
	}
	// Output:
	// B - A +8.43 [5.69, 11.17]
	// C - A -7.57 [-10.31, -4.83]
}

// The 5 % critical value of four means with 20 degrees of freedom, and back.
func ExampleStudentizedRangeQuantile() {
	q, err := multiple.StudentizedRangeQuantile(0.05, 4, 20)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := multiple.StudentizedRangeSurvival(q, 4, 20)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("q = %.4f, p = %.4f\n", q, p)
	// Output:
	// q = 3.9583, p = 0.0500
}

// The same family under every adjustment, the most cautious first.
func ExampleAdjust() {
	for _, method := range []string{"bonferroni", "holm", "hochberg", "hommel", "BY", "BH", "none"} {
		p, err := multiple.Adjust([]float64{0.01, 0.02, 0.03, 0.04}, method)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%-10s %.3f\n", method, p)
	}
	// Output:
	// bonferroni [0.040 0.080 0.120 0.160]
	// holm       [0.040 0.060 0.060 0.060]
	// hochberg   [0.040 0.040 0.040 0.040]
	// hommel     [0.040 0.040 0.040 0.040]
	// BY         [0.083 0.083 0.083 0.083]
	// BH         [0.040 0.040 0.040 0.040]
	// none       [0.010 0.020 0.030 0.040]
}

func ExampleWelchANOVA() {
	w, err := multiple.WelchANOVA([][]float64{{10, 11, 12}, {11, 13, 15}, {15, 16, 17}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("F(%.0f, %.2f) = %.2f, p = %.4f\n", w.DF1, w.DF2, w.F, w.P)
	// Output:
	// F(2, 3.79) = 16.02, p = 0.0142
}

// How often would three equal means lie more than 3.5 standard errors apart, the error having 30 degrees of freedom?
func ExampleStudentizedRangeSurvival() {
	p, err := multiple.StudentizedRangeSurvival(3.5, 3, 30)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f\n", p)
	// Output:
	// 0.0490
}
