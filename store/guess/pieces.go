package guess

import (
	"slices"
	"strings"
)

// separators may stand between answers in one field, the surest first.
var separators = [...]string{";", "|", ","}

const mostPieces = 200

// pieces is what the values of a column come to if they are divided.
type pieces struct {
	list      []string // different ones, sorted; nil: too many
	divided   int64    // values with more than one piece
	whole     int64    // values in all
	all       int64    // pieces in all
	least, at int      // pieces of a value: the fewest and the most
	off       bool
}

// split takes a value.
func (p *pieces) split(text, separator string) {
	if p.off {
		return
	}
	n := 0
	for piece := range strings.SplitSeq(text, separator) {
		if piece = canonical(piece); piece == "" {
			continue
		}
		n++
		p.all++
		at, there := slices.BinarySearch(p.list, piece)
		if !there {
			p.list = slices.Insert(p.list, at, strings.Clone(piece))
		}
		if len(p.list) > mostPieces || len(piece) > longValue {
			p.off, p.list = true, nil
			return
		}
	}
	if n > 1 || strings.HasSuffix(strings.TrimSpace(text), separator) {
		p.divided++
	}
	p.whole++
	if p.whole == 1 || n < p.least {
		p.least = n
	}
	p.at = max(p.at, n)
}

// split tries what the value comes to if it is several with a separator between them. The values before the first that
// holds the separator come to themselves; if they are too many to be kept, they are too many pieces, too.
func (c *column) split(separator int, text string) {
	p := c.pieces[separator]
	if p == nil {
		if !strings.Contains(text, separators[separator]) {
			return
		}
		p = &pieces{off: c.many}
		c.pieces[separator] = p
		if !c.many {
			for _, v := range c.values[:len(c.values)-1] {
				p.split(v.text, separators[separator])
			}
		}
	}
	p.split(text, separators[separator])
}
