package multiple

import (
	"fmt"
	"math"
	"slices"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// blockDesign is a blocked experiment reduced to counts and to values free of their block's mean.
type blockDesign struct {
	levels       []string
	blocks       []block
	of           []cell // of every observation
	within       []float64
	perTreatment []float64
	largest      float64 // largest |y|
}

type block struct {
	n     float64
	mean  float64   // from the common origin
	count []float64 // by treatment
}

type cell struct{ block, treatment int }

func newBlockDesign(obs []Observation, levels []string) (*blockDesign, error) {
	index, err := indexLevels(levels)
	if err != nil {
		return nil, err
	}
	y := make([]float64, len(obs))
	for i, o := range obs {
		y[i] = o.Y
	}
	if err := num.CheckFinite(y, 1); err != nil {
		return nil, err
	}
	d := &blockDesign{levels: levels, of: make([]cell, len(obs)), within: make([]float64, len(obs)),
		perTreatment: make([]float64, len(levels))}
	seen := map[string]int{}
	for i, o := range obs {
		t, ok := index[o.Treatment]
		if !ok {
			return nil, fmt.Errorf("treatment %q of value %d is none of the levels: %w", o.Treatment, i+1, num.ErrBadParam)
		}
		b, ok := seen[o.Block]
		if !ok {
			b = len(d.blocks)
			seen[o.Block] = b
			d.blocks = append(d.blocks, block{count: make([]float64, len(levels))})
		}
		d.of[i] = cell{b, t}
		d.blocks[b].n++
		d.blocks[b].count[t]++
		d.perTreatment[t]++
	}
	d.centre(y)
	return d, nil
}

func indexLevels(levels []string) (map[string]int, error) {
	index := map[string]int{}
	for i, l := range levels {
		if _, ok := index[l]; ok {
			return nil, fmt.Errorf("level %q is given twice: %w", l, num.ErrBadParam)
		}
		index[l] = i
	}
	if len(levels) < 2 {
		return nil, fmt.Errorf("%d levels, need two: %w", len(levels), num.ErrBadParam)
	}
	return index, nil
}

// centre takes the block means out of y. Within a block differences are taken from its first value, so that large block
// effects do not eat the digits of the treatments.
func (d *blockDesign) centre(y []float64) {
	first := make([]float64, len(d.blocks))
	sum := make([]compensated, len(d.blocks))
	for i, v := range slices.Backward(y) {
		first[d.of[i].block] = v
	}
	for i, v := range y {
		b := d.of[i].block
		d.within[i] = v - first[b]
		d.largest = max(d.largest, math.Abs(v))
		sum[b].add(d.within[i])
	}
	for b := range d.blocks {
		off := sum[b].value() / d.blocks[b].n
		d.blocks[b].mean = (first[b] - y[0]) + off
		sum[b] = compensated{sum: off}
	}
	for i := range y {
		d.within[i] -= sum[d.of[i].block].sum
	}
}

// connected demands that chains of blocks join every treatment with the first: exactly then all differences can be
// estimated.
func (d *blockDesign) connected() error {
	reached := make([]bool, len(d.levels))
	reached[0] = true
	for grown := true; grown; {
		grown = false
		for _, b := range d.blocks {
			if d.touches(b, reached) {
				for t, n := range b.count {
					if n > 0 && !reached[t] {
						reached[t], grown = true, true
					}
				}
			}
		}
	}
	for t, ok := range reached {
		switch {
		case d.perTreatment[t] == 0:
			return fmt.Errorf("treatment %q never occurs: %w", d.levels[t], num.ErrNotEstimable)
		case !ok:
			return fmt.Errorf("no chain of blocks joins treatments %q and %q: %w", d.levels[0], d.levels[t], num.ErrNotEstimable)
		}
	}
	return nil
}

func (d *blockDesign) touches(b block, reached []bool) bool {
	for t, n := range b.count {
		if n > 0 && reached[t] {
			return true
		}
	}
	return false
}

// information is an element of the treatments' normal equations after the blocks are projected out.
func (d *blockDesign) information(i, j int) float64 {
	sum := 0.0
	for _, b := range d.blocks {
		if i == j {
			sum += b.count[i] * (b.n - b.count[i]) / b.n
		} else {
			sum -= b.count[i] * b.count[j] / b.n
		}
	}
	return sum
}

// adjustedTotal is the sum of a treatment's values, each less its block's mean.
func (d *blockDesign) adjustedTotal(t int) float64 {
	var sum compensated
	for i, c := range d.of {
		if c.treatment == t {
			sum.add(d.within[i])
		}
	}
	return sum.value()
}

// residualSS is the sum of squares left by treatment effects tau and the block effects that go with them.
func (d *blockDesign) residualSS(tau []float64) float64 {
	share := make([]float64, len(d.blocks)) // mean treatment effect of the block's values
	for b, blk := range d.blocks {
		for t, n := range blk.count {
			share[b] += n / blk.n * tau[t]
		}
	}
	var ss compensated
	for i, c := range d.of {
		r := d.within[i] - (tau[c.treatment] - share[c.block])
		ss.add(r * r)
	}
	return ss.value()
}

// blockVariance gives the mean square of blocks and the variance between them by moments; NaN unless the design has two
// blocks and equal counts in all cells.
func (d *blockDesign) blockVariance(sigma2 float64) (ms, raw, truncated float64) {
	nan := math.NaN()
	per := d.blocks[0].count[0]
	means := make([]group, len(d.blocks))
	for i, b := range d.blocks {
		means[i] = group{n: b.n, mean: b.mean}
		for _, n := range b.count {
			if n != per {
				return nan, nan, nan
			}
		}
	}
	if len(d.blocks) < 2 {
		return nan, nan, nan
	}
	_, centre := pooledMean(means)
	var ss compensated
	for _, b := range means {
		ss.add(b.n * (b.mean - centre) * (b.mean - centre))
	}
	ms = ss.value() / float64(len(means)-1)
	raw = (ms - sigma2) / d.blocks[0].n
	return ms, raw, max(0, raw)
}
