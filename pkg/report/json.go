package report

import (
	"encoding/json"
	"io"
)

// renderJSON writes the model as indented JSON. Every key is present; a number that does not exist is null.
func renderJSON(w io.Writer, r *Report, _ Options) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}
