// Package power plans experiments: how many trials a difference needs, and what a number of trials can resolve.
//
// Everything rests on the noncentral t distribution. Errors are those of package analysis.
package power
