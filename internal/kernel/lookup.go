package kernel

import (
	"encoding/binary"
	"fmt"
)

// LookUp sets weights to what a list has at some places, and positive to who has one above 0. A place is a number of
// one byte or of two, little-endian, 64 for each word of positive, and the list is as long as a power of two. LookUp
// returns the binary digits of all places, one above the other: a place that the list has not is found out by them, and
// some other stands for it.
//
// Processors that have AVX-512 gather 16 weights with one instruction. Some take longer for that than for reading each
// by itself, so a kernel does it only once it is [Kernel.Calibrated].
func (k *Kernel) LookUp(weights []uint32, positive []uint64, places []byte, list []uint32) (digits uint64) {
	words, n := len(positive), len(list)
	bytes := len(places) / max(1, len(weights))
	if len(weights) != 64*words || len(places) != bytes*len(weights) || n == 0 || n&(n-1) != 0 ||
		words > 0 && bytes != 1 && bytes != 2 {
		panic(fmt.Sprintf("kernel: %d weights for %d words at %d bytes of places in a list of %d", len(weights), words,
			len(places), n))
	}
	for len(positive) > 0 {
		n := min(len(positive), BlockWords)
		digits |= k.lookUp(weights[:64*n], positive[:n], places[:64*n*bytes], list)
		weights, positive, places = weights[64*n:], positive[n:], places[64*n*bytes:]
	}
	return digits
}

// lookingUp is LookUp for the words of a block at most, of which there is one at least.
type lookingUp func(weights []uint32, positive []uint64, places []byte, list []uint32) (digits uint64)

// fasterLookUp is the way to look weights up that takes less time here: k's own, or that by gathering.
func (k *Kernel) fasterLookUp() lookingUp {
	if k.gathering == nil {
		return k.lookUp
	}
	const words, several = 16, 1 << 11
	weights, positive, places := make([]uint32, 64*words), make([]uint64, words), make([]byte, 2*64*words)
	list := make([]uint32, several)
	for i := range weights {
		binary.LittleEndian.PutUint16(places[2*i:], uint16(i*1999%several)) // all over the list
	}
	time := func(f lookingUp) float32 { return took(func() { f(weights, positive, places, list) }) }
	if time(k.gathering) < time(k.lookUp) {
		return k.gathering
	}
	return k.lookUp
}

func twinLookUp(weights []uint32, positive []uint64, places []byte, list []uint32) (digits uint64) {
	byteEach := len(places) == len(weights)
	for i := range positive {
		to := (*[64]uint32)(weights[64*i:])
		var of uint64
		if byteEach {
			positive[i], of = lookUpBytes(to, (*[64]byte)(places[64*i:]), list)
		} else {
			positive[i], of = lookUpPairs(to, (*[128]byte)(places[128*i:]), list)
		}
		digits |= of
	}
	return digits
}

// lookUpPairs looks 64 places of two bytes up. It returns which have a weight above 0, and the digits of all places.
func lookUpPairs(to *[64]uint32, places *[128]byte, list []uint32) (positive, digits uint64) {
	const all = 1<<16 - 1
	in := uint64(min(len(list), all+1) - 1)
	for j := 0; j < 64; j += 4 {
		four := binary.LittleEndian.Uint64(places[2*j:])
		digits |= four | four>>32
		a, b, c, d := list[four&in], list[four>>16&in], list[four>>32&in], list[four>>48&in]
		to[j], to[j+1], to[j+2], to[j+3] = a, b, c, d
		positive |= fourPositive(a, b, c, d) << (j & 63)
	}
	return positive, (digits | digits>>16) & all
}

// lookUpBytes does the same with places of one byte.
func lookUpBytes(to *[64]uint32, places *[64]byte, list []uint32) (positive, digits uint64) {
	const all = 1<<8 - 1
	in := uint32(min(len(list), all+1) - 1)
	for j := 0; j < 64; j += 4 {
		four := binary.LittleEndian.Uint32(places[j:])
		digits |= uint64(four | four>>16)
		a, b, c, d := list[four&in], list[four>>8&in], list[four>>16&in], list[four>>24&in]
		to[j], to[j+1], to[j+2], to[j+3] = a, b, c, d
		positive |= fourPositive(a, b, c, d) << (j & 63)
	}
	return positive, (digits | digits>>8) & all
}

// fourPositive has a bit for each of four weights that is above 0.
func fourPositive(a, b, c, d uint32) uint64 {
	const all = 1<<32 - 1
	return (uint64(a)+all)>>32 | (uint64(b)+all)>>32<<1 | (uint64(c)+all)>>32<<2 | (uint64(d)+all)>>32<<3
}
