package clickhouse

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/crosswave/crosswave/audience"
)

// record says, on every server, which store a table belongs to and what that store published last. Copies of a store's
// file have the same store and owner; what they published last tells them apart, as soon as one of them publishes.
//
// It is the name of an empty table. Of several who rename a table one succeeds, and the others are told, on servers of
// any version; nothing else that they offer can be compared and changed in one step.
type record struct {
	store     string // ID of the embedded store
	owner     uint64 // memory.Owner
	published uint64 // state.Published; 0 before anything was
}

// name is the record's name, with its database, as that of a table.
func (s *Store) name(r record) string {
	return fmt.Sprintf("%s_owner_%s_%016x_%016x", s.table, r.store, r.owner, r.published)
}

// readRecord reads what stands behind "_owner_" in a name.
func readRecord(text string) (r record, ok bool) {
	const digits = 16
	tail := len(text) - 2*digits - 2
	if tail < 1 || text[tail] != '_' || text[tail+digits+1] != '_' {
		return r, false
	}
	for at, to := range map[int]*uint64{tail + 1: &r.owner, tail + digits + 2: &r.published} {
		hexadecimal := text[at : at+digits]
		if _, err := hex.DecodeString(hexadecimal); err != nil {
			return r, false
		}
		*to, _ = strconv.ParseUint(hexadecimal, 16, 64)
	}
	r.store = text[:tail]
	return r, true
}

// records lists the records of the table on a server, of which there should be one at most. A server may show one that
// is being renamed under both names, so it is asked again if there are several.
func (s *Store) records(ctx context.Context, sh *shard) (list []record, err error) {
	prefix := s.config.Table + "_owner_"
	// An older server may fail to list its tables while any of them is renamed, but not their columns.
	sql := fmt.Sprintf("SELECT DISTINCT table FROM system.columns WHERE database = '%s' AND substring(table, 1, %d) "+
		"= '%s'",
		s.config.Database, len(prefix), prefix)
	for range 10 {
		list = nil
		err = s.query(ctx, sh, sql, func(r driver.Rows) error {
			var name string
			if err := r.Scan(&name); err != nil {
				return err
			}
			if found, ok := readRecord(strings.TrimPrefix(name, prefix)); ok {
				list = append(list, found)
			}
			return nil
		})
		if err != nil || len(list) < 2 {
			return list, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	return list, nil
}

// holding tells which records a server has.
type holding struct {
	server  *shard
	records []record
}

// allRecords lists the records on every server that can be reached, in the order of Config.Addresses.
func (s *Store) allRecords(ctx context.Context) ([]holding, error) {
	all := make([]holding, len(s.servers))
	err := s.reached(ctx, func(ctx context.Context, i int, sh *shard) error {
		list, err := s.records(ctx, sh)
		if err == nil {
			all[i] = holding{sh, list}
		}
		return err
	})
	return slices.DeleteFunc(all, func(h holding) bool { return h.server == nil }), err
}

// standing is what a store's records must say for it to write: who it is, and what it has published.
type standing struct {
	record
	known  bool            // it has published respondents into the table
	turned map[uint64]bool // what they may say was published, too: imports of this store that are just doing so
	past   []uint64        // what it published earlier: a replica's record may say so that was away since
}

// standing tells what the records must say.
func (s *Store) standing(ctx context.Context) (standing, error) {
	running, st, known, err := s.published(ctx)
	if err != nil {
		return standing{}, err
	}
	id, err := s.embedded.ID(ctx)
	if err != nil {
		return standing{}, err
	}
	m, err := s.recall(ctx)
	if err != nil {
		return standing{}, err
	}
	out := standing{record: record{id, m.Owner, st.Published}, known: known, turned: map[uint64]bool{}, past: m.Past}
	for _, b := range m.Begun {
		if slices.Contains(running, b.Generation) {
			out.turned[b.Number] = true
		}
	}
	return out, nil
}

// allows compares a server's records with the standing.
func (o *standing) allows(s *Store, sh *shard, found []record) error {
	for _, r := range found {
		if r.store != o.store || r.owner != o.owner || r.published != o.published && !o.turned[r.published] {
			return s.notOwner(sh, r, o.store)
		}
	}
	if len(found) > 1 {
		return s.notOwner(sh, found[0], o.store)
	}
	return nil
}

func (s *Store) notOwner(sh *shard, found record, store string) *OwnerError {
	return &OwnerError{Address: sh.address, Table: s.table, Store: found.store, Copy: found.store == store,
		published: found.published}
}

// own makes sure that the table is this store's on every server. What has no owner yet becomes its own: where there are
// no respondents, or it has published respondents into that table before there were records.
func (s *Store) own(ctx context.Context) error {
	if err := s.introduce(ctx, false); err != nil {
		return err
	}
	mine, err := s.standing(ctx)
	if err != nil {
		return err
	}
	all, err := s.allRecords(ctx)
	if err == nil {
		err = s.catchUp(ctx, mine, all)
	}
	if err != nil {
		return err
	}
	var bare []*shard
	for _, h := range all {
		if err := mine.allows(s, h.server, h.records); err != nil {
			return err
		}
		if len(h.records) == 0 {
			bare = append(bare, h.server)
		}
	}
	if len(bare) == 0 {
		return nil
	}
	if !mine.known {
		stored, errs := s.partitionsOf(ctx, bare)
		if err := errors.Join(errs...); err != nil {
			return err
		}
		for _, p := range stored {
			return s.notOwner(p.shard, record{}, mine.store)
		}
	}
	return s.claim(ctx, bare, mine)
}

// catchUp gives replicas the records that they missed while they were away: one that has that of an earlier publication
// of this store's, or none where another one of the shard has the right one, is only late.
func (s *Store) catchUp(ctx context.Context, mine standing, all []holding) error {
	for _, sh := range s.shards {
		if len(sh.servers) == 1 {
			continue
		}
		var late, bare []*holding
		current := false
		for i := range all {
			h := &all[i]
			switch {
			case !slices.Contains(sh.servers, h.server.servers[0]):
			case slices.Equal(h.records, []record{mine.record}):
				current = true
			case len(h.records) == 0:
				bare = append(bare, h)
			case len(h.records) == 1 && h.records[0].store == mine.store && h.records[0].owner == mine.owner &&
				slices.Contains(mine.past, h.records[0].published):
				late = append(late, h)
			}
		}
		if current || len(late) > 0 {
			late = append(late, bare...)
		}
		for _, h := range late {
			for _, r := range h.records {
				if err := s.strike(ctx, h.server, r); err != nil {
					return err
				}
			}
			if err := s.write(ctx, h.server, mine.record); err != nil {
				return err
			}
			h.records = []record{mine.record}
		}
	}
	return nil
}

// claim writes a store's record on servers that had none, unless another store does so at the same time: then one of
// the two sees the other's, or both do, and takes its own back.
func (s *Store) claim(ctx context.Context, bare []*shard, mine standing) error {
	err := everywhere(ctx, bare, func(ctx context.Context, _ int, sh *shard) error {
		return s.write(ctx, sh, mine.record)
	})
	if err == nil {
		err = everywhere(ctx, bare, func(ctx context.Context, _ int, sh *shard) error {
			found, err := s.records(ctx, sh)
			if err != nil {
				return err
			}
			if len(found) > 1 {
				found = slices.DeleteFunc(found, func(r record) bool { return r == mine.record })
				if len(found) == 1 && found[0].store == mine.store && found[0].owner == mine.owner {
					// Another import of this store claimed the table too, and has published already.
					return s.strike(ctx, sh, mine.record)
				}
			}
			return mine.allows(s, sh, found)
		})
	}
	var other *OwnerError
	if !errors.As(err, &other) {
		return err // what was written is this store's, and may be another import's of it
	}
	ctx = context.WithoutCancel(ctx)
	return errors.Join(err, everywhere(ctx, bare, func(ctx context.Context, _ int, sh *shard) error {
		return s.strike(ctx, sh, mine.record)
	}))
}

// write puts a record on a server.
func (s *Store) write(ctx context.Context, sh *shard, r record) error {
	if err := s.makeDatabase(ctx, sh); err != nil {
		return err
	}
	return s.exec(ctx, sh, fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s (nothing UInt8) ENGINE = Memory", s.name(r)))
}

// strike takes a record off a server.
func (s *Store) strike(ctx context.Context, sh *shard, r record) error {
	return s.exec(ctx, sh, "DROP TABLE IF EXISTS "+s.name(r))
}

// turn changes the records of all servers from one to another, or, with an error, of none. Where one was changed by
// somebody else the error is an *OwnerError. Everybody goes from server to server in the same order, so that of several
// who want it one gets all.
func (s *Store) turn(ctx context.Context, from, to record) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx) // each server has its time limit
	order := slices.SortedFunc(slices.Values(s.servers), func(a, b *shard) int {
		return cmp.Compare(a.address, b.address)
	})
	var turned []*shard
	missed := map[*server]error{}
	back := func(err error) error {
		for _, before := range turned {
			err = errors.Join(err, s.rename(ctx, before, to, from))
		}
		return err
	}
	for _, sh := range order {
		err := s.rename(ctx, sh, from, to)
		switch {
		case err == nil:
			turned = append(turned, sh)
		case away(err):
			missed[sh.servers[0]] = err
		default:
			return back(err)
		}
	}
	for _, sh := range s.shards { // a replica that is away catches up
		var errs []error
		for _, at := range sh.servers {
			if missed[at] == nil {
				errs = nil
				break
			}
			errs = append(errs, missed[at])
		}
		if len(errs) > 0 {
			return back(errors.Join(errs...))
		}
	}
	return nil
}

// rename changes the record of one server. A record that could not be renamed is looked at, as an answer may have been
// lost.
func (s *Store) rename(ctx context.Context, sh *shard, from, to record) error {
	failed := s.exec(ctx, sh, fmt.Sprintf("RENAME TABLE %s TO %s", s.name(from), s.name(to)))
	if failed == nil {
		return nil
	}
	found, err := s.records(ctx, sh)
	switch {
	case err != nil, slices.Equal(found, []record{from}):
		return failed
	case slices.Equal(found, []record{to}):
		return nil
	case len(found) == 0:
		return s.notOwner(sh, record{}, from.store)
	}
	for _, r := range found {
		if r != from && r != to {
			return s.notOwner(sh, r, from.store)
		}
	}
	return failed
}

// publish runs commit, which publishes an import of this store that was begun when the record was from, in its turn:
// before it the records say that it is published, so that nobody else can begin to; if it fails they are changed back.
func (s *Store) publish(ctx context.Context, from record, number uint64, commit func() (uint64, error)) (uint64,
	error) {
	to := from
	to.published = number
	if err := s.turn(ctx, from, to); err != nil {
		return 0, s.overtaken(ctx, from, err)
	}
	version, err := commit()
	if err == nil {
		s.supersede(context.WithoutCancel(ctx), from.published) // without it a replica that was away has to be adopted
		return version, nil
	}
	ctx = context.WithoutCancel(ctx)
	_, st, _, failed := s.published(ctx)
	switch {
	case failed != nil:
	case st.Published == number:
		return 0, err // whatever it says, it is published
	default:
		failed = s.turn(ctx, to, from)
	}
	return 0, errors.Join(err, failed)
}

// overtaken tells what it means that the records could not be turned: audience.ErrChanged if another import of this
// very store came first.
func (s *Store) overtaken(ctx context.Context, from record, err error) error {
	var other *OwnerError
	if !errors.As(err, &other) || !other.Copy {
		return err
	}
	now, failed := s.standing(ctx)
	if failed != nil {
		return errors.Join(err, failed)
	}
	if now.published != from.published || now.turned[other.published] {
		return audience.ErrChanged
	}
	return err
}
