package files

import (
	"os"

	"github.com/crosswave/crosswave/store/survey/mapping"
	"github.com/crosswave/crosswave/store/survey/parquet"
)

func (f *File) openParquet(file *os.File, size int64) error {
	t, err := parquet.Open(file, size)
	if err != nil {
		return err
	}
	f.Format, f.Table = Parquet, t
	for i, name := range t.Header() {
		c := mapping.Column{Name: name}
		if t.Date(i) {
			c.Kind = mapping.Date
		}
		f.Columns = append(f.Columns, c)
	}
	return nil
}
