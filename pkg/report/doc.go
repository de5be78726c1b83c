// Package report joins trials and statistics: Build turns what was measured into a Report, and one renderer a file
// turns a Report into bytes.
package report
