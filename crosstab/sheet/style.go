package sheet

import "github.com/xuri/excelize/v2"

// style is how a cell looks. Equal ones are one in the workbook.
type style struct {
	format                   string // of a number; "" for texts
	bold, large, link, faint bool
	wrap, top, centre        bool
	left, right              bool
	above, below             bool // there is a line
	shaded                   bool
}

func (b *Book) style(s style) (int, error) {
	if s == (style{}) {
		return 0, nil
	}
	if id, there := b.styles[s]; there {
		return id, nil
	}
	x := &excelize.Style{Alignment: &excelize.Alignment{WrapText: s.wrap}}
	if s.format != "" {
		x.CustomNumFmt = &s.format
	}
	x.Font = &excelize.Font{Family: "Calibri", Size: 11, Bold: s.bold}
	switch {
	case s.large:
		x.Font.Size = 14
	case s.link:
		x.Font.Color, x.Font.Underline = "1F4E9E", "single"
	case s.faint:
		x.Font.Color = "707070"
	}
	switch {
	case s.centre:
		x.Alignment.Horizontal = "center"
	case s.right:
		x.Alignment.Horizontal = "right"
	case s.left:
		x.Alignment.Horizontal = "left"
	}
	if s.top {
		x.Alignment.Vertical = "top"
	}
	for _, line := range []struct {
		there bool
		side  string
	}{{s.above, "top"}, {s.below, "bottom"}} {
		if line.there {
			x.Border = append(x.Border, excelize.Border{Type: line.side, Color: "A0A0A0", Style: 1})
		}
	}
	if s.shaded {
		x.Fill = excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"EEF2F7"}}
	}
	id, err := b.file.NewStyle(x)
	if err == nil {
		b.styles[s] = id
	}
	return id, err
}

// Formats of numbers.
const (
	wholeFormat  = "#,##0"
	tenthsFormat = "#,##0.0"
	pFormat      = "0.0000"
)

// peopleFormat is that of a size: whole people where there are many, a decimal where the weights project to few.
func peopleFormat(size float64) string {
	if size >= 10_000 {
		return wholeFormat
	}
	return tenthsFormat
}

// percentFormat is that of a percentage from 0 to 100, with marks behind it.
func percentFormat(marks string) string {
	if marks != "" {
		marks = " " + marks
	}
	return tenthsFormat + `"%` + marks + `"`
}

// heat shades cells around 100, which stay white: below it to orange, at 50, and above it to blue, at 200.
func heat() []excelize.ConditionalFormatOptions {
	return []excelize.ConditionalFormatOptions{{Type: "3_color_scale", Criteria: "=",
		MinType: "num", MinValue: "50", MinColor: "#F4B183",
		MidType: "num", MidValue: "100", MidColor: "#FFFFFF",
		MaxType: "num", MaxValue: "200", MaxColor: "#8FB8E8"}}
}
