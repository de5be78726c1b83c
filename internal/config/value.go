package config

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// whole reads a whole number between low and high.
func whole[T int | int64](r *reader, dst *setting[T], low, high int64) field {
	return func(n *yaml.Node, path string) error {
		const want = "a whole number"
		text, tag, _, err := r.scalar(n, path, want)
		if err != nil {
			return err
		}
		if tag == "!!str" && strings.Contains(text, ",") && r.allNumbers(text) {
			return r.at(n).errorf("give one", "several values for %s (%s) are not available in this version", path, text)
		}
		v, err := strconv.ParseInt(text, 10, 64)
		if tag != "!!int" || err != nil {
			if tag == "!!int" && v == math.MaxInt64 {
				return r.at(n).errorf("", "%s must be at most %d, not %s", path, high, text)
			}
			return r.at(n).errorf(numberHint(text), "%s must be %s, not %s", path, want, valueName(text, tag))
		}
		if v < low || v > high {
			bound, limit := "at least", low
			if v > high {
				bound, limit = "at most", high
			}
			return r.at(n).errorf("", "%s must be %s %d, not %d", path, bound, limit, v)
		}
		*dst = setting[T]{T(v), r.at(n)}
		return nil
	}
}

func (r *reader) allNumbers(text string) bool {
	for part := range strings.SplitSeq(text, ",") {
		if _, err := strconv.Atoi(strings.TrimSpace(part)); err != nil {
			return false
		}
	}
	return true
}

// numberHint says how to write what looks like a number.
func numberHint(text string) string {
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		return "remove the quotes"
	}
	return "write digits only, such as 10000"
}

func valueName(text, tag string) string {
	if tag == "!!str" {
		return "the text " + quote(text)
	}
	return text
}

// seed reads a whole number of 64 bits.
func (r *reader) seed(dst *setting[uint64]) field {
	return func(n *yaml.Node, path string) error {
		text, tag, _, err := r.scalar(n, path, "a whole number")
		if err != nil {
			return err
		}
		v, err := strconv.ParseUint(text, 10, 64)
		if err != nil || tag == "!!str" {
			return r.at(n).errorf("give 0 … 18446744073709551615", "%s must be a whole number of 64 bits, not %s", path, valueName(text, tag))
		}
		*dst = setting[uint64]{v, r.at(n)}
		return nil
	}
}

// boolean reads true or false, and nothing else.
func (r *reader) boolean(dst *setting[bool]) field {
	return func(n *yaml.Node, path string) error {
		text, tag, _, err := r.scalar(n, path, "true or false")
		if err != nil {
			return err
		}
		if tag == "!!str" || text != "true" && text != "false" {
			return r.at(n).errorf("write true or false, without quotes", "%s must be true or false, not %s", path, valueName(text, tag))
		}
		*dst = setting[bool]{text == "true", r.at(n)}
		return nil
	}
}

// duration reads a Go duration into seconds; it must be above zero when positive is set. "" stands for the zero value
// where zero is allowed.
func (r *reader) duration(dst *setting[float64], positive bool) field {
	return func(n *yaml.Node, path string) error {
		const want = "a duration such as 30s or 500ms"
		text, tag, _, err := r.scalar(n, path, want)
		if err != nil {
			return err
		}
		if text == "" && !positive {
			*dst = setting[float64]{0, r.at(n)}
			return nil
		}
		d, err := time.ParseDuration(text)
		if _, numeric := strconv.ParseFloat(text, 64); numeric == nil && text != "0" {
			return r.at(n).errorf("write "+text+"s for seconds or "+text+"ms for milliseconds", "%s has no unit: %s", path, text)
		}
		switch {
		case err != nil:
			return r.at(n).errorf("", "%s must be %s, not %s", path, want, valueName(text, tag))
		case d < 0 || positive && d == 0:
			return r.at(n).errorf("", "%s must be above 0, not %s", path, text)
		}
		*dst = setting[float64]{d.Seconds(), r.at(n)}
		return nil
	}
}

// bounds are the limits of a fraction; open ones are not reached themselves.
type bounds struct {
	low, high float64
	open      bool
	text      string // the limits in words
}

// fraction reads 0.01 or 1%.
func (r *reader) fraction(dst *setting[float64], b bounds) field {
	return func(n *yaml.Node, path string) error {
		const want = "a fraction such as 0.01 or 1%"
		text, tag, _, err := r.scalar(n, path, want)
		if err != nil {
			return err
		}
		digits, percent := strings.CutSuffix(text, "%")
		v, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
		if err != nil || tag == "!!str" && !percent {
			return r.at(n).errorf("", "%s must be %s, not %s", path, want, valueName(text, tag))
		}
		if percent {
			v /= 100
		}
		if !(v >= b.low && v <= b.high) || b.open && (v == b.low || v == b.high) {
			hint := ""
			if !percent && v >= 1 {
				hint = "write " + text + "% for per cent"
			}
			return r.at(n).errorf(hint, "%s must be %s, not %s", path, b.text, text)
		}
		*dst = setting[float64]{v, r.at(n)}
		return nil
	}
}

// perSecond reads a rate: a number of requests per second, 0 for none.
func (r *reader) perSecond(dst *setting[float64]) field {
	return func(n *yaml.Node, path string) error {
		const most = 1e7
		text, tag, _, err := r.scalar(n, path, "a number of requests per second")
		if err != nil {
			return err
		}
		v, err := strconv.ParseFloat(text, 64)
		switch {
		case err != nil || tag == "!!str":
			return r.at(n).errorf("", "%s must be a number of requests per second, not %s", path, valueName(text, tag))
		case !(v >= 0 && v <= most):
			return r.at(n).errorf("", "%s must be between 0 and %.0f requests per second, not %s", path, most, text)
		}
		*dst = setting[float64]{v, r.at(n)}
		return nil
	}
}

// text reads a text; a number or a truth value must be quoted to be one. The check, if any, returns what is wrong with
// a text that is not empty, and what to do.
func (r *reader) text(dst *setting[string], check func(string) (msg, hint string)) field {
	return func(n *yaml.Node, path string) error {
		_, tag, _, err := r.scalar(n, path, "text")
		if err != nil {
			return err
		}
		text, err := r.anyText(n, path)
		if err != nil {
			return err
		}
		if tag != "!!str" && tag == resolve(n).ShortTag() {
			return r.at(n).errorf("put quotes around it", "%s must be text, not %s", path, text)
		}
		if check != nil && text != "" {
			if msg, hint := check(text); msg != "" {
				return r.at(n).errorf(hint, "%s %s", path, msg)
			}
		}
		*dst = setting[string]{text, r.at(n)}
		return nil
	}
}

// word reads one of the words in known; those in later are refused as not built yet.
func (r *reader) word(dst *setting[string], known, later []string) field {
	return func(n *yaml.Node, path string) error {
		text, _, _, err := r.scalar(n, path, "one of "+strings.Join(known, ", "))
		if err != nil {
			return err
		}
		if slices.Contains(known, text) {
			*dst = setting[string]{text, r.at(n)}
			return nil
		}
		hint := "give one of " + strings.Join(known, ", ")
		if len(known) == 1 {
			hint = "give " + known[0]
		}
		if slices.Contains(later, text) {
			return r.at(n).errorf(hint, "%s %s is not available in this version", path, text)
		}
		return r.at(n).errorf(hint, "%s has an unknown value %s", path, quote(text))
	}
}
