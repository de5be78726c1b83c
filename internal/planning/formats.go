package planning

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// JSON writes the model, indented. Every key is present; a number that does not exist is null.
func (p *Plan) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(p)
}

// Markdown writes the plan for a wiki or an issue.
func (p *Plan) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n", p.heading())
	for _, line := range p.sentences() {
		fmt.Fprintf(&b, "\n%s\n", escape(line))
	}
	head, rows := p.cells()
	fmt.Fprintf(&b, "\n| %s |\n|%s\n", strings.Join(head, " | "), strings.Repeat(" ---: |", len(head)))
	for _, row := range rows {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
	}
	fmt.Fprintf(&b, "\n%s\n", escape(p.legend()))
	_, err := io.WriteString(w, b.String())
	return err
}

// escape keeps names from being taken for markup.
func escape(s string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "<", `\<`, "|", `\|`, "[", `\[`).Replace(s)
}
