package runner

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
)

func schedule(t *testing.T, order string, targets, blocks int, seed uint64) [][]int {
	t.Helper()
	rows, err := Schedule(order, targets, blocks, seed)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// A recorded seed must give the same order in every version.
func TestSchedulePinned(t *testing.T) {
	for _, test := range []struct {
		targets, blocks int
		seed            uint64
		want            string
	}{
		{2, 6, 1, "[[1 0] [0 1] [0 1] [1 0] [0 1] [1 0]]"},
		{3, 5, 42, "[[2 0 1] [1 2 0] [0 1 2] [2 0 1] [0 1 2]]"},
		{4, 4, 18446744073709551615, "[[0 2 3 1] [3 1 2 0] [1 3 0 2] [2 0 1 3]]"},
	} {
		if got := fmt.Sprint(schedule(t, OrderRandomBlocks, test.targets, test.blocks, test.seed)); got != test.want {
			t.Errorf("%d targets, %d blocks, seed %d: %s, want %s", test.targets, test.blocks, test.seed, got, test.want)
		}
	}
}

func TestScheduleBalance(t *testing.T) {
	for targets := 1; targets <= 7; targets++ {
		for blocks := 1; blocks <= 3*targets+1; blocks++ {
			for seed := range uint64(20) {
				rows := schedule(t, OrderRandomBlocks, targets, blocks, seed)
				if len(rows) != blocks {
					t.Fatalf("%d rows, want %d", len(rows), blocks)
				}
				checkBalance(t, rows, targets)
			}
		}
	}
}

// checkBalance: each row is a permutation; in each group of k rows each target stands at each position exactly once,
// in the last, shorter one at most once.
func checkBalance(t *testing.T, rows [][]int, targets int) {
	t.Helper()
	for group := range slices.Chunk(rows, targets) {
		at := map[[2]int]int{}
		for _, row := range group {
			sorted := slices.Sorted(slices.Values(row))
			for i := range targets {
				if len(sorted) != targets || sorted[i] != i {
					t.Fatalf("row %v is not a permutation of %d targets", row, targets)
				}
				at[[2]int{row[i], i}]++
			}
		}
		for place, n := range at {
			if n != 1 {
				t.Fatalf("target %d stands %d times at position %d in %v", place[0], n, place[1], group)
			}
		}
	}
}

// The order within a group must be random: with two targets both AB BA and BA AB occur, about as often.
func TestScheduleIsRandom(t *testing.T) {
	first := 0
	for seed := range uint64(2000) {
		first += schedule(t, OrderRandomBlocks, 2, 2, seed)[0][0]
	}
	if first < 850 || first > 1150 { // 6.7 standard errors
		t.Errorf("target 2 goes first in %d of 2000 plans", first)
	}
	seen := map[string]bool{}
	for seed := range uint64(500) {
		seen[fmt.Sprint(schedule(t, OrderRandomBlocks, 3, 3, seed))] = true
	}
	if len(seen) != 12 {
		t.Errorf("%d of the 12 Latin squares of order 3 were drawn", len(seen))
	}
}

func TestScheduleFixedOrders(t *testing.T) {
	for _, test := range []struct {
		order           string
		targets, blocks int
		want            [][]int
	}{
		{OrderABBA, 2, 4, [][]int{{0, 1}, {1, 0}, {0, 1}, {1, 0}}},
		{OrderABBA, 3, 3, [][]int{{0, 1, 2}, {2, 1, 0}, {0, 1, 2}}},
		{OrderSequential, 2, 3, [][]int{{0}, {0}, {0}, {1}, {1}, {1}}},
		{OrderRandomBlocks, 1, 2, [][]int{{0}, {0}}},
	} {
		for _, seed := range []uint64{0, 7} {
			if got := schedule(t, test.order, test.targets, test.blocks, seed); !reflect.DeepEqual(got, test.want) {
				t.Errorf("%s: %v, want %v", test.order, got, test.want)
			}
		}
	}
}

func TestScheduleRefuses(t *testing.T) {
	for _, test := range []struct {
		order           string
		targets, blocks int
	}{{OrderABBA, 0, 1}, {OrderABBA, 1, 0}, {OrderABBA, 2, MaxTrials}, {"shuffled", 2, 2}} {
		if _, err := Schedule(test.order, test.targets, test.blocks, 1); err == nil {
			t.Errorf("%+v: no error", test)
		}
	}
}
