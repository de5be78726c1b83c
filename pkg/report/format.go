package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// missing is printed where a number does not exist.
const missing = "-"

// rateText prints a rate as ab does, with two decimals, until the digits would not help any more.
func rateText(x float64) string {
	switch a := math.Abs(x); {
	case a >= 1e6 || a == 0:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case a >= 1e5:
		return strconv.FormatFloat(x, 'f', 1, 64)
	case a >= 1:
		return strconv.FormatFloat(x, 'f', 2, 64)
	default:
		return significant(x, 4)
	}
}

// halfWidthText prints the half-width of a rate's interval.
func halfWidthText(x float64) string {
	if x < 1 {
		return significant(x, 2)
	}
	return rateText(x)
}

// levelText prints the level of a tier with five significant digits.
func levelText(x float64) string { return significant(x, 5) }

// significant prints x with n significant digits and no exponent between 1e-6 and 1e9.
func significant(x float64, n int) string {
	if x == 0 {
		return "0"
	}
	a := math.Abs(x)
	if a < 1e-6 || a >= 1e9 {
		return strconv.FormatFloat(x, 'g', n, 64)
	}
	decimals := n - 1 - int(math.Floor(math.Log10(a)))
	return strconv.FormatFloat(x, 'f', max(0, decimals), 64)
}

// pText prints a p-value with its sign: "p = 0.034", "p < 1e-9".
func pText(p float64) string {
	switch {
	case p < 1e-9:
		return "p < 1e-9"
	case p < 1e-4:
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(p, 'e', 0, 64), "e-")
		return "p = " + mantissa + "e-" + strings.TrimLeft(exponent, "0")
	case p < 1e-3:
		return "p = " + significant(p, 1)
	default:
		return "p = " + strconv.FormatFloat(p, 'g', 2, 64)
	}
}

// percentText prints a fraction as a percentage with the digits it needs: "1 %", "0.35 %".
func percentText(fraction float64) string {
	return strconv.FormatFloat(fraction*100, 'g', 3, 64) + " %"
}

// levelPercent prints a confidence level: "95 %".
func levelPercent(level float64) string { return strconv.FormatFloat(level*100, 'g', 4, 64) + " %" }

// decimalsFor is how many decimals a percentage deserves whose interval has this half-width in percent.
func decimalsFor(halfWidth float64) int {
	if !(halfWidth > 0) || math.IsInf(halfWidth, 0) {
		return 1
	}
	return min(max(1, -int(math.Floor(math.Log10(halfWidth)))), 4)
}

func fixed(x float64, decimals int) string {
	s := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-")
	}
	return s
}

// signed is fixed with the sign always shown (a true minus), but for zero.
func signed(x float64, decimals int) string {
	s := fixed(math.Abs(x), decimals)
	switch {
	case strings.Trim(s, "0.") == "":
		return s
	case x < 0:
		return "−" + s
	default:
		return "+" + s
	}
}

// countText groups thousands: 50,000.
func countText(n int64) string {
	if n < 0 {
		return "-" + countText(-n)
	}
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// countWord spells small numbers.
func countWord(n int) string {
	words := []string{"no", "one", "two", "three", "four", "five", "six"}
	if n >= 0 && n < len(words) {
		return words[n]
	}
	return strconv.Itoa(n)
}

// plural is "1 trial", "3 trials".
func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// joinAnd is "a", "a and b", "a, b and c".
func joinAnd(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

// clean makes text from outside fit for one line: control and invisible characters become U+FFFD, so that a name or
// an error message cannot move the cursor or break a table.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.In(r, unicode.Zl, unicode.Zp):
			return unicode.ReplacementChar
		default:
			return r
		}
	}, s)
}

// clip cuts a text from outside to n runes.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}
