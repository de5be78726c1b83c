package page

import (
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"
)

// Width is the widest line that is printed, in columns.
const Width = 80

// widths measures terminal columns without regard to the locale, so that output does not depend on the environment.
var widths = runewidth.Condition{}

// DisplayWidth is how many columns s takes.
func DisplayWidth(s string) int { return widths.StringWidth(s) }

// Truncate cuts s to at most width columns, the last of which is then "…".
func Truncate(s string, width int) string { return widths.Truncate(s, width, "…") }

// Words that a line does not end before, or after: a number and its unit stay together.
var (
	gluedBefore = []string{"%", "…", "=", "≈", "<", "±"}
	gluedAfter  = []string{"…", "=", "≈", "<", "±"}
)

// Wrap breaks text into lines of at most Width columns. The first line starts with first, the others with rest.
func Wrap(text, first, rest string) []string {
	var lines []string
	prefix, line := first, ""
	flush := func() {
		lines = append(lines, strings.TrimRight(prefix+line, " "))
		prefix, line = rest, ""
	}
	for _, word := range unbreakable(strings.Fields(text)) {
		room := Width - DisplayWidth(prefix)
		if line != "" {
			if DisplayWidth(line)+1+DisplayWidth(word) <= room {
				line += " " + word
				continue
			}
			flush()
			room = Width - DisplayWidth(prefix)
		}
		for DisplayWidth(word) > room {
			head, tail := splitAt(word, room)
			line, word = head, tail
			flush()
			room = Width - DisplayWidth(prefix)
		}
		line = word
	}
	if line != "" || len(lines) == 0 {
		flush()
	}
	return lines
}

// unbreakable joins words that belong on one line.
func unbreakable(words []string) []string {
	var out []string
	glue := false
	for _, w := range words {
		bare := strings.TrimRight(w, ".,;:)]")
		if len(out) > 0 && (glue || slices.Contains(gluedBefore, bare)) {
			out[len(out)-1] += " " + w
		} else {
			out = append(out, w)
		}
		glue = slices.Contains(gluedAfter, w)
	}
	return out
}

// splitAt cuts a word that is wider than a line.
func splitAt(word string, width int) (head, tail string) {
	used := 0
	for i, r := range word {
		w := widths.RuneWidth(r)
		if used+w > width && i > 0 {
			return word[:i], word[i:]
		}
		used += w
	}
	return word, ""
}
