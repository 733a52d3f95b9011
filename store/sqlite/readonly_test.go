//go:build unix

package sqlite

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/crosswave/crosswave/audience"
)

// asNobody names the test that runs once more as a user who may write nowhere, and the directory it looks at.
const asNobody = "CROSSWAVE_TEST_AS_NOBODY"

// nobody runs the test once more as such a user, if this one is root, whom no permission holds back. In that run it
// returns the directory; in the other, whether there was one.
func nobody(t *testing.T, dir string) (again string, done bool) {
	if again = os.Getenv(asNobody); again != "" || os.Geteuid() != 0 {
		return again, false
	}
	text, err := os.ReadFile(os.Args[0])
	check(t, err)
	program := filepath.Join(t.TempDir(), "test")
	check(t, os.WriteFile(program, text, 0o755))
	for _, path := range []string{dir, program} { // what t.TempDir makes is for its owner
		for path = filepath.Dir(path); path != os.TempDir() && path != "/"; path = filepath.Dir(path) {
			check(t, os.Chmod(path, 0o755))
		}
	}
	run := exec.Command(program, "-test.run", "^"+t.Name()+"$", "-test.v")
	run.Env = append(os.Environ(), asNobody+"="+dir)
	run.Dir = "/"
	run.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := run.CombinedOutput()
	if errors.Is(err, syscall.EPERM) {
		t.Skip("this root can't become another user")
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("as a user who may not write: %v\n%s", err, out)
	}
	return "", true
}

// A store that can't be written to, nor anything beside it, is read, and left without a file more. What is still in a
// log beside it can't be read so, and is not passed over in silence.
func TestReadOnlyWhereNothingCanBeWritten(t *testing.T) {
	alone(t)
	dir, st := os.Getenv(asNobody), synthetic(1, 300)
	if dir == "" {
		dir = filepath.Join(t.TempDir(), "store")
		check(t, os.Mkdir(dir, 0o755))
		for _, name := range []string{"still.db", "log.db"} {
			s, err := Open(t.Context(), filepath.Join(dir, name), Config{})
			check(t, err)
			publish(t, s, st, st.Respondents)
			check(t, s.Close())
			check(t, os.Chmod(filepath.Join(dir, name), 0o644)) // stores are made for their owner alone
		}
		check(t, os.WriteFile(filepath.Join(dir, "log.db-wal"), []byte("written by who died"), 0o644))
		check(t, os.Chmod(dir, 0o555))
		defer os.Chmod(dir, 0o755)
	}
	if again, done := nobody(t, dir); done {
		return
	} else if again != "" {
		dir = again
	}
	list := func() string {
		files, err := filepath.Glob(dir + "/*")
		check(t, err)
		return strings.Join(files, " ")
	}
	before := list()
	s, err := Open(t.Context(), filepath.Join(dir, "still.db"), Config{ReadOnly: true})
	check(t, err)
	defer s.Close()
	same(t, s, reference(t, st))
	if _, _, err := s.CreateKey(t.Context(), Key{}); !errors.Is(err, audience.ErrReadOnly) {
		t.Error("CreateKey:", err)
	}
	for name, open := range map[string]Config{"still.db": {}, "log.db": {ReadOnly: true}} {
		s, err := Open(t.Context(), filepath.Join(dir, name), open)
		want := "can't be written to"
		if name == "log.db" {
			want = "in the file beside it that ends in -wal"
		} else if !errors.Is(err, audience.ErrReadOnly) {
			t.Errorf("%s for writing: %v", name, err)
		}
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, which does not say %q", name, err, want)
		}
	}
	if after := list(); after != before {
		t.Errorf("there was\n%s, and then there is\n%s", before, after)
	}
}
