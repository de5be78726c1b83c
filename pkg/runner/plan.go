package runner

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
)

// The orders of measurement.
const (
	OrderRandomBlocks = "random-blocks"
	OrderABBA         = "abba"
	OrderSequential   = "sequential"
)

// MaxTrials is the largest number of trials that one plan may hold.
const MaxTrials = 10_000_000

// Schedule returns the order of measurement for a number of targets and of blocks (trials per target): rows of indexes
// into the targets.
//
//   - random-blocks: a row per block. Within every group of k blocks (k = the number of targets) each target stands at
//     each position exactly once: the rows are those of a random Latin square, in random order. For k = 2 each pair of
//     blocks holds AB and BA in random order. When blocks is not a multiple of k the last group is cut short, and no
//     target stands at a position more than once more often than another.
//   - abba: a row per block, forward and backward in turn: AB BA AB BA. Balanced too, but predictable.
//   - sequential: a row per trial, all trials of the first target first: A A A B B B.
//
// The square is a cyclic one with rows, columns and symbols shuffled; for k > 3 not every Latin square can be drawn,
// which does not matter for the balance of positions. The result depends on the arguments alone: the random numbers are
// those of PCG-DXSM (math/rand/v2), which Go keeps stable, and the shuffle is our own, so that a recorded seed gives
// the same order in every version of this program and of Go.
//
// It fails when targets or blocks is below 1, above MaxTrials in total, or the order is unknown.
func Schedule(order string, targets, blocks int, seed uint64) ([][]int, error) {
	if targets < 1 || blocks < 1 {
		return nil, fmt.Errorf("plan trials: %d targets and %d trials each; both must be at least 1", targets, blocks)
	}
	if blocks > MaxTrials/targets {
		return nil, fmt.Errorf("plan trials: %d targets of %d trials are more than %d", targets, blocks, MaxTrials)
	}
	switch order {
	case OrderRandomBlocks:
		return randomBlocks(targets, blocks, seed), nil
	case OrderABBA:
		return forwardAndBack(targets, blocks), nil
	case OrderSequential:
		return oneAfterAnother(targets, blocks), nil
	}
	return nil, fmt.Errorf("plan trials: order %q is none of %s, %s, %s", order, OrderRandomBlocks, OrderSequential, OrderABBA)
}

func randomBlocks(targets, blocks int, seed uint64) [][]int {
	r := shuffler{rand.NewPCG(seed, 0x6265_6e63_6873_7461)} // the second half of the state only has to be constant
	rows := make([][]int, 0, blocks)
	for len(rows) < blocks {
		square := r.latinSquare(targets)
		rows = append(rows, square[:min(targets, blocks-len(rows))]...)
	}
	return rows
}

func forwardAndBack(targets, blocks int) [][]int {
	rows := make([][]int, blocks)
	for b := range rows {
		rows[b] = make([]int, targets)
		for i := range targets {
			if b%2 == 0 {
				rows[b][i] = i
			} else {
				rows[b][i] = targets - 1 - i
			}
		}
	}
	return rows
}

func oneAfterAnother(targets, blocks int) [][]int {
	rows := make([][]int, 0, targets*blocks)
	for i := range targets {
		for range blocks {
			rows = append(rows, []int{i})
		}
	}
	return rows
}

// shuffler draws permutations from a generator whose output is part of a recorded plan.
type shuffler struct{ *rand.PCG }

// below returns a number in 0…n−1. Taking the high word of a product leaves a bias below n/2⁶⁴, too small to see.
func (s shuffler) below(n int) int {
	high, _ := bits.Mul64(s.Uint64(), uint64(n))
	return int(high)
}

// permutation returns 0…n−1 in random order (Fisher and Yates 1938, in Durstenfeld's form of 1964).
func (s shuffler) permutation(n int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	for i := n - 1; i > 0; i-- {
		j := s.below(i + 1)
		p[i], p[j] = p[j], p[i]
	}
	return p
}

// latinSquare returns k rows in which each of 0…k−1 stands once in every row and once in every column.
func (s shuffler) latinSquare(k int) [][]int {
	rows, columns, symbols := s.permutation(k), s.permutation(k), s.permutation(k)
	square := make([][]int, k)
	for i, r := range rows {
		square[i] = make([]int, k)
		for j, c := range columns {
			square[i][j] = symbols[(r+c)%k]
		}
	}
	return square
}
