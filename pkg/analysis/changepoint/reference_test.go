package changepoint

import (
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/reftest"
)

func TestPELTMeanReference(t *testing.T) {
	for _, c := range reftest.Load(t, "changepoint", "pelt_mean") {
		r, err := PELTMean(c.Nums("x"), c.Param("penalty"), int(c.Param("min_seg_len")))
		if c.Failed(t, err) {
			continue
		}
		c.Check(t, map[string]any{"changepoints": r.Changes, "n_segments": len(r.Means), "segment_means": r.Means,
			"total_cost": r.Cost}, "gap_to_second_best")
	}
}

func TestMSERReference(t *testing.T) {
	for _, c := range reftest.Load(t, "changepoint", "mser") {
		r, err := MSER(c.Nums("x"), int(c.Param("batch")))
		if c.Failed(t, err) {
			continue
		}
		c.Check(t, map[string]any{"n_batches": r.Batches, "truncate_batches": r.CutBatches, "truncate_obs": r.Cut,
			"mser": r.Value, "at_search_limit": r.AtLimit, "truncated_mean": r.TruncatedMean})
	}
}
