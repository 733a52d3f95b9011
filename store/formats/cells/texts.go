package cells

// Texts are those that cells refer to by number, in pages of as many each. The zero value has none.
type Texts struct{ pages []page }

type page struct {
	text []byte
	ends []uint32 // of each text of the page
}

const pageTexts = 1 << 12

// At is the text with a number, counted from 0; ok is false if there is none.
func (t *Texts) At(i int) (text []byte, ok bool) {
	if i < 0 || i/pageTexts >= len(t.pages) || i%pageTexts >= len(t.pages[i/pageTexts].ends) {
		return nil, false
	}
	p := &t.pages[i/pageTexts]
	start := uint32(0)
	if i%pageTexts > 0 {
		start = p.ends[i%pageTexts-1]
	}
	return p.text[start:p.ends[i%pageTexts]], true
}

// Add adds a copy of a text.
func (t *Texts) Add(text []byte) {
	if n := len(t.pages); n == 0 || len(t.pages[n-1].ends) == pageTexts {
		t.pages = append(t.pages, page{})
	}
	p := &t.pages[len(t.pages)-1]
	p.text = append(p.text, text...)
	p.ends = append(p.ends, uint32(len(p.text)))
}
