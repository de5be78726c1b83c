// Package modes asks how many peaks a distribution has.
//
//	question                                                function
//	what does the distribution look like                    KDE
//	how much smoothing leaves at most k peaks               CriticalBandwidth
//	has the distribution more than k peaks (test)           SilvermanTest
//	how well do two Gaussians describe the values           GaussianMixture (a description, never a test)
//	how far apart are two components                        AshmanD
//	do the latencies of many requests have several peaks    LatencyModes
//
// The first five are for one value per trial. Whether trials fall into tiers is decided by analysis.Tiers, which has
// far more power at 5 to 20 trials than anything here; these functions describe and cross-check. LatencyModes is for
// the requests within trials, where every p-value on pooled requests is misleading; its evidence is the number of
// trials that show a mode. Errors are those of package analysis (ErrTooFew and so on).
package modes
