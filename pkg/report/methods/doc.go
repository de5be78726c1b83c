// Package methods runs, for a report that is asked for everything, each method that has something to say about a target
// or about two of them, whether or not it decides.
//
// A method that cannot be run on the sample has no numbers and a note that says why, with the number of trials that it
// needs. None of the p-values here is adjusted for the others: with twenty methods one below 0.05 is no news.
package methods
