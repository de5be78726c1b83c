// Package changepoint finds where a series changes and whether it settles.
//
//	question                                           function
//	has a trial reached a steady state, and when       Steady
//	how much of the start is warm-up                   MSER
//	where does the level change, noise constant        PELTMean
//	where do level or noise change                     PELTMeanVar
//	is there one change at all (with a p-value)        SingleChange
//
// A series is in time order: counts of short intervals of one trial, or one value per session. A change point c is the
// number of values before the change, which is the index of the first value after it. Errors are those of package
// analysis. PELT and MSER assume independent values between changes: in a positively correlated series they find
// changes that are only waves.
package changepoint
