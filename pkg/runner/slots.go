package runner

import "github.com/benchstat-http/benchstat-http/pkg/result"

// Slot is one place of a plan's schedule, to be filled by one trial.
type Slot struct {
	Target   int // index into the plan's targets
	Ordinal  int // 0…: which of the target's trials, in the order of the plan
	Block    int // 1…; 0 when the order is sequential
	Position int // 1… within the block; 0 when the order is sequential
}

// Slots lists the places of a plan in the order of measurement.
func Slots(p result.Plan) []Slot {
	var slots []Slot
	count := make([]int, len(p.Targets))
	for b, row := range p.Schedule {
		for pos, i := range row {
			s := Slot{Target: i, Ordinal: count[i]}
			if p.Order != OrderSequential {
				s.Block, s.Position = b+1, pos+1
			}
			count[i]++
			slots = append(slots, s)
		}
	}
	return slots
}

// Remaining lists the places of a plan that no trial fills yet, in the order of measurement. A trial fills the place of
// its target in its block; without blocks the trials of a target fill its places from the first. An interrupted trial
// fills none: its place is measured again. An aborted or skipped one does fill its place, because the server, and not
// the user, made it so.
func Remaining(p result.Plan, done []result.Trial) []Slot {
	type place struct {
		target string
		block  int
	}
	filled := map[place]int{}
	for _, t := range done {
		if t.Interrupted {
			continue
		}
		if p.Order == OrderSequential {
			t.Block = 0
		}
		filled[place{t.Target, t.Block}]++
	}
	var missing []Slot
	for _, s := range Slots(p) {
		at := place{p.Targets[s.Target].Name, s.Block}
		if filled[at] > 0 {
			filled[at]--
			continue
		}
		missing = append(missing, s)
	}
	return missing
}
