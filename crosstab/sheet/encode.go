package sheet

import (
	"context"
	"io"

	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/stats"
)

// Encoder writes answers as workbooks. It is an httpapi.Encoder.
type Encoder struct{}

// MediaType is that of a workbook.
func (Encoder) MediaType() string { return MediaType }

// Crosstab writes a workbook of one table, and nothing before all of it is formed.
func (Encoder) Crosstab(ctx context.Context, w io.Writer, r crosstab.Request, result *crosstab.Result) error {
	return write(ctx, w, func(b *Book) error { return b.Add(ctx, Of("Crosstab", r, result)) })
}

// Profile writes a workbook of one profile, likewise.
func (Encoder) Profile(ctx context.Context, w io.Writer, q stats.ProfileQuery, result *stats.ProfileResult) error {
	return write(ctx, w, func(b *Book) error { return b.AddProfile(ctx, "", q, result) })
}

// write writes a workbook of what add adds to it.
func write(ctx context.Context, w io.Writer, add func(*Book) error) error {
	b, err := New()
	if err != nil {
		return err
	}
	defer b.Close()
	if err := add(b); err != nil {
		return err
	}
	return b.Write(ctx, w)
}
