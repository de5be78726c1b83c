package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/benchstat-http/benchstat-http/pkg/report"
	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// showReport builds and prints one report. It fails when a target has no trial that counts, after printing what there
// is.
func showReport(s streams, in report.Input, show reportFlags) error {
	in.Methods = show.verbose
	r, err := report.Build(in)
	if errors.Is(err, report.ErrNotBlocked) || errors.Is(err, report.ErrBadInput) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	var page bytes.Buffer
	if err := report.Render(&page, r, show.format, report.Options{Colour: wantsColour(s.out)}); err != nil {
		return err
	}
	if _, err := s.out.Write(page.Bytes()); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return noValidTrial(r)
}

// noValidTrial returns the error of the targets for which nothing counts.
func noValidTrial(r *report.Report) error {
	var failures []error
	for _, t := range r.Targets {
		if t.Trials.Valid > 0 {
			continue
		}
		why := "none was measured"
		if len(t.Trials.InvalidBecause) > 0 {
			why = t.Trials.InvalidBecause[0]
		}
		failures = append(failures, fmt.Errorf("target %s has no valid trial: %s", t.Name, why))
	}
	return errors.Join(failures...)
}

// showResult reads a result file from disk and prints its report.
func showResult(s streams, path string, show reportFlags) error {
	file, err := readResult(path)
	if err != nil {
		return err
	}
	return showReport(s, report.FromFile(file), show)
}

// readResult reads a result file by its path.
func readResult(path string) (*result.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return result.Read(f, path)
}
