package page

import (
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"one two", "one two"},
		{strings.Repeat("x", 100), strings.Repeat("x", 80) + "\n  " + strings.Repeat("x", 20)},
		{strings.Repeat("x", 70) + " 5388.58 … 8217.46", strings.Repeat("x", 70) + "\n  5388.58 … 8217.46"},
		{strings.Repeat("x", 76) + " 12 %, more", strings.Repeat("x", 76) + "\n  12 %, more"},
		{strings.Repeat("漢", 41), strings.Repeat("漢", 40) + "\n  漢"},
	} {
		if got := strings.Join(Wrap(c.text, "", "  "), "\n"); got != c.want {
			t.Errorf("Wrap(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestTable(t *testing.T) {
	got, err := Table([]string{"name", "n"}, [][]string{{"漢", "1"}, {"long name", "100"}}, map[string]bool{"name": true})
	want := "name         n\n────────────────\n漢           1\nlong name  100\n"
	if err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}
