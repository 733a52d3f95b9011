package explorer

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// Questions are dragged from the list into the rows and the columns, and from the one to the other; the table is then
// of them. What is dragged there from elsewhere is left alone.
func TestDrag(t *testing.T) {
	for _, survey := range surveys {
		t.Run(survey.name, func(t *testing.T) {
			s := survey.of(t).serve(t)
			rows, columns := "core.gender", survey.columns
			if survey.rows == "" {
				first := s.firstQuestions(t)
				rows, columns = first[0].key(), first[1].key()
			}
			p := open(t, s, sizes[0])
			p.goTo("/table?measures=column,row,index,size,sample")
			p.settled()
			h := p.hand()
			for _, to := range []struct{ axis, key string }{{"Rows", rows}, {"Columns", columns}} {
				name := s.question(t, to.key).Name
				words, _, _ := strings.Cut(name, " (")
				p.eval(`void document.querySelector("aside input[type=search]").select()`, nil)
				p.search("aside", words)
				found := fmt.Sprintf(`[...document.querySelectorAll("aside .name")].find((n) => n.textContent === %q)`, name)
				p.until(found)
				h.drag(found, axisOf(to.axis))
				p.until(axisOf(to.axis) + fmt.Sprintf(`.querySelector(".chip")?.textContent.includes(%q)`, name))
			}
			p.until(`document.querySelectorAll(".crosstab td[data-column]").length > 4`)
			p.settled()
			p.shoot("drag-" + survey.name)
			numbers, _ := p.tableHolds(s, rows, columns)

			h.drag(axisOf("Rows")+`.querySelector(".chip button")`, axisOf("Columns"))
			p.until(axisOf("Columns") + `.querySelectorAll(".chip").length === 2`)
			p.until(`document.querySelector(".crosstab tbody th[scope=row]")?.textContent.trim() === "Everyone"`)
			h.drag(axisOf("Columns")+`.querySelector(".chip button")`, axisOf("Rows"))
			p.until(axisOf("Rows") + `.querySelectorAll(".chip").length === 1`)
			p.until(`document.querySelector(".crosstab tbody th[scope=row]")?.textContent.trim() !== "Everyone"`)
			p.settled()
			turned, _ := p.tableHolds(s, columns, rows)
			t.Logf("%d and %d numbers", numbers, turned)
			if numbers < 20 || turned < 20 {
				t.Errorf("only %d and %d numbers were held", numbers, turned)
			}

			before := p.address()
			h.drop(&input.DragData{Items: []*input.DragDataItem{{MimeType: "text/plain", Data: rows}}, DragOperationsMask: 1},
				axisOf("Rows"))
			if now := p.address(); now != before {
				t.Errorf("text that is dragged from elsewhere makes %s of %s", now, before)
			}
		})
	}
}

// axisOf finds an axis of the table.
func axisOf(name string) string {
	return fmt.Sprintf(`document.querySelector("[aria-label=%s]")`, name)
}

func (p *page) address() (hash string) {
	p.Helper()
	p.eval("location.hash", &hash)
	return hash
}

// hand drags. The mouse begins a drag as everywhere; what it takes along is then reported, and is dropped from here, as
// there is no desktop to carry it over.
type hand struct {
	*page
	taken chan *input.DragData
}

func (p *page) hand() *hand {
	p.Helper()
	h := &hand{p, make(chan *input.DragData, 1)}
	chromedp.ListenTarget(p.ctx, func(event any) {
		if e, ok := event.(*input.EventDragIntercepted); ok {
			h.taken <- e.Data
		}
	})
	p.do(input.SetInterceptDrags(true))
	return h
}

// middle is where the middle of an element is on screen.
func (p *page) middle(element string) (x, y float64) {
	p.Helper()
	var at [2]float64
	p.eval(`((e) => {
		e.scrollIntoView({block: "nearest"});
		const box = e.getBoundingClientRect();
		return [box.left + box.width / 2, box.top + box.height / 2];
	})(`+element+`)`, &at)
	return at[0], at[1]
}

// drag drags one element to another.
func (h *hand) drag(from, to string) {
	h.Helper()
	x, y := h.middle(from)
	h.do(chromedp.MouseEvent(input.MouseMoved, x, y), chromedp.MouseEvent(input.MousePressed, x, y, chromedp.ButtonLeft))
	for i := range 4 { // a drag begins once the mouse has moved some pixels
		h.do(chromedp.MouseEvent(input.MouseMoved, x+float64(5*i), y+float64(3*i), chromedp.ButtonLeft))
	}
	select {
	case data := <-h.taken:
		h.drop(data, to)
	case <-time.After(time.Minute):
		h.Fatalf("nothing is dragged from %s", from)
	}
	h.do(chromedp.MouseEvent(input.MouseReleased, x, y, chromedp.ButtonLeft))
}

// drop drops what is dragged onto an element, which tells before that it would take it, or not.
func (h *hand) drop(data *input.DragData, to string) {
	h.Helper()
	x, y := h.middle(to)
	h.do(input.DispatchDragEvent(input.DragEnter, x, y, data), input.DispatchDragEvent(input.DragOver, x, y, data))
	ours := false
	for _, item := range data.Items {
		ours = ours || strings.HasPrefix(item.MimeType, "application/x-crosswave-")
	}
	if ours {
		h.until(to + `.classList.contains("over")`)
		h.do(input.DispatchDragEvent(input.Drop, x, y, data))
		h.until(`!` + to + `.classList.contains("over")`)
		return
	}
	var over bool
	h.eval(to+`.classList.contains("over")`, &over)
	if over {
		h.Errorf("%s would take what is dragged from elsewhere", to)
	}
	h.do(input.DispatchDragEvent(input.DragCancel, x, y, data))
}
