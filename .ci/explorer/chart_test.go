package explorer

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// Chart: what stands at bars, in stacks and at points is the table's.
func TestChart(t *testing.T) {
	for _, test := range []struct {
		name, rows, columns string
		of                  func(*testing.T) store
	}{
		{"demo", "core.exercise", "core.gender", demo},
		{"ragged", "core.brands,core.mood", "core.gender", ragged},
		{"grid", "core.use", "core.mood_old", ragged},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := test.of(t).serve(t)
			numbers := 0
			for _, is := range sizes {
				p := open(t, s, is)
				for _, drawn := range []struct{ kind, figure string }{{"bars", "column"}, {"bars", "row"}, {"bars", "index"},
					{"lines", "column"}, {"stacked", "column"}} {
					p.goTo(fmt.Sprintf("/chart?rows=%s&columns=%s&kind=%s&figure=%s", test.rows, test.columns, drawn.kind,
						drawn.figure))
					p.settled()
					p.until(`document.querySelector(".drawing svg[role=img] text")`)
					p.shoot(fmt.Sprintf("chart-%s-%s-%s-%s", test.name, drawn.kind, drawn.figure, is.name))
					p.fits()
					numbers += p.chartHolds(s, test.rows, test.columns, drawn.kind, drawn.figure)
				}
			}
			t.Logf("%d numbers", numbers)
			if numbers < 60 {
				t.Errorf("only %d numbers were held", numbers)
			}
		})
	}
}

// chartHolds holds what a chart says against the interface. Bars and points are in the order of rows and columns; a
// stack is of the answers to the first question.
func (p *page) chartHolds(s *server, rows, columns, kind, figure string) (numbers int) {
	p.Helper()
	if kind == "stacked" {
		rows, _, _ = strings.Cut(rows, ",")
	}
	var audiences []object
	for key := range strings.SplitSeq(rows, ",") {
		_, some := s.question(p.T, key).answers()
		audiences = append(audiences, some...)
	}
	_, across := s.question(p.T, columns).answers()
	var want struct{ Data []cell }
	s.ask(p.T, "/v2/query/crosstab?stream=false", object{"rows": audiences, "columns": across}, &want)
	var shown []string
	p.eval(map[string]string{
		"bars":    `[...document.querySelectorAll(".drawing .value")].map((n) => n.textContent)`,
		"lines":   `[...document.querySelectorAll(".drawing g > title")].map((n) => n.textContent.split(": ").at(-1))`,
		"stacked": `[...document.querySelectorAll(".drawing g > title")].map((n) => n.textContent.split(": ").at(-1))`,
	}[kind], &shown)
	if kind == "stacked" {
		want.Data = turned(want.Data, len(across))
	}
	for _, c := range want.Data {
		value, of, decimals := c.Audiences.Row.Intersect, c.Audiences.Column.Sample, 1
		switch figure {
		case "row":
			value, of = c.Audiences.Column.Intersect, c.Audiences.Row.Sample
		case "index":
			value, of, decimals = c.Intersect.Index, min(of, c.Audiences.Row.Sample), 0
		}
		if c.Base.Sample == 0 || of == 0 || kind == "stacked" && value == 0 {
			continue
		}
		if numbers == len(shown) {
			p.Fatalf("%s, %s: only %d figures are shown", kind, figure, numbers)
		}
		if err := same(shown[numbers], value, decimals); err != nil {
			p.Errorf("%s, %s, %d: %v", kind, figure, numbers, err)
		}
		numbers++
	}
	if numbers != len(shown) {
		p.Errorf("%s, %s: %d figures are shown of %d", kind, figure, len(shown), numbers)
	}
	return numbers
}

// turned are cells with the columns outermost.
func turned(cells []cell, wide int) (turned []cell) {
	for j := range wide {
		for i := j; i < len(cells); i += wide {
			turned = append(turned, cells[i])
		}
	}
	return turned
}

// A chart is taken away as a picture of points, as SVG and as text, on white whatever the screen is like.
func TestTakeChart(t *testing.T) {
	s := demo(t).serve(t)
	p := open(t, s, sizes[1])
	p.goTo("/chart?rows=core.exercise&columns=core.gender")
	p.settled()
	p.click(button("Take away"))
	read := func(name string) []byte {
		file := p.download(func() { p.click(`//dialog` + button(name)) })
		if want := "Exercise-by-Gender." + strings.ToLower(name); filepath.Base(file) != want {
			t.Errorf("the file is called %s, and not %s", filepath.Base(file), want)
		}
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return body
	}
	picture, err := png.Decode(bytes.NewReader(read("PNG")))
	if err != nil {
		t.Fatal(err)
	}
	var width float64
	p.do(chromedp.Evaluate(`document.querySelector(".drawing svg[role=img]").width.baseVal.value`, &width))
	if got := picture.Bounds().Dx(); got != 2*(int(width)+32) {
		t.Errorf("the picture is %d points wide, of %v", got, width)
	}
	colours := map[string]int{}
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			r, g, b, _ := picture.At(x, y).RGBA()
			colours[fmt.Sprintf("%02x%02x%02x", r>>8, g>>8, b>>8)]++
		}
	}
	if all := picture.Bounds().Dx() * picture.Bounds().Dy(); colours["ffffff"] < all/2 || colours["1f6fd0"] < all/500 {
		t.Errorf("of %d points %d are white and %d blue", all, colours["ffffff"], colours["1f6fd0"])
	}

	drawing, texts := read("SVG"), 0
	if bytes.Contains(drawing, []byte("var(")) || bytes.Contains(drawing, []byte("class=")) {
		t.Errorf("the drawing needs a style sheet that it has not")
	}
	for d := xml.NewDecoder(bytes.NewReader(drawing)); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "text" {
			texts++
		}
	}
	if texts < 25 {
		t.Errorf("the drawing has %d texts", texts)
	}

	var want struct{ Data []cell }
	_, rows := s.question(t, "core.exercise").answers()
	_, columns := s.question(t, "core.gender").answers()
	s.ask(t, "/v2/query/crosstab?stream=false", object{"rows": rows, "columns": columns}, &want)
	lines := strings.Split(strings.TrimSpace(string(read("TSV"))), "\n")
	for i, c := range want.Data {
		fields := strings.Split(lines[1+i/3], "\t")
		if err := same(fields[1+i%3*3], c.Audiences.Row.Intersect, 9); err != nil {
			t.Errorf("cell %d: %v", i, err)
		}
	}
	if len(lines) != 7 {
		t.Errorf("the text has %d lines", len(lines))
	}
}
