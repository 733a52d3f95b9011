package blob

import (
	"bytes"
	"slices"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/crosswave/crosswave/internal/kernel"
)

var limits = Limits{Run: 1000, Columns: 1 << 40, Questions: 1 << 20}

func TestHead(t *testing.T) {
	want := Head{Wave: "w", Runs: []Run{{"l", 2}, {"m", 70}}, Samples: []Sample{{"core", 72}}, Columns: []int64{1, 5},
		Counts: []int32{2, 72}}
	before := want.Append(nil)
	if got, ok := ReadHead(before, limits); !ok || !cmp.Equal(want, got) {
		t.Errorf("%v: %+v", ok, got)
	}
	want.Sharing = []Sharing{{Question: 3}, {Question: 4, Exclusive: true, Complete: []int{0}}}
	if with := want.Append(nil); !bytes.HasPrefix(with, before) {
		t.Errorf("what is known of answers stands before what heads said without: %x and %x", with, before)
	}
	want.Numbers = []Numbers{{Question: 9, Respondents: 2, Least: "1", Greatest: "2.5"}}
	withSharing := want.Append(nil)
	want.PerRow, want.Digits = 8, []int64{4, 7}
	data := want.Append(nil)
	got, ok := ReadHead(data, limits)
	if diff := cmp.Diff(want, got); !ok || diff != "" {
		t.Errorf("%v (-want +got)\n%s", ok, diff)
	}
	for name, wrong := range map[string]Head{
		"a run over the limit":                   {Runs: []Run{{"l", 1001}}},
		"a sample of more than all":              {Runs: []Run{{"l", 1}}, Samples: []Sample{{"core", 2}}},
		"more are positive than there are":       {Columns: []int64{1}, Counts: []int32{1}},
		"the number of a column is at the limit": {Columns: []int64{1 << 40}, Counts: []int32{0}},
		"a column stands twice":                  {Columns: []int64{7, 7}, Counts: []int32{0, 0}},
		"runs are over the limit together":       {Runs: []Run{{"l", 600}, {"m", 600}}},
		"answers are complete in a sample that it has not": {Sharing: []Sharing{{Question: 1, Exclusive: true,
			Complete: []int{0}}}},
		"samples stand twice": {Samples: []Sample{{"core", 0}, {"shop", 0}},
			Sharing: []Sharing{{Question: 1, Exclusive: true, Complete: []int{1, 1}}}},
		"digits of a question stand twice":    {PerRow: 1, Digits: []int64{4, 4}},
		"digits of a question over the limit": {PerRow: 1, Digits: []int64{1 << 20}},
	} {
		if _, ok := ReadHead(wrong.Append(nil), limits); ok {
			t.Error("read:", name)
		}
	}
	want.Sharing, want.PerRow, want.Digits = nil, 0, nil
	withNumbers := want.Append(nil)
	for i := range data { // but where heads ended before
		if _, ok := ReadHead(data[:i], limits); ok && i != len(before) && i != len(withNumbers) &&
			i != len(withSharing) {
			t.Errorf("%d bytes of %d are read", i, len(data))
		}
	}
}

// Who is in each of some columns is said by digits: as many as it takes to number them, from 1 on.
func TestDigit(t *testing.T) {
	const words = 3
	for columns, digits := range []int{0, 1, 2, 2, 3, 3, 3, 3, 4} {
		if got := DigitsOf(columns); got != digits {
			t.Errorf("%d columns are numbered by %d digits, want %d", columns, got, digits)
		}
	}
	columns := [][]uint32{{0, 5, 64}, {1, 191}, {2}, {3, 100}, {7}}
	var bitmaps [][]byte
	for digit := range DigitsOf(len(columns)) {
		bitmap, ok := ReadBitmap(Digit(columns, digit, words, 4), words)
		if !ok {
			t.Fatalf("digit %d is not read", digit)
		}
		bitmaps = append(bitmaps, bitmap)
	}
	for i, want := range columns {
		got := make([]uint64, words)
		kernel.Saying(got, bitmaps, i+1)
		var positions []uint32
		for p := range uint32(64 * words) {
			if got[p/64]>>(p%64)&1 != 0 {
				positions = append(positions, p)
			}
		}
		if !slices.Equal(positions, want) {
			t.Errorf("column %d: %v, want %v", i, positions, want)
		}
	}
	for name, data := range map[string][]byte{"nothing": nil, "a word too few": make([]byte, 8*words-7),
		"a list": append(make([]byte, 8*words), formList)} {
		if _, ok := ReadBitmap(data, words); ok {
			t.Error("read as a bitmap:", name)
		}
	}
}

// Bitmaps read into room are those read without, each at the beginning of a line; what has no room left is read
// without.
func TestRoom(t *testing.T) {
	const words = 13
	room := Memory{}.Room(3, words)
	var got [][]uint64
	for i := range uint32(4) {
		var positions []uint32
		for p := i; p < 64*words; p += 2 + i {
			positions = append(positions, p)
		}
		data := Column(positions, words, 0)
		bitmap, _, ok := ReadColumn(data, len(positions), words, room)
		want, _, _ := ReadColumn(data, len(positions), words, nil)
		if diff := cmp.Diff(want, bitmap); diff != "" || !ok || len(want) != words {
			t.Errorf("%d: %v %s", i, ok, diff)
		}
		got = append(got, bitmap)
	}
	place := func(i int) uintptr { return uintptr(unsafe.Pointer(&got[i][0])) }
	if place(1)-place(0) != 128 || place(2)-place(1) != 128 {
		t.Errorf("bitmaps of 104 bytes lie at %d, %d and %d", place(0), place(1), place(2))
	}
}

// Any bytes are read or refused, and a column that is read holds as many positions as it was said to, each once and
// within its words.
func FuzzReadColumn(f *testing.F) {
	f.Add([]byte{formList}, 0, 1)
	f.Add([]byte{0, 63, formList}, 2, 2)
	f.Add(append(make([]byte, 16), formWords), 0, 2)
	f.Fuzz(func(t *testing.T, data []byte, count, words int) {
		words, count = max(0, min(words, 100)), max(0, min(count, 6400))
		bitmap, list, ok := ReadColumn(data, count, words, nil)
		if !ok {
			return
		}
		for i, w := range bitmap {
			for p := range 64 {
				if w>>p&1 != 0 {
					list = append(list, uint32(64*i+p))
				}
			}
		}
		if len(list) != count || !slices.IsSorted(list) || len(slices.Compact(slices.Clone(list))) != count ||
			count > 0 && int(list[count-1]) >= 64*words {
			t.Errorf("%d positions in %d words are %d", count, words, list)
		}
		again, other, ok := ReadColumn(Column(list, words, 0), count, words, nil)
		if !ok || len(again)+len(other) == 0 && count > 0 {
			t.Error("what was read can't be written and read again")
		}
	})
}

// Any bytes are read or refused, and a head that is read is the same when it was written and read again.
func FuzzReadHead(f *testing.F) {
	h := Head{Wave: "w", Runs: []Run{{"l", 2}, {"m", 70}}, Samples: []Sample{{"core", 2}}, Columns: []int64{1, 5},
		Counts: []int32{2, 1}}
	f.Add(h.Append(nil))
	h.Sharing = []Sharing{{Question: 0, Exclusive: true, Complete: []int{0}}, {Question: 7}}
	f.Add(h.Append(nil))
	h.PerRow, h.Digits = 8, []int64{3, 7}
	f.Add(h.Append(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, ok := ReadHead(data, limits)
		if !ok {
			return
		}
		again, ok := ReadHead(h.Append(nil), limits)
		if diff := cmp.Diff(h, again, cmpopts.EquateEmpty()); !ok || diff != "" {
			t.Errorf("%v (-once +twice)\n%s", ok, diff)
		}
	})
}
