package importer

import (
	"bytes"
	"regexp"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

var resultLine = regexp.MustCompile(`^\s*\{[^\n]*"(?:type"\s*:\s*"(?:experiment|trial|end)"|schema"\s*:\s*"benchstat-http/result/)`)

// sniffResult reports whether the first line is one of a result file. The whole first line is looked at, since the
// plan before the mark may be long.
func sniffResult(d *document) bool { return resultLine.MatchString(d.text) }

// parseResult reads a result file; its trials are returned as they are.
func parseResult(d *document) (*Parsed, error) {
	f, err := result.Read(bytes.NewReader(d.raw), d.name)
	if err != nil {
		return nil, err
	}
	return &Parsed{Kind: KindResult, Trials: f.Trials, File: f}, nil
}
