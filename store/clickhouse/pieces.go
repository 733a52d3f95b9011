package clickhouse

import (
	"fmt"
	"math"
	"strings"
)

// Beside words, each question of numbers has columns of its own. A number v·10^-e is stored as a code that is not
// negative: 2v + 1, or -2v if v is negative, so that 0 is no number, and small numbers have small codes. A code is cut
// into its lowest byte, the next one, and what is above it, with e. Most of these are constant, or nearly, for most
// questions, so that a number takes little more than a byte, whatever other questions need.

// pieces are the columns of a question: those of all respondents.
type pieces struct {
	low, middle []uint8
	high        []uint64 // the code without its two lowest bytes, and e·2^highBits
}

// pieceTypes are the types of the columns of a question.
var pieceTypes = [...]string{"UInt8", "UInt8", "UInt64"}

// pieceColumns are the names of the columns of a question.
func pieceColumns(question uint32) []string {
	return []string{fmt.Sprintf("l%d", question), fmt.Sprintf("m%d", question), fmt.Sprintf("h%d", question)}
}

// highBits is where e stands in what is above the two lowest bytes: v has 18 digits, so that this has 45 bits.
const highBits = 48

// put sets the number of the respondent that comes last, and tells whether it has room.
func (p *pieces) put(v int64, e int32) bool {
	if v <= -digits || v >= digits || e < 0 || e > math.MaxUint16 {
		return false
	}
	code := uint64(v)<<1 | 1
	if v < 0 {
		code = uint64(-v) << 1
	}
	at := len(p.low) - 1
	p.low[at], p.middle[at] = uint8(code), uint8(code>>8)
	p.high[at] = code>>16 | uint64(e)<<highBits
	return true
}

// numberOf is what the pieces of a respondent stand for; some is not set if there is none.
func numberOf(low, middle uint8, high uint64) (v int64, e int32, some bool) {
	code := uint64(low) | uint64(middle)<<8 | high&(1<<highBits-1)<<16
	if v = int64(code >> 1); code&1 == 0 {
		v = -v
	}
	return v, int32(high >> highBits), code != 0
}

// numberTerms writes the SQL expressions whose sum is a respondent's number in units of 10^-k, 0 if there is none: for
// each of the numbers of decimals that numbers are stored with, apart or in lists.
func numberTerms(question uint32, apart, listed []int, k int) (terms []string) {
	keys, values := numberColumns(group(question))
	for _, e := range listed {
		key := numberKey(question, int32(e))
		terms = append(terms, inUnit(fmt.Sprintf("%s[indexOf(%s, %d)]", values, keys, key), e, k))
	}
	at := pieceColumns(question)
	code := fmt.Sprintf("toUInt64(%s) + toUInt64(%s) * 256 + bitAnd(%s, %d) * 65536", at[0], at[1], at[2],
		uint64(1)<<highBits-1)
	v := fmt.Sprintf("toInt64(bitShiftRight(%s, 1)) * (toInt64(bitAnd(%s, 1)) * 2 - 1)", code, at[0])
	for _, e := range apart {
		one := v
		if len(apart) > 1 {
			one += fmt.Sprintf(" * (bitShiftRight(%s, %d) = %d)", at[2], highBits, e)
		}
		terms = append(terms, inUnit("("+one+")", e, k))
	}
	return some(terms)
}

// givenTerms writes the conditions that a respondent gave a number.
func givenTerms(question uint32, apart, listed []int) (terms []string) {
	keys, _ := numberColumns(group(question))
	for _, e := range listed {
		terms = append(terms, fmt.Sprintf("has(%s, %d)", keys, numberKey(question, int32(e))))
	}
	if len(apart) > 0 {
		terms = append(terms, strings.Join(pieceColumns(question), " != 0 OR ")+" != 0")
	}
	return terms
}

// some leaves out what is empty.
func some(list []string) (out []string) {
	for _, text := range list {
		if text != "" {
			out = append(out, text)
		}
	}
	return out
}
