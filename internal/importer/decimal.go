package importer

import "strconv"

// powersOfTen are the powers that a float64 holds exactly.
var powersOfTen = [...]float64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// shortDecimal reads digits with at most one point, such as "12.345", and nothing else: no sign, no exponent, no space.
// It accepts what it can read exactly: the digits without the point are a whole number below 2^53, and at most 22 of
// them follow the point. Then both are exact as float64, their quotient is rounded once, and the value is that of
// strconv.ParseFloat (W. D. Clinger, How to read floating point numbers accurately, 1990). The second result is false
// for everything else, good or bad.
func shortDecimal(b []byte) (float64, bool) {
	var mantissa uint64
	decimals, point := 0, -1
	for i, c := range b {
		if d := c - '0'; d <= 9 {
			if mantissa >= 1<<53/10 {
				return 0, false
			}
			mantissa = 10*mantissa + uint64(d)
			continue
		}
		if c != '.' || point >= 0 {
			return 0, false
		}
		point = i
	}
	digits := len(b)
	if point >= 0 {
		digits--
		decimals = len(b) - 1 - point
	}
	if digits == 0 || decimals >= len(powersOfTen) {
		return 0, false
	}
	return float64(mantissa) / powersOfTen[decimals], true
}

// longDecimal reads every other decimal number that is accepted: a sign +, more digits, an exponent. It accepts the
// same texts as decimalNumber. The second result is false where the text is no such number; a number too large for a
// float64 is infinite.
func longDecimal(s string) (float64, bool) {
	if !isDecimal(s) {
		return 0, false
	}
	v, _ := strconv.ParseFloat(s, 64) // of a decimal number only the range can be wrong, and then v is infinite or 0
	return v, true
}

// isDecimal reports whether decimalNumber matches, without the cost of a regular expression.
func isDecimal(s string) bool {
	if s != "" && s[0] == '+' {
		s = s[1:]
	}
	whole := digitsOf(s)
	s = s[whole:]
	fraction := 0
	if s != "" && s[0] == '.' {
		fraction = digitsOf(s[1:])
		s = s[1+fraction:]
	}
	if whole+fraction == 0 {
		return false
	}
	if s == "" {
		return true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return false
	}
	s = s[1:]
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	return s != "" && digitsOf(s) == len(s)
}

// digitsOf is the number of digits that s begins with.
func digitsOf(s string) int {
	n := 0
	for n < len(s) && s[n]-'0' <= 9 {
		n++
	}
	return n
}
