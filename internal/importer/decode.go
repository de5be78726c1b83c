package importer

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// decode turns bytes into UTF-8 text with \n line ends: it removes a byte-order mark, converts UTF-16 (which Windows
// shells write on redirection) and the line ends of Windows and of old Macs, and refuses what is not text.
func decode(raw []byte, name string) (string, error) {
	switch {
	case bytes.HasPrefix(raw, []byte{0xff, 0xfe}):
		raw = fromUTF16(raw[2:], binary.LittleEndian)
	case bytes.HasPrefix(raw, []byte{0xfe, 0xff}):
		raw = fromUTF16(raw[2:], binary.BigEndian)
	case looksUTF16(raw, 1):
		raw = fromUTF16(raw, binary.LittleEndian)
	case looksUTF16(raw, 0):
		raw = fromUTF16(raw, binary.BigEndian)
	}
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	if isBinary(raw) {
		return "", &SyntaxError{File: name, Msg: "read measurements: the input is binary, not text; give the text output of a load tool"}
	}
	text := strings.ToValidUTF8(string(raw), "\uFFFD")
	if strings.Contains(text, "\r\n") {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	if strings.Contains(text, "\r") && !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	return text, nil
}

// looksUTF16 reports whether text without a mark is UTF-16: of its first bytes, the ones at the given parity are
// nearly all NUL (Latin text) and the others never.
func looksUTF16(raw []byte, parity int) bool {
	head := raw[:min(len(raw), 512)]
	if len(head) < 4 {
		return false
	}
	zeros, wrong := 0, 0
	for i, b := range head {
		switch {
		case b != 0:
		case i%2 == parity:
			zeros++
		default:
			wrong++
		}
	}
	return wrong == 0 && zeros*10 >= len(head)*4
}

func fromUTF16(raw []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = order.Uint16(raw[2*i:])
	}
	return []byte(string(utf16.Decode(units)))
}

// isBinary reports whether the first bytes hold a NUL, or more than one in ten that no text has: control characters
// other than white space, escape and backspace, or bytes that are not UTF-8.
func isBinary(raw []byte) bool {
	head := raw[:min(len(raw), 8192)]
	if bytes.IndexByte(head, 0) >= 0 {
		return true
	}
	odd := 0
	for rest := head; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		switch {
		case r == utf8.RuneError && size <= 1:
			odd++
		case r < ' ' && !strings.ContainsRune("\t\n\v\f\r\b\a\x1b", r):
			odd++
		}
		rest = rest[size:]
	}
	return odd*10 > len(head)
}
