// Package resample derives p-values and intervals from the sample itself: permutations and bootstraps.
//
//	question                                              function
//	could relabelling the trials give such a difference   PermutationMeanDiff
//	could swapping within blocks give such a mean         SignFlip
//	an interval for any statistic of many trials          BootstrapPercentile, BootstrapBCa
//	an interval for a statistic of pooled requests        ClusterBootstrap
//
// All arrangements are enumerated when there are few; otherwise a seeded generator given by the caller draws them. None of this decides
// a verdict: below about 20 trials bootstrap intervals are too narrow (a nominal 95 % covers 83 % at n = 5, 90 % at 10), so Student's t is used for decisions, and
// permutations of few trials cannot reach small p-values. Errors are those of package analysis; inputs are never modified.
package resample
