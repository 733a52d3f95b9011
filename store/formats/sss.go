package formats

import (
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/crosswave/crosswave/store/formats/sss"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/survey"
)

// tripleSTable is a Triple-S survey as a table: its variables and, behind each multiple, a column per code, named
// variable[code], which is 1 or 0. The column of a multiple itself holds the codes chosen, and none where the answer is
// none of them.
type tripleSTable struct {
	def     *sss.Definition
	data    *os.File
	options sss.Options
	header  []string
	fields  []tripleSField

	mu    sync.Mutex
	notes []string // of the latest reading
}

// tripleSField is a column: a variable, or a code of one.
type tripleSField struct{ variable, code int }

// none stands for an answer that is none of the codes.
const none = "none"

func (f *File) openTripleS(file *os.File, o Options) error {
	def, err := sss.ParseDefinition(file)
	if err != nil {
		return err
	}
	t := &tripleSTable{def: def, options: sss.Options{Encoding: o.Encoding}}
	if o.Delimiter > 0 && o.Delimiter < 0x80 {
		t.options.Comma = byte(o.Delimiter)
	}
	if t.data, err = openData(def, cmp.Or(f.beneath, file.Name())); err != nil {
		return err
	}
	f.close = append(f.close, t.data.Close)
	info, err := t.data.Stat()
	if err != nil {
		return err
	}
	if t.data, err = f.unpackedData(t.data, info.Size(), o); err != nil {
		return err
	}
	f.Format, f.Title, f.Table = TripleS, cmp.Or(def.Title.String(), def.Name), t
	f.Notes = func() []string {
		t.mu.Lock()
		defer t.mu.Unlock()
		return slices.Concat(def.Notes, t.notes)
	}
	if !f.packed || f.beneath != "" {
		f.Size += info.Size()
	}
	taken := map[string]bool{}
	for i := range def.Record.Variables {
		if v := &def.Record.Variables[i]; v.Type == sss.Multiple && len(f.Columns)+len(v.Values) >= mostColumns {
			return f.tooWide()
		}
		f.tripleSVariable(t, i, taken)
	}
	_, err = sss.Open(def, t.data, t.options) // sees to it that the two fit
	return err
}

// unpackedData unpacks the data of a definition if they are packed with gzip, in so many bytes.
func (f *File) unpackedData(data *os.File, size int64, o Options) (*os.File, error) {
	head := make([]byte, min(size, 2))
	if _, err := data.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if !isGzip(head) {
		return data, nil
	}
	if f.packed && f.beneath == "" {
		size = f.Size // of the archive, which bounds what comes of it
	}
	z, err := gzip.NewReader(o.watched(data, size))
	if err != nil {
		return nil, &Error{Path: data.Name(), Err: fmt.Errorf("unpacking it: %w", err)}
	}
	name := strings.TrimSuffix(filepath.Base(data.Name()), filepath.Ext(data.Name()))
	out, err := f.unpacked(name, z, size, o)
	if own := (*Error)(nil); errors.As(err, &own) {
		own.Path = data.Name()
	}
	return out, err
}

// openData opens the data of a definition, which may be packed with gzip.
func openData(def *sss.Definition, path string) (*os.File, error) {
	var tried []string
	names := def.DataFiles(path)
	for _, name := range def.DataFiles(path) {
		names = append(names, name+".gz")
	}
	for _, name := range names {
		data, err := os.Open(name)
		if err == nil {
			return data, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if base := filepath.Base(name); filepath.Ext(base) != ".gz" && (strings.ToLower(base) == base || len(tried) == 0) {
			tried = append(tried, base)
		}
	}
	return nil, fmt.Errorf("this is a Triple-S definition, but its data are not beside it: none of %s is there, "+
		"nor packed as .gz; both may be in one zip, too", strings.Join(tried, ", "))
}

// tripleSVariable takes over a variable.
func (f *File) tripleSVariable(t *tripleSTable, i int, taken map[string]bool) {
	v := &t.def.Record.Variables[i]
	add := func(c guess.Column, code int) {
		for n := 2; taken[c.Name]; n++ {
			c.Name = fmt.Sprintf("%s_%d", v.Name, n)
		}
		taken[c.Name] = true
		t.header, t.fields = append(t.header, c.Name), append(t.fields, tripleSField{i, code})
		f.Columns = append(f.Columns, c)
	}
	c := guess.Column{Name: v.Name, Label: v.Label.String(), Serial: v.Use == sss.Serial, Weight: v.Use == sss.Weight}
	switch v.Type {
	case sss.Quantity:
		c.Kind = guess.Quantity
	case sss.Date, sss.Time:
		c.Kind = guess.Date
	case sss.Logical:
		c.Labels = []guess.Label{{Value: "1", Text: "Yes"}, {Value: "0", Text: "No"}}
	}
	for _, value := range v.Values {
		c.Labels = append(c.Labels, guess.Label{Value: value.Code, Text: value.Label.String()})
	}
	if v.Type != sss.Multiple {
		add(c, -1)
		return
	}
	labels := c.Labels
	c.Virtual, c.Labels = true, nil
	add(c, -1)
	set := guess.Set{Name: v.Name, Label: c.Label, Value: "1"}
	for k, l := range labels {
		add(guess.Column{Name: fmt.Sprintf("%s[%s]", v.Name, l.Value), Label: l.Text}, k)
		set.Columns, set.Options = append(set.Columns, t.header[len(t.header)-1]), append(set.Options, l.Text)
	}
	if len(set.Columns) > 0 {
		f.Sets = append(f.Sets, set)
	}
}

func (t *tripleSTable) Header() []string { return t.header }

func (t *tripleSTable) Size() int64 { return 0 }

func (t *tripleSTable) Blocks(ctx context.Context, columns []int) iter.Seq2[survey.Block, error] {
	return survey.BlocksOf(ctx, columns, len(t.header), func(yield func(survey.Record, error) bool) {
		info, err := t.data.Stat()
		if err != nil {
			yield(nil, err)
			return
		}
		r, err := sss.Open(t.def, io.NewSectionReader(t.data, 0, info.Size()), t.options)
		if err != nil {
			yield(nil, err)
			return
		}
		defer t.keep(r)
		row := &tripleSRow{table: t}
		for c, err := range r.Cases() {
			row.c = c
			if !yield(row, err) {
				return
			}
		}
	})
}

// keep remembers what a reading noticed.
func (t *tripleSTable) keep(r *sss.Reader) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.notes = nil
	for _, n := range r.Notes() {
		t.notes = append(t.notes, n.String())
	}
}

// tripleSRow is a case.
type tripleSRow struct {
	table *tripleSTable
	c     *sss.Case
}

func (r *tripleSRow) Number() int64 { return int64(r.c.Row) }

func (r *tripleSRow) Append(dst []byte, column int) []byte {
	field := r.table.fields[column]
	d := &r.c.Data[field.variable]
	switch {
	case !d.Present:
		return dst
	case r.table.def.Record.Variables[field.variable].Type != sss.Multiple:
		return append(dst, d.Text...)
	case field.code < 0 && len(d.Picks) == 0:
		return append(dst, none...)
	case field.code < 0:
		for i, p := range d.Picks {
			if i > 0 {
				dst = append(dst, separator...)
			}
			dst = append(dst, p.Code...)
		}
		return dst
	}
	if slices.ContainsFunc(d.Picks, func(p sss.Pick) bool { return int(p.Index) == field.code }) {
		return append(dst, '1')
	}
	return append(dst, '0')
}
