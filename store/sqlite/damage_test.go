package sqlite

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
)

// A byte that changed in any blob that figures are made of, or a row that is gone or stands in another's place, is a
// DamagedError and never another number. Only of the answers may one be damaged that nobody reads, as what it says
// follows from others: then the figures are right.
func TestDamage(t *testing.T) {
	alone(t)
	st := synthetic(4, 700)
	path := filepath.Join(t.TempDir(), "store.db")
	s := openStore(t, path, Config{})
	publish(t, s, st, st.Respondents)
	want := reference(t, st)
	same(t, s, want)
	unread := neverRead(t, s)
	read := `rowid NOT IN (SELECT value FROM json_each('` + unread + `'))`
	type damage struct {
		name     string
		do       func(*testing.T, *Store)
		unneeded bool // some of what is damaged so follows from others
	}
	var damages []damage
	for _, d := range [][2]string{
		{"answers gone", `DELETE FROM answers`},
		{"weights gone", `DELETE FROM units WHERE chunk = (SELECT max(chunk) FROM units)`},
		{"chunk gone", `DELETE FROM chunk WHERE id = (SELECT max(id) FROM chunk)`},
		{"nothing left", `DELETE FROM release`},
		{"another's answer", `UPDATE answers SET data = (SELECT data FROM answers a WHERE a.id <> answers.id LIMIT ` +
			`1) WHERE id = (SELECT max(id) FROM answers WHERE ` + read + `)`},
		{"another's weight", `UPDATE units SET data = (SELECT data FROM units u WHERE u.chunk <> units.chunk LIMIT ` +
			`1) WHERE chunk = (SELECT max(chunk) FROM units)`},
		{"numbers gone", `DELETE FROM numbers WHERE chunk = (SELECT max(chunk) FROM numbers)`},
		{"another's numbers", `UPDATE numbers SET data = (SELECT data FROM numbers n WHERE n.chunk <> numbers.chunk LIMIT ` +
			`1) WHERE chunk = (SELECT max(chunk) FROM numbers)`},
		{"another version", `UPDATE release SET version = version + 1`},
	} {
		damages = append(damages, damage{name: d[0], do: func(t *testing.T, s *Store) {
			result, err := s.write.Exec(d[1])
			check(t, err)
			if n, err := result.RowsAffected(); err != nil || n == 0 {
				t.Fatal("nothing was damaged", err)
			}
		}})
	}
	rnd := rand.New(rand.NewPCG(2, 2))
	for i := range 20 {
		damages = append(damages, damage{fmt.Sprintf("answer %d gone", i), func(t *testing.T, s *Store) {
			_, err := s.write.Exec(`DELETE FROM answers WHERE rowid = ?`, anyRow(t, s, "answers", read, rnd))
			check(t, err)
		}, true})
	}
	for _, blob := range [][2]string{{"answers", "data"}, {"units", "data"}, {"numbers", "data"}, {"chunk", "header"},
		{"release", "survey"},
		{"release", "coverage"}, {"release", "facts"}, {"release", "columns"}, {"release", "chunks"}} {
		for i := range 10 {
			name := fmt.Sprintf("byte of %s %s %d", blob[0], blob[1], i)
			damages = append(damages, damage{name, func(t *testing.T, s *Store) {
				row := anyRow(t, s, blob[0], read, rnd)
				var data []byte
				check(t, s.write.QueryRow(`SELECT `+blob[1]+` FROM `+blob[0]+` WHERE rowid = ?`, row).Scan(&data))
				data[rnd.IntN(len(data))] ^= byte(1 + rnd.IntN(255))
				_, err := s.write.Exec(`UPDATE `+blob[0]+` SET `+blob[1]+` = ? WHERE rowid = ?`, data, row)
				check(t, err)
			}, blob[0] == "answers"})
		}
	}
	check(t, s.Close())
	whole, err := os.ReadFile(path)
	check(t, err)
	unneeded := 0
	defer func() {
		if unneeded > 5 {
			t.Errorf("%d answers that were damaged are not read", unneeded)
		}
	}()
	for _, damage := range damages {
		t.Run(damage.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "store.db")
			check(t, os.WriteFile(path, whole, 0o644))
			s, err := Open(t.Context(), path, Config{})
			check(t, err)
			damage.do(t, s)
			check(t, s.Close())
			s, err = Open(t.Context(), path, Config{})
			var got [][]*audience.Table
			if err == nil {
				defer s.Close()
				got, err = ask(t.Context(), s)
			}
			var damaged *DamagedError
			switch {
			case err == nil && damage.unneeded:
				unneeded++
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("figures changed (-want +got):\n%s", diff)
				}
			case !errors.As(err, &damaged):
				t.Errorf("the error is %v", err)
			}
		})
	}
}

// neverRead lists, as JSON, the rows of answers that nobody reads and so nobody misses: what everybody is positive on
// is known from the chunk's header.
func neverRead(t *testing.T, s *Store) string {
	never := []int64{}
	for _, c := range s.current.chunks {
		read := map[int]bool{}
		for _, p := range c.parts(c.all()) {
			read[p.row] = read[p.row] || p.digit != notDigit || int(c.counts[p.column]) < c.respondents
		}
		for row, id := range c.rows.ids {
			if !read[row] {
				never = append(never, blobID(c.id, id))
			}
		}
	}
	list, err := json.Marshal(never)
	check(t, err)
	return string(list)
}

// anyRow chooses one of the table's rows that the condition holds for.
func anyRow(t *testing.T, s *Store, table, condition string, rnd *rand.Rand) (row int64) {
	from := ` FROM ` + table + ` WHERE ` + condition
	var rows int
	check(t, s.write.QueryRow(`SELECT count(*)`+from).Scan(&rows))
	check(t, s.write.QueryRow(`SELECT rowid`+from+` ORDER BY rowid LIMIT 1 OFFSET ?`, rnd.IntN(rows)).Scan(&row))
	return row
}

// Whatever byte of the file changes, the store counts right or says that something is wrong.
func TestDamagedFile(t *testing.T) {
	alone(t)
	st := synthetic(4, 300)
	path := filepath.Join(t.TempDir(), "store.db")
	s := openStore(t, path, Config{})
	publish(t, s, st, st.Respondents)
	want := reference(t, st)
	check(t, s.Close())
	whole, err := os.ReadFile(path)
	check(t, err)
	rnd := rand.New(rand.NewPCG(1, 1))
	right, wrong := 0, 0
	for range 60 {
		damaged := append([]byte(nil), whole...)
		at := rnd.IntN(len(damaged))
		for damaged[at] == 0 { // most such is room that nothing is in
			at = rnd.IntN(len(damaged))
		}
		for i := range 1 << rnd.IntN(8) {
			if at+i < len(damaged) {
				damaged[at+i] ^= byte(1 + rnd.IntN(255))
			}
		}
		check(t, os.WriteFile(path, damaged, 0o644))
		s, err := Open(t.Context(), path, Config{})
		if err == nil {
			got, asked := ask(t.Context(), s)
			if err = asked; err == nil {
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("byte %d changed and so did figures:\n%s", at, diff)
				}
			}
			s.Close()
		}
		if err != nil {
			wrong++
		} else {
			right++
		}
	}
	if wrong == 0 {
		t.Error("no damage did any harm")
	}
	t.Logf("%d times the store counted right, %d times it said what is wrong", right, wrong)
}
