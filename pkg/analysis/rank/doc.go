// Package rank compares two samples by ranks and by pairs: robustness lines and effect sizes beside the deciding t test.
//
//	question                                           function
//	does one tend to be larger (same shape)            MannWhitney
//	by how much, whatever the outliers                 HodgesLehmann
//	does one tend to be larger (any shapes)            BrunnerMunzel
//	how seldom do they overlap                         CliffsDelta, VarghaDelaney
//	the same for pairs                                 WilcoxonSignedRank, WalshMedian
//
// x is the candidate and y the baseline. Few trials cannot reach small p-values here: 0.008 is the least for 5 against 5, and
// 0.0625 for 5 pairs, so nothing is decided by ranks. Errors are those of package analysis; inputs are never modified.
package rank
