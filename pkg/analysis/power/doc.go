// Package power plans experiments: how many trials a difference needs, and what a number of trials can resolve.
//
//	question                                                  function
//	How many trials find this difference, unblocked?          SampleSize
//	How many blocks find this difference?                     PairedSampleSize
//	How many show that two targets are equivalent?            EquivalenceSampleSize, EquivalenceSampleSizeEqual
//	What chance has an experiment of n?                       Equal, Welch, Paired, TOST, TOSTEqual
//	What difference do n trials or blocks find?               WelchDetectable, PairedDetectable
//	What margin can n trials or blocks establish?             EquivalenceMargin, EquivalenceMarginEqual
//	How large may the sd be, given one from a small pilot?    SDUpperLimit
//	At what noise would a ratio of single runs mean anything? SingleRunCV
//
// Differences and sds share one unit; for ratios both are natural logarithms, on which an sd is nearly the CV. Everything
// rests on the noncentral t distribution, whose upper tail is NoncentralTSurvival. Errors are those of package analysis.
package power
