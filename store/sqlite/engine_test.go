package sqlite

import (
	"errors"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/crosswave/crosswave/audience"
)

// What an engine remembers is there when the store is opened again, counts what several processes add at once, is left
// as it was by an error, and can be read but not changed where the store is opened for reading only.
func TestRemember(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	first, second := openStore(t, path, Config{}), openStore(t, path, Config{})
	one := func(memory []byte) ([]byte, error) {
		n, err := strconv.Atoi("0" + string(memory))
		return strconv.AppendInt(nil, int64(n)+1, 10), err
	}
	var all sync.WaitGroup
	for range 10 {
		for _, s := range []*Store{first, second} {
			all.Go(func() {
				if err := s.Remember(t.Context(), one); err != nil {
					t.Error(err)
				}
			})
		}
	}
	all.Wait()
	wrong := errors.New("wrong")
	if err := first.Remember(t.Context(), func([]byte) ([]byte, error) { return []byte("7"), wrong }); err != wrong {
		t.Error("the error is", err)
	}
	var found string
	read := func(memory []byte) ([]byte, error) {
		found = string(memory)
		return memory, nil
	}
	readOnly := openStore(t, path, Config{ReadOnly: true})
	check(t, readOnly.Remember(t.Context(), read))
	if found != "20" {
		t.Errorf("%q is remembered", found)
	}
	if err := readOnly.Remember(t.Context(), one); !errors.Is(err, audience.ErrReadOnly) {
		t.Error("changed where it can't be, the error is", err)
	}
}
