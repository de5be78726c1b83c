package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Options changes how a report is drawn, never what it says. The zero value is plain text.
type Options struct {
	Colour bool // ANSI colour in the table format
}

// renderers holds every format by name.
var renderers = map[string]func(io.Writer, *Report, Options) error{
	"table":    renderText,
	"markdown": renderMarkdown,
	"json":     renderJSON,
	"r":        renderR,
}

// Formats returns the names that Render knows, sorted.
func Formats() []string { return slices.Sorted(maps.Keys(renderers)) }

// Render writes r in a format: "table" (at most 80 columns), "markdown" (GitHub), "json" (the whole
// model) or "r" (a script that recomputes the headline numbers). The bytes
// depend on nothing but the arguments. It returns an error for an unknown format, and every error of w.
func Render(w io.Writer, r *Report, format string, o Options) error {
	render, ok := renderers[format]
	if !ok {
		return fmt.Errorf("render report: unknown format %q (%s)", format, strings.Join(Formats(), ", "))
	}
	if err := render(w, r, o); err != nil {
		return fmt.Errorf("write report as %s: %w", format, err)
	}
	return nil
}
