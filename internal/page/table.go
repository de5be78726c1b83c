package page

import (
	"fmt"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// Gap is the space between two columns.
const Gap = 2

// Table draws a table with one line under its head. Columns whose head is in left are set to the left, others to the
// right. Lines have no blanks at their end.
func Table(head []string, rows [][]string, left map[string]bool) (string, error) {
	alignment := make(tw.Alignment, len(head))
	for i, h := range head {
		alignment[i] = tw.AlignRight
		if left[h] {
			alignment[i] = tw.AlignLeft
		}
	}
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
		tablewriter.WithPadding(tw.Padding{Right: strings.Repeat(" ", Gap), Overwrite: true}),
		tablewriter.WithAlignment(alignment),
	)
	table.Header(head)
	if err := table.Bulk(rows); err != nil {
		return "", fmt.Errorf("draw table: %w", err)
	}
	if err := table.Render(); err != nil {
		return "", fmt.Errorf("draw table: %w", err)
	}
	var out strings.Builder
	for line := range strings.Lines(drawn.String()) {
		out.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return out.String(), nil
}
