// Package result defines what is recorded about an experiment: the plan, the trials, and their codec (JSON Lines).
// It is the leaf that every other package shares; it measures nothing and computes no statistics.
package result
