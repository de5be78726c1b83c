// Package planning says how many trials a comparison needs, and what a number of trials can resolve, from the CV of trials
// or from a pilot. It computes a model, which it draws for a terminal, as Markdown or as JSON.
package planning
