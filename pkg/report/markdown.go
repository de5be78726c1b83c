package report

import (
	"io"
	"strings"
)

// markdownSpecial is what GitHub would take for markup in running text or in a cell.
const markdownSpecial = "\\`*_{}[]<>|~$&#"

// escapeMarkdown makes text from outside literal.
func escapeMarkdown(s string) string {
	var b strings.Builder
	for _, r := range clean(s) {
		if strings.ContainsRune(markdownSpecial, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// renderMarkdown draws the report as GitHub Markdown, in the order of the table format.
func renderMarkdown(w io.Writer, r *Report, _ Options) error {
	var b strings.Builder
	b.WriteString("## " + escapeMarkdown(r.title()) + "\n\n" + escapeMarkdown(r.designLine()) + "\n")
	markdownFindings(&b, r.grouped(true))
	b.WriteString("\n")
	head, rows := tableCells(r)
	markdownTable(&b, head, rows)
	for _, t := range r.Targets {
		for _, line := range t.lines() {
			b.WriteString("\n" + escapeMarkdown(line) + "\n")
		}
	}
	for _, c := range r.primary() {
		b.WriteString("\n**" + escapeMarkdown(c.Sentence) + "**\n")
		if line := c.testsLine(); line != "" {
			b.WriteString("\n" + escapeMarkdown(line) + "\n")
		}
	}
	if r.Ranking != nil {
		b.WriteString("\n**" + escapeMarkdown(r.Ranking.Sentence) + "**\n")
	}
	markdownFindings(&b, r.grouped(false))
	for _, section := range r.methodSections() {
		b.WriteString("\n" + escapeMarkdown(section.title) + "\n\n")
		markdownTable(&b, methodHead, section.rows)
		for _, note := range section.notes {
			b.WriteString("\n" + escapeMarkdown(note) + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownTable(b *strings.Builder, head []string, rows [][]string) {
	markdownRow(b, head)
	rule := make([]string, len(head))
	for i, h := range head {
		rule[i] = "--:"
		if leftAligned[h] {
			rule[i] = ":--"
		}
	}
	b.WriteString("| " + strings.Join(rule, " | ") + " |\n")
	for _, row := range rows {
		markdownRow(b, row)
	}
}

func markdownRow(b *strings.Builder, cells []string) {
	for _, c := range cells {
		b.WriteString("| " + escapeMarkdown(strings.TrimSpace(c)) + " ")
	}
	b.WriteString("|\n")
}

// markdownFindings writes one list item a finding, its advice after it.
func markdownFindings(b *strings.Builder, groups []group) {
	if len(groups) > 0 {
		b.WriteString("\n")
	}
	for _, g := range groups {
		severity := g.severity
		if severity == SeverityError {
			severity = "**ERROR**"
		}
		b.WriteString("- " + severity + " `" + strings.ReplaceAll(clean(g.code), "`", "'") + "`: ")
		for i, text := range g.texts {
			if i > 0 {
				b.WriteString(" ")
			}
			b.WriteString(escapeMarkdown(text))
		}
		if g.advice != "" {
			b.WriteString(" → " + escapeMarkdown(g.advice))
		}
		b.WriteString("\n")
	}
}
