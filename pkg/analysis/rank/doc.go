// Package rank compares two samples by ranks and by pairs: robustness lines and effect sizes beside the deciding t test.
//
// x is the candidate and y the baseline. Errors are those of package analysis; inputs are never modified.
package rank
