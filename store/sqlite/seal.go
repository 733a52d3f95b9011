package sqlite

import (
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/crosswave/crosswave/internal/castagnoli"
)

// DamagedError is stored bytes that are not what was written.
type DamagedError struct{ What string }

func (e *DamagedError) Error() string {
	return "the store is damaged: " + e.What + "; restore it from a backup or import it again"
}

// A seal is four bytes at the end of a blob: the CRC-32C of the blob's name and contents. With the name in it, a blob
// in another's place is found out too.
const sealBytes = 4

func seal(name string, data []byte) []byte {
	return binary.LittleEndian.AppendUint32(data, castagnoli.Update(castagnoli.Update(0, []byte(name)), data))
}

// unseal returns the contents of a sealed blob.
func unseal(name string, data []byte) ([]byte, error) {
	n := len(data) - sealBytes
	if n < 0 || castagnoli.Update(castagnoli.Update(0, []byte(name)), data[:n]) != binary.LittleEndian.Uint32(data[n:]) {
		return nil, &DamagedError{name}
	}
	return data[:n], nil
}

// sealColumn and unsealColumn do the same for the many blobs that have a number for a name.
func sealColumn(id int64, data []byte) []byte {
	return binary.LittleEndian.AppendUint32(data, columnSum(id, data))
}

func unsealColumn(id int64, data []byte) ([]byte, bool) {
	n := len(data) - sealBytes
	if n < 0 || columnSum(id, data[:n]) != binary.LittleEndian.Uint32(data[n:]) {
		return nil, false
	}
	return data[:n], true
}

func columnSum(id int64, data []byte) uint32 {
	var name [8]byte
	binary.LittleEndian.PutUint64(name[:], uint64(id))
	return castagnoli.Update(castagnoli.Update(0, name[:]), data)
}

func sealJSON(name string, v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return seal(name, data), nil
}

func unsealJSON(name string, data []byte, v any) error {
	data, err := unseal(name, data)
	if err == nil && json.Unmarshal(data, v) != nil {
		err = &DamagedError{name}
	}
	return err
}
