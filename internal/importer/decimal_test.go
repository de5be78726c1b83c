package importer

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

func TestShortDecimal(t *testing.T) {
	for text, want := range map[string]float64{
		"0": 0, "0.0": 0, "7": 7, "5.": 5, ".5": 0.5, "12.345": 12.345, "0.1": 0.1, "000000000000000000000012.50": 12.5,
		"900719925474099": 900719925474099, "9007199254740.989": 9007199254740.989, "0.0000000000000000000001": 1e-22,
	} {
		if got, ok := shortDecimal([]byte(text)); !ok || got != want {
			t.Errorf("%q is %v, %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", ".", "1.2.3", "+1", "-1", "1e3", " 1", "1 ", "0x1", "1_0", "1,5", "NaN", "9007199254740993", "0.00000000000000000000001", "٣"} {
		if got, ok := shortDecimal([]byte(text)); ok {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

func TestLongDecimal(t *testing.T) {
	for text, want := range map[string]float64{
		"+7.5": 7.5, "1e3": 1000, "1E-3": 0.001, ".5e+1": 5, "9007199254740993": 9007199254740992,
		"0.1234567890123456789": 0.12345678901234568, "1e-999": 0, "1e999": math.Inf(1),
	} {
		if got, ok := longDecimal(text); !ok || got != want {
			t.Errorf("%q is %v, %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "+", ".", "e5", "1e", "1e+", "-1", "++1", "inf", "Infinity", "nan", "0x1p3", "1_000", "1 ", "1e5.", "1.e.5"} {
		if got, ok := longDecimal(text); ok {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

// FuzzDecimal checks that both readers of decimals give the value of strconv.ParseFloat bit for bit wherever they
// accept, that the fast one accepts nothing that the grammar refuses, and that the grammar is that of the regular
// expression which the rates are read by.
func FuzzDecimal(f *testing.F) {
	for _, seed := range []string{"12.345", "0", ".5", "5.", "900719925474099.2", "0.30000000000000004", "1e-7", "+3", "-3", "1.7976931348623159e308", "00.00", "x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want, err := strconv.ParseFloat(text, 64)
		short, isShort := shortDecimal([]byte(text))
		if isShort && (err != nil || math.Float64bits(short) != math.Float64bits(want)) {
			t.Errorf("short %q is %v, strconv says %v, %v", text, short, want, err)
		}
		long, isLong := longDecimal(text)
		if isLong && math.Float64bits(long) != math.Float64bits(want) {
			t.Errorf("long %q is %v, strconv says %v, %v", text, long, want, err)
		}
		if isShort && !isLong {
			t.Errorf("short accepts %q, long does not", text)
		}
		if matched := decimalNumber.MatchString(text) && !strings.HasSuffix(text, "\n"); isLong != matched {
			t.Errorf("long accepts %q: %v, the grammar: %v", text, isLong, matched)
		}
	})
}
