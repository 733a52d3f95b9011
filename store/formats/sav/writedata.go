package sav

import (
	"compress/zlib"
	"fmt"
	"io"
	"iter"
	"math"
)

// data writes the rows and returns their number.
func (w *writer) data(rows iter.Seq2[[]Value, error]) (n int64, err error) {
	put := elementWriter(&plainElements{w: w})
	var dst io.Writer = w
	if w.opt.Compression == Zlib {
		w.blocks.begin(w)
		dst = &w.blocks
	}
	if w.opt.Compression != Uncompressed {
		put = &codedElements{w: dst, order: w.order}
	}
	for row, err := range rows {
		if err != nil {
			return n, err
		}
		n++
		if err := w.row(put, row, n); err != nil {
			return n, err
		}
	}
	if err := put.end(); err != nil {
		return n, err
	}
	if w.opt.Compression == Zlib {
		return n, w.blocks.end()
	}
	return n, nil
}

// row writes one row, if it suits the variables.
func (w *writer) row(put elementWriter, row []Value, n int64) error {
	if len(row) != len(w.Variables) {
		return &InvalidError{Row: n, Problem: fmt.Sprintf("%d values; expected %d, one for each variable", len(row),
			len(w.Variables))}
	}
	for i := range row {
		v, x := &w.Variables[i], &row[i]
		var err error
		if v.Width == 0 && x.kind == kindMissing {
			err = put.number(systemMissing)
		} else if problem := v.valueProblem(*x, v.Width); problem != "" {
			return &InvalidError{Row: n, Variable: v.Name, Problem: problem}
		} else if v.Width == 0 {
			err = put.number(x.number)
		} else {
			err = putText(put, x.text, v.Width)
		}
		if err != nil {
			return fmt.Errorf("writing row %d of an SPSS file: %w", n, err)
		}
	}
	return nil
}

// putText writes a text in its pieces, which hold 255 bytes each even where that leaves the last ones empty.
func putText(put elementWriter, s string, width int) error {
	for i := range pieces(width) {
		own := s[:min(len(s), 255)]
		s = s[len(own):]
		for range (pieceWidth(width, i) + 7) / 8 {
			b := [8]byte{' ', ' ', ' ', ' ', ' ', ' ', ' ', ' '}
			own = own[copy(b[:], own):]
			if err := put.text(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// elementWriter writes the 8-byte elements of cases.
type elementWriter interface {
	number(float64) error
	text([8]byte) error
	end() error
}

// plainElements writes elements as they are.
type plainElements struct {
	w   *writer
	buf [8]byte
}

func (p *plainElements) number(f float64) error {
	p.w.order.PutUint64(p.buf[:], math.Float64bits(f))
	return p.text(p.buf)
}

func (p *plainElements) text(b [8]byte) error {
	p.buf = b
	_, err := p.w.Write(p.buf[:])
	return err
}

func (p *plainElements) end() error { return nil }

// codedElements writes bytecode: blocks of eight codes, each followed by the elements that no code stands for.
type codedElements struct {
	w     io.Writer
	order byteOrder
	buf   [8 + 64]byte
	codes int
	used  int // bytes of elements
}

func (c *codedElements) number(f float64) error {
	if f == systemMissing {
		return c.code(codeMissing)
	}
	if n := int(f); n >= 1-bias && n < codeEnd-bias && float64(n) == f && (n != 0 || !math.Signbit(f)) {
		return c.code(byte(n + bias))
	}
	c.order.PutUint64(c.buf[8+c.used:], math.Float64bits(f))
	c.used += 8
	return c.code(codeLiteral)
}

func (c *codedElements) text(b [8]byte) error {
	if b == [8]byte{' ', ' ', ' ', ' ', ' ', ' ', ' ', ' '} {
		return c.code(codeSpaces)
	}
	copy(c.buf[8+c.used:], b[:])
	c.used += 8
	return c.code(codeLiteral)
}

func (c *codedElements) code(code byte) error {
	c.buf[c.codes] = code
	if c.codes++; c.codes < 8 {
		return nil
	}
	_, err := c.w.Write(c.buf[:8+c.used])
	c.codes, c.used = 0, 0
	return err
}

// end writes the code for the end, and fills its block.
func (c *codedElements) end() error {
	if err := c.code(codeEnd); err != nil {
		return err
	}
	for c.codes > 0 {
		if err := c.code(codeIgnored); err != nil {
			return err
		}
	}
	return nil
}

// blockSize is how much each zlib block of a file holds, bytes; SPSS uses no other.
const blockSize = 0x3ff000

// blockWriter writes bytecode in zlib blocks, and their list at the end.
type blockWriter struct {
	w         *writer
	zw        *zlib.Writer
	headerAt  int64
	trailerAt int64
	blocks    []block
	plain     int64 // bytes of the block under way
	begunAt   int64
	total     int64
}

func (b *blockWriter) begin(w *writer) {
	b.w, b.headerAt = w, w.pos
	w.int64(w.pos, 0, 0) // the zeros are known at the end
	b.total = b.headerAt
}

func (b *blockWriter) Write(p []byte) (int, error) {
	written := len(p)
	for len(p) > 0 {
		if b.plain == 0 {
			b.begunAt = b.w.pos
			if b.zw == nil {
				b.zw = zlib.NewWriter(b.w)
			} else {
				b.zw.Reset(b.w)
			}
		}
		part := p[:min(int64(len(p)), blockSize-b.plain)]
		if _, err := b.zw.Write(part); err != nil {
			return 0, err
		}
		b.plain += int64(len(part))
		p = p[len(part):]
		if b.plain == blockSize {
			if err := b.close(); err != nil {
				return 0, err
			}
		}
	}
	return written, nil
}

func (b *blockWriter) close() error {
	if b.plain == 0 {
		return nil
	}
	if err := b.zw.Close(); err != nil {
		return err
	}
	b.blocks = append(b.blocks, block{b.total, b.begunAt, b.plain, b.w.pos - b.begunAt})
	b.total += b.plain
	b.plain = 0
	return nil
}

func (b *blockWriter) end() error {
	if err := b.close(); err != nil {
		return fmt.Errorf("writing an SPSS file: %w", err)
	}
	w := b.w
	b.trailerAt = w.pos
	w.int64(-bias, 0)
	w.int32(blockSize, int32(len(b.blocks)))
	for _, x := range b.blocks {
		w.int64(x.plainOffset, x.offset)
		w.int32(int32(x.plain), int32(x.size))
	}
	return nil
}
