package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
)

// A store does not keep the ids of respondents but a fingerprint of each, 64 bits of a SHA-256 with the store's own
// name in it, so that who knows an id can find whose it is, and nobody can read ids out of the file. (Who has the file
// can try out whether an id that they know is in it.) That an id has the fingerprint of any of a million others is as
// likely as 1 in 18 trillion.

// printBytes is the size of a fingerprint. One of 0 is that of an id that is not known.
const printBytes = 8

// fingerprint is that of an id in the store with a name; that of "" stands before those of a chunk and tells that the
// name is still what it was.
func fingerprint(store, id string) uint64 {
	sum := sha256.Sum256([]byte(store + "\x00" + id))
	return max(1, binary.LittleEndian.Uint64(sum[:]))
}

func idsName(chunk int64) string { return fmt.Sprintf("fingerprints of ids in chunk %d", chunk) }

// encodeIDs makes the blob of a chunk's fingerprints, which stand in the order of its respondents.
func encodeIDs(store string, chunk int64, prints []uint64) []byte {
	b := binary.LittleEndian.AppendUint64(nil, fingerprint(store, ""))
	for _, print := range prints {
		b = binary.LittleEndian.AppendUint64(b, print)
	}
	return seal(idsName(chunk), b)
}

// decodeIDs reads what encodeIDs made.
func decodeIDs(store string, c *chunk, data []byte) ([]uint64, error) {
	data, err := unseal(idsName(c.id), data)
	if err != nil {
		return nil, err
	}
	if len(data) != printBytes*(c.respondents+1) {
		return nil, &DamagedError{idsName(c.id)}
	}
	if binary.LittleEndian.Uint64(data) != fingerprint(store, "") {
		return nil, &DamagedError{"the store's own name"}
	}
	prints := make([]uint64, c.respondents)
	for i := range prints {
		prints[i] = binary.LittleEndian.Uint64(data[printBytes*(i+1):])
	}
	return prints, nil
}

// readIDs are the fingerprints of a chunk; nil if it has none.
func (s *Store) readIDs(ctx context.Context, store string, c *chunk) ([]uint64, error) {
	var data []byte
	err := s.read.QueryRowContext(ctx, `SELECT data FROM ids WHERE chunk = ?`, c.id).Scan(&data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, s.damage(err)
	}
	return decodeIDs(store, c, data)
}
