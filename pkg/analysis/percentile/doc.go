// Package percentile computes latency percentiles and compares them between targets.
//
//	question                                              function
//	which value is the p99 of these requests              NearestRank, Rank
//	what would an HdrHistogram report, and how wide is it HDRBounds, HDRBucket
//	are there enough requests for this percentile         Needed, Enough
//	the p99 of a target with an interval                  PerTrial
//	where in the distribution do two targets differ       Shift, CompareDeciles
//
// Requests within a trial are not replicates: one slow moment slows hundreds of them. A pooled test of 10⁴ requests per
// trial with a 2 % spread between trials finds a difference between equal targets in 7 of 10 comparisons. So a percentile
// is taken per trial, and the trials are the replicates. A percentile is written as the decimal text the user gave
// ("99.9"), because the float64 99.9/100·1000 is 999.0000000000001 and its ceiling the wrong rank. Closed-loop load
// generators under-record stalls (coordinated omission); no statistic repairs that afterwards. Errors are those of
// package analysis (ErrEmpty and so on).
package percentile
