package audience

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"sync"
	"sync/atomic"
)

// Remember returns st with the answers to its last questions kept in memory, up to so many bytes. Answers belong to a
// version, so a store that has changed is asked anew; they know no caller, so it goes below Restrict:
// Restrict(Remember(st, n), grant). Questions that several ask at once are asked of st once. The tables it returns are
// shared: they must not be changed.
func Remember(st Store, bytes int64) *Memory {
	return &Memory{Store: st, budget: bytes, entries: map[queryKey]*list.Element{}, asking: map[queryKey]*inquiry{}}
}

// queryKey names a version and a question.
type queryKey [sha256.Size]byte

// Memory is a Store that answers from memory what it was asked before. It may be used by many goroutines at once.
type Memory struct {
	Store
	budget int64
	uses   struct{ remembered, asked atomic.Int64 }

	mu      sync.Mutex
	bytes   int64
	entries map[queryKey]*list.Element // of recent
	recent  list.List                  // of *remembered, the last used first
	asking  map[queryKey]*inquiry
}

// inquiry is a question that somebody asks the store. Others who want to know wait for the answer, which need not be
// one that is kept.
type inquiry struct {
	done   chan struct{} // closed when the answer is there, or will not come
	tables []*Table      // then: the answer, if it came
}

type remembered struct {
	key    queryKey
	tables []*Table
	bytes  int64
}

// MemoryUse is what a Memory holds and what it was good for.
type MemoryUse struct {
	Bytes      int64 // that the answers in it take
	Answers    int   // that are in it
	Remembered int64 // questions that it has answered
	Asked      int64 // questions that it had to ask the store for, also if there came no answer
}

// Use tells what the memory holds now and what it was good for so far.
func (m *Memory) Use() MemoryUse {
	m.mu.Lock()
	defer m.mu.Unlock()
	return MemoryUse{Bytes: m.bytes, Answers: len(m.entries), Remembered: m.uses.remembered.Load(),
		Asked: m.uses.asked.Load()}
}

// WantsWhole tells what the store wants.
func (m *Memory) WantsWhole(cells int) bool { return WantsWhole(m.Store, cells) }

// Threads tells with how many threads the store counts.
func (m *Memory) Threads() int { return Threads(m.Store) }

// Count answers as the store does, and shares the tables with others that ask the same.
func (m *Memory) Count(ctx context.Context, version uint64, qs []Query) ([][]*Table, error) {
	out := make([][]*Table, len(qs))
	keys := make([]queryKey, len(qs))
	for i := range qs {
		keys[i] = qs[i].key(version)
	}
	for {
		missing, mine, wait := m.find(keys, out)
		switch {
		case len(missing) == 0:
			m.uses.remembered.Add(int64(len(qs)))
			return out, nil
		case wait != nil: // somebody else asks one of them
			select {
			case <-wait.done:
				for i, k := range keys {
					if k == keys[missing[0]] {
						out[i] = wait.tables
					}
				}
				continue
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		m.uses.remembered.Add(int64(len(qs) - len(missing)))
		m.uses.asked.Add(int64(len(missing)))
		defer m.done(mine) // also if st panics, which a server outlives
		return out, m.ask(ctx, version, qs, keys, missing, out)
	}
}

// find fills in what is remembered. Of the rest either all is reserved for the caller to ask (mine), or there is
// somebody to wait for, who asks the one that is missing.
func (m *Memory) find(keys []queryKey, out [][]*Table) (missing []int, mine []queryKey, wait *inquiry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, k := range keys {
		if out[i] != nil { // somebody was waited for
			continue
		}
		if e, ok := m.entries[k]; ok {
			m.recent.MoveToFront(e)
			out[i] = e.Value.(*remembered).tables
			continue
		}
		if asked, ok := m.asking[k]; ok {
			return []int{i}, nil, asked
		}
		missing = append(missing, i)
	}
	for _, i := range missing {
		if _, reserved := m.asking[keys[i]]; !reserved {
			m.asking[keys[i]] = &inquiry{done: make(chan struct{})}
			mine = append(mine, keys[i])
		}
	}
	return missing, mine, nil
}

func (m *Memory) ask(ctx context.Context, version uint64, qs []Query, keys []queryKey, missing []int,
	out [][]*Table) error {
	ask := make([]Query, len(missing))
	for k, i := range missing {
		ask[k] = qs[i]
	}
	tables, err := m.Store.Count(ctx, version, ask)
	if err != nil {
		return err
	}
	for k, i := range missing {
		out[i] = tables[k]
		m.keep(keys[i], tables[k])
		m.answer(keys[i], tables[k])
	}
	return nil
}

// answer lets those who wait for a question know its answer.
func (m *Memory) answer(k queryKey, tables []*Table) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if a := m.asking[k]; a != nil {
		a.tables = tables
	}
}

func (m *Memory) done(mine []queryKey) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range mine {
		close(m.asking[k].done)
		delete(m.asking, k)
	}
}

// keep remembers an answer and forgets the longest unused ones.
func (m *Memory) keep(k queryKey, tables []*Table) {
	size := int64(256)
	for _, t := range tables {
		size += 64 + 16*int64(len(t.Counts)) + 16*int64(len(t.Squares))
	}
	if size > m.budget {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, there := m.entries[k]; there {
		return
	}
	m.entries[k] = m.recent.PushFront(&remembered{k, tables, size})
	m.bytes += size
	for m.bytes > m.budget {
		last := m.recent.Back()
		old := m.recent.Remove(last).(*remembered)
		delete(m.entries, old.key)
		m.bytes -= old.bytes
	}
}

// key is a digest of all that the answer depends on.
func (q *Query) key(version uint64) queryKey {
	b := binary.LittleEndian.AppendUint64(nil, version)
	b = append(append(b, q.Namespace...), 0)
	b = append(b, byte(q.Measures))
	b = AppendPrint(b, q.Base)
	for _, axis := range [][]Expr{q.Rows, q.Columns} {
		b = binary.LittleEndian.AppendUint64(b, uint64(len(axis)))
		for _, x := range axis {
			b = AppendPrint(b, x)
		}
	}
	for _, s := range q.Strata {
		b = binary.LittleEndian.AppendUint64(b, uint64(len(s)))
		for _, w := range s {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
	}
	return sha256.Sum256(b)
}
