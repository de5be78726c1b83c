// Package analysis holds the statistics of benchmark trials: pure functions from slices of numbers to structs.
//
// Every number passed in is one trial (or one block), never one request: requests of a trial are not replicates.
// x is the candidate and y the baseline throughout, so differences are x − y and ratios x / y.
//
// This package has what a first comparison needs:
//
//	question                                 function
//	how fast is one target                   Summarize, TInterval, GeometricTInterval, MeanRate
//	how closely is its mean known            Summary.RelativeHalfWidth
//	the same without a normal distribution   MedianInterval (from 6 trials)
//	what form do its trials have             MeasureShape
//	blocked comparison (the default)         LogPairedTResolution, then Decide
//	unblocked comparison                     LogWelchTResolution, then Decide
//	ratio of means when values may be <= 0   RatioFieller
//	is the difference too small to matter    TOST, TOSTRelative, TOSTBounds
//	does running second matter               PositionEffect
//	do the trials fall into two levels       Tiers (BestSplit, HartiganDip, ClopperPearson)
//	do two properties of trials coincide     FisherExact
//	standardised size of a difference        CohensD, HedgesG, GlassDelta
//
// Its sub-packages have the rest, one question each:
//
//	question                                           package
//	is one sample larger, by ranks; by how much        rank: MannWhitney, Hodges–Lehmann, Brunner–Munzel, CliffsDelta,
//	                                                   Wilcoxon's signed ranks
//	an interval or test that assumes no distribution   resample: bootstrap, permutation
//	more than two targets, many comparisons            multiple: Holm, Hochberg, BenjaminiHochberg, WelchANOVA,
//	                                                   GamesHowell, TukeyHSD, BlockAdjusted
//	how many trials are needed; what could be seen     power: SampleSize, PairedSampleSize, PairedDetectable
//	trials within restarts                             nested: components of variance, trials per restart
//	may we stop early                                  sequential: anytime-valid t, Stein's two stages, Pocock and
//	                                                   O'Brien–Fleming boundaries
//	did the speed drift during the session             trend: Session, MannKendall, TheilSen, LjungBox
//	when did a run settle, where did it change         changepoint: MSER, PELT
//	how many modes have trials or latencies            modes: Silverman's test, normal mixtures, latency modes
//	percentiles and the error of their histogram       percentile
//
// Inputs are never modified. NaN and infinities are refused with [ErrNonFinite], never dropped. A field that is
// undefined for the sample at hand is NaN; a sample that is too small for a method gives [ErrTooFew] and says how many
// values are needed. Tail probabilities are computed as tails, never as one minus the other tail. Trials are assumed
// independent; autocorrelated trials make every interval here too narrow.
package analysis
