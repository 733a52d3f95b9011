package sqlite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/crosswave/crosswave/store/survey"
)

// On a disk without room every change is audience.ErrFull, at whatever moment the room ends, and leaves nothing;
// questions and lists are answered as before; and once there is room again, everything goes on.
func TestFullDisk(t *testing.T) {
	alone(t)
	disk := t.TempDir()
	if err := syscall.Mount("crosswave", disk, "tmpfs", 0, "size=96m"); err != nil {
		t.Skip("making a small disk is for root, where that may mount: ", err)
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
	s := openStore(t, filepath.Join(disk, "store.db"), Config{ChunkRespondents: 64, ImportBytes: 1 << 16})
	st := synthetic(4, 700)
	publish(t, s, st, st.Respondents)
	secrets := keepRecords(t, s)
	margins, records := everyMargin(t, s), askRecords(t, s, secrets)
	refused := 0
	for _, room := range []int64{0, 4 << 10, 64 << 10, 192 << 10, 512 << 10, 1 << 20, 2 << 20} {
		take(t, disk, room)
		for n, change := range []func() error{
			func() error {
				_, err := s.InsertSaved(t.Context(), audienceOf(fmt.Sprint("more-", room), "carol"))
				return err
			},
			func() error { return s.RevokeKey(t.Context(), 2) },
			func() error { return s.PutInsights(t.Context(), published(), false) },
			func() error { return imported(t, s, st) },
		} {
			if err := change(); errors.Is(err, audience.ErrFull) {
				refused++
			} else if err != nil {
				t.Errorf("%d bytes of room: change %d: %v", room, n, err)
			}
		}
		// A change for which there is room still uses some up.
		ready := true
		for i := 0; i < 3000 && ready; i++ {
			_, _, err := s.CreateKey(t.Context(), Key{Name: "one more"})
			ready = !errors.Is(err, audience.ErrFull) || !errors.Is(s.Ready(t.Context()), audience.ErrFull)
		}
		if ready {
			t.Errorf("%d bytes of room: it is ready for ever", room)
		}
		if d := cmp.Diff(margins, everyMargin(t, s)); d != "" {
			t.Fatalf("%d bytes of room: figures are others\n%s", room, d)
		}
		for question, got := range askRecords(t, s, secrets) {
			if want := records[question].err; fmt.Sprint(got.err) != fmt.Sprint(want) {
				t.Errorf("%d bytes of room: %s: %v, and not %v", room, question, got.err, want)
			}
		}
		check(t, os.Remove(filepath.Join(disk, "filler")))
		check(t, s.Ready(t.Context()))
	}
	if refused < 8 {
		t.Errorf("only %d changes were refused", refused)
	}
	_, err := s.InsertSaved(t.Context(), audienceOf("last", "carol"))
	check(t, err)
	found, err := s.Check(t.Context(), CheckOptions{})
	check(t, err)
	if len(found.Damages) > 0 {
		t.Error(found.Damages)
	}
	t.Logf("%d refused", refused)
}

// Whoever is told that the store is ready can save one more record, the largest that is taken, however little room
// there is; and before there is none, it is told that there is too little.
func TestReadyKeepsItsWord(t *testing.T) {
	alone(t)
	disk := t.TempDir()
	if err := syscall.Mount("crosswave", disk, "tmpfs", 0, "size=160m"); err != nil {
		t.Skip("making a small disk is for root, where that may mount: ", err)
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
	s := openStore(t, filepath.Join(disk, "store.db"), Config{})
	st := synthetic(4, 700)
	publish(t, s, st, st.Respondents)
	check(t, s.Ready(t.Context()))
	kept := 0
	for room := int64(recordRoom); room < 3*recordRoom; room += recordRoom / 4 {
		take(t, disk, room+4<<20)
		for i := range 100 {
			if err := s.Ready(t.Context()); errors.Is(err, audience.ErrFull) {
				break
			} else if check(t, err); i == 99 {
				t.Fatal("a hundred records found room for ten")
			}
			a := audienceOf(fmt.Sprint(room, "-", i), "carol")
			a.Description = strings.Repeat("x", 1<<20)
			_, err := s.InsertSaved(t.Context(), a)
			check(t, err)
			kept++
		}
		check(t, os.Remove(filepath.Join(disk, "filler")))
	}
	if kept < 8 {
		t.Errorf("only %d records were kept", kept)
	}
	take(t, disk, recordRoom-1)
	if err := s.Ready(t.Context()); !errors.Is(err, audience.ErrFull) {
		t.Errorf("with too little room for a record: %v", err)
	}
	check(t, os.Remove(filepath.Join(disk, "filler")))
	check(t, s.Ready(t.Context()))
}

// imported puts a study in the place of itself, and gives up if that fails.
func imported(t *testing.T, s *Store, st *storetest.Study) error {
	base, err := s.Release(t.Context())
	check(t, err)
	f, err := st.Frame()
	check(t, err)
	w, err := s.Begin(t.Context(), base, st.Survey)
	if err != nil {
		return err
	}
	if err = w.Add(t.Context(), st.Respondents); err == nil {
		_, err = w.Commit(t.Context(), survey.Change{Frame: f, Drop: []string{"w1", "w2", "w3", "w4"}})
	}
	if err != nil {
		w.Abort() // for which there may be no room either: the next one removes what it leaves
	}
	return err
}

// take fills a disk up to so many bytes.
func take(t *testing.T, disk string, room int64) {
	t.Helper()
	var free syscall.Statfs_t
	check(t, syscall.Statfs(disk, &free))
	size := int64(free.Bavail)*free.Bsize - room
	check(t, os.WriteFile(filepath.Join(disk, "filler"), make([]byte, max(0, size)), 0o600))
}
