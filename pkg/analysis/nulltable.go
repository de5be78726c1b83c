package analysis

import (
	_ "embed" // for the simulated null tables
	"math"
	"sort"
	"strconv"
	"strings"
	"sync"
)

//go:generate go run ./gen -out nulltable.txt

//go:embed nulltable.txt
var nullText string

// nullRow holds the quantiles of a statistic with upper-tail probabilities nullTable.probs, descending in probability.
type nullRow struct {
	n int
	q []float64
}

// nullTable is a simulated null distribution over sample sizes; larger statistics are more extreme.
type nullTable struct {
	probs []float64
	rows  []nullRow
}

// loadTables parses the embedded text once: a line "p ..." with the probabilities, then "name n q ...". The text is
// part of the program and covered by a test, so a number that does not parse is left 0.
var loadTables = sync.OnceValue(func() map[string]nullTable {
	var probs []float64
	out := map[string]nullTable{}
	for line := range strings.Lines(nullText) {
		f := strings.Fields(line)
		if len(f) < 3 || f[0] == "#" {
			continue
		}
		if f[0] == "p" {
			probs = parseFloats(f[1:])
			continue
		}
		n, _ := strconv.Atoi(f[1])
		t := out[f[0]]
		t.probs = probs
		t.rows = append(t.rows, nullRow{n, parseFloats(f[2:])})
		out[f[0]] = t
	}
	return out
})

func parseFloats(f []string) []float64 {
	out := make([]float64, len(f))
	for i, s := range f {
		out[i], _ = strconv.ParseFloat(s, 64)
	}
	return out
}

func splitTables() [2]nullTable {
	t := loadTables()
	return [2]nullTable{t["split1"], t["split2"]}
}

func dipTable() nullTable { return loadTables()["dip"] }

// row returns the quantiles for size n, interpolated in ln n between the simulated sizes.
func (t nullTable) row(n int) []float64 {
	i := sort.Search(len(t.rows), func(i int) bool { return t.rows[i].n >= n })
	if i == len(t.rows) {
		return t.rows[i-1].q
	}
	if t.rows[i].n == n || i == 0 {
		return t.rows[i].q
	}
	a, b := t.rows[i-1], t.rows[i]
	w := math.Log(float64(n)/float64(a.n)) / math.Log(float64(b.n)/float64(a.n))
	out := make([]float64, min(len(a.q), len(b.q)))
	for j := range out {
		out[j] = a.q[j] + w*(b.q[j]-a.q[j])
	}
	return out
}

// p returns the upper-tail probability of the statistic v at size n, log-linear between the stored quantiles, 1 below
// the first and the last stored probability beyond the end.
func (t nullTable) p(n int, v float64) float64 {
	q := t.row(n)
	// Stored with 5 decimals: a value on an atom (the least possible dip) must not fall behind its own rounding.
	v -= 1e-5
	i := sort.Search(len(q), func(i int) bool { return q[i] >= v })
	switch {
	case i == 0:
		return 1
	case i == len(q):
		return t.probs[i-1]
	}
	w := (v - q[i-1]) / (q[i] - q[i-1])
	return math.Exp((1-w)*math.Log(t.probs[i-1]) + w*math.Log(t.probs[i]))
}
