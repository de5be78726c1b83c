// Command gen simulates the null tables of pkg/analysis: the best-split statistic of normal samples (each side at
// least 1, and at least 2) and the dip of uniform samples.
//
// Run it with go generate ./pkg/analysis. The seed is fixed, so the output is reproducible. For each size it stores
// the quantiles whose upper tail holds at least 10 of the simulated samples. Split rows hold −ln(1−R²), dip rows √n·D.
package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

var sizes = []int{35, 40, 50, 60, 75, 100, 150, 200, 300, 500, 1000}

func probs() []float64 {
	p := []float64{.9999, .999, .99, .98, .96}
	for i := 19; i >= 3; i-- {
		p = append(p, float64(i)/20)
	}
	p = append(p, .12, .1, .08, .07, .06)
	for scale := 1e-2; scale > 5e-7; scale /= 10 {
		for _, m := range []float64{5, 3, 2, 1.5, 1} {
			p = append(p, m*scale)
		}
	}
	return p
}

func main() {
	out := flag.String("out", "nulltable.txt", "file to write")
	scale := flag.Float64("scale", 1, "fraction of the full number of samples")
	flag.Parse()
	var b strings.Builder
	b.WriteString("# simulated by pkg/analysis/gen; do not edit\np")
	ps := probs()
	for _, p := range ps {
		fmt.Fprintf(&b, " %.4g", p)
	}
	b.WriteByte('\n')
	ns := append([]int{}, sizes...)
	for n := 4; n <= 30; n++ {
		ns = append(ns, n)
	}
	slices.Sort(ns)
	var rows [3][]string
	for _, n := range ns {
		count := int(*scale * float64(replicates(n)))
		for i, v := range simulate(n, count) {
			rows[i] = append(rows[i], row([]string{"split1", "split2", "dip"}[i], n, v, ps))
		}
	}
	for _, r := range rows {
		b.WriteString(strings.Join(r, ""))
	}
	if err := os.WriteFile(*out, []byte(b.String()), 0o600); err != nil {
		log.Fatal(err)
	}
}

func replicates(n int) int {
	switch {
	case n <= 10:
		return 4_000_000
	case n <= 30:
		return 1_000_000
	}
	return 200_000
}

func simulate(n, count int) [3][]float64 {
	// One stream per size keeps a row the same when other sizes are added.
	rng := rand.New(rand.NewPCG(20240607, uint64(n)))
	var v [3][]float64
	for i := range v {
		v[i] = make([]float64, count)
	}
	x := make([]float64, n)
	for r := range count {
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		slices.Sort(x)
		for side := 1; side <= 2; side++ {
			r2, _ := analysis.SplitR2(x, side)
			v[side-1][r] = -math.Log(max(1-r2, 1e-300))
		}
		if r%dipEvery == 0 {
			for i := range x {
				x[i] = rng.Float64()
			}
			slices.Sort(x)
			v[2][r/dipEvery] = math.Sqrt(float64(n)) * analysis.Dip(x)
		}
	}
	v[2] = v[2][:(count+dipEvery-1)/dipEvery]
	return v
}

// dipEvery: the dip needs fewer samples, since no rule looks at its p below 0.01.
const dipEvery = 2

func row(name string, n int, v, ps []float64) string {
	slices.Sort(v)
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d", name, n)
	for _, p := range ps {
		k := int(math.Round(p * float64(len(v))))
		if k < 10 {
			break
		}
		fmt.Fprintf(&b, " %.5f", v[len(v)-k])
	}
	b.WriteByte('\n')
	return b.String()
}
