package report

import (
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"
)

// textWidth is the widest line of the table format.
const textWidth = 80

// widths measures terminal columns without regard to the locale, so that output does not depend on the environment.
var widths = runewidth.Condition{}

func displayWidth(s string) int { return widths.StringWidth(s) }

// truncate cuts s to at most width columns, the last of which is then "…".
func truncate(s string, width int) string { return widths.Truncate(s, width, "…") }

// Words that a line does not end before, or after: a number and its unit stay together.
var (
	gluedBefore = []string{"%", "…", "=", "≈", "<", "±"}
	gluedAfter  = []string{"…", "=", "≈", "<", "±"}
)

// wrap breaks text into lines of at most textWidth columns. The first line starts with first, the others with rest.
func wrap(text, first, rest string) []string {
	var lines []string
	prefix, line := first, ""
	flush := func() {
		lines = append(lines, strings.TrimRight(prefix+line, " "))
		prefix, line = rest, ""
	}
	for _, word := range unbreakable(strings.Fields(text)) {
		room := textWidth - displayWidth(prefix)
		if line != "" {
			if displayWidth(line)+1+displayWidth(word) <= room {
				line += " " + word
				continue
			}
			flush()
			room = textWidth - displayWidth(prefix)
		}
		for displayWidth(word) > room {
			head, tail := splitAt(word, room)
			line, word = head, tail
			flush()
			room = textWidth - displayWidth(prefix)
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
