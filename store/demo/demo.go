package demo

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strconv"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/ordered"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// Config says which survey to generate. The zero value is 40,000 respondents of seed 0.
type Config struct {
	Seed uint64
	// Respondents of all waves together; 0 means 40,000. With 5,000 or more, every fieldwork has respondents enough
	// that all it was asked is answered there.
	Respondents int
	// Only lists codes of the waves that are streamed and written; none means all. They are the respondents that the
	// whole has in these waves, in that order. Describe and Codebook tell the whole survey all the same.
	Only []string
	// Workers is how many respondents are made at a time; 0 means one for each processor. It changes nothing else.
	Workers int
}

// Demo is a generated survey. It is safe for concurrent use.
type Demo struct {
	config    Config
	err       error // what is wrong with the config
	specs     []spec
	questions []question
	numbers   int // questions that are numbers
	items     int
	markets   []market
	plan      []quarter // by wave
	bases     []bases   // of each fieldwork, waves outermost
	tables    *tables
	only      []bool // of each wave
}

var _ survey.Source = (*Demo)(nil)

// New readies a survey. A config that can't be met is an error of the methods.
func New(c Config) *Demo {
	c.Respondents, c.Workers = cmp.Or(c.Respondents, 40_000), cmp.Or(max(c.Workers, 0), runtime.GOMAXPROCS(0))
	d := &Demo{config: c, markets: markets(), tables: newTables()}
	if d.specs, d.err = questionnaire(); d.err != nil {
		return d
	}
	layout := survey.NewLayout(describe(d.specs))
	d.items = layout.Items()
	d.questions, d.numbers = prepare(d.specs, layout, d.tables)
	ws := waves()
	if d.err = d.check(ws); d.err != nil {
		return d
	}
	d.plan = newPlan(c.Respondents, ws, d.markets)
	for w := range ws {
		for m := range d.markets {
			d.bases = append(d.bases, newBases(d.specs, d.questions, w, m, ws[w].Code, d.markets[m].Code))
		}
	}
	return d
}

// maxRespondents keeps the smallest weight well above its unit.
const maxRespondents = 1_000_000_000

func (d *Demo) check(ws []wave) error {
	if d.config.Respondents < 0 || d.config.Respondents > maxRespondents {
		return fmt.Errorf("demo survey: Respondents is %d, not within 0 to %d", d.config.Respondents, maxRespondents)
	}
	d.only = make([]bool, len(ws))
	for w := range ws {
		d.only[w] = len(d.config.Only) == 0
	}
	for _, code := range d.config.Only {
		w := slices.IndexFunc(ws, func(w wave) bool { return w.Code == code })
		if w < 0 {
			return fmt.Errorf("demo survey: Only lists %q, which is no wave; they are %s to %s", code, ws[0].Code,
				ws[len(ws)-1].Code)
		}
		d.only[w] = true
	}
	return nil
}

// Describe returns the survey, all of it whatever Only says.
func (d *Demo) Describe(context.Context) (*audience.Survey, error) {
	if d.err != nil {
		return nil, d.err
	}
	return describe(d.specs), nil
}

// Respondents streams the respondents, wave by wave and in a wave with locations mixed. Done and Total of a batch count
// respondents, as Row does.
func (d *Demo) Respondents(ctx context.Context) iter.Seq2[*survey.Batch, error] {
	return func(yield func(*survey.Batch, error) bool) {
		for b, err := range d.blocks(ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(&b.batch, nil) {
				return
			}
		}
	}
}

// block is a batch in the making: a run of a wave's stream.
type block struct {
	run
	batch   survey.Batch
	numbers []int16 // of each respondent in turn

	respondents []survey.Respondent
	weights     []decimal.Decimal
	answered    []uint64
	ids         []byte
	ends        []int // of each id
}

// blockSize is how many respondents a batch has at the most.
const blockSize = 512

// blocks streams the blocks in order. Workers make a few of them ahead; a block is used again as soon as the next is
// asked for.
func (d *Demo) blocks(ctx context.Context) iter.Seq2[*block, error] {
	total := d.streamed()
	return ordered.Work[run, block]{
		Items: func(context.Context) iter.Seq2[run, error] { return d.runs() },
		Begin: func(b *block, r run) { d.begin(b, r, total) },
		Worker: func() func(*block) {
			return (&drawer{d: d, chosen: make([]uint8, len(d.questions))}).fill
		},
		Workers: d.config.Workers,
	}.Do(ctx)
}

// run is what a block is to hold.
type run struct {
	wave, from, n int
	row           int64 // the first, from 1
}

// runs cuts the stream into blocks.
func (d *Demo) runs() iter.Seq2[run, error] {
	return func(yield func(run, error) bool) {
		if d.err != nil {
			yield(run{}, d.err)
			return
		}
		row := int64(1)
		for w := range d.plan {
			if !d.only[w] {
				continue
			}
			for from := 0; from < d.plan[w].n; from += blockSize {
				n := min(blockSize, d.plan[w].n-from)
				if !yield(run{w, from, n, row}, nil) {
					return
				}
				row += int64(n)
			}
		}
	}
}

// streamed is the number of respondents of the stream.
func (d *Demo) streamed() int64 {
	n := int64(0)
	for r := range d.runs() {
		n += int64(r.n)
	}
	return n
}

// begin readies a block for a run, of a stream of so many respondents.
func (d *Demo) begin(b *block, r run, total int64) {
	if b.respondents == nil {
		words, namespaces := (d.items+63)/64, 2
		b.numbers, b.respondents = make([]int16, blockSize*d.numbers), make([]survey.Respondent, blockSize)
		b.weights, b.answered = make([]decimal.Decimal, blockSize*namespaces), make([]uint64, blockSize*words)
	}
	b.run = r
	b.batch = survey.Batch{Respondents: b.respondents[:r.n], Done: r.row - 1 + int64(r.n), Total: total}
}

// fill makes the respondents of a block.
func (w *drawer) fill(b *block) {
	d := w.d
	q := &d.plan[b.wave]
	words := len(b.answered) / blockSize
	b.ids, b.ends = b.ids[:0], b.ends[:0]
	for i := range b.n {
		location, position := q.at(b.from + i)
		r := &b.respondents[i]
		r.Row = b.row + int64(i)
		r.Weights = b.weights[2*i : 2*i+2 : 2*i+2]
		r.Answered = b.answered[i*words : (i+1)*words : (i+1)*words]
		w.draw(b.wave, location, position, r, b.numbers[i*d.numbers:(i+1)*d.numbers])
		b.ids = strconv.AppendInt(b.ids, int64(b.wave+1), 10)
		b.ids = append(append(b.ids, '-'), d.markets[location].ISOCode...)
		b.ids = strconv.AppendInt(append(b.ids, '-'), int64(position+1), 10)
		b.ends = append(b.ends, len(b.ids))
	}
	ids, from := string(b.ids), 0
	for i, end := range b.ends {
		b.respondents[i].ID = ids[from:end]
		from = end
	}
}
