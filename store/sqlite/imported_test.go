package sqlite

import "testing"

// A file is known by what is in it: nothing is known of a new store, and then of those that were noted.
func TestImportedFilesAreKnownByTheirHash(t *testing.T) {
	s := openStore(t, Memory, Config{})
	expect := func(hash byte, was, known bool) {
		t.Helper()
		gotWas, gotKnown, err := s.WasImported(t.Context(), [32]byte{hash})
		check(t, err)
		if gotWas != was || gotKnown != known {
			t.Errorf("hash %d: imported %v, known %v", hash, gotWas, gotKnown)
		}
	}
	expect(1, false, false)
	check(t, s.NoteImported(t.Context(), "a.sav", [32]byte{1}))
	check(t, s.NoteImported(t.Context(), "b.sav", [32]byte{1})) // under another name
	expect(1, true, true)
	expect(2, false, true)
}
