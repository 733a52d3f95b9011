package explorer

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// The large table has so many rows and columns.
const largeRows, largeColumns = 500, 50

// large is a survey with two questions that are crossed in a large table. The last items were asked in the second wave
// only, and one of its places begins then.
func large(t *testing.T) store {
	t.Helper()
	dir := t.TempDir()
	points := func(of string, number int) (list []object) {
		for i := range number {
			point := object{"code": fmt.Sprintf("%s%d", of, i), "name": fmt.Sprintf("%s %d", of, i),
				"column": fmt.Sprintf("%s_%d", of, i)}
			if i >= number*9/10 {
				point["asked"] = []object{{"wave": "w2"}}
			}
			list = append(list, point)
		}
		return list
	}
	book := object{
		"name":       "Large, to scroll in",
		"namespaces": []object{{"code": "core", "name": "Core", "weight": object{"column": "weight"}}},
		"respondent": object{"column": "id"},
		"wave": object{"column": "wave", "values": []object{{"value": "1", "code": "w1", "name": "First"},
			{"value": "2", "code": "w2", "name": "Second"}}},
		"location": object{"column": "place", "values": []object{{"value": "N", "code": "north", "name": "North"},
			{"value": "S", "code": "south", "name": "South"}}},
		"questions": []object{
			{"code": "item", "name": "Items", "type": "multi", "datapoints": points("Item", largeRows)},
			{"code": "brand", "name": "Brands", "type": "multi", "datapoints": points("Brand", largeColumns)},
		},
	}
	text, err := json.Marshal(book)
	if err != nil {
		t.Fatal(err)
	}
	codebook, data := filepath.Join(dir, "codebook.json"), filepath.Join(dir, "data.csv")
	for name, body := range map[string][]byte{codebook: text, data: answersOfMany(t)} {
		if err := os.WriteFile(name, body, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	db := filepath.Join(dir, "large.db")
	run(t, "import", "--db", db, "--codebook", codebook, data)
	return withKey(t, db)
}

// answersOfMany are the answers of some hundred people, who say yes to a third of the brands and a fifth of the items.
func answersOfMany(t *testing.T) []byte {
	t.Helper()
	random := rand.New(rand.NewPCG(500, 50))
	head := []string{"id", "wave", "place", "weight"}
	for _, of := range []struct {
		name   string
		number int
	}{{"Item", largeRows}, {"Brand", largeColumns}} {
		for i := range of.number {
			head = append(head, fmt.Sprintf("%s_%d", of.name, i))
		}
	}
	lines := [][]string{head}
	for i := range 400 {
		wave, place := 1+i%2, "N"
		if wave == 2 && i%3 == 0 {
			place = "S"
		}
		weight := strconv.FormatFloat(0.5+random.Float64(), 'f', 3, 64)
		line := []string{strconv.Itoa(i + 1), strconv.Itoa(wave), place, weight}
		for k := range largeRows + largeColumns {
			of, number, odds := k, largeRows, 5
			if k >= largeRows {
				of, number, odds = k-largeRows, largeColumns, 3
			}
			switch {
			case wave == 1 && of >= number*9/10:
				line = append(line, "")
			case random.IntN(odds) == 0:
				line = append(line, "1")
			default:
				line = append(line, "0")
			}
		}
		lines = append(lines, line)
	}
	var out bytes.Buffer
	if err := csv.NewWriter(&out).WriteAll(lines); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// frame is what is on screen of a table while one scrolls.
type frame struct {
	Took  float64 // milliseconds since the one before
	Made  int     // lines that there are
	Seen  int     // lines that are in sight
	Blank float64 // pixels of the body in sight with no line on them
}

// looking tells what is in sight of the body of a table, as a frame.
const looking = `window.look = () => {
	const frame = document.querySelector(".frame"), body = frame.querySelector("tbody");
	const top = frame.querySelector("thead").getBoundingClientRect().bottom;
	const low = frame.getBoundingClientRect().top + frame.clientTop + frame.clientHeight;
	const bottom = Math.min(low, body.getBoundingClientRect().bottom);
	let [seen, covered] = [0, 0];
	for (const line of body.rows) {
		const box = line.getBoundingClientRect(), part = Math.min(box.bottom, bottom) - Math.max(box.top, top);
		if (part <= 0 || line.querySelector(".gap")) continue;
		seen++;
		covered += part;
	}
	return {made: body.rows.length, seen, blank: Math.max(0, bottom - top - covered)};
};`

// scrolling goes from the top to the end by so many pixels in each frame, and looks at what each paints: where the
// table has been moved to, with the lines that were made for where it was. It gives the frames and the long tasks, or
// that the browser has stopped to paint.
const scrolling = `new Promise((done) => {
	const frame = document.querySelector(".frame"), frames = [], tasks = [];
	let late = 0;
	const watch = new PerformanceObserver((list) => list.getEntries().forEach(({duration}) => tasks.push(duration)));
	watch.observe({type: "longtask"});
	let last = performance.now();
	const turn = (now) => {
		clearTimeout(late);
		late = setTimeout(() => done({stopped: true}), 10000);
		const before = frame.scrollTop;
		frame.scrollTop += STEP;
		frames.push({took: now - last, ...look()});
		last = now;
		if (frame.scrollTop > before) return requestAnimationFrame(turn);
		clearTimeout(late);
		setTimeout(() => {
			watch.disconnect();
			done({frames, tasks});
		}, 100);
	};
	requestAnimationFrame(turn);
})`

// jumping goes to some places at once, as who draws the scroll bar does, and looks at the frame after.
const jumping = `(async () => {
	const frame = document.querySelector(".frame"), frames = [];
	const painted = () => new Promise((done) => {
		requestAnimationFrame(done);
		setTimeout(done, 10000);
	});
	for (const part of [1, 0.5, 0, 0.75, 0.1, 1]) {
		frame.scrollTop = part * frame.scrollHeight;
		await painted();
		await painted();
		frames.push({took: 0, ...look()});
	}
	return frames;
})()`

// A table of 500 × 50 has a few lines on the page wherever one is in it, and they are there in each frame as one
// scrolls from its top to its end. What it shows at the top, within and at the end is the interface's.
func TestFiveHundredByFifty(t *testing.T) {
	s := large(t).serve(t)
	rowNames, rows := s.question(t, "core.item").answers()
	columnNames, columns := s.question(t, "core.brand").answers()
	everyone := object{"expression": object{"question": "waves"}}
	var want struct{ Data []cell }
	s.ask(t, "/v2/query/crosstab?stream=false", object{"rows": rows, "columns": append([]object{everyone}, columns...)},
		&want)
	places := map[string]int{}
	for i, row := range rowNames {
		for j, column := range append([]string{"Total"}, columnNames...) {
			places[row+" × "+column] = i*(1+len(columns)) + j
		}
	}
	for _, is := range sizes {
		t.Run(is.name, func(t *testing.T) {
			p, through := scrolledTable(t, s, is, "/table?rows=core.item&columns=core.brand&measures=column,index")
			if through.lines < largeRows || through.columns < largeColumns {
				t.Fatalf("the table has %d lines and %d columns only", through.lines, through.columns)
			}
			p.wentSmoothly(through)
			numbers := 0
			for _, place := range []string{"0", "0.5", "1"} {
				p.eval(`void document.querySelectorAll(".frame").forEach((frame) =>
					(frame.scrollTop = `+place+` * frame.scrollHeight))`, nil)
				p.painted()
				p.painted()
				p.shoot(fmt.Sprintf("large-%s-%s", is.name, place))
				numbers += p.inSightHolds(want.Data, places)
			}
			p.fits()
			t.Logf("%d numbers", numbers)
			if numbers < 1000 {
				t.Errorf("only %d numbers were held", numbers)
			}
		})
	}
}

// awaited evaluates a promise.
func awaited(expression string, out any) chromedp.Action {
	return chromedp.Evaluate(expression, out, func(e *runtime.EvaluateParams) *runtime.EvaluateParams {
		return e.WithAwaitPromise(true)
	})
}

// The most lines that may be on the page beyond those in sight, with the room above and below them, and the longest
// that half of the frames may take on a machine with other work, in milliseconds.
const (
	mostAround  = 2*8 + 2*4 + 4
	slowestHalf = 500.0
)

// scrolled is what a table of so many lines and columns was while one scrolled from its top to its end.
type scrolled struct {
	lines, columns int
	Stopped        bool // the browser paints this window no more
	Frames         []frame
	Tasks          []float64 // how long those took that kept the page for more than 50 ms
}

// scrolledTable opens a table and scrolls it from its top to its end. Where other work keeps the processors, Chromium
// sometimes stops to paint a window for good, whose page goes on without an event of scrolling; then another is opened.
func scrolledTable(t *testing.T, s *server, is size, view string) (*page, scrolled) {
	t.Helper()
	for range 3 {
		p := open(t, s, is)
		p.goTo(view)
		p.settled()
		p.until(`document.querySelectorAll(".crosstab td[data-column]").length > 100`)
		var through scrolled
		p.eval(`Number(document.querySelector("[role=grid]").getAttribute("aria-rowcount"))`, &through.lines)
		p.eval(`Number(document.querySelector("[role=grid]").getAttribute("aria-colcount"))`, &through.columns)
		p.eval(looking, nil)
		p.do(awaited(strings.ReplaceAll(scrolling, "STEP", "200"), &through))
		if !through.Stopped {
			return p, through
		}
		t.Log("Chromium paints this window no more")
	}
	t.Fatal("Chromium stopped to paint three windows")
	return nil, scrolled{}
}

// wentSmoothly holds what the frames of scrolling showed, and jumps about.
func (p *page) wentSmoothly(through scrolled) {
	p.Helper()
	var jumped []frame
	p.do(awaited(jumping, &jumped))
	if len(through.Frames) < 50 {
		p.Errorf("the end is there after %d frames", len(through.Frames))
	}
	var took []float64
	most := 0
	for i, f := range append(through.Frames, jumped...) {
		if f.Seen == 0 || f.Blank > 1 {
			p.Errorf("frame %d has %d lines in sight, and none on %.0f pixels", i, f.Seen, f.Blank)
		}
		if f.Made > f.Seen+mostAround || f.Made > through.lines/5 {
			p.Errorf("frame %d has %d lines on the page, of which %d are in sight", i, f.Made, f.Seen)
		}
		most = max(most, f.Made)
		if f.Took > 0 {
			took = append(took, f.Took)
		}
	}
	slices.Sort(took)
	slices.Sort(through.Tasks)
	longest := 0.0
	if n := len(through.Tasks); n > 0 {
		longest = through.Tasks[n-1]
	}
	p.Logf("%d lines: %d at most are on the page; %d frames, half of them within %.0f ms, nine of ten within %.0f ms; "+
		"%d long tasks, the longest of %.0f ms", through.lines, most, len(took), took[len(took)/2], took[len(took)*9/10],
		len(through.Tasks), longest)
	if half := took[len(took)/2]; half > slowestHalf {
		p.Errorf("half of the frames take more than %.0f ms", half)
	}
}

// inSightHolds holds the cells that are on the page against those of the whole table, and tells how many numbers.
func (p *page) inSightHolds(want []cell, places map[string]int) (numbers int) {
	p.Helper()
	for _, at := range p.cells() {
		place, there := places[at.Row+" × "+at.Column]
		if !there {
			p.Fatalf("there is no cell %s × %s", at.Row, at.Column)
		}
		c := want[place]
		if c.Base.Sample == 0 {
			p.Errorf("%s × %s was not measured, and shows %v", at.Row, at.Column, at.Figures)
			continue
		}
		for name, f := range map[string]struct {
			want     float64
			decimals int
		}{"column": {c.Audiences.Row.Intersect, 1}, "index": {c.Intersect.Index, 0}} {
			if err := same(at.Figures[name], f.want, f.decimals); err != nil {
				p.Errorf("%s × %s, %s: %v", at.Row, at.Column, name, err)
			}
			numbers++
		}
	}
	return numbers
}
