package sqlite

import (
	"github.com/crosswave/crosswave/audience"
)

// The Frame is kept as JSON in which a cover stands once, as most datapoints were asked where their neighbours were.
type storedFrame struct {
	Waves      []audience.Wave     `json:"waves"`
	Locations  []audience.Location `json:"locations"`
	Namespaces []storedNamespace   `json:"namespaces"`
	Questions  []storedQuestion    `json:"questions"`
	Covers     [][]uint64          `json:"covers"`
}

type storedNamespace struct {
	Code     string `json:"code"`
	Name     string `json:"name,omitempty"`
	Base     string `json:"base,omitempty"`
	Sum      bool   `json:"sum,omitempty"`
	Decimals int    `json:"decimals,omitempty"`
	Fielded  int    `json:"fielded"` // index into Covers
}

type storedQuestion struct {
	Namespace  string            `json:"namespace"`
	Code       string            `json:"code"`
	Name       string            `json:"name,omitempty"`
	Datapoints []storedDatapoint `json:"datapoints"`
	Suffixes   []audience.Suffix `json:"suffixes,omitempty"`
}

type storedDatapoint struct {
	Code  string `json:"code"`
	Name  string `json:"name,omitempty"`
	Asked int    `json:"asked"` // index into Covers
}

func storeFrame(f *audience.Frame) *storedFrame {
	s := &storedFrame{Waves: f.Waves, Locations: f.Locations}
	seen := map[string]int{}
	cover := func(c audience.Cover) int {
		var key []byte
		for _, w := range c {
			for ; w != 0; w >>= 8 {
				key = append(key, byte(w))
			}
			key = append(key, 0xff, 0)
		}
		i, ok := seen[string(key)]
		if !ok {
			i = len(s.Covers)
			seen[string(key)] = i
			s.Covers = append(s.Covers, c)
		}
		return i
	}
	for _, n := range f.Namespaces {
		s.Namespaces = append(s.Namespaces, storedNamespace{n.Code, n.Name, n.Base, n.Sum, n.Decimals, cover(n.Fielded)})
	}
	for _, q := range f.Questions {
		sq := storedQuestion{Namespace: q.Namespace, Code: q.Code, Name: q.Name, Suffixes: q.Suffixes}
		for _, d := range q.Datapoints {
			sq.Datapoints = append(sq.Datapoints, storedDatapoint{d.Code, d.Name, cover(d.Asked)})
		}
		s.Questions = append(s.Questions, sq)
	}
	return s
}

func (s *storedFrame) frame(version uint64) (*audience.Frame, error) {
	f := audience.Frame{Version: version, Waves: s.Waves, Locations: s.Locations}
	bad := false
	cover := func(i int) audience.Cover {
		if i < 0 || i >= len(s.Covers) {
			bad = true
			return nil
		}
		return s.Covers[i]
	}
	for _, n := range s.Namespaces {
		f.Namespaces = append(f.Namespaces, audience.Namespace{Code: n.Code, Name: n.Name, Base: n.Base, Sum: n.Sum, Decimals: n.Decimals, Fielded: cover(n.Fielded)})
	}
	for _, q := range s.Questions {
		fq := audience.Question{Namespace: q.Namespace, Code: q.Code, Name: q.Name, Suffixes: q.Suffixes}
		for _, d := range q.Datapoints {
			fq.Datapoints = append(fq.Datapoints, audience.Datapoint{Code: d.Code, Name: d.Name, Asked: cover(d.Asked)})
		}
		f.Questions = append(f.Questions, fq)
	}
	if bad {
		return nil, &DamagedError{"the frame"}
	}
	return audience.NewFrame(f)
}
