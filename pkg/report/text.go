package report

import (
	"io"
	"slices"
	"strings"

	"github.com/benchstat-http/benchstat-http/internal/page"
)

// ANSI sequences of the table format.
const (
	ansiReset  = "\x1b[0m"
	ansiBold   = "\x1b[1m"
	ansiRed    = "\x1b[31m"
	ansiGreen  = "\x1b[32m"
	ansiYellow = "\x1b[33m"
)

// narrowestName is the least a target's name is cut to.
const narrowestName = 8

// textWriter collects the page; it is written in one piece.
type textWriter struct {
	b      strings.Builder
	colour bool
}

// renderText draws the report for a terminal: errors first, then the table, the verdicts, and the other findings.
func renderText(w io.Writer, r *Report, o Options) error {
	t := &textWriter{colour: o.Colour}
	t.paragraph(ansiBold, r.title(), "", "")
	t.paragraph("", r.designLine(), "", "")
	t.findings(r.grouped(true))
	t.b.WriteString("\n")
	if err := t.table(r); err != nil {
		return err
	}
	for _, target := range r.Targets {
		for _, line := range target.lines() {
			t.paragraph("", line, "", "  ")
		}
	}
	for _, c := range r.primary() {
		t.b.WriteString("\n")
		t.paragraph(verdictColour(c.Verdict), clean(c.Sentence), "", "")
		if line := c.testsLine(); line != "" {
			t.paragraph("", line, "  ", "  ")
		}
	}
	if r.Ranking != nil {
		t.b.WriteString("\n")
		t.paragraph(ansiBold, clean(r.Ranking.Sentence), "", "")
	}
	t.findings(r.grouped(false))
	for _, section := range r.methodSections() {
		t.b.WriteString("\n")
		t.paragraph(ansiBold, section.title, "", "")
		if err := t.draw(methodHead, section.rows); err != nil {
			return err
		}
		for _, note := range section.notes {
			t.paragraph("", note, "  ", "    ")
		}
	}
	_, err := io.WriteString(w, t.b.String())
	return err
}

// paragraph writes wrapped text, every line of it in one style.
func (t *textWriter) paragraph(style, text, first, rest string) {
	for _, line := range page.Wrap(text, first, rest) {
		if t.colour && style != "" {
			line = style + line + ansiReset
		}
		t.b.WriteString(line)
		t.b.WriteString("\n")
	}
}

// findings writes one entry a code: severity and code, then each text, then the advice once.
func (t *textWriter) findings(groups []group) {
	for i, g := range groups {
		if i == 0 {
			t.b.WriteString("\n")
		}
		head := g.severity + " " + g.code + ":"
		style := ""
		switch g.severity {
		case SeverityError:
			head, style = "ERROR "+g.code+":", ansiRed
		case SeverityWarning:
			style = ansiYellow
		}
		for _, text := range g.texts {
			t.paragraph(style, head+" "+text, "", "  ")
		}
		if g.advice != "" {
			t.paragraph("", g.advice, "  → ", "    ")
		}
	}
}

func verdictColour(verdict string) string {
	switch verdict {
	case "faster":
		return ansiBold + ansiGreen
	case "slower":
		return ansiBold + ansiRed
	default:
		return ansiBold
	}
}

// table draws one row a target, and one more for each of its proven tiers.
func (t *textWriter) table(r *Report) error {
	head, rows := tableCells(r)
	fitNames(head, rows)
	return t.draw(head, rows)
}

// draw writes a table with a line under its head.
func (t *textWriter) draw(head []string, rows [][]string) error {
	table, err := page.Table(head, rows, leftAligned)
	t.b.WriteString(table)
	return err
}

// leftAligned are the heads of columns of words.
var leftAligned = map[string]bool{"target": true, "tiers": true, "method": true, "of": true}

// tableCells is the table before its first column is fitted. Latency columns are left out when no target has any.
func tableCells(r *Report) (head []string, rows [][]string) {
	head = []string{"target", "n", "requests/s", "CV", "tiers"}
	latency := false
	for _, t := range r.Targets {
		latency = latency || t.p50() != nil || t.p99() != nil
	}
	if level := 100 * (1 - r.Design.Alpha); level > 0 {
		head[2] += " ± " + levelPercent(1-r.Design.Alpha) + " CI"
	}
	metric := metricColumn(r)
	latency = latency && metric == "" // there is no room for both
	if metric != "" {
		head = slices.Insert(head, 3, metric)
	}
	if latency {
		head = append(head, "p50 ms", "p99 ms")
	}
	for _, t := range r.Targets {
		row := []string{clean(t.Name), t.count(), t.headline(), t.cv(), t.tierWord()}
		if metric != "" {
			row = slices.Insert(row, 3, t.metricHeadline())
		}
		if latency {
			row = append(row, t.p50().ms(), t.p99().ms())
		}
		rows = append(rows, row)
		if !t.provenTiers() {
			continue
		}
		for i, tier := range t.Tiers.Tiers {
			row := make([]string, len(head))
			row[0], row[1] = "  tier "+countText(int64(i+1)), countText(int64(tier.N))
			row[tierColumn(metric)] = levelText(tier.Mean)
			rows = append(rows, row)
		}
	}
	if metric != "" && !slices.ContainsFunc(r.Targets, func(t Target) bool { return t.RPS.N > 0 }) {
		head = slices.Delete(head, 2, 3) // nothing has a rate
		for i := range rows {
			rows[i] = slices.Delete(rows[i], 2, 3)
		}
	}
	return head, rows
}

// metricColumn is the head of the column of the metric that decides; empty when that is the rate.
func metricColumn(r *Report) string {
	for _, t := range r.Targets {
		if t.Metric != nil {
			return t.Metric.Name + " " + t.Metric.Unit + " ± " + levelPercent(1-r.Design.Alpha) + " CI"
		}
	}
	return ""
}

// tierColumn is the column that tiers are of.
func tierColumn(metric string) int {
	if metric != "" {
		return 3
	}
	return 2
}

// fitNames cuts the first column to what the other columns leave of the line.
func fitNames(head []string, rows [][]string) {
	room := page.Width
	for i := 1; i < len(head); i++ {
		widest := page.DisplayWidth(head[i])
		for _, row := range rows {
			widest = max(widest, page.DisplayWidth(row[i]))
		}
		room -= widest + page.Gap
	}
	room = max(room-page.Gap, narrowestName)
	for _, row := range rows {
		row[0] = page.Truncate(row[0], room)
	}
}
