package audience

import (
	"iter"
	"math/bits"
)

// Cover is a set of fieldwork: bit w·L+l stands for wave w and location l of a Frame with L locations, both by their
// index in the Frame. A nil Cover is empty. Covers of one Frame have one length.
type Cover []uint64

// NewCover returns an empty cover with room for n fieldwork.
func NewCover(n int) Cover { return make(Cover, (n+63)/64) }

// Has tells whether fieldwork i is in the cover.
func (c Cover) Has(i int) bool { return i>>6 < len(c) && c[i>>6]>>(i&63)&1 != 0 }

// Set puts fieldwork i into the cover, which must have room for it.
func (c Cover) Set(i int) { c[i>>6] |= 1 << (i & 63) }

// Clear takes fieldwork i out of the cover.
func (c Cover) Clear(i int) {
	if i>>6 < len(c) {
		c[i>>6] &^= 1 << (i & 63)
	}
}

// And returns the fieldwork in both covers.
func (c Cover) And(d Cover) Cover {
	out := make(Cover, min(len(c), len(d)))
	for i := range out {
		out[i] = c[i] & d[i]
	}
	return out
}

// Or returns the fieldwork in either cover.
func (c Cover) Or(d Cover) Cover {
	if len(d) > len(c) {
		c, d = d, c
	}
	out := append(Cover(nil), c...)
	for i := range d {
		out[i] |= d[i]
	}
	return out
}

// Len is the number of fieldwork in the cover.
func (c Cover) Len() int {
	n := 0
	for _, w := range c {
		n += bits.OnesCount64(w)
	}
	return n
}

// Empty tells whether nothing is covered.
func (c Cover) Empty() bool {
	for _, w := range c {
		if w != 0 {
			return false
		}
	}
	return true
}

// Equal tells whether both cover the same fieldwork.
func (c Cover) Equal(d Cover) bool {
	if len(d) > len(c) {
		c, d = d, c
	}
	for i, w := range c {
		if i < len(d) && w != d[i] || i >= len(d) && w != 0 {
			return false
		}
	}
	return true
}

// All ranges over the fieldwork in the cover, waves outermost, in the Frame's order.
func (c Cover) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, w := range c {
			for ; w != 0; w &= w - 1 {
				if !yield(i<<6 + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// key is the cover as text, for use as a map key.
func (c Cover) key() string {
	b := make([]byte, 0, 8*len(c))
	for _, w := range c {
		for s := 0; s < 64; s += 8 {
			b = append(b, byte(w>>s))
		}
	}
	return string(b)
}
