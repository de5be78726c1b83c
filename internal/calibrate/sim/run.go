package sim

import (
	"hash/fnv"
	"math/rand/v2"
	"sync"
)

// chunk is the number of replicates that share one random stream: the unit of work, fixed so that the number of workers
// cannot change a result.
const chunk = 100

// Replicate simulates once and writes one output per cell; NaN abstains. It may keep buffers between calls.
type Replicate func(rng *rand.Rand, out []float64)

// Experiment is a simulation whose outputs are cells of one table.
type Experiment struct {
	Table string
	Name  string // unique; seeds the random streams
	Full  int    // replicates in a full run
	Cells []Cell
	New   func() Replicate // one per worker
}

// Scale is how much of each experiment to run.
type Scale int

// The scales.
const (
	Full  Scale = iota
	Small       // a thirtieth of the replicates, for tests
)

func (e Experiment) chunks(s Scale) int {
	n := e.Full / chunk
	if s == Small {
		n /= 30
	}
	return max(n, 2)
}

// Outcome is an experiment with its results, in the order of its cells.
type Outcome struct {
	Experiment
	Results []Result
}

// Run simulates every experiment with the given number of workers. The results depend on seed and scale only.
func Run(experiments []Experiment, seed uint64, scale Scale, workers int) []Outcome {
	type job struct{ experiment, chunk int }
	partial := make([][][]sums, len(experiments))
	for i, e := range experiments {
		partial[i] = make([][]sums, e.chunks(scale))
	}
	jobs := make(chan job)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			current, replicate := -1, Replicate(nil)
			for j := range jobs {
				e := experiments[j.experiment]
				if j.experiment != current {
					current, replicate = j.experiment, e.New()
				}
				partial[j.experiment][j.chunk] = runChunk(e, replicate, seed, j.chunk)
			}
		})
	}
	for i := range partial {
		for c := range partial[i] {
			jobs <- job{i, c}
		}
	}
	close(jobs)
	wg.Wait()
	out := make([]Outcome, len(experiments))
	for i, e := range experiments {
		out[i] = Outcome{Experiment: e, Results: gather(e, partial[i])}
	}
	return out
}

func runChunk(e Experiment, replicate Replicate, seed uint64, index int) []sums {
	h := fnv.New64a()
	_, _ = h.Write([]byte(e.Table + "/" + e.Name)) // never fails
	rng := rand.New(rand.NewPCG(seed^h.Sum64(), uint64(index)))
	total, out := make([]sums, len(e.Cells)), make([]float64, len(e.Cells))
	for range chunk {
		replicate(rng, out)
		for i, v := range out {
			total[i].add(v)
		}
	}
	return total
}

// gather adds the chunks in their order, for the same rounding every time.
func gather(e Experiment, chunks [][]sums) []Result {
	total := make([]sums, len(e.Cells))
	for _, c := range chunks {
		for i := range total {
			total[i].merge(c[i])
		}
	}
	results := make([]Result, len(e.Cells))
	for i, c := range e.Cells {
		results[i] = judge(c, total[i])
	}
	return results
}
