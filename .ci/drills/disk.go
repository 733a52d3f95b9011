package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// disk is a small file system of its own, in memory.
type disk string

// disk mounts one that holds so many bytes.
func (g *ground) disk(bytes int64) (disk, error) {
	d := disk(g.path("disk"))
	if err := os.MkdirAll(string(d), 0o700); err != nil {
		return "", err
	}
	_, err := run("mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%d", bytes), "tmpfs", string(d))
	return d, err
}

// grow gives it room.
func (d disk) grow() error {
	_, err := run("mount", "-o", "remount,size=256m", string(d))
	return err
}

func (d disk) unmount() error {
	_, err := run("umount", string(d))
	return err
}

// size is how many bytes the files of a directory have.
func size(dir string) (sum int64, err error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return 0, err
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			return 0, err
		}
		sum += info.Size()
	}
	return sum, nil
}

// fillDisk runs commands where there is too little room, and a server whose disk fills up.
func fillDisk(g *ground) error {
	commands, err := g.commands()
	if err != nil {
		return err
	}
	random, whole := rand.New(rand.NewPCG(5, 6)), 0
	for i := range g.of(200, 9) {
		g.try()
		done, err := g.filled(commands[i%len(commands)], random)
		if err != nil {
			g.fail("%v", err)
		}
		if done {
			whole++
		}
	}
	g.note("%d found room", whole)
	for range g.of(10, 1) {
		g.try()
		if err := g.filledServer(); err != nil {
			g.fail("%v", err)
		}
	}
	return nil
}

// filled runs a command on a disk that has room for what is there and a part of what it needs.
func (g *ground) filled(c *interrupted, random *rand.Rand) (done bool, err error) {
	needs := int64(2 << 20)
	d, err := g.disk(64 << 20)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, d.unmount()) }()
	if err := c.prepare(string(d)); err != nil {
		return false, err
	}
	there, err := size(string(d))
	if err != nil {
		return false, err
	}
	room := fmt.Sprintf("remount,size=%d", there+8192+random.Int64N(needs))
	if _, err := run("mount", "-o", room, string(d)); err != nil {
		return false, err
	}
	_, failed := run(g.binary, c.args(string(d))...)
	if failed != nil && !cause(failed) {
		return false, fmt.Errorf("%s on a full disk: %w", c.name, failed)
	}
	if err := d.grow(); err != nil {
		return false, err
	}
	return failed == nil, g.found(c, string(d), failed == nil)
}

// filledServer has a server save until there is no room: 507, while questions are answered. readyz has said so before,
// and goes on saying it. Once there is room, the server saves again, and has all that was acknowledged.
func (g *ground) filledServer() (err error) {
	d, err := g.disk(64 << 20)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.unmount()) }()
	db := filepath.Join(string(d), "s.db")
	if err := copyFile(g.demo, db); err != nil {
		return err
	}
	key, err := g.key(db, "300")
	if err != nil {
		return err
	}
	s, err := g.serve(db, key, nil)
	if err != nil {
		return err
	}
	defer s.kill()
	if err := s.wants(http.StatusCreated, "/v2/saved/audiences", saving(0)); err != nil {
		return err
	}
	there, err := size(string(d))
	if err != nil {
		return err
	}
	if _, err := run("mount", "-o", fmt.Sprintf("remount,size=%d", there+6<<20), string(d)); err != nil {
		return err
	}
	w := &shelf{key: key, names: map[string]string{}, maybe: map[string]string{}, made: map[string]bool{}}
	if err := w.check(s); err != nil { // the first one is taken over
		w.made = map[string]bool{}
	}
	for i := 1; ; i++ {
		ready, err := s.ask(http.MethodGet, "/readyz", "")
		if err != nil {
			return err
		}
		a, err := s.ask(http.MethodPost, "/v2/saved/audiences", saving(i))
		if err != nil || i > 10_000 {
			return fmt.Errorf("a server whose disk fills up: %d saved, %w", i, err)
		}
		if a.status == http.StatusInsufficientStorage {
			if ready.status == http.StatusOK || i < 2 {
				return fmt.Errorf("readyz was %d before audience %d found no room", ready.status, i)
			}
			break
		}
		if err := w.kept(a); err != nil {
			return err
		}
	}
	for path, want := range map[string]int{"/v2/query/crosstab": 200, "/v2/saved/audiences": 507} {
		body := "{}"
		if want == 507 {
			body = saving(0)
		}
		if err := s.wants(want, path, body); err != nil {
			return err
		}
	}
	if err := s.unready(d); err != nil {
		return err
	}
	if err := d.grow(); err != nil {
		return err
	}
	a, err := s.ask(http.MethodPost, "/v2/saved/audiences", saving(20_000))
	if err != nil {
		return err
	}
	if err := w.kept(a); err != nil {
		return fmt.Errorf("with room again: %w", err)
	}
	if err := w.check(s); err != nil {
		return err
	}
	if err := s.end(); err != nil {
		return err
	}
	_, err = run(g.binary, "check", "--cells", "16", "--db", db)
	return err
}

// unready fills what is left of a disk and wants readyz to say so.
func (s *server) unready(d disk) error {
	filler, err := os.Create(filepath.Join(string(d), "filler"))
	if err != nil {
		return err
	}
	for err == nil {
		_, err = filler.Write(make([]byte, 4096))
	}
	if err := filler.Close(); err != nil {
		return err
	}
	a, err := s.ask(http.MethodGet, "/readyz", "")
	if err != nil || a.status != http.StatusServiceUnavailable {
		return fmt.Errorf("readyz on a full disk: %d %.200s %w", a.status, a.body, err)
	}
	return nil
}

func saving(i int) string {
	return fmt.Sprintf(`{"name": "%d %s", "expression": {"question": "gender", "datapoints": ["gender_1"]}}`, i,
		strings.Repeat("x", 200))
}

// kept notes an audience that was saved, by the answer.
func (w *shelf) kept(a answer) error {
	var told struct{ ID, Name string }
	if err := a.unmarshal(&told); err != nil || a.status != http.StatusCreated {
		return fmt.Errorf("saving: %d %.200s %w", a.status, a.body, err)
	}
	w.names[told.ID] = told.Name
	return nil
}

// wants posts a request and compares the answer's status.
func (s *server) wants(status int, path, body string) error {
	a, err := s.ask(http.MethodPost, path, body)
	if err != nil || a.status != status {
		return fmt.Errorf("%s: %d instead of %d: %.200s %w", path, a.status, status, a.body, err)
	}
	return nil
}

// failing are the words that run a program within strace so that a system call of it fails, now and then for good.
func failing(random *rand.Rand) []string {
	call, most := "pwrite64", 120
	switch random.IntN(5) {
	case 0:
		call, most = "fsync", 8
	case 1:
		call, most = "pread64", 40
	case 2:
		call, most = "ftruncate", 4
	}
	when := fmt.Sprint(1 + random.IntN(most))
	if random.IntN(2) == 0 {
		when += "+"
	}
	return []string{"strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + call, "-e",
		"inject=" + call + ":error=EIO:when=" + when}
}

// breakDisk runs commands, and a server, whose system calls fail with EIO.
func breakDisk(g *ground) error {
	commands, err := g.commands()
	if err != nil {
		return err
	}
	random, whole := rand.New(rand.NewPCG(7, 8)), 0
	for i := range g.of(200, 9) {
		c, dir := commands[i%len(commands)], g.path(fmt.Sprint(i))
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
		if err := c.prepare(dir); err != nil {
			return err
		}
		g.try()
		words := append(append(failing(random), g.binary), c.args(dir)...)
		_, failed := finish(exec.Command(words[0], words[1:]...), nil)
		if failed != nil && !cause(failed) {
			g.fail("%s, %s: %v", c.name, words[len(words)-len(c.args(dir))-2], failed)
		}
		if err := g.found(c, dir, failed == nil); err != nil {
			g.fail("%s: %v", words[8], err)
		}
		if failed == nil {
			whole++
		}
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	g.note("%d were done all the same", whole)
	for i := range g.of(20, 1) {
		g.try()
		if err := g.brokenServer(fmt.Sprint("broken", i, ".db"), 30+random.IntN(60)); err != nil {
			g.fail("%v", err)
		}
	}
	return nil
}

// brokenServer has a server save until its writes fail, and looks whether questions are answered then, and whether
// all that was acknowledged is there when it is started anew.
func (g *ground) brokenServer(name string, when int) error {
	db, err := g.store(name)
	if err != nil {
		return err
	}
	key, err := g.key(db, "300")
	if err != nil {
		return err
	}
	s, err := g.serve(db, key, []string{"strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=pwrite64", "-e",
		fmt.Sprintf("inject=pwrite64:error=EIO:when=%d+", when)})
	if err != nil {
		return err
	}
	w := &shelf{key: key, names: map[string]string{}, maybe: map[string]string{}, made: map[string]bool{}}
	for i := range 2000 {
		a, err := s.ask(http.MethodPost, "/v2/saved/audiences", saving(i))
		if err != nil {
			s.kill()
			return fmt.Errorf("a server whose disk fails: %w", err)
		}
		if a.status/100 == 5 {
			w.made[fmt.Sprintf("%d %s", i, strings.Repeat("x", 200))] = true
			break
		}
		if err := w.kept(a); err != nil {
			s.kill()
			return err
		}
	}
	failed := len(w.made) > 0
	err = s.wants(http.StatusOK, "/v2/query/crosstab", "{}")
	s.kill()
	if !failed {
		return errors.New("a server whose disk fails saves two thousand audiences")
	}
	if err != nil {
		return err
	}
	if s, err = g.serve(db, key, nil); err != nil {
		return err
	}
	defer s.kill()
	if err := w.check(s); err != nil {
		return err
	}
	if err := s.end(); err != nil {
		return err
	}
	_, err = run(g.binary, "check", "--cells", "16", "--db", db)
	return err
}
