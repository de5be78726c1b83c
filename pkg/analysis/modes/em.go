package modes

import (
	"cmp"
	"math"
	"slices"
)

const (
	varianceFloor = 1e-6 // of the sample variance; a run below it has found the infinite peak of one value
	mostStarts    = 60
	quickSteps    = 300
	finalSteps    = 20000
	mostFinals    = 6 // runs climbed to convergence; on a flat ridge each takes all its steps
)

// gaussianPair is a state of EM on standardised values.
type gaussianPair struct {
	w, mean, v [2]float64
	loglik     float64
}

// bestMixture runs EM on z, ascending with mean 0 and variance 1, from every start a little way, and the promising
// ones to convergence.
func bestMixture(z []float64, model MixtureModel) (gaussianPair, bool) {
	var runs []gaussianPair
	for _, k := range starts(z, model) {
		if p, ok := climb(z, fromSplit(z, k, model), model, quickSteps, 1e-10); ok {
			runs = append(runs, p)
		}
	}
	slices.SortStableFunc(runs, func(a, b gaussianPair) int { return cmp.Compare(b.loglik, a.loglik) })
	var best gaussianPair
	found, finals := false, 0
	for i, p := range runs {
		// EM gains little once it is slow; runs that are the same optimum need no second climb.
		if found && (p.loglik < runs[0].loglik-1 || i > 0 && same(p, runs[i-1])) {
			continue
		}
		if finals++; finals > mostFinals {
			break
		}
		if q, ok := climb(z, p, model, finalSteps, 1e-14); ok && (!found || q.loglik > best.loglik) {
			best, found = q, true
		}
	}
	if found && best.mean[0] > best.mean[1] {
		for _, a := range []*[2]float64{&best.w, &best.mean, &best.v} {
			a[0], a[1] = a[1], a[0]
		}
	}
	return best, found
}

func same(a, b gaussianPair) bool {
	return math.Abs(a.loglik-b.loglik) < 1e-7 && math.Abs(a.w[0]-b.w[0]) < 1e-4
}

// starts are the sizes of the lower group of the splits to start from.
func starts(z []float64, model MixtureModel) []int {
	var all []int
	for k := 1; k < len(z); k++ {
		if model == OwnVariances && (z[0] == z[k-1] || z[k] == z[len(z)-1]) {
			continue
		}
		all = append(all, k)
	}
	if len(z) <= mostStarts+1 || len(all) <= mostStarts {
		return all
	}
	some := make([]int, mostStarts)
	for i := range some {
		some[i] = all[int(math.Round(float64(i)*float64(len(all)-1)/(mostStarts-1)))]
	}
	return some
}

// fromSplit takes the k lowest values as the first component.
func fromSplit(z []float64, k int, model MixtureModel) gaussianPair {
	r := make([]float64, len(z))
	for i := range k {
		r[i] = 1
	}
	p, _ := maximise(z, r, model)
	return p
}

// climb repeats EM until the log-likelihood stands still; false when a variance or a weight vanishes.
func climb(z []float64, p gaussianPair, model MixtureModel, steps int, tolerance float64) (gaussianPair, bool) {
	r := make([]float64, len(z))
	before := math.Inf(-1)
	for range steps {
		if !(p.v[0] >= varianceFloor && p.v[1] >= varianceFloor) {
			return p, false
		}
		p.loglik = expect(z, p, r)
		if p.loglik-before <= tolerance*(1+math.Abs(p.loglik)) {
			return p, true
		}
		before = p.loglik
		next, ok := maximise(z, r, model)
		if !ok {
			return p, false
		}
		next.loglik = p.loglik
		p = next
	}
	p.loglik = expect(z, p, r)
	return p, p.v[0] >= varianceFloor && p.v[1] >= varianceFloor
}

// expect fills r with each value's probability of the first component and returns the log-likelihood.
func expect(z []float64, p gaussianPair, r []float64) float64 {
	var c [2]float64
	for j := range 2 {
		c[j] = math.Log(p.w[j]) - math.Log(2*math.Pi*p.v[j])/2
	}
	sum := 0.0
	for i, v := range z {
		d0, d1 := v-p.mean[0], v-p.mean[1]
		a, b := c[0]-d0*d0/(2*p.v[0]), c[1]-d1*d1/(2*p.v[1])
		e := math.Exp(-math.Abs(a - b))
		sum += max(a, b) + math.Log1p(e)
		if a >= b {
			r[i] = 1 / (1 + e)
		} else {
			r[i] = e / (1 + e)
		}
	}
	return sum
}

// maximise is the best pair for given memberships; false when a component is empty.
func maximise(z, r []float64, model MixtureModel) (p gaussianPair, ok bool) {
	n := float64(len(z))
	for i, v := range z {
		p.w[0] += r[i]
		p.w[1] += 1 - r[i]
		p.mean[0] += r[i] * v
		p.mean[1] += (1 - r[i]) * v
	}
	if p.w[0] < 1e-9 || p.w[1] < 1e-9 {
		return p, false
	}
	p.mean[0] /= p.w[0]
	p.mean[1] /= p.w[1]
	for i, v := range z {
		d0, d1 := v-p.mean[0], v-p.mean[1]
		p.v[0] += r[i] * d0 * d0
		p.v[1] += (1 - r[i]) * d1 * d1
	}
	if model == EqualVariance {
		p.v[0] = (p.v[0] + p.v[1]) / n
		p.v[1] = p.v[0]
	} else {
		p.v[0] /= p.w[0]
		p.v[1] /= p.w[1]
	}
	p.w[0] /= n
	p.w[1] /= n
	return p, true
}
