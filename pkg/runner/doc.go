// Package runner carries out a plan: it decides the order of the trials, keeps the servers of the targets in the state
// that the plan asks for, sends warm-up and load through a Driver, judges whether each trial is valid, and puts every
// trial on disk before it goes on. It computes no statistics.
package runner
