package demo

import (
	"math/bits"
	"math/rand/v2"
)

// Traits are what answers have in common: figures of a respondent in units of 1/32 standard deviation, about 0 on
// average.
const (
	age    = iota // older
	female        // +32 women, -32 men, by quota
	mid           // in the middle of life
	later         // not of the respondent: later waves
	income
	educ   // better educated
	tech   // tech-savvy
	sport  // sporty
	family // lives with children
	social // lives online with others
	green  // minds the environment
	thrift // minds prices
	food   // adventurous eater
	travel
	status      // likes brands that show
	home        // likes the house
	city        // likes the city
	traits = 32 // a power of two, so that an index can be masked
)

// of is a loading on traits: in units of 1/8 logit for each standard deviation.
type of [traits]int8

// loading is an of without its zeros, of which all but four entries are.
type loading struct {
	trait  [4]uint8
	factor [4]int8
}

func (o *of) compact() loading {
	var l loading
	n := 0
	for t, f := range o {
		if f != 0 && n < len(l.trait) {
			l.trait[n], l.factor[n] = uint8(t), f
			n++
		}
	}
	return l
}

// score is the loading times the traits, in units of 1/256 logit.
func (l *loading) score(t *[traits]int32) int32 {
	return int32(l.factor[0])*t[l.trait[0]&(traits-1)] + int32(l.factor[1])*t[l.trait[1]&(traits-1)] +
		int32(l.factor[2])*t[l.trait[2]&(traits-1)] + int32(l.factor[3])*t[l.trait[3]&(traits-1)]
}

// widen gives the factor, in 1/64, by which logits must be stretched so that shares still hold on average over people
// whose scores differ by this loading: √(1 + 0.346σ²), the usual approximation of a logistic curve averaged over a
// normal trait.
func (l *loading) widen() int32 {
	variance := 0 // in 1/64 logit²
	for _, f := range l.factor {
		variance += int(f) * int(f)
	}
	square := 64*64 + 22*variance // 0.346 · 64
	root := 64
	for root*root < square {
		root++
	}
	return int32(root)
}

// limit is the largest logit that the tables know, in 1/256.
const limit = 10 * 256

// tables are the few functions of the logistic model, of integers alone: math.Exp may differ in the last bit between
// machines.
type tables struct {
	chance [2 * limit]uint16 // logit + limit → 65536 × probability
	noise  [4096]int16       // probability in 1/4096 → logit
	exp    [2 * limit]uint32 // logit + limit → 65536 × e^logit, at most 2^32-1
}

func newTables() *tables {
	t := &tables{}
	const ratio = 4629735647166717429 // e^(1/256) · 2^62
	e := uint64(1) << 48              // e^x · 2^48
	for x := range limit {
		t.exp[limit+x] = uint32(e >> 32)
		t.chance[limit+x] = uint16(1<<16 - (1<<48)/(1<<32+e>>16))
		high, low := bits.Mul64(e, ratio)
		e = high<<2 | low>>62
	}
	for x := 1; x <= limit; x++ {
		up := t.exp[limit+min(x, limit-1)]
		t.exp[limit-x] = uint32((1<<32 + uint64(up)/2) / uint64(up))
		t.chance[limit-x] = uint16(1<<16 - uint32(t.chance[limit+min(x, limit-1)]))
	}
	x := 0
	for i := range t.noise {
		for x < len(t.chance)-1 && int(t.chance[x]) < 16*i+8 {
			x++
		}
		t.noise[i] = int16(x - limit)
	}
	return t
}

// at clamps a logit to an index into the tables.
func at(logit int32) int { return int(max(-limit, min(logit, limit-1))) + limit }

// logit is the inverse of chance, of a share in thousandths.
func (t *tables) logit(share int) int32 {
	for x, c := range t.chance {
		if int(c)*1000 >= share<<16 {
			return int32(x - limit)
		}
	}
	return limit - 1
}

// log is the inverse of exp, of a share in thousandths.
func (t *tables) log(share int) int32 {
	for x, e := range t.exp {
		if uint64(e)*1000 >= uint64(share)<<16 {
			return int32(x - limit)
		}
	}
	return limit - 1
}

// mix is the finaliser of SplitMix64: a permutation of 64-bit numbers that leaves no pattern.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// hash is a number for a text, the same everywhere.
func hash(text string) uint64 {
	h := uint64(len(text))
	for i := range len(text) {
		h = mix(h ^ uint64(text[i]))
	}
	return h
}

// dice are a respondent's random numbers. Each question throws its own, so that no question's answers depend on what
// else is asked.
type dice struct {
	pcg  rand.PCG
	a, b uint64 // the respondent's
	rest uint64
	left int
}

// deal takes the dice of a respondent.
func (d *dice) deal(seed uint64, wave, location, position int) {
	d.a = mix(mix(seed) ^ uint64(wave)<<8 ^ uint64(location))
	d.b = mix(d.a ^ uint64(position))
	d.a = mix(d.b ^ seed)
}

// ask starts those of a question.
func (d *dice) ask(key uint64) {
	d.pcg.Seed(d.a^key, d.b+key)
	d.left = 0
}

// u16 throws a number below 65536.
func (d *dice) u16() uint32 {
	if d.left == 0 {
		d.rest, d.left = d.pcg.Uint64(), 4
	}
	u := uint32(d.rest & 0xffff)
	d.rest >>= 16
	d.left--
	return u
}

// below throws a number from 0 to n-1.
func (d *dice) below(n uint64) uint64 {
	high, _ := bits.Mul64(d.pcg.Uint64(), n)
	return high
}

// normal throws about a normal number, in 1/32 standard deviation: the sum of four even ones.
func (d *dice) normal() int32 {
	u := d.pcg.Uint64()
	sum := int32(u&0xffff) + int32(u>>16&0xffff) + int32(u>>32&0xffff) + int32(u>>48) - 2*65535
	return sum * 887 >> 20 // 37837, the sum's deviation, to 32
}
