package explain

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// five trials of one server as ab printed them: the slow ones took longer to connect, and had no reply but errors.
func five() []result.Trial {
	connect := []float64{3, 1, 1, 1, 3}
	non2xx := []int64{10000, 10004, 10007, 10001, 10000}
	out := make([]result.Trial, len(connect))
	for i := range out {
		out[i] = result.Trial{Trial: i + 1, ConnectionTimes: map[string]map[string]float64{"connect": {"mean": connect[i]}}}
		out[i].Non2xx, out[i].Requests, out[i].Concurrency = &non2xx[i], new(int64(10000)), new(50)
		out[i].Started = time.Unix(int64(100+i*10), 0)
		out[i].ClientCPUSeconds = new(1 + float64(i%2))
		out[i].Extra = map[string]json.RawMessage{"load_average": json.RawMessage([]byte("0.5")), "note2": json.RawMessage(`"x"`)}
	}
	out[0].Extra["load_average"] = json.RawMessage("0.75")
	out[4].Total = &result.Histogram{Unit: "ns", Digits: 3, Min: 1, Max: 1, Sum: 1, Counts: [][2]int64{{1, 1}}}
	return out
}

func TestTiersOfFiveTrials(t *testing.T) {
	covariates := Covariates(five(), "")
	names := map[string]bool{}
	for _, c := range covariates {
		names[c.Name] = true
	}
	for _, want := range []string{"connect_mean_ms", "non2xx", "trial", "started_s", "client_cpu_us_per_request", "load_average"} {
		if !names[want] {
			t.Errorf("%s is missing from %v", want, names)
		}
	}
	// Constant, of one trial only, or not a number.
	for _, no := range []string{"requests", "concurrency", "block", "total_mean_ms", "note2"} {
		if names[no] {
			t.Errorf("%s is a covariate", no)
		}
	}
	clues := Tiers(covariates, [][]int{{0, 4}, {1, 2, 3}})
	separating := map[string]Clue{}
	for i, c := range clues {
		if c.Separates {
			separating[c.Name] = c
			if i >= len(separating) {
				t.Errorf("%s separates but is not among the first", c.Name)
			}
		}
		// 2·2!·3!/5! = 0.2 for one figure.
		if want := 1 - math.Pow(.8, float64(len(covariates))); math.Abs(c.Chance-want) > 1e-12 {
			t.Errorf("%s: chance %v, want %v", c.Name, c.Chance, want)
		}
	}
	if len(separating) != 2 || separating["connect_mean_ms"].Low != 3 || separating["connect_mean_ms"].High != 1 || separating["non2xx"].Low != 10000 {
		t.Errorf("%+v", separating)
	}
	if len(Covariates(five(), "non2xx")) != len(covariates)-1 {
		t.Error("the figure of the tiers themselves is compared")
	}
}

func TestChanceCountsEveryOrder(t *testing.T) {
	// All orders of five distinct values: the share that separates {0, 1} from {2, 3, 4} is what is claimed.
	hits, all := 0, 0
	var permute func(v []float64, k int)
	permute = func(v []float64, k int) {
		if k == len(v) {
			all++
			if separates([][]float64{{v[0], v[1]}, {v[2], v[3], v[4]}}) {
				hits++
			}
			return
		}
		for i := k; i < len(v); i++ {
			v[k], v[i] = v[i], v[k]
			permute(v, k+1)
			v[k], v[i] = v[i], v[k]
		}
	}
	permute([]float64{1, 2, 3, 4, 5}, 0)
	if got, want := separationChance([][]int{{0, 1}, {2, 3, 4}}), float64(hits)/float64(all); math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, counted %v", got, want)
	}
	if separationChance([][]int{{0}, {1}}) != 1 {
		t.Error("two trials are always separated")
	}
}

func TestThreeTiers(t *testing.T) {
	rising := Covariate{"rising", []float64{1, 2, 3, 4, 5, 6}}
	mixed := Covariate{"mixed", []float64{1, 2, 5, 6, 3, 4}}
	clues := Tiers([]Covariate{mixed, rising}, [][]int{{0, 1}, {2, 3}, {4, 5}})
	if !clues[0].Separates || clues[0].Name != "rising" || clues[1].Separates {
		t.Errorf("%+v", clues)
	}
	if Tiers([]Covariate{rising}, [][]int{{0, 1, 2, 3, 4, 5}}) != nil || Tiers([]Covariate{rising}, [][]int{{0}, {}}) != nil {
		t.Error("no tiers, but clues")
	}
}
