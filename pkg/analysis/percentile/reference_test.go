package percentile

import (
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/reftest"
)

func texts(v any) []string {
	list, _ := v.([]any)
	out := make([]string, len(list))
	for i, e := range list {
		out[i], _ = e.(string)
	}
	return out
}

func TestNearestRankReference(t *testing.T) {
	for _, c := range reftest.Load(t, "percentiles", "nearest_rank") {
		x := c.Nums("x")
		if r := c.Nums("range"); r != nil {
			for v := r[0]; v <= r[1]; v++ {
				x = append(x, v)
			}
		}
		var values, ranks []float64
		var err error
		for _, p := range texts(c.Params["percentiles"]) {
			v, r, e := NearestRank(x, p)
			if e != nil {
				err = e
			}
			values, ranks = append(values, v), append(ranks, float64(r))
		}
		if !c.Failed(t, err) {
			c.Check(t, map[string]any{"values": values, "ranks": ranks})
		}
	}
}

func TestHDRBoundsReference(t *testing.T) {
	for _, c := range reftest.Load(t, "percentiles", "hdr_bounds") {
		var values []int64
		for _, v := range c.Nums("values") {
			values = append(values, int64(v))
		}
		r, err := HDRBounds(values, texts(c.Params["percentiles"]), int64(c.Param("highest_trackable")), int(c.Param("significant_digits")))
		if c.Failed(t, err) {
			continue
		}
		results := make([]map[string]any, len(r.Percentiles))
		for i, p := range r.Percentiles {
			results[i] = map[string]any{"p": p.P, "exact_nearest_rank": float64(p.Exact), "bucket_low": float64(p.Bucket.Low),
				"bucket_high": float64(p.Bucket.High), "bucket_size": float64(p.Bucket.Size), "half_up_rank": float64(p.HalfUpRank),
				"half_up_value": float64(p.HalfUpValue), "nearest_rank_index": float64(p.Rank)}
		}
		c.Check(t, map[string]any{"sub_bucket_count": float64(r.SubBuckets), "results": results, "exact_mean": r.ExactMean,
			"histogram_mean": r.HistogramMean})
	}
}
