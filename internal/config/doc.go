// Package config turns target files (strict YAML), bare URLs and command-line flags into a resolved [result.Plan].
//
// Everything that is wrong with an input is an [Error]: one line with the file, line and column, or the flag, and what
// to do about it. Values are layered: defaults, then a file's top level, then its targets, then flags.
package config
