package importer

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

var (
	decimalNumber = regexp.MustCompile(`^\+?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$`)
	thousands     = regexp.MustCompile(`^\d{1,3}(?:[, '_\x{00a0}\x{202f}\x{2009}]\d{3})+(?:\.\d+)?$`)
	decimalComma  = regexp.MustCompile(`^\d+,\d+$`)
	withUnit      = regexp.MustCompile(`^([\d.]+)\s*([^\d\s.,].*)$`)
)

// quantity is how messages speak of one kind of number.
type quantity struct {
	negative string // after "is not a number": what is wrong with a minus
	alone    string // the number without its unit
	example  string
}

var rateQuantity = quantity{
	negative: " above 0; requests per second cannot be negative",
	alone:    "the requests per second",
	example:  "requests per second as a decimal number such as 5596.50",
}

// parseRate reads one requests-per-second value: a positive, finite decimal number. The error says what is wrong and
// what to write instead; it has no place, the caller knows it.
func parseRate(s string) (float64, error) {
	if decimalNumber.MatchString(s) {
		v, err := strconv.ParseFloat(s, 64)
		switch {
		case err != nil || math.IsInf(v, 0):
			return 0, fmt.Errorf("%s is too large for a number", quoteShort(s))
		case v <= 0:
			return 0, fmt.Errorf("%s is not a rate: requests per second must be above 0; leave out a run that answered nothing", quoteShort(s))
		}
		return v, nil
	}
	return 0, fmt.Errorf("%s is not a number%s", quoteShort(s), numberHint(s, rateQuantity))
}

// numberHint says how a value that is not a number should have been written.
func numberHint(s string, q quantity) string {
	lower := strings.ToLower(strings.TrimLeft(s, "+-"))
	switch {
	case lower == "nan" || lower == "inf" || lower == "infinity":
		return " that can be measured; leave the line out"
	case strings.HasPrefix(s, "-") && decimalNumber.MatchString(s[1:]):
		return q.negative
	case decimalComma.MatchString(s) && !thousands.MatchString(s):
		return "; write a decimal point: " + strings.Replace(s, ",", ".", 1)
	case thousands.MatchString(s):
		return "; write it without thousands separators: " + keepDigits(s)
	case len(strings.Fields(s)) > 1 && allNumbers(strings.Fields(s)):
		return "; write one number per line"
	}
	if m := withUnit.FindStringSubmatch(s); m != nil && decimalNumber.MatchString(m[1]) {
		return "; write " + q.alone + " alone, without a unit"
	}
	return "; write " + q.example
}

func keepDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' || (r >= '0' && r <= '9') {
			return r
		}
		return -1
	}, s)
}

func allNumbers(fields []string) bool {
	for _, f := range fields {
		if !decimalNumber.MatchString(f) {
			return false
		}
	}
	return true
}

// quoteShort quotes a value for a message and cuts what nobody would read.
func quoteShort(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return strconv.Quote(s)
}
