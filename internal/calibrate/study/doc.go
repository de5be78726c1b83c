// Package study holds the simulations of the calibration: worlds of trials whose truth is known, the procedures tried on
// them, and the tables that they fill.
package study
