// Package trend asks whether trials changed in the course of a session: drift, level shifts and serial correlation.
//
//	question                                            function
//	did the speed drift or jump, over all targets       Session
//	the same for one target                             Drift
//	straight-line slope with t test                     Slope
//	monotone trend, without assuming a line             MannKendall, MannKendallExact
//	slope that a few wild trials cannot move            TheilSen
//	one level shift somewhere in the series             CUSUM
//	does a trial resemble the one before it             VonNeumann, Autocorrelation, LjungBox
//	how many independent trials is the series worth     EffectiveSampleSize
//
// Series are in time order, x[0] first; the order carries the information and is never changed. A value is one trial.
// Errors are those of package analysis (ErrTooFew and so on). All tests assume independent (for permutations:
// exchangeable) values under H0: positive serial correlation makes every test of a trend report drift too often, which
// is why Session reports a test of serial correlation beside them.
package trend
