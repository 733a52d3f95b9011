package dta

import (
	"errors"
	"testing"

	"github.com/crosswave/crosswave/store/formats/internal/readtest"
)

// FuzzOpen reads whatever comes. It must not panic, must allocate no more than 64 bytes for each of the file's besides
// fixed buffers, and must refuse with a FormatError.
func FuzzOpen(f *testing.F) {
	for _, release := range releases {
		for _, order := range orders {
			f.Add(everything(release, order).encode())
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		const fixed = 4 << 20
		var file *File
		var err error
		if used := readtest.Allocated(func() { file, err = openBytes(data, Options{}) }); used > fixed+64*uint64(len(data)) {
			t.Errorf("%d bytes allocated to open %d", used, len(data))
		}
		good := func(err error) {
			var fe *FormatError
			if err != nil && (!errors.As(err, &fe) || fe.Offset < 0 || fe.Offset > int64(len(data)) || fe.Problem == "") {
				t.Fatalf("not a good FormatError: %v", err)
			}
		}
		if good(err); err != nil {
			return
		}
		var dst []byte
		for r, err := range file.Rows() {
			if good(err); err != nil || r.Row > 300 {
				break
			}
			for i := range file.Variables {
				dst = r.Append(dst[:0], i)
				if _, ok := r.Float(i); ok && r.Missing(i) != 0 {
					t.Errorf("variable %d is missing and a number", i)
				}
			}
		}
	})
}
