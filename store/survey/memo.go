package survey

import (
	"encoding/binary"
	"math/bits"
)

// A column holds few distinct texts, so what each comes to is looked up by its bytes. Texts of up to 7 bytes are words
// in a table in which each has a place of its own, so that one comparison tells; longer ones, and words for which there
// is no such table, are in a map. Each goroutine has its own. All that takes no more room than a share of what the
// goroutine has read, so that a file of many columns and few rows does not take more for its tables than it has data; a
// text for which there is no room is read anew each time.

// What a text comes to, as one number: an attribute of the column's only item, or one of these, or, below them, an
// entry of memo.answers.
const (
	codeAnswered = -1 - iota // answered, but positive on nothing
	codeMissing
	codeUnknown // not in the table
	codeFirst   // the first entry
)

const (
	wordSize  = 8       // texts of fewer bytes are words
	mostWords = 1 << 12 // places of a table
	mostTexts = 1 << 12 // texts in a map
	mostBytes = 1 << 18 // bytes of them

	leastRoom = 2 << 20 // bytes for the tables and texts of all columns of a goroutine, however little it has read
	roomShare = 4       // bytes for them per byte that it has read
	wordRoom  = 16      // bytes of a place of a table
	textRoom  = 64      // bytes that a text takes in a map beside its own
)

// memo is what a worker remembers of a column: its plan, and what the texts seen there come to.
type memo struct {
	index      uint32 // in the file
	words      []word // a power of two of them
	multiplier uint64 // gives each word in the table its place

	item    int32 // the column's only one, if there is one
	texts   map[string]int32
	bytes   int // of texts
	answers []answer
	plan    *columnPlan
	room    *int // bytes that tables and texts may still take, of all columns
	// The question whose number the text is, where it comes to one attribute or none; -1: it is none's. The number is not
	// in the table: reading it again takes little.
	number int
}

// word is a text of up to 7 bytes: the bytes, and their number in the highest.
type word struct {
	key  uint64
	code int32
}

// nothing is the key of a place without a word.
const nothing = ^uint64(0)

// empty is the table of a column in which nothing but the empty text was seen. It is never written to: every place of
// it is taken.
var empty = []word{{0, codeMissing}}

func newMemo(p *columnPlan, room *int) memo {
	m := memo{index: uint32(p.index), plan: p, item: p.uses[0].item, words: empty, room: room, number: -1}
	if len(p.uses) == 1 && p.uses[0].bands != nil && !p.uses[0].coded {
		m.number = p.uses[0].question
	}
	return m
}

// masks cut 8 bytes down to those of a word.
var masks = [wordSize]uint64{0, 1<<8 - 1, 1<<16 - 1, 1<<24 - 1, 1<<32 - 1, 1<<40 - 1, 1<<48 - 1, 1<<56 - 1}

// key gives the first n of 8 bytes as a word.
func key(eight []byte, n uint32) uint64 {
	return binary.LittleEndian.Uint64(eight)&masks[n&7] | uint64(n)<<56
}

// lookUp finds what the fields of a row come to, and tells whether there is one that the columns' tables do not know or
// that comes to more than one number tells. Field i of the file is data[ends[i] : ends[i+1]-1], and 8 bytes can be read
// from where it begins.
//
// This is where an import spends its time. It calls nothing and branches little.
func lookUp(memos []memo, codes []int32, data []byte, ends []uint32) (strange bool) {
	codes = codes[:len(memos)]
	least := int32(0)
	for i := range memos {
		c := &memos[i]
		start := ends[c.index]
		n := ends[c.index+1] - 1 - start
		code := int32(codeUnknown)
		if n < wordSize {
			key := key(data[start:start+8:start+8], n)
			if at := key * c.multiplier >> 32 & uint64(len(c.words)-1); at < uint64(len(c.words)) && c.words[at].key == key {
				code = c.words[at].code
			}
		}
		codes[i] = code
		least = min(least, code)
	}
	return least < codeMissing
}

// build makes a table in which each of the words has its own place, and tells whether there is one that is not too
// large.
func (c *memo) build(words []word) bool {
	multiplier := uint64(0x9e3779b97f4a7c15)
	for size := max(16, 2<<bits.Len(uint(len(words)))); size <= mostWords; size *= 2 {
		takes := (size - len(c.words)) * wordRoom
		if takes > *c.room {
			return false
		}
		table := make([]word, size)
		for range 16 {
			if place(table, words, multiplier) {
				c.words, c.multiplier = table, multiplier
				*c.room -= takes
				return true
			}
			multiplier = multiplier*0x5851f42d4c957f2d + 0x14057b7ef767814f | 1
		}
	}
	return false
}

// place puts words into a table, and tells whether no two of them have the same place.
func place(table, words []word, multiplier uint64) bool {
	for i := range table {
		table[i].key = nothing
	}
	for _, w := range words {
		at := &table[w.key*multiplier>>32&uint64(len(table)-1)]
		if at.key != nothing {
			return false
		}
		*at = w
	}
	return true
}

// add remembers what a text comes to, if there is room.
func (c *memo) add(text []byte, code int32) bool {
	if len(text) < wordSize {
		var eight [8]byte
		copy(eight[:], text)
		added := word{key(eight[:], uint32(len(text))), code}
		if at := &c.words[added.key*c.multiplier>>32&uint64(len(c.words)-1)]; at.key == nothing {
			*at = added
			return true
		}
		all := []word{added}
		for _, w := range c.words {
			if w.key != nothing {
				all = append(all, w)
			}
		}
		if c.build(all) {
			return true
		}
		if *c.room < mostWords*wordRoom {
			return false // there may be room later; in the map it would stay
		}
	}
	takes := textRoom + len(text)
	if len(c.texts) >= mostTexts || c.bytes+len(text) > mostBytes || takes > *c.room {
		return false
	}
	if c.texts == nil {
		c.texts = map[string]int32{}
	}
	c.texts[string(text)] = code
	c.bytes += len(text)
	*c.room -= takes
	return true
}

// learn reads a text that is not in the table. If it comes to more than the code tells, it gives the answer too.
func (c *memo) learn(text []byte) (int32, *answer) {
	if code, known := c.texts[string(text)]; known {
		if code <= codeFirst {
			return code, &c.answers[codeFirst-code]
		}
		return code, nil
	}
	a := c.plan.answer(string(text))
	code := c.code(&a)
	if c.add(text, code) && code <= codeFirst {
		c.answers = append(c.answers, a)
	}
	if code <= codeFirst {
		return code, &a
	}
	return code, nil
}

// code gives an answer as a number: that of the next entry if it takes one.
func (c *memo) code(a *answer) int32 {
	switch {
	case len(a.items) == 0:
		return codeMissing
	case len(c.plan.uses) > 1 || len(a.unlisted) > 0 || len(a.attributes) > 1:
		return codeFirst - int32(len(c.answers))
	case len(a.attributes) == 0:
		return codeAnswered
	}
	return a.attributes[0]
}
