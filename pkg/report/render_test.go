package report

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/benchstat-http/benchstat-http/internal/page"
)

var errDisk = errors.New("disk full")

// failingWriter accepts n bytes and then fails.
type failingWriter struct{ left int }

func (w *failingWriter) Write(p []byte) (int, error) {
	if len(p) <= w.left {
		w.left -= len(p)
		return len(p), nil
	}
	n := w.left
	w.left = 0
	return n, errDisk
}

// TestFailingWriter: every renderer returns the writer's error, wherever it happens.
func TestFailingWriter(t *testing.T) {
	r := mustBuild(t, goldenCases["slower"]())
	for _, format := range Formats() {
		var whole bytes.Buffer
		if err := Render(&whole, r, format, Options{}); err != nil {
			t.Fatal(err)
		}
		for left := 0; left < whole.Len(); left += 1 + whole.Len()/17 {
			if err := Render(&failingWriter{left}, r, format, Options{}); !errors.Is(err, errDisk) {
				t.Errorf("%s after %d bytes: error %v, want %v", format, left, err, errDisk)
			}
		}
		if err := Render(&failingWriter{whole.Len()}, r, format, Options{}); err != nil {
			t.Errorf("%s with room for all: %v", format, err)
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	err := Render(&bytes.Buffer{}, &Report{}, "csv", Options{})
	if err == nil || !strings.Contains(err.Error(), "json, markdown, r, table") {
		t.Errorf("error %v does not name the formats", err)
	}
}

// TestWidth: no line of the table format is wider than 80 columns or holds a control character, whatever the names.
func TestWidth(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	pieces := []string{"a", "-", "/", " ", "é", "漢字", "\x1b[0m", "|", "\t", "%", "ﬀ", "\u202e", "http://127.0.0.1:80/", "🙂"}
	for i := range 300 {
		name := func() string {
			var b strings.Builder
			for range rng.IntN(40) {
				b.WriteString(pieces[rng.IntN(len(pieces))])
			}
			return b.String()
		}
		s := two(2+rng.IntN(8), math.Exp(rng.NormFloat64()/20), 0.02, uint64(i))
		s.rates[0] *= math.Pow(10, rng.Float64()*10-5)
		in := s.input()
		in.Title, in.Targets[0].Name, in.Targets[1].Name = name(), name(), name()
		in.Design.Order = name()
		checkWidth(t, mustBuild(t, in))
	}
	for _, input := range goldenCases {
		checkWidth(t, mustBuild(t, input()))
	}
}

func checkWidth(t *testing.T, r *Report) {
	t.Helper()
	var b bytes.Buffer
	if err := Render(&b, r, "table", Options{}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(b.String(), "\n") {
		if w := page.DisplayWidth(line); w > page.Width {
			t.Errorf("line of %d columns: %q", w, line)
		}
		if line != clean(line) {
			t.Errorf("control character in %q", line)
		}
	}
}

// TestColour: colour adds escape sequences and nothing else.
func TestColour(t *testing.T) {
	for name, input := range goldenCases {
		r := mustBuild(t, input())
		var plain, colour bytes.Buffer
		if err := errors.Join(Render(&plain, r, "table", Options{}), Render(&colour, r, "table", Options{Colour: true})); err != nil {
			t.Fatal(err)
		}
		if plain.String() == colour.String() {
			t.Errorf("%s: no colour", name)
		}
		bare := colour.String()
		for _, code := range []string{ansiReset, ansiBold, ansiRed, ansiGreen, ansiYellow} {
			bare = strings.ReplaceAll(bare, code, "")
		}
		if bare != plain.String() {
			t.Errorf("%s: without its colour the text differs", name)
		}
	}
}

// TestMarkdownCells: a row has as many cells as the head, whatever is in a name.
func TestMarkdownCells(t *testing.T) {
	var b bytes.Buffer
	if err := Render(&b, mustBuild(t, goldenCases["hostile-name"]()), "markdown", Options{}); err != nil {
		t.Fatal(err)
	}
	cells := -1
	for line := range strings.SplitSeq(b.String(), "\n") {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
		if cells < 0 {
			cells = n
		}
		if n != cells {
			t.Errorf("%d cell borders, want %d: %s", n, cells, line)
		}
	}
	if cells < 0 {
		t.Error("no table")
	}
}

func TestFormat(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{rateText(6803.022), "6803.02"},
		{rateText(1234567.8), "1234568"},
		{rateText(123456.78), "123456.8"},
		{rateText(0.20123), "0.2012"},
		{rateText(0), "0"},
		{levelText(5556.125), "5556.1"},
		{levelText(0), "0"},
		{pText(0.00026), "p = 0.0003"},
		{pText(3.4e-5), "p = 3e-5"},
		{pText(9.6e-10), "p < 1e-9"},
		{pText(0.0341), "p = 0.034"},
		{pText(1), "p = 1"},
		{percentText(0.01), "1 %"},
		{signed(-0.42, 1), "−0.4"},
		{signed(0.42, 1), "+0.4"},
		{signed(-0.001, 1), "0.0"},
		{fixed(-0.001, 1), "0.0"},
		{countText(1234567), "1,234,567"},
		{countText(-1234), "-1,234"},
		{countText(12), "12"},
		{countWord(3), "three"},
		{countWord(12), "12"},
		{joinAnd([]string{"a", "b", "c"}), "a, b and c"},
		{joinAnd(nil), ""},
		{clip("abcdef", 4), "abc…"},
		{clean("a\x1b[1m\nb"), "a\uFFFD[1m b"},
		{trialList([]int{1}), "trial 1"},
		{trialList([]int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}), "trials 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, and 2 more"},
		{significant(1e-9, 3), "1e-09"},
		{fmt.Sprint(decimalsFor(math.NaN()), decimalsFor(0.25), decimalsFor(3), decimalsFor(1e-9)), "1 1 1 4"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// TestRegistry: every code has all its parts.
func TestRegistry(t *testing.T) {
	for code := range kinds {
		severity, title, advice, ok := Describe(code)
		if !ok || title == "" || advice == "" || severityRank(severity) == 2 && severity != SeverityNote {
			t.Errorf("%s: %q %q %q", code, severity, title, advice)
		}
	}
	if _, _, _, ok := Describe("no-such-code"); ok {
		t.Error("an unknown code is described")
	}
}

// TestErrorsAboveNumbers: an error finding is read before the first rate.
func TestErrorsAboveNumbers(t *testing.T) {
	for _, format := range []string{"table", "markdown"} {
		var b bytes.Buffer
		if err := Render(&b, mustBuild(t, all404Input()), format, Options{}); err != nil {
			t.Fatal(err)
		}
		finding, number := strings.Index(b.String(), "non-2xx"), strings.Index(b.String(), "7634.3")
		if finding < 0 || number < 0 || finding > number {
			t.Errorf("%s: finding at %d, number at %d\n%s", format, finding, number, b.String())
		}
	}
}
