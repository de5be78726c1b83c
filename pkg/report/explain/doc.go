// Package explain looks for what goes together with the tiers of a target's trials.
//
// Covariates collects every other figure that the trials hold; Tiers says which of them separate the tiers completely,
// and how likely that is by chance when so many figures are looked at. A figure that separates them is a clue, never
// a proof of the cause.
package explain
