package explorer

import (
	"fmt"
	"strings"
	"testing"
)

// shownCell is a cell as the page shows it.
type shownCell struct {
	Row, Column, Class string
	Figures            map[string]string
}

// cells reads the table that is on screen.
func (p *page) cells() (cells []shownCell) {
	p.Helper()
	p.eval(`(() => {
		const names = [...document.querySelectorAll(".crosstab .columns th button > span")].map((n) => n.textContent);
		return [...document.querySelectorAll(".crosstab td[data-column]")].map((cell) => ({
			row: cell.closest("tr").querySelector("th").textContent.trim(),
			column: names[Number(cell.dataset.column)],
			class: cell.className,
			figures: Object.fromEntries([...cell.querySelectorAll("div")].map((one) =>
				[one.className, one.querySelector(".number").textContent])),
		}));
	})()`, &cells)
	return cells
}

// Table: two questions are crossed, and each figure that is shown is the interface's.
func TestTable(t *testing.T) {
	for _, survey := range surveys {
		t.Run(survey.name, func(t *testing.T) {
			s := survey.of(t).serve(t)
			rows, columns := survey.rows, survey.columns
			if rows == "" {
				first := s.firstQuestions(t)
				rows, columns = first[0].key(), first[1].key()
			}
			for _, is := range sizes {
				p := open(t, s, is)
				p.goTo(fmt.Sprintf("/table?rows=%s&columns=%s&measures=column,row,index,size,sample", rows, columns))
				p.settled()
				p.until(`document.querySelectorAll(".crosstab td[data-column]").length > 4`)
				p.shoot(fmt.Sprintf("table-%s-%s", survey.name, is.name))
				p.fits()
				numbers, blank := p.tableHolds(s, rows, columns)
				t.Logf("%s: %d numbers, %d cells without", is.name, numbers, blank)
				if numbers < 20 {
					t.Errorf("%s: only %d numbers were held", is.name, numbers)
				}
				if survey.unmeasured != (blank > 0) {
					t.Errorf("%s: %d cells are not measured", is.name, blank)
				}
			}
		})
	}
}

// tableHolds holds all figures of a table of some questions by another against the interface, which is asked here in
// other words than the page's: without names, and with everyone as the first column.
func (p *page) tableHolds(s *server, rows, columns string) (numbers, blank int) {
	p.Helper()
	var rowNames []string
	var rowAudiences []object
	for key := range strings.SplitSeq(rows, ",") {
		names, audiences := s.question(p.T, key).answers()
		rowNames, rowAudiences = append(rowNames, names...), append(rowAudiences, audiences...)
	}
	columnNames, columnAudiences := s.question(p.T, columns).answers()
	return p.figuresHold(s, rowNames, rowAudiences, columnNames, columnAudiences)
}

// figuresHold holds all figures of the table on screen, with the total before its columns.
func (p *page) figuresHold(s *server, rowNames []string, rows []object, columnNames []string, columns []object) (
	numbers, blank int) {
	p.Helper()
	everyone := object{"expression": object{"question": "waves"}}
	var want struct{ Data []cell }
	s.ask(p.T, "/v2/query/crosstab?stream=false", object{"rows": rows, "columns": append([]object{everyone}, columns...)},
		&want)
	columnNames = append([]string{"Total"}, columnNames...)
	shown := p.cells()
	if len(shown) != len(want.Data) {
		p.Fatalf("%d cells are shown of %d", len(shown), len(want.Data))
	}
	for i, at := range shown {
		c := want.Data[i]
		if row, column := rowNames[i/len(columnNames)], columnNames[i%len(columnNames)]; at.Row != row ||
			at.Column != column {
			p.Errorf("cell %d is of %s × %s, and not of %s × %s", i, at.Row, at.Column, row, column)
		}
		if c.Base.Sample == 0 {
			blank++
			if len(at.Figures) != 0 || at.Class != "unmeasured" {
				p.Errorf("%s × %s was not measured, and shows %v", at.Row, at.Column, at.Figures)
			}
			continue
		}
		for name, f := range map[string]struct {
			want     float64
			decimals int
		}{
			"column": {c.Audiences.Row.Intersect, 1}, "row": {c.Audiences.Column.Intersect, 1},
			"index": {c.Intersect.Index, 0}, "size": {c.Intersect.Size, 0}, "sample": {c.Intersect.Sample, 0},
		} {
			if err := same(at.Figures[name], f.want, f.decimals); err != nil {
				p.Errorf("%s × %s, %s: %v", at.Row, at.Column, name, err)
			}
			numbers++
		}
	}
	return numbers, blank
}

// A first-time user opens the page, finds two questions, crosses them, compares columns and takes the table away.
func TestFirstUse(t *testing.T) {
	s := demo(t).serve(t)
	p := open(t, s, sizes[0])
	p.goTo("/find")
	p.settled()
	p.search("aside", "exercise")
	p.click(`//ul[@class="questions"]//button[starts-with(normalize-space(), "Exercise")]`)
	p.until(`document.querySelector(".answers .number")`)
	p.click(button("Put in columns"))
	p.until(`document.querySelector(".crosstab")`)
	p.search("aside", "age")
	p.click(`//aside//ul[@class="questions"]//button[starts-with(normalize-space(), "Age")]`)
	p.until(`document.querySelector(".crosstab tbody th[scope=row]")?.textContent === "16–24"`)
	p.settled()
	p.click(button("▲▼ with the rest"))
	p.do(selectOption(`.comparison select`, "columns"))
	p.clicks += 2 // a list is opened, and one of it is chosen
	p.click(`//dialog` + button("Done"))
	p.until(`document.querySelector(".marks.letters")`)
	p.settled()
	p.click(button("Take away"))
	file := p.download(func() { p.click(`//dialog` + button("CSV")) })
	numbers := csvHolds(t, p, file)
	t.Logf("%d clicks, %d numbers", p.clicks, numbers)
	if p.clicks > 12 {
		t.Errorf("it takes %d clicks", p.clicks)
	}
	if numbers < 20 {
		t.Errorf("only %d numbers of the file were held", numbers)
	}
}
