package planning

import (
	"fmt"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"
	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// textWidth is the widest line, and columnGap the space between two columns.
const (
	textWidth = 80
	columnGap = 2
)

// Text writes the plan for a terminal.
func (p *Plan) Text(w io.Writer) error {
	var b strings.Builder
	b.WriteString(p.heading() + "\n")
	for _, line := range p.sentences() {
		b.WriteString("\n" + wrap(line))
	}
	b.WriteString("\n")
	head, rows := p.cells()
	if err := drawTable(&b, head, rows); err != nil {
		return err
	}
	b.WriteString("\n" + wrap(p.legend()))
	_, err := io.WriteString(w, b.String())
	return err
}

// drawTable draws a table in the look of a report: one rule under the head, numbers to the right.
func drawTable(b *strings.Builder, head []string, rows [][]string) error {
	var drawn strings.Builder
	table := tablewriter.NewTable(&drawn,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.BorderNone,
			Symbols: tw.NewSymbols(tw.StyleLight),
			Settings: tw.Settings{
				Separators: tw.Separators{ShowHeader: tw.On, BetweenRows: tw.Off, BetweenColumns: tw.Off},
				Lines:      tw.Lines{ShowTop: tw.Off, ShowBottom: tw.Off, ShowHeaderLine: tw.On},
			},
		})),
		tablewriter.WithEastAsian(tw.Off),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithPadding(tw.Padding{Right: strings.Repeat(" ", columnGap), Overwrite: true}),
		tablewriter.WithAlignment(tw.MakeAlign(len(head), tw.AlignRight)),
	)
	table.Header(head)
	if err := table.Bulk(rows); err != nil {
		return fmt.Errorf("draw table: %w", err)
	}
	if err := table.Render(); err != nil {
		return fmt.Errorf("draw table: %w", err)
	}
	for line := range strings.Lines(drawn.String()) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return nil
}

// wrap breaks a sentence into lines of at most textWidth columns. A number stays with its percent sign.
func wrap(text string) string {
	var b strings.Builder
	used := 0
	for word := range strings.FieldsSeq(strings.ReplaceAll(text, " %", "\u00a0%")) {
		width := runewidth.StringWidth(word)
		switch {
		case used == 0:
		case used+1+width > textWidth:
			b.WriteString("\n")
			used = 0
		default:
			b.WriteString(" ")
			used++
		}
		b.WriteString(strings.ReplaceAll(word, "\u00a0", " "))
		used += width
	}
	return b.String() + "\n"
}
