package planning

import (
	"io"
	"strings"

	"github.com/benchstat-http/benchstat-http/internal/page"
)

// Text writes the plan for a terminal.
func (p *Plan) Text(w io.Writer) error {
	var b strings.Builder
	b.WriteString(p.heading() + "\n")
	for _, line := range p.sentences() {
		b.WriteString("\n" + paragraph(line))
	}
	b.WriteString("\n")
	head, rows := p.cells()
	table, err := page.Table(head, rows, nil)
	if err != nil {
		return err
	}
	b.WriteString(table + "\n" + paragraph(p.legend()))
	_, err = io.WriteString(w, b.String())
	return err
}

// paragraph is a text in lines.
func paragraph(text string) string {
	return strings.Join(page.Wrap(text, "", ""), "\n") + "\n"
}
