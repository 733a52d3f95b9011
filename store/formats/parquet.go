package formats

import (
	"io"

	"github.com/crosswave/crosswave/store/formats/parquet"
	"github.com/crosswave/crosswave/store/guess"
)

func (f *File) openParquet(file io.ReaderAt, size int64) error {
	t, err := parquet.Open(file, size)
	if err != nil {
		return err
	}
	f.Format, f.Table = Parquet, t
	for i, name := range t.Header() {
		c := guess.Column{Name: name}
		if t.Date(i) {
			c.Kind = guess.Date
		}
		f.Columns = append(f.Columns, c)
	}
	return nil
}
