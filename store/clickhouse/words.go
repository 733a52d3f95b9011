package clickhouse

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
)

// Format is how the answers of an import are stored. What was imported in one is counted beside what was in the other.
type Format string

const (
	// Chosen leaves it to the import: Words, or Arrays if the survey has so many attributes and questions of numbers that
	// words would be too many files.
	Chosen Format = ""
	// Arrays are the numbers of the attributes that a respondent is positive on: Array(UInt32), of 64 or more attributes.
	Arrays Format = "arrays"
	// Words have a bit for each attribute: UInt64, of 64 attributes. They take half the room, and servers of all versions
	// count them in a fifth to two fifths of the time.
	Words Format = "words"
)

// The attribute with the number n is bit n mod 64 of word n / 64. The numbers of a question's attributes mostly stand
// in a row, so that a question of up to 64 of them is in one word, or in two neighbouring ones.
const wordBits = 64

// mostColumns is how many columns of answers and numbers an import chooses by itself: each is files of its own in every
// part of the table.
const mostColumns = 256

// words is how many columns hold answers as words.
func (st *state) words() int { return (int(st.Next) + wordBits - 1) / wordBits }

// wordColumn is the name of a column that holds answers as words.
func wordColumn(number int) string { return fmt.Sprintf("b%d", number) }

// formats tells in which formats there are published respondents.
func (st *state) formats() map[Format]bool {
	all := map[Format]bool{}
	for _, w := range st.Waves {
		for _, p := range w.Parts {
			all[p.format()] = true
		}
	}
	return all
}

func (p *part) format() Format {
	if p.Words {
		return Words
	}
	return Arrays
}

// layout tells which columns respondents are stored in, beside those that all are.
type layout struct {
	arrays, words bool // of answers
	listed, apart bool // of numbers
}

// layoutOf is that of an import in a format.
func layoutOf(format Format) layout {
	return layout{arrays: format != Words, listed: format != Words, words: format == Words, apart: format == Words}
}

func (l layout) with(m layout) layout {
	return layout{l.arrays || m.arrays, l.words || m.words, l.listed || m.listed, l.apart || m.apart}
}

// layout is that of all published respondents.
func (st *state) layout() (l layout) {
	for _, w := range st.Waves {
		for i := range w.Parts {
			l = l.with(w.Parts[i].layout())
		}
	}
	return l
}

func (p *part) layout() layout {
	return layout{arrays: !p.Words, words: p.Words, listed: !p.Apart, apart: p.Apart}
}

// in gives the waves by their codes, with no other parts than those of a format.
func (st *state) in(format Format) map[string]*wave {
	all := map[string]*wave{}
	for _, w := range st.Waves {
		only := *w
		only.Parts = slices.DeleteFunc(slices.Clone(w.Parts), func(p part) bool { return p.format() != format })
		all[w.Code] = &only
	}
	return all
}

// choose settles the format of an import into a table that has room for a state.
func (st *state) choose(format Format) Format {
	switch {
	case format != Chosen:
		return format
	case st.words()+len(pieceTypes)*int(st.Numbered) > mostColumns:
		return Arrays
	}
	return Words
}

// anyBit writes the condition that a respondent is positive on any of some attributes.
func anyBit(attributes []uint32) string {
	masks := map[uint32]uint64{}
	for _, a := range attributes {
		masks[a/wordBits] |= 1 << (a % wordBits)
	}
	parts := joined(slices.Sorted(maps.Keys(masks)), " OR ", func(word uint32) string {
		if mask := masks[word]; mask&(mask-1) != 0 {
			return fmt.Sprintf("bitAnd(%s, %d) != 0", wordColumn(int(word)), mask)
		}
		return fmt.Sprintf("bitTest(%s, %d)", wordColumn(int(word)), bits.TrailingZeros64(masks[word]))
	})
	return "(" + parts + ")"
}

// bitsOf writes the condition that a respondent is positive on any attribute of at least so many of the lists.
func bitsOf(points [][]uint32, least int) string {
	if least == 1 {
		return anyBit(slices.Concat(points...))
	}
	return fmt.Sprintf("(%s >= %d)", joined(points, " + ", anyBit), least)
}

// attributesIn lists the numbers of the attributes that words have bits for, ascending.
func attributesIn(words []uint64) (list []uint32) {
	for i, w := range words {
		for ; w != 0; w &= w - 1 {
			list = append(list, uint32(i*wordBits+bits.TrailingZeros64(w)))
		}
	}
	return list
}
