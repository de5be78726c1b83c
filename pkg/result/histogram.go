package result

// Histogram is a distribution of durations in the form of the result file: counts by upper bound of an
// HdrHistogram bucket (Digits significant digits), with the exact extremes and sum. Unit is "ns".
type Histogram struct {
	Unit   string     `json:"unit"`
	Digits int        `json:"digits"`
	Min    int64      `json:"min"`
	Max    int64      `json:"max"`
	Sum    int64      `json:"sum"`
	Counts [][2]int64 `json:"counts"` // [upper bound, count], bounds ascending, counts > 0
}

// N returns the number of values recorded.
func (h *Histogram) N() int64 {
	var n int64
	for _, c := range h.Counts {
		n += c[1]
	}
	return n
}
