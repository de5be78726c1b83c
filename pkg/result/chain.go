package result

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
)

// The values of "type".
const (
	TypeExperiment = "experiment"
	TypeTrial      = "trial"
	TypeEnd        = "end"
)

const (
	chainKey    = "chain"
	chainPrefix = `,"chain":"`
	chainLen    = len(chainPrefix) + 2*sha256.Size + len(`"}`)
)

// chainNext is the chain value of a line: hex SHA-256 of the previous value (as 64 hex digits; nothing for the first
// line) followed by the line's object without its chain field.
func chainNext(previous string, object []byte) string {
	h := sha256.New()
	_, _ = h.Write([]byte(previous)) // a hash never fails
	_, _ = h.Write(object)
	return hex.EncodeToString(h.Sum(nil))
}

// addChain returns the line to write, newline included.
func addChain(object []byte, chain string) []byte {
	return fmt.Appendf(nil, "%s%s%s\"}\n", object[:len(object)-1], chainPrefix, chain)
}

// splitChain takes the chain field off a line. Only the exact form that addChain writes is one.
func splitChain(line []byte) (object []byte, chain string, ok bool) {
	cut := len(line) - chainLen
	if cut < 1 || string(line[cut:cut+len(chainPrefix)]) != chainPrefix || string(line[len(line)-2:]) != `"}` {
		return line, "", false
	}
	chain = string(line[cut+len(chainPrefix) : len(line)-2])
	for _, c := range []byte(chain) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return line, "", false
		}
	}
	object = append(append(make([]byte, 0, cut+1), line[:cut]...), '}')
	return object, chain, true
}

// withChain returns names with the key "chain", which no unknown field may take.
func withChain(names map[string]bool) map[string]bool {
	out := maps.Clone(names)
	out[chainKey] = true
	return out
}
