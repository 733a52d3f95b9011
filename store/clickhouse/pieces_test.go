package clickhouse

import (
	"math"
	"testing"
)

// Every number that has room comes back from its pieces, and small ones are in the lowest byte alone.
func TestPieces(t *testing.T) {
	for _, c := range []struct {
		v           int64
		e           int32
		low, middle uint8
		high        uint64
	}{
		{0, 0, 1, 0, 0}, {127, 0, 255, 0, 0}, {128, 0, 1, 1, 0}, {-1, 0, 2, 0, 0}, {-128, 0, 0, 1, 0},
		{32767, 0, 255, 255, 0}, {32768, 3, 1, 0, 1 | 3<<48}, {digits - 1, math.MaxUint16, 255, 255,
			(2*digits-1)>>16 | 65535<<48},
		{1 - digits, 18, 254, 255, (2*digits-2)>>16 | 18<<48},
	} {
		p := &pieces{low: []uint8{7, 0}, middle: []uint8{7, 0}, high: []uint64{7, 0}}
		if !p.put(c.v, c.e) {
			t.Errorf("%d with %d decimals has no room", c.v, c.e)
		}
		low, middle, high := p.low[1], p.middle[1], p.high[1]
		if c.v != digits-1 && c.v != 1-digits && (low != c.low || middle != c.middle) || high != c.high {
			t.Errorf("%d with %d decimals is %d, %d, %x", c.v, c.e, low, middle, high)
		}
		if v, e, some := numberOf(low, middle, high); v != c.v || e != c.e || !some {
			t.Errorf("%d with %d decimals comes back as %d with %d, %t", c.v, c.e, v, e, some)
		}
		if p.low[0] != 7 || p.middle[0] != 7 || p.high[0] != 7 {
			t.Error("another respondent's number is changed")
		}
	}
	if _, _, some := numberOf(0, 0, 0); some {
		t.Error("who gave no number has one")
	}
	p := &pieces{low: []uint8{0}, middle: []uint8{0}, high: []uint64{0}}
	for _, c := range []struct {
		v int64
		e int32
	}{{digits, 0}, {-digits, 0}, {1, -1}, {1, math.MaxUint16 + 1}} {
		if p.put(c.v, c.e) {
			t.Errorf("%d with %d decimals has room", c.v, c.e)
		}
	}
}
