package xls

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// layout is where the cells of a sheet are.
type layout struct {
	start, most int64 // where its records begin in the stream, and where they end at the latest
	known       bool  // what follows was found out
	end         int64
	hidden      int64 // rows
	// byRow has the records of cells by rows, where they do not stand so: the number of a row, and where the record is.
	// nil: they do.
	byRow []uint64
}

// placeBits are those of layout.byRow that say where a record is; those above are the row.
const placeBits = 48

// layout finds out where the cells of a sheet are.
func (b *Book) layout(sheet int) (*layout, error) {
	l := &b.layouts[sheet]
	if l.known {
		return l, nil
	}
	count, last, ordered := int64(0), uint16(0), true
	hidden := int64(0)
	end, err := b.walk(sheet, func(r *records, row uint16) {
		if r.id == idRow {
			if len(r.rest) > 12 && r.rest[12]&0x20 != 0 {
				hidden++
			}
			return
		}
		count++
		ordered = ordered && row >= last
		last = row
	})
	if err != nil {
		return nil, err
	}
	var byRow []uint64
	if !ordered {
		if most := b.held(); 8*count > most {
			return nil, &Error{Part: b.sheetPart(sheet), Reason: fmt.Sprintf("its cells stand in no order of rows, and are too "+
				"many to be put in one in %d MB of memory: save it anew with Excel or LibreOffice", most>>20)}
		}
		b.forget()
		byRow = make([]uint64, 0, count)
		if end, err = b.walk(sheet, func(r *records, row uint16) {
			if r.id != idRow {
				byRow = append(byRow, uint64(row)<<placeBits|uint64(r.at))
			}
		}); err != nil {
			return nil, err
		}
		slices.Sort(byRow)
	}
	*l = layout{start: l.start, most: l.most, known: true, end: end, hidden: hidden, byRow: byRow}
	return l, nil
}

// forget lets go of the orders of all sheets, so that one is held at a time.
func (b *Book) forget() {
	for i := range b.layouts {
		if l := &b.layouts[i]; l.byRow != nil {
			l.known, l.byRow = false, nil
		}
	}
}

// sheetPart is how errors call a sheet.
func (b *Book) sheetPart(sheet int) string { return fmt.Sprintf("sheet %q", b.Sheets[sheet].Name) }

// records begins to read those of a sheet, behind the first.
func (b *Book) records(sheet int) (*records, error) {
	r := recordsOf(b.stream, b.sheetPart(sheet), b.layouts[sheet].start)
	if err := r.next(); err != nil {
		return nil, err
	}
	if r.id != idBOF {
		return nil, r.wrong("it does not begin where the list of sheets says: the file is damaged")
	}
	return r, nil
}

// walk calls see for each record of a sheet that is a row or a cell with a value, and tells where they end.
func (b *Book) walk(sheet int, see func(r *records, row uint16)) (int64, error) {
	r, err := b.records(sheet)
	if err != nil {
		return 0, err
	}
	within := 0
	for {
		if r.then >= b.layouts[sheet].most {
			return 0, r.wrong("it runs into another sheet, or out of the file: the file is cut or damaged")
		}
		if err := r.next(); err != nil {
			return 0, err
		}
		if r.ends(&within) {
			return r.at, nil
		}
		if within > 0 || r.id != idRow && !isCell(r.id) {
			continue
		}
		if len(r.rest) < 2 {
			return 0, r.wrong("a cell at byte %d of the workbook has no row", r.at)
		}
		see(r, binary.LittleEndian.Uint16(r.rest))
	}
}

// ends tells whether the record at hand is the last of a sheet. within is how many charts, which have cells of their
// own, it is within.
func (r *records) ends(within *int) bool {
	switch {
	case r.id == idBOF:
		*within++
	case r.id == idEOF && *within == 0:
		return true
	case r.id == idEOF:
		*within--
	}
	return false
}

// isCell tells whether a record is a cell, or several, with a value.
func isCell(id uint16) bool {
	switch id {
	case idLabelText, idLabel, idRString, idNumber, idRK, idMulRK, idBoolErr, idFormula, idFormula4:
		return true
	}
	return false
}
