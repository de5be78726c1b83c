// Package multiple holds what more than two targets or more than one comparison need: adjusted p-values, tests of
// several groups, simultaneous intervals, and the decision which target may be called the fastest.
//
//	question                                                   function
//	what is each p-value worth among m comparisons             Holm; also Hochberg, Hommel, Bonferroni, Adjust
//	which of many screened endpoints deserve a look            BenjaminiHochberg, BenjaminiYekutieli
//	at which levels are m intervals read together              Simultaneous
//	may the best target be called the fastest                  Separated
//	does any of several independent groups differ              WelchANOVA; with equal variances OneWayANOVA
//	which of them, by how much                                 GamesHowell; with equal variances TukeyHSD
//	how do targets differ when trials ran in blocks            BlockAdjusted, also with missing trials
//	how far apart do equal means come to lie                   StudentizedRangeSurvival, -CDF, -Quantile
//
// Blocked trials are compared by paired t tests adjusted by Holm, over a family declared beforehand: all pairs, or each
// target against the baseline. Errors are those of package analysis; inputs are never modified; every function is pure.
package multiple
