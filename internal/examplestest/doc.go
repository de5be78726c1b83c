// Package examplestest keeps the folder examples true: pages have the size their text claims, start scripts are valid
// POSIX shell, every target file names scripts that exist and ports that are chosen,
// and the files of one comparison agree.
package examplestest
