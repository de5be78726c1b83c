package engine

const (
	gridSlots = 1 << 14
	gridWidth = 1 << 14 // ns per slot at first: 16 µs, so that the first 0.27 s fit
)

// grid counts completions over time in constant memory: when time runs past its last slot, the slots are merged in pairs
// and become twice as wide. A slot is therefore at most 1/8192 of the time that passed.
type grid struct {
	width  int64
	counts []uint32
}

func newGrid() *grid { return &grid{width: gridWidth, counts: make([]uint32, gridSlots)} }

func (g *grid) add(at int64) {
	for at/g.width >= gridSlots {
		g.widen()
	}
	g.counts[max(at, 0)/g.width]++
}

func (g *grid) widen() {
	for i := range gridSlots / 2 {
		g.counts[i] = g.counts[2*i] + g.counts[2*i+1]
	}
	clear(g.counts[gridSlots/2:])
	g.width *= 2
}

// merge adds the counts of from, which is used up.
func (g *grid) merge(from *grid) {
	for g.width < from.width {
		g.widen()
	}
	for from.width < g.width {
		from.widen()
	}
	for i, n := range from.counts {
		g.counts[i] += n
	}
}

// kth is when the k-th completion (k ≥ 1) happened, interpolated within its slot; 0 when there are fewer.
func (g *grid) kth(k int64) int64 {
	var before int64
	for i, n := range g.counts {
		if before+int64(n) >= k {
			inside := float64(k-before) / float64(n)
			return int64(i)*g.width + int64(inside*float64(g.width))
		}
		before += int64(n)
	}
	return 0
}
