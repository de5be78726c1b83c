package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// checker decides whether complete replies meet what is expected. It sees bodies piece by piece and keeps no more of
// them than the text it looks for is long. Each connection has its own.
type checker struct {
	expect result.Expect
	sha    hash.Hash // nil: not expected
	want   [sha256.Size]byte
	sum    []byte

	text  []byte // nil: not expected
	seam  []byte // the end of what was seen, shorter than text
	found bool

	sink func([]byte) // nil when no body need be looked at
}

func newChecker(e result.Expect) *checker {
	c := &checker{expect: e}
	if e.SHA256 != "" {
		c.sha = sha256.New()
		_, _ = hex.Decode(c.want[:], []byte(strings.ToLower(e.SHA256))) // checked with the configuration
		c.sum = make([]byte, 0, sha256.Size)
	}
	if e.Contains != "" {
		c.text = []byte(e.Contains)
		c.seam = make([]byte, 0, 2*len(c.text))
	}
	if c.sha != nil || c.text != nil {
		c.sink = c.see
	}
	return c
}

// begin forgets the previous body.
func (c *checker) begin() {
	if c.sha != nil {
		c.sha.Reset()
	}
	c.seam, c.found = c.seam[:0], false
}

func (c *checker) see(piece []byte) {
	if c.sha != nil {
		c.sha.Write(piece)
	}
	if c.text == nil || c.found {
		return
	}
	// A match lies inside the piece, or across the seam: in the last len−1 bytes seen and the first len−1 of the piece.
	keep := len(c.text) - 1
	c.seam = append(c.seam, piece[:min(len(piece), keep)]...)
	c.found = bytes.Contains(c.seam, c.text) || bytes.Contains(piece, c.text)
	if len(piece) >= keep {
		c.seam = append(c.seam[:0], piece[len(piece)-keep:]...)
	} else if surplus := len(c.seam) - keep; surplus > 0 {
		c.seam = c.seam[:copy(c.seam, c.seam[surplus:])]
	}
}

// verdict is "" for a reply that meets every expectation, else the class of the first that it does not meet.
func (c *checker) verdict(p *reply) result.ErrorClass {
	switch {
	case c.expect.Status == nil && (p.status < 200 || p.status > 299),
		c.expect.Status != nil && *c.expect.Status != p.status:
		return result.ErrStatus
	case c.expect.Length != nil && *c.expect.Length != p.body:
		return result.ErrLength
	case c.text != nil && !c.found:
		return result.ErrAssertion
	}
	if c.sha != nil {
		if c.sum = c.sha.Sum(c.sum[:0]); !bytes.Equal(c.sum, c.want[:]) {
			return result.ErrAssertion
		}
	}
	return ""
}

// explain says in words what verdict found.
func (c *checker) explain(class result.ErrorClass, p *reply) string {
	switch {
	case class == result.ErrStatus && c.expect.Status == nil:
		return fmt.Sprintf("check reply: status %d is not 2xx", p.status)
	case class == result.ErrStatus:
		return fmt.Sprintf("check reply: status %d, expected %d", p.status, *c.expect.Status)
	case class == result.ErrLength:
		return fmt.Sprintf("check reply: body of %d bytes, expected %d", p.body, *c.expect.Length)
	}
	if c.text != nil && !c.found {
		return fmt.Sprintf("check reply: body of %d bytes does not contain %.60q", p.body, c.text)
	}
	return fmt.Sprintf("check reply: body of %d bytes has sha256 %x", p.body, c.sum)
}
