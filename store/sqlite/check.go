package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/blob"
	"github.com/crosswave/crosswave/internal/kernel"
)

// CheckOptions says how thoroughly a store is checked. The zero value checks all of it.
type CheckOptions struct {
	Cells int // how many cells to count once more, respondent by respondent; 0 is 256, below 0 none
}

// CheckReport tells what a Check looked at and what it found.
type CheckReport struct {
	Version     uint64   `json:"version"`     // that was checked
	Rows        int64    `json:"rows"`        // of keys and their uses, users, folders, insights and what users saved
	Chunks      int64    `json:"chunks"`      // of the published version
	Respondents int64    `json:"respondents"` // in them
	Blobs       int64    `json:"blobs"`       // rows of answers, weights and numbers in them
	Cells       int64    `json:"cells"`       // counted once more
	Elsewhere   bool     `json:"elsewhere"`   // another engine keeps the respondents: they were not looked at
	Damages     []string `json:"damages"`     // what is damaged, in the order in which it was found; none: all is well
	// Unusable are derived questions that can't be used, and why: what they read is gone, or the survey has a question of
	// their code by now. That is no damage.
	Unusable []string `json:"unusable,omitempty"`
}

// mostDamages is where a check stops to list damages.
const mostDamages = 1000

func (r *CheckReport) damaged(format string, values ...any) {
	if len(r.Damages) < mostDamages {
		r.Damages = append(r.Damages, fmt.Sprintf(format, values...))
	}
}

// note puts damage into the report; what is none comes back.
func (r *CheckReport) note(err error) error {
	if damage := (*DamagedError)(nil); errors.As(err, &damage) {
		r.damaged("%s", damage.What)
		return nil
	}
	return err
}

// Check reads all that is published, and every record, and compares each checksum and reference; has SQLite check the
// structure of the file; and counts sampled cells once more, respondent by respondent, with store/naive. What is
// damaged stands in the report; an error is what kept it from being checked.
//
// It reads from one moment on and locks nobody out; the log beside the file grows by what is written meanwhile. It
// takes about as long as reading the file twice, and a microsecond for each respondent and sampled row or column.
func (s *Store) Check(ctx context.Context, o CheckOptions) (*CheckReport, error) {
	for tries := 0; ; tries++ {
		r := &CheckReport{Damages: []string{}}
		err := s.checkStored(ctx, r)
		if err == nil && !r.Elsewhere && o.Cells >= 0 && len(r.Damages) == 0 {
			err = r.note(s.recount(ctx, o.Cells, r))
		}
		if errors.Is(err, audience.ErrChanged) && tries < 3 { // published meanwhile
			continue
		}
		return r, err
	}
}

// checkStored checks what is stored, as of one moment.
func (s *Store) checkStored(ctx context.Context, r *CheckReport) error {
	tx, row, err := s.reading(ctx)
	if err != nil {
		return r.note(err)
	}
	defer tx.Rollback()
	r.Version = row.version
	for _, check := range []func(context.Context, *sql.Tx, *CheckReport) error{checkFile, checkRows, checkInventory} {
		if err := check(ctx, tx, r); err != nil {
			return err
		}
	}
	release, err := loadFrom(ctx, tx, row, nil)
	if err != nil {
		return r.note(err)
	}
	if len(r.Damages) == 0 {
		if r.Unusable, err = unusable(ctx, tx, release.frame); err != nil {
			return r.note(err)
		}
	}
	if r.Elsewhere = release.engine != nil; r.Elsewhere {
		return nil
	}
	var name string
	if err := tx.QueryRowContext(ctx, `SELECT id FROM identity`).Scan(&name); err != nil {
		return err
	}
	for _, c := range release.chunks {
		if err := checkChunk(ctx, tx, name, c, weightNames(release.frame), r); err != nil {
			return err
		}
	}
	return nil
}

// checkFile has SQLite look at its own structure.
func checkFile(ctx context.Context, tx *sql.Tx, r *CheckReport) error {
	found, err := collect(ctx, tx, scanText, `PRAGMA integrity_check(20)`)
	if err != nil {
		return err
	}
	for _, line := range found {
		if line != "ok" {
			r.damaged("the file's structure: %s", strings.TrimSpace(line))
		}
	}
	return nil
}

func scanText(scan func(...any) error) (text string, err error) {
	err = scan(&text)
	return text, err
}

// checkRows checks the seals of records, and that what they refer to is there.
func checkRows(ctx context.Context, tx *sql.Tx, r *CheckReport) error {
	var n int64
	if err := tx.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM user) + (SELECT count(*) FROM key) +
		(SELECT count(*) FROM saved) + (SELECT count(*) FROM folder) + (SELECT count(*) FROM insight) +
		(SELECT count(*) FROM derived) + (SELECT count(*) FROM generic) + (SELECT count(*) FROM replaced) + (SELECT count(*) FROM used)`).Scan(&n); err != nil {
		return err
	}
	r.Rows = n
	for _, query := range []string{
		`SELECT 'user ' || u.number FROM user u WHERE u.seal <> ` + userSeal,
		`SELECT 'key ' || k.id FROM key k WHERE k.seal <> ` + keySeal,
		`SELECT 'saved audience ' || s.id || ' (number ' || s.v1 || ')' FROM saved s WHERE s.seal <> ` + savedSeal,
		`SELECT 'folder ' || f.v1 FROM folder f WHERE f.seal <> ` + folderSeal,
		`SELECT 'derived question "' || d.code || '" (number ' || d.id || ')' FROM derived d WHERE d.seal <> ` + derivedSeal,
		`SELECT 'insight ' || i.id FROM insight i WHERE i.seal <> ` + insightSeal,
		`SELECT 'generic insight ' || g.id FROM generic g WHERE g.seal <> ` + genericSeal,
		`SELECT 'replaced secret ' || r.id FROM replaced r WHERE r.seal <> ` + replacedSeal,
		`SELECT 'when key ' || d.key || ' was last used' FROM used d WHERE d.seal <> ` + usedSeal,
		`SELECT 'replaced secret ' || r.id || ' is of key ' || r.key || ', which there is not' FROM replaced r
			WHERE r.key NOT IN (SELECT id FROM key)`,
		`SELECT 'key ' || k.id || ' is of user ' || k.user || ', whom there is not' FROM key k
			WHERE k.user NOT IN (SELECT number FROM user)`,
		`SELECT 'saved audience ' || s.id || ' is of user ' || s.user || ', whom there is not' FROM saved s
			WHERE s.user NOT IN (SELECT number FROM user)`,
		`SELECT 'derived question "' || d.code || '" is of user ' || d.user || ', whom there is not' FROM derived d
			WHERE d.user NOT IN (SELECT number FROM user)`,
		`SELECT 'folder ' || f.v1 || ' is of user ' || f.user || ', whom there is not' FROM folder f
			WHERE f.user IS NOT NULL AND f.user NOT IN (SELECT number FROM user)`,
		`SELECT 'saved audience ' || s.id || ' lies in folder ' || s.folder || ', which there is not' FROM saved s
			WHERE s.folder IS NOT NULL AND s.folder NOT IN (SELECT v1 FROM folder)`,
	} {
		found, err := collect(ctx, tx, scanText, query)
		if err != nil {
			return err
		}
		for _, line := range found {
			r.damaged("%s", line)
		}
	}
	return nil
}

// storedBlob is a blob by what it is known by within its chunk and table.
type storedBlob struct {
	number   int64 // of the row or the question
	text     string
	decimals int
	data     []byte
}

func scanBlob(scan func(...any) error) (b storedBlob, err error) {
	err = scan(&b.number, &b.text, &b.decimals, &b.data)
	return b, err
}

// blobKind is a table of blobs: how those of a chunk are selected, what one is called, and what it takes to be whole.
type blobKind struct {
	query string
	name  func(b storedBlob) string
	check func(b storedBlob) error
}

// blobKinds are all tables of blobs, for a chunk of the store with a name.
func (c *chunk) blobKinds(store string) []blobKind {
	units := func(b storedBlob) weightName { return weightName{b.text, b.decimals} }
	answers := c.rowReader(c.all(), nil, func(int, column) error { return nil })
	return []blobKind{
		{`SELECT id, '', 0, data FROM answers WHERE id >= ?1 << 40 AND id < (?1 + 1) << 40`,
			func(b storedBlob) string { return rowName(b.number) },
			func(b storedBlob) error { return answers.take(b.number, b.data) }},
		{`SELECT 0, namespace, 0, data FROM weights WHERE chunk = ?`,
			func(b storedBlob) string { return exactName(c.id, b.text) },
			func(b storedBlob) error {
				_, err := unseal(exactName(c.id, b.text), b.data)
				return err
			}},
		{`SELECT 0, namespace, decimals, data FROM units WHERE chunk = ?`,
			func(b storedBlob) string { return unitsName(c.id, units(b)) },
			func(b storedBlob) error {
				_, _, err := decodeUnits(blob.Memory{}, kernel.Best(), c, units(b), b.data)
				return err
			}},
		{`SELECT question, '', 0, data FROM numbers WHERE chunk = ?`,
			func(b storedBlob) string { return numbersName(c.id, b.number) },
			func(b storedBlob) error {
				n := c.numbered(b.number)
				if n == nil {
					return &DamagedError{numbersName(c.id, b.number) + ", which the chunk does not list"}
				}
				_, err := decodeNumbers(c, n, b.data)
				return err
			}},
		{`SELECT 0, '', 0, data FROM ids WHERE chunk = ?`,
			func(storedBlob) string { return idsName(c.id) },
			func(b storedBlob) error {
				_, err := decodeIDs(store, c, b.data)
				return err
			}},
	}
}

// checkChunk reads every blob of a chunk of the store with a name.
func checkChunk(ctx context.Context, tx *sql.Tx, store string, c *chunk, names []weightName, r *CheckReport) error {
	r.Chunks++
	r.Respondents += int64(c.respondents)
	found := map[string]bool{}
	for _, kind := range c.blobKinds(store) {
		if _, err := collect(ctx, tx, func(scan func(...any) error) (none struct{}, err error) {
			b, err := scanBlob(scan)
			if err != nil {
				return none, err
			}
			found[kind.name(b)] = true
			r.Blobs++
			return none, r.note(kind.check(b))
		}, kind.query, c.id); err != nil {
			return err
		}
	}
	for _, name := range c.blobs(names) {
		if !found[name] {
			r.damaged("%s is missing", name)
		}
	}
	return nil
}

// blobs are the names of all blobs that a chunk consists of, with integer weights of some names.
func (c *chunk) blobs(names []weightName) (all []string) {
	for _, row := range c.rows.ids {
		all = append(all, rowName(blobID(c.id, row)))
	}
	for _, sample := range c.samples {
		all = append(all, exactName(c.id, sample.Namespace))
		if i := slices.IndexFunc(names, func(n weightName) bool { return n.namespace == sample.Namespace }); i >= 0 {
			all = append(all, unitsName(c.id, names[i]))
		}
	}
	for _, n := range c.numbers {
		all = append(all, numbersName(c.id, n.question))
	}
	return all
}
