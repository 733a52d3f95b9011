package sqlite

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/crosswave/crosswave/store/survey"
)

// laid returns a chunk of one word in which two bitmaps stand in a row: three columns of question 0, of which the
// second is a list, and seven of question 5, of which the first and the last are lists and the others digits.
func laid() *chunk {
	c := &chunk{id: 3, words: 1, perRow: 2, asDigits: []int64{5}, columns: []int64{10, 11, 12},
		counts: []int32{9, 1, 9, 1, 9, 9, 9, 9, 9, 1}}
	for n := range int64(7) {
		c.columns = append(c.columns, 5<<numberBits|n)
	}
	c.lay()
	return c
}

// Lists have a row each and come first; bitmaps share rows, and digits take the place of the columns that they number.
func TestRows(t *testing.T) {
	c := laid()
	want := []int64{11, 5 << numberBits, 5<<numberBits | 6, firstBitmaps, firstBitmaps + 1, firstBitmaps + 2}
	if diff := cmp.Diff(want, c.rows.ids); diff != "" {
		t.Error(diff)
	}
	d := func(row, at, digit int) rowPart { return rowPart{row: row, at: at, digit: digit} }
	own := func(row, at, column int) rowPart { return rowPart{row: row, at: at, column: column, digit: notDigit} }
	for _, test := range []struct {
		columns []int
		want    []rowPart
	}{
		{[]int{0, 1, 2}, []rowPart{own(0, 0, 1), own(3, 0, 0), own(3, 1, 2)}},
		{[]int{2, 5, 7}, []rowPart{own(3, 1, 2), d(4, 0, 0), d(4, 1, 1), d(5, 0, 2)}},
		{[]int{3, 9}, []rowPart{own(1, 0, 3), own(2, 0, 9)}},
		{nil, []rowPart{}},
	} {
		if diff := cmp.Diff(test.want, c.parts(test.columns), cmp.AllowUnexported(rowPart{})); diff != "" {
			t.Errorf("columns %v: %s", test.columns, diff)
		}
	}
	c.perRow, c.asDigits = 0, nil
	if c.lay(); !slices.Equal(c.rows.ids, c.columns) {
		t.Errorf("a chunk of before has the rows %v", c.rows.ids)
	}
	before := []rowPart{own(2, 0, 2), own(5, 0, 5)}
	if diff := cmp.Diff(before, c.parts([]int{2, 5}), cmp.AllowUnexported(rowPart{})); diff != "" {
		t.Error("a chunk of before:", diff)
	}
}

// Rows next to each other are one stroke, as far as parts of them are wanted, and no longer than is asked for.
func TestStrokes(t *testing.T) {
	var wanted []rowPart
	for _, row := range []int{0, 1, 3, 3, 3, 4, 5} {
		wanted = append(wanted, rowPart{row: row})
	}
	type found struct{ from, to, parts int }
	for most, want := range map[int][]found{9: {{0, 1, 2}, {3, 5, 5}}, 2: {{0, 1, 2}, {3, 4, 4}, {5, 5, 1}},
		1: {{0, 0, 1}, {1, 1, 1}, {3, 3, 3}, {4, 4, 1}, {5, 5, 1}}} {
		var got []found
		for left := wanted; len(left) > 0; {
			from, to, n := stroke(left, most)
			got, left = append(got, found{from, to, n}), left[n:]
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d at most: %v, want %v", most, got, want)
		}
	}
}

// Answers of which nobody gave two are stored as digits, and bitmaps share rows: the store counts the same, gives the
// same respondents back and tells which digit is damaged.
func TestDigits(t *testing.T) {
	alone(t)
	st := synthetic(5, 4000)
	s := openStore(t, filepath.Join(t.TempDir(), "store.db"), Config{})
	publish(t, s, st, st.Respondents)
	same(t, s, reference(t, st))
	noDamage(t, s)
	for _, c := range s.current.chunks {
		if len(c.rows.digits) != 1 || len(c.rows.digits[0].columns) < 3 || len(c.rows.ids) >= len(c.columns) {
			t.Fatalf("%s stores %d columns in %d rows, as digits %v", chunkName(c.id), len(c.columns), len(c.rows.ids),
				c.rows.digits)
		}
	}
	var back []survey.Respondent
	source, err := s.Source(t.Context())
	check(t, err)
	defer source.Close()
	for batch, err := range source.Respondents(t.Context()) {
		check(t, err)
		back = append(back, batch.Respondents...)
	}
	other := openStore(t, filepath.Join(t.TempDir(), "store.db"), Config{ChunkRespondents: 64})
	publish(t, other, st, back)
	same(t, other, reference(t, st))

	c := s.current.chunks[0]
	d := c.rows.digits[0]
	for _, p := range c.parts(d.columns[:1]) {
		id := blobID(c.id, c.rows.ids[p.row])
		var data []byte
		check(t, s.write.QueryRow(`SELECT data FROM answers WHERE id = ?`, id).Scan(&data))
		data[p.at*bitmapBytes(c.words)] ^= 1
		if _, err := s.write.Exec(`UPDATE answers SET data = ? WHERE id = ?`, data, id); err != nil {
			t.Fatal(err)
		}
		found, err := s.Check(t.Context(), CheckOptions{})
		check(t, err)
		if want := []string{c.partName(p)}; !slices.Equal(found.Damages, want) {
			t.Errorf("damages %v, want %v", found.Damages, want)
		}
		data[p.at*bitmapBytes(c.words)] ^= 1
		_, err = s.write.Exec(`UPDATE answers SET data = ? WHERE id = ?`, data, id)
		check(t, err)
	}
	noDamage(t, s)
	// A row that is too short, and one that the chunk does not list.
	_, err = s.write.Exec(`UPDATE answers SET data = substr(data, 1, length(data) - 1) WHERE id = ?`,
		blobID(c.id, c.rows.ids[len(c.rows.ids)-1]))
	check(t, err)
	_, err = s.write.Exec(`INSERT INTO answers (id, data) VALUES (?, x'00')`, blobID(c.id, 1<<columnBits-1))
	check(t, err)
	found, err := s.Check(t.Context(), CheckOptions{})
	check(t, err)
	if want := []string{rowName(blobID(c.id, c.rows.ids[len(c.rows.ids)-1])), rowName(blobID(c.id, 1<<columnBits-1)) +
		", which the chunk does not list"}; !slices.Equal(found.Damages, want) {
		t.Errorf("damages %v, want %v", found.Damages, want)
	}
	var damaged *DamagedError
	for _, err = range source.Respondents(t.Context()) {
		if err != nil {
			break
		}
	}
	if !errors.As(err, &damaged) {
		t.Errorf("a row that is too short is read: %v", err)
	}
}

// A store of format 15, in which each column has a row, opens and counts as before, and so it does with chunks of now
// beside those.
func TestStoreOfFormat15(t *testing.T) {
	alone(t)
	s, st, want := oldStore(t, "testdata/format15.db.gz")
	for _, c := range s.current.chunks {
		if c.perRow != 0 || len(c.rows.ids) != len(c.columns) {
			t.Errorf("%s of format 15 has %d rows for %d columns", chunkName(c.id), len(c.rows.ids), len(c.columns))
		}
	}
	publish(t, s, st, part(st, inWave(2)).Respondents, "w3")
	same(t, s, want)
	noDamage(t, s)
	if c := s.current.chunks[len(s.current.chunks)-1]; len(s.current.chunks) != 4 || c.perRow == 0 {
		t.Errorf("%d chunks, of which the last has %d bitmaps in a row", len(s.current.chunks), c.perRow)
	}
}

// oldStore opens a store of the respondents of synthetic(4, 300) that an older program wrote, which counts as before.
func oldStore(t *testing.T, packed string) (*Store, *storetest.Study, [][]*audience.Table) {
	t.Helper()
	st := synthetic(4, 300)
	path := filepath.Join(t.TempDir(), "store.db")
	unpack(t, packed, path)
	s := openStore(t, path, Config{})
	want := reference(t, st)
	same(t, s, want)
	noDamage(t, s)
	return s, st, want
}
