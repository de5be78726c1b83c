// Package analysis holds the statistics of benchmark trials: pure functions from slices of numbers to structs.
//
// Every number passed in is one trial (or one block), never one request: requests of a trial are not replicates.
// x is the candidate and y the baseline throughout, so differences are x − y and ratios x / y.
//
//	question                                 function
//	how fast is one target                   Summarize, TInterval, GeometricTInterval
//	blocked comparison (the default)         LogPairedTResolution, then Decide
//	unblocked comparison                     LogWelchTResolution, then Decide
//	is the difference too small to matter    TOST
//	more than two targets                    Decide with m comparisons; Holm for information
//	do the trials fall into two levels       Tiers (BestSplit, HartiganDip, ClopperPearson)
//	how many trials are needed               SampleSize, PairedSampleSize
//	what could have been seen                PairedDetectable, WelchDetectable
//	robustness and effect size lines         MannWhitney, HedgesG, CliffsDelta
//
// Inputs are never modified. NaN and infinities are refused with [ErrNonFinite], never dropped. A field that is
// undefined for the sample at hand is NaN. Tail probabilities are computed as tails, never as one minus a CDF.
// Trials are assumed independent; autocorrelated trials make every interval here too narrow.
package analysis
