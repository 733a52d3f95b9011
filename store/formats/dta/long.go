package dta

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"sync"
)

// longTexts tells where the long texts of a file are. In a row stands a variable and a row in which the text first
// occurred, and behind the rows stand these once more in front of each text, mostly in the order of the rows.
type longTexts struct {
	begin, end int64

	most  int // how many places are kept; 0: mostLong
	once  sync.Once
	err   error
	index []longAt // of one in every so many texts, ascending
	every int
}

// longAt is where a text is, by the row and the variable in which it first occurred.
type longAt struct {
	key uint64
	at  int64
}

// mostLong is how many places are kept, where nothing else is said; between those, texts are looked for.
const mostLong = 1 << 20

// longestText is how many bytes of a long text are read: as many as those of SPSS may have.
const longestText = 32767

// The kinds of long texts.
const (
	longBinary = 129
	longText   = 130
)

// key is a variable and a row in one number, which is larger for later rows.
func (l *layout) key(variable, row uint64) uint64 { return row<<(8*l.longVariable) | variable }

// reference reads a variable and a row from the 8 bytes that stand in a row of the data.
func (f *File) reference(b []byte) (key uint64) {
	n := f.layout.longVariable
	return f.layout.key(wide(f.ByteOrder, b[:n]), wide(f.ByteOrder, b[n:8]))
}

// longHead is what stands in front of a long text.
type longHead struct {
	key  uint64
	kind uint64
	size int64
}

// longHead reads what stands in front of a long text.
func (f *File) longHead(s *scanner) (h longHead) {
	const what = "the long texts"
	rowSize := 8
	if f.layout.release < 118 {
		rowSize = 4
	}
	s.tag("GSO", what)
	h.key = f.layout.key(s.uint(4, what), s.uint(rowSize, what))
	h.kind, h.size = s.uint(1, what), s.count(4, what)
	if at := s.Pos; s.Check(h.size, what) && at+h.size > f.long.end {
		s.Err = damaged(at, "%s: one of %d bytes; the section ends after %d more", what, h.size, f.long.end-at)
	}
	return h
}

func (f *File) longScanner(at int64) *scanner {
	s := newScanner(f.data, f.long.end, at, f.ByteOrder)
	return &s
}

// indexLong finds the places of the long texts.
func (f *File) indexLong() error {
	l := &f.long
	s := f.longScanner(l.begin)
	most := cmp.Or(l.most, mostLong)
	l.every = 1
	ascending := true
	last := uint64(0)
	for n := 0; s.Pos < l.end; n++ {
		at := s.Pos
		h := f.longHead(s)
		if s.Skip(h.size, "the long texts"); s.Err != nil {
			return s.Err
		}
		ascending = ascending && (n == 0 || h.key > last)
		if last = h.key; n%l.every != 0 && ascending {
			continue
		}
		if len(l.index) == most {
			l.thin()
		}
		if !ascending && l.every > 1 {
			return unsupported(at, "the long texts: more than %d that are not in the order of the rows", most)
		}
		l.index = append(l.index, longAt{h.key, at})
	}
	if !ascending {
		slices.SortStableFunc(l.index, func(a, b longAt) int {
			if a.key < b.key {
				return -1
			}
			return int(min(1, a.key-b.key))
		})
	}
	return nil
}

// thin forgets every other place.
func (l *longTexts) thin() {
	for i := range len(l.index) / 2 {
		l.index[i] = l.index[2*i]
	}
	l.index, l.every = l.index[:len(l.index)/2], 2*l.every
}

// longReader reads long texts. The last is kept: programs that find a text again point to where it first stood.
type longReader struct {
	file *File
	scan *scanner
	key  uint64
	text string
}

// find goes to the text with a key and returns what stands in front of it; false if there is none.
func (r *longReader) find(key uint64) (longHead, bool, error) {
	f := r.file
	l := &f.long
	l.once.Do(func() { l.err = f.indexLong() })
	if l.err != nil {
		return longHead{}, false, l.err
	}
	i := sort.Search(len(l.index), func(i int) bool { return l.index[i].key > key }) - 1
	if i < 0 {
		return longHead{}, false, nil
	}
	if r.scan == nil {
		r.scan = f.longScanner(0)
	}
	r.scan.Pos = l.index[i].at
	for n := 0; n < l.every && r.scan.Pos < l.end; n++ {
		h := f.longHead(r.scan)
		if r.scan.Err != nil || h.key >= key {
			return h, h.key == key, r.scan.Err
		}
		r.scan.Skip(h.size, "the long texts")
	}
	return longHead{}, false, r.scan.Err
}

// longText reads the long text that a row refers to.
func (r *Row) longText(v *Variable) string {
	f := r.file
	key := f.reference(r.data[v.at : v.at+8])
	if key == 0 || r.err != nil {
		return "" // no text
	}
	if key == r.long.key {
		return r.long.text
	}
	h, found, err := r.long.find(key)
	if err == nil && !found {
		variable := key & (1<<(8*f.layout.longVariable) - 1)
		err = damaged(f.start+(r.Row-1)*f.rowSize+int64(v.at), "it refers to a long text of variable %d and row %d, which "+
			"is not there", variable, key>>(8*f.layout.longVariable))
	}
	var b []byte
	if err == nil {
		s := r.long.scan
		b = s.Bytes(min(h.size, longestText), "the long texts")
		err = s.Err
	}
	if err != nil {
		r.err = placed(err, fmt.Sprintf("row %d, variable %q", r.Row, v.Name))
		return ""
	}
	r.long.key, r.long.text = key, r.readLong(v, h, b)
	return r.long.text
}

// readLong decodes what was read of a long text.
func (r *Row) readLong(v *Variable, h longHead, b []byte) string {
	if h.kind != longText {
		r.file.notes.Once(&r.file.fileNoted, 0, "row %d, variable %q: a file stands there in place of a text, which is not "+
			"read; nor are later ones", r.Row, v.Name)
		return ""
	}
	if h.size > longestText+1 { // a text ends with a NUL
		r.file.notes.Once(&r.file.longNoted, 0, "row %d, variable %q: a text of %d bytes is read to byte %d, and so are "+
			"later ones", r.Row, v.Name, h.size-1, longestText)
	}
	return r.decoded(v, cutNUL(b))
}
