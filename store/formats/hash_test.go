package formats_test

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/crosswave/crosswave/store/formats"
)

// A hash is of what is read: of a plain file the file's, which its time has no part in; of a Triple-S definition the
// data's, too; and a codebook that is put beside a file changes how that is read.
func TestHash(t *testing.T) {
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	hash := func(path string) [32]byte {
		t.Helper()
		h, err := formats.Hash(path)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	dir := t.TempDir()
	plain := filepath.Join(dir, "a.csv")
	write(plain, "id,q\n1,2\n")
	was := hash(plain)
	if was != sha256.Sum256([]byte("id,q\n1,2\n")) {
		t.Error("the hash of a plain file is not its SHA-256")
	}
	if err := os.Chtimes(plain, time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if hash(plain) != was {
		t.Error("the time has a part in the hash")
	}
	write(formats.Beside(plain), "{}")
	if hash(plain) == was {
		t.Error("the codebook beside has no part in the hash")
	}

	sss := filepath.Join(dir, "b.sss")
	write(
		sss, `<sss version="2.0"><survey><record ident="A"><variable ident="1" type="quantity"><name>q</name><label>q</label>
<position start="1"/><values><range from="1" to="9"/></values></variable></record></survey></sss>`)
	if _, err := formats.Hash(sss); err == nil {
		t.Error("a definition without its data has a hash")
	}
	write(filepath.Join(dir, "b.asc"), "1\n2\n")
	was = hash(sss)
	write(filepath.Join(dir, "b.asc"), "1\n3\n")
	if hash(sss) == was {
		t.Error("the data have no part in the hash of a definition")
	}
}
