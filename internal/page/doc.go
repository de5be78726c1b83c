// Package page sets text and tables for a terminal: 80 columns, numbers to the right, whatever the locale and the size of the
// window, so that output can be compared byte by byte.
package page
