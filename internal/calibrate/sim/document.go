package sim

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// Table introduces the cells of one table.
type Table struct {
	ID, Section, Title string
	RowHead            string
	Intro              string
}

// Lookup names a cell whose value a sentence quotes as a percentage.
type Lookup struct{ Table, Row, Column string }

// Sentence is a format with one %s for each cell.
type Sentence struct {
	Format string
	Cells  []Lookup
}

// Document is what surrounds the numbers.
type Document struct {
	Introduction string // Markdown
	NewsTitle    string // heading of Sentences
	NewsLead     string
	Sentences    []Sentence
	Tables       []Table // in order
}

// Write writes the document with the results of the outcomes: the same bytes for the same results.
func (d Document) Write(w io.Writer, outcomes []Outcome) error {
	var b strings.Builder
	b.WriteString(d.Introduction)
	writeSummary(&b, outcomes)
	d.writeNews(&b, outcomes)
	section := ""
	for _, t := range d.Tables {
		if t.Section != section {
			section = t.Section
			fmt.Fprintf(&b, "\n## %s\n", section)
		}
		writeTable(&b, t, outcomes)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (d Document) writeNews(b *strings.Builder, outcomes []Outcome) {
	values := map[Lookup]string{}
	for _, o := range outcomes {
		for _, r := range o.Results {
			values[Lookup{o.Table, r.Row, r.Column}] = percent(r.Mean)
		}
	}
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n", d.NewsTitle, d.NewsLead)
	for _, s := range d.Sentences {
		var args []any
		for _, c := range s.Cells {
			args = append(args, values[c])
		}
		fmt.Fprintf(b, "- "+s.Format+"\n", args...)
	}
}

func percent(v float64) string {
	if math.IsNaN(v) {
		return "—"
	}
	return fmt.Sprintf("%.*f %%", yesInt(v < .1), 100*v)
}

// Misses lists the cells that fail, one line each.
func Misses(outcomes []Outcome) []string {
	var out []string
	for _, o := range outcomes {
		for _, r := range o.Results {
			if r.Miss != "" {
				out = append(out, fmt.Sprintf("%s: %s, %s: %s %s", o.Table, r.Row, r.Column, r.text(), r.Miss))
			}
		}
	}
	return out
}

func writeSummary(b *strings.Builder, outcomes []Outcome) {
	cells, references, limits := 0, 0, 0
	for _, o := range outcomes {
		for _, r := range o.Results {
			cells++
			references += yesInt(r.Reference != "")
			limits += yesInt(r.Limit > 0)
		}
	}
	misses := Misses(outcomes)
	fmt.Fprintf(b, "\n## Summary\n\n%d numbers were simulated: %d are held against a reference, %d against a limit. ",
		cells, references, limits)
	if len(misses) == 0 {
		b.WriteString("None misses.\n")
		return
	}
	fmt.Fprintf(b, "%d miss:\n\n", len(misses))
	for _, m := range misses {
		fmt.Fprintf(b, "- %s\n", m)
	}
}

func writeTable(b *strings.Builder, t Table, outcomes []Outcome) {
	var rows, columns []string
	cells := map[[2]string]Result{}
	for _, o := range outcomes {
		if o.Table != t.ID {
			continue
		}
		for _, r := range o.Results {
			if !slices.Contains(rows, r.Row) {
				rows = append(rows, r.Row)
			}
			if !slices.Contains(columns, r.Column) {
				columns = append(columns, r.Column)
			}
			cells[[2]string{r.Row, r.Column}] = r
		}
	}
	fmt.Fprintf(b, "\n### %s\n\n%s\n\n| %s | %s |\n|---|%s\n", t.Title, t.Intro, t.RowHead, strings.Join(columns, " | "),
		strings.Repeat("---|", len(columns)))
	for _, row := range rows {
		fmt.Fprintf(b, "| %s |", row)
		for _, column := range columns {
			if r, ok := cells[[2]string{row, column}]; ok {
				fmt.Fprintf(b, " %s |", r.text())
			} else {
				b.WriteString(" |")
			}
		}
		b.WriteByte('\n')
	}
}

// text is the mean ± 2 standard errors, the reference in brackets.
func (r Result) text() string {
	digits, s := 3, ""
	if r.Quantity {
		digits = 1
	}
	if math.IsNaN(r.Mean) {
		s = "—"
	} else {
		s = fmt.Sprintf("%.*f ± %.*f", digits, r.Mean, digits, 2*r.SE)
	}
	if r.Reference != "" {
		s += " (" + r.Reference + ")"
	}
	if r.Miss != "" {
		s = "**" + s + "**"
	}
	return s
}

// Unsimulated returns the outcomes of no simulation at all, for a document with its labels only.
func Unsimulated(experiments []Experiment) []Outcome {
	out := make([]Outcome, len(experiments))
	for i, e := range experiments {
		out[i].Experiment = e
		for _, c := range e.Cells {
			out[i].Results = append(out[i].Results, Result{Cell: c, Mean: math.NaN(), SE: math.NaN()})
		}
	}
	return out
}

// Labels returns the headings and the first column of every table of a document, in order: what must not go stale.
func Labels(document string) []string {
	var out []string
	for line := range strings.Lines(document) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "### "):
			out = append(out, line)
		case strings.HasPrefix(line, "|---"):
		case strings.HasPrefix(line, "| "):
			first, rest, _ := strings.Cut(strings.TrimPrefix(line, "| "), " |")
			if !strings.Contains(rest, "±") && !strings.Contains(rest, "—") {
				first += " |" + rest // the head: its columns count too
			}
			out = append(out, first)
		}
	}
	return out
}

func yesInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
