package clickhouse

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
)

// memory is what the engine keeps in the embedded store beside what is published: it belongs to the file, and a copy of
// the file begins with what was in it. It is written as JSON.
type memory struct {
	// Owner is chosen at random when the store first writes, and again when it adopts its table. Servers know by it, and
	// the store's ID, whose the table is.
	Owner uint64 `json:"owner"`
	// Begun are the imports of which the servers may have respondents. Nothing else is this store's to remove.
	Begun []begun `json:"begun,omitempty"`
	// Given are the numbers that the last import to begin has given to codes, on top of those of all that were under way:
	// see reserve.
	Given json.RawMessage `json:"given,omitempty"`
	// Past are the numbers of earlier publications, the last at the end: what the record of a replica may say that was
	// away meanwhile. They are kept where there are replicas.
	Past []uint64 `json:"past,omitempty"`
}

// mostPast is how many earlier publications are known.
const mostPast = 1000

// begun is an import that may have sent respondents.
type begun struct {
	Number     uint64 `json:"number"`               // in column gen of the servers' table
	Generation int64  `json:"generation,omitempty"` // of the embedded store's import; 0 if it is long over
}

// remember changes what is kept.
func (s *Store) remember(ctx context.Context, change func(*memory) error) error {
	return s.embedded.Remember(ctx, func(before []byte) ([]byte, error) {
		m := memory{}
		if before != nil {
			if err := json.Unmarshal(before, &m); err != nil {
				return nil, fmt.Errorf("what the store remembers of its imports into ClickHouse can't be read: %w", err)
			}
		}
		had := m.Owner == 0 && m.Begun == nil
		if err := change(&m); err != nil {
			return nil, err
		}
		if had && m.Owner == 0 && m.Begun == nil {
			return before, nil
		}
		return json.Marshal(m)
	})
}

// recall returns what is kept.
func (s *Store) recall(ctx context.Context) (out memory, err error) {
	err = s.remember(ctx, func(m *memory) error {
		out = *m
		return nil
	})
	return out, err
}

// introduce gives the store an owner's number if it has none, or another one. What it has published by then is its own.
func (s *Store) introduce(ctx context.Context, again bool) error {
	_, st, _, err := s.published(ctx)
	if err != nil {
		return err
	}
	return s.remember(ctx, func(m *memory) error {
		if m.Owner != 0 && !again {
			return nil
		}
		for _, number := range livePairs(st.Waves).numbers {
			if !slices.ContainsFunc(m.Begun, func(b begun) bool { return b.Number == number }) {
				m.Begun = append(m.Begun, begun{Number: number})
			}
		}
		m.Owner = random(64)
		return nil
	})
}

// supersede remembers what was published before the last publication.
func (s *Store) supersede(ctx context.Context, before uint64) error {
	if !s.replicated() {
		return nil
	}
	return s.remember(ctx, func(m *memory) error {
		m.Past = append(m.Past, before)
		m.Past = m.Past[max(0, len(m.Past)-mostPast):]
		return nil
	})
}

// forget strikes imports of which the servers have nothing any more.
func (s *Store) forget(ctx context.Context, gone []uint64) error {
	if len(gone) == 0 {
		return nil
	}
	return s.remember(ctx, func(m *memory) error {
		m.Begun = slices.DeleteFunc(m.Begun, func(b begun) bool { return slices.Contains(gone, b.Number) })
		return nil
	})
}

// random is a number of so many bits, not 0.
func random(bits int) uint64 {
	for {
		var b [8]byte
		rand.Read(b[:]) // never fails
		if n := binary.LittleEndian.Uint64(b[:]) >> (64 - bits); n != 0 {
			return n
		}
	}
}

// Column gen of the servers' table has a number for each import: its generation in the embedded store in front, so that
// later ones have larger numbers, and a random token behind, so that no other store, and no other copy of this one, has
// the same. With 16 bits more for the wave both fit into one integer, see live.condition.
const (
	tokenBits      = 28
	generationBits = 20
	numberBits     = tokenBits + generationBits
)

// In tables made before there were tokens the column has 32 bits, and holds bare generations. Later imports into these
// have numbers above all of them that are nothing but random.
const (
	narrowBits  = 32
	narrowToken = 1 << (narrowBits - 1)
)

// number chooses an import's number, which is none of those that the servers have respondents of.
func number(generation int64, narrow bool, taken func(uint64) bool) (uint64, error) {
	if generation < 1 || generation >= 1<<generationBits {
		return 0, fmt.Errorf("the store has had %d imports, which is all it can hold", generation)
	}
	for {
		n := uint64(generation)<<tokenBits | random(tokenBits)
		if narrow {
			n = narrowToken | random(narrowBits-1)
		}
		if !taken(n) {
			return n, nil
		}
	}
}
