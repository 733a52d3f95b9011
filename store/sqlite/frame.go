package sqlite

import (
	"encoding/binary"

	"github.com/crosswave/crosswave/audience"
)

// The Frame is kept as JSON in which a cover stands once, as most datapoints were asked where their neighbours were.
type storedFrame struct {
	Waves      []storedWave      `json:"waves"`
	Locations  []storedLocation  `json:"locations"`
	Namespaces []storedNamespace `json:"namespaces"`
	Questions  []storedQuestion  `json:"questions"`
	Covers     [][]uint64        `json:"covers"`
}

type storedWave struct {
	Code  string `json:"code"`
	Name  string `json:"name,omitempty"`
	Start string `json:"start,omitempty"`
	End   string `json:"end,omitempty"`
}

type storedLocation struct {
	Code string `json:"code"`
	Name string `json:"name,omitempty"`
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
	Suffixes   []storedSuffix    `json:"suffixes,omitempty"`
}

type storedSuffix struct {
	Code int    `json:"code"`
	Name string `json:"name,omitempty"`
}

type storedDatapoint struct {
	Code  string `json:"code"`
	Name  string `json:"name,omitempty"`
	Asked int    `json:"asked"` // index into Covers
}

func storeFrame(f *audience.Frame) *storedFrame {
	s := &storedFrame{}
	seen := map[string]int{}
	cover := func(c audience.Cover) int {
		key := make([]byte, 0, 8*len(c))
		for _, w := range c {
			key = binary.LittleEndian.AppendUint64(key, w)
		}
		i, ok := seen[string(key)]
		if !ok {
			i = len(s.Covers)
			seen[string(key)] = i
			s.Covers = append(s.Covers, c)
		}
		return i
	}
	for _, w := range f.Waves {
		s.Waves = append(s.Waves, storedWave{w.Code, w.Name, w.Start, w.End})
	}
	for _, l := range f.Locations {
		s.Locations = append(s.Locations, storedLocation{l.Code, l.Name})
	}
	for _, n := range f.Namespaces {
		s.Namespaces = append(s.Namespaces, storedNamespace{n.Code, n.Name, n.Base, n.Sum, n.Decimals, cover(n.Fielded)})
	}
	for _, q := range f.Questions {
		sq := storedQuestion{Namespace: q.Namespace, Code: q.Code, Name: q.Name}
		for _, x := range q.Suffixes {
			sq.Suffixes = append(sq.Suffixes, storedSuffix{x.Code, x.Name})
		}
		for _, d := range q.Datapoints {
			sq.Datapoints = append(sq.Datapoints, storedDatapoint{d.Code, d.Name, cover(d.Asked)})
		}
		s.Questions = append(s.Questions, sq)
	}
	return s
}

func (s *storedFrame) frame(version uint64) (*audience.Frame, error) {
	f := audience.Frame{Version: version}
	for _, w := range s.Waves {
		f.Waves = append(f.Waves, audience.Wave{Code: w.Code, Name: w.Name, Start: w.Start, End: w.End})
	}
	for _, l := range s.Locations {
		f.Locations = append(f.Locations, audience.Location{Code: l.Code, Name: l.Name})
	}
	bad := false
	cover := func(i int) audience.Cover {
		if i < 0 || i >= len(s.Covers) {
			bad = true
			return nil
		}
		return s.Covers[i]
	}
	for _, n := range s.Namespaces {
		f.Namespaces = append(f.Namespaces, audience.Namespace{Code: n.Code, Name: n.Name, Base: n.Base, Sum: n.Sum,
			Decimals: n.Decimals, Fielded: cover(n.Fielded)})
	}
	for _, q := range s.Questions {
		fq := audience.Question{Namespace: q.Namespace, Code: q.Code, Name: q.Name}
		for _, x := range q.Suffixes {
			fq.Suffixes = append(fq.Suffixes, audience.Suffix{Code: x.Code, Name: x.Name})
		}
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
