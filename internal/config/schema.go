package config

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// schema lists the keys of every mapping whose keys are fixed; "" is the file's top level. A target under targets holds
// the same keys as the top level and, instead of targets, baseline.
var schema = map[string][]string{
	"":                {"name", "url", "request", "expect", "load", "warmup", "trials", "decision", "servers", "exclusive", "tags", "targets"},
	"targets[]":       {"name", "url", "baseline", "request", "expect", "load", "warmup", "trials", "decision", "servers", "exclusive", "tags"},
	"request":         {"method", "headers", "body", "body_file", "http"},
	"expect":          {"status", "length", "sha256", "contains", "max_failed"},
	"load":            {"requests", "concurrency", "duration", "rate", "arrivals", "keepalive", "timeout", "request_timeout", "engine"},
	"warmup":          {"requests", "mode"},
	"trials":          {"count", "order", "seed", "cooldown", "restart"},
	"trials.restart":  {"every"},
	"decision":        {"margin", "alpha", "test", "metric", "family"},
	"servers[]":       {"name", "start", "cwd", "env", "ready", "stop", "shell"},
	"servers[].ready": {"url", "tcp", "log", "command", "timeout"},
	"servers[].stop":  {"signal", "grace"},
}

var listIndex = regexp.MustCompile(`\[\d+\]`)

// sectionOf returns the schema's name for a path such as targets[1].servers[0].ready.
func sectionOf(path string) string {
	section := listIndex.ReplaceAllString(path, "[]")
	return strings.TrimPrefix(section, "targets[].")
}

// nearest returns the hint for an unknown key of a section: the key itself where it does belong, else the nearest
// spelling in this section, else the nearest anywhere, else the keys there are.
func nearest(section, key string) string {
	key = strings.ToLower(key)
	limit := max(1, min(3, len(key)/3))
	here, hereDistance := "", limit+1
	for _, known := range schema[section] {
		if d := levenshtein.ComputeDistance(key, known); d < hereDistance {
			here, hereDistance = known, d
		}
	}
	there, thereDistance := "", limit+1
	for _, other := range slices.Sorted(maps.Keys(schema)) {
		for _, known := range schema[other] {
			if d := levenshtein.ComputeDistance(key, known); d < thereDistance && other != section {
				there, thereDistance = strings.TrimPrefix(other+"."+known, "."), d
			}
		}
	}
	switch {
	case here != "" && hereDistance <= thereDistance:
		return "did you mean " + here + "?"
	case there != "":
		return "did you mean " + there + "?"
	}
	return "known keys: " + strings.Join(schema[section], ", ")
}
