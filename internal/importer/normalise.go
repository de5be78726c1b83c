package importer

import (
	"html"
	"regexp"
	"strings"
	"unicode"
)

// line is one line of the text as a person sees it. One physical line can hold several: a progress bar that returns
// to its start, a table of HTML, a report whose line ends were lost.
type line struct {
	no   int    // 1-based number of the physical line
	text string // cleaned: no colours, tags, quotes, fences; single kinds of space; trimmed
	orig string // the physical line
	open bool   // the text ends with this line, without a line end: its last value may be cut
	html bool   // tags were removed from it
}

var (
	ansiSequence = regexp.MustCompile(`\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_]`)
	// Only elements that pages wrap around such output: "<$Revision: 655654 $>" is not one.
	htmlElement  = regexp.MustCompile(`(?i)</?(?:a|b|body|blockquote|center|code|div|em|font|h[1-6]|html|i|kbd|li|ol|p|pre|samp|span|strong|table|tbody|td|th|thead|tr|tt|u|ul)(?:\s[^<>]*)?/?>`)
	htmlLineEnd  = regexp.MustCompile(`(?i)<br\s*/?>|</(?:p|tr|div|li|pre|h[1-6]|blockquote)>`)
	logTimestamp = regexp.MustCompile(`^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?\s+`)
	composeName  = regexp.MustCompile(`^[A-Za-z][\w.-]*\s*\|\s+`)
)

// normalise splits a text into lines and removes what lies between the tool's output and the reader. Line numbers are
// those of the text.
func normalise(text string) []line {
	lines := make([]line, 0, strings.Count(text, "\n")+1)
	no := 0
	for len(text) > 0 {
		physical, rest, ended := strings.Cut(text, "\n")
		text = rest
		no++
		lines = appendLogical(lines, no, physical)
		if !ended {
			lines[len(lines)-1].open = true
		}
	}
	return lines
}

// appendLogical adds the one or more lines that a physical line shows; always at least one.
func appendLogical(lines []line, no int, physical string) []line {
	s := physical
	tagged := false
	if strings.ContainsAny(s, "<&") {
		s = htmlLineEnd.ReplaceAllString(s, "\r")
		s = htmlElement.ReplaceAllString(s, " ")
		tagged = s != physical
		s = html.UnescapeString(s)
	}
	if strings.ContainsRune(s, '\x1b') {
		s = ansiSequence.ReplaceAllString(s, "")
	}
	if len(s) > 100 {
		s = splitJoinedReport(s)
	}
	before := len(lines)
	for part := range strings.SplitSeq(strings.TrimRight(s, "\r"), "\r") {
		part = cleanLine(part)
		if part != "" || len(lines) == before {
			lines = append(lines, line{no: no, text: part, orig: physical, html: tagged})
		}
	}
	return lines
}

func cleanLine(s string) string {
	if strings.IndexFunc(s, unusualRune) >= 0 {
		s = strings.Map(plainRune, s)
	}
	s = strings.TrimSpace(s)
	for s != "" && strings.ContainsRune(">|`*", rune(s[0])) {
		s = strings.TrimLeft(s, ">|`* ")
	}
	if rest, ok := strings.CutPrefix(s, "# "); ok {
		s = strings.TrimSpace(rest) // output kept as the comment of a script, or the prompt before a command
	}
	if s == "" {
		return s
	}
	if s[0] == '[' || (s[0] >= '0' && s[0] <= '9') {
		s = logTimestamp.ReplaceAllString(s, "")
	} else if strings.ContainsRune(s, '|') {
		s = composeName.ReplaceAllString(s, "")
	}
	return s
}

func unusualRune(r rune) bool { return r < ' ' || r == 0x7f || r >= 0x80 }

// plainRune maps every kind of space to a space and full-width digits and signs (of East Asian input methods) to
// ASCII, and drops what has no width.
func plainRune(r rune) rune {
	switch {
	case r >= 0xff10 && r <= 0xff1a || r == 0xff05:
		return r - 0xfee0
	case unicode.IsSpace(r), r == 0x2800:
		return ' '
	case r < ' ', r == 0x7f, r == 0xad, r >= 0x200b && r <= 0x200f, r == 0x2060, r == 0xfeff:
		return -1
	}
	return r
}

var (
	joinedLabel = regexp.MustCompile(`(?:Server (?:Software|Hostname|Port)|Document (?:Path|Length)|Concurrency Level|Time taken for tests|` +
		`Complete requests|Failed requests|Write errors|Non-2xx responses|Keep-Alive requests|Total transferred|HTML transferred|` +
		`Requests per second|Time per request|Transfer rate|Processing|Waiting|Total|\(?Connect):|Conn+ection Times \(ms\)|` +
		`Percentage of the requests served|This is ApacheBench|Benchmarking \S+ \(be patient|\b(?:50|66|75|80|90|95|98|99|100)% `)
	escapedEnd = strings.NewReplacer(`\r\n`, "\r", `\n`, "\r", `\t`, " ")
)

// splitJoinedReport puts back the line ends of a report that was pasted as one line, or copied out of the source of
// a program with its \n unexpanded.
func splitJoinedReport(s string) string {
	if len(joinedLabel.FindAllStringIndex(s, 5)) < 5 {
		return s
	}
	s = escapedEnd.Replace(s)
	return joinedLabel.ReplaceAllStringFunc(s, func(label string) string { return "\r" + label })
}
