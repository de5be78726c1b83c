// Package nested analyses trials that were repeated inside restarts of a server: how much of the variation sits between
// restarts, what interval follows, and how many trials and restarts are worth their time.
//
//	question                                                         function
//	what is the mean over restarts, and its interval                 TwoLevel, TwoLevelResult.Interval
//	how much do restarts differ, beyond what trials explain          TwoLevel: VarBetween, ICC, F and P
//	how wrong is it to pool all trials as if independent             TwoLevel: DesignEffect
//	how many repetitions at each of several levels                   KaliberaJones
//	how many trials in a restart                                     OptimalTrialsPerRestart
//	how many restarts for an interval of a given width               RestartsForHalfWidth
//
// Trials of one restart share its memory layout, caches and connections. They are not independent, and only restarts
// are replicates: with one restart a result is about that process and no other. Errors are those of package analysis;
// inputs are never modified; every function is pure.
package nested
