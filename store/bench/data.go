package main

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/survey"
)

// side is 50 options that stand on one side of a table: of one question or of several, one after the other.
type side struct {
	name    string
	options []audience.Expr
	codes   []string // of the options, for messages
}

// data is the part of the survey that the questions need, as plain columns: what the peers are loaded with.
type data struct {
	n      int
	sides  []side     // wide multi, second multi, third multi, profile (single-choice questions)
	bits   [][]uint64 // [side][respondent], a bit an option
	single [][]uint8  // [profile question][respondent]: option within the profile side; 255: none
	waves  []uint8
	weight []int64 // in the units of the store
	cover  audience.Cover
	byWave []audience.Cover

	fieldwork   []uint8          // of each respondent, as the frame counts them
	byFieldwork []audience.Cover // empty where there was none
	factors     []float64        // of each fieldwork: people per unit of weight in a size over all of the cover
}

// multis are the questions whose options make the second and the third side.
var multis = [][]string{{"bought", "devices_owned"}, {"sports_played", "cuisines", "music_genres"}}

// generate streams the survey once more and keeps what the questions need.
func generate(ctx context.Context, source survey.Source, f *audience.Frame, n int) (*data, error) {
	s, err := source.Describe(ctx)
	if err != nil {
		return nil, err
	}
	out := &data{n: n}
	layout := survey.NewLayout(s)
	type place struct{ side, option, question int }
	places := make([]place, layout.Attributes())
	for i := range places {
		places[i].side = -1
	}
	profile := demo.Profile()
	groups := append([][]string{{demo.Wide}}, append(multis, profile)...)
	for g, codes := range groups {
		sd := side{name: codes[0]}
		for _, code := range codes {
			for q := range s.Questions {
				if s.Questions[q].Code != code || s.Questions[q].Namespace != s.Namespaces[0].Code {
					continue
				}
				for dp := range s.Questions[q].Datapoints {
					if len(sd.options) == 50 {
						break
					}
					point := s.Questions[q].Datapoints[dp].Code
					question := -1
					if g == 3 {
						question = len(out.single)
					}
					places[layout.Attribute(q, dp, 0)] = place{g, len(sd.options), question}
					sd.options = append(sd.options, audience.Answers{Question: s.Namespaces[0].Code + "." + code,
						Datapoints: []string{point}, Min: 1})
					sd.codes = append(sd.codes, point)
				}
			}
			if g == 3 {
				out.single = append(out.single, make([]uint8, n))
			}
		}
		if len(sd.options) != 50 {
			return nil, fmt.Errorf("side %s has %d options, want 50", sd.name, len(sd.options))
		}
		out.sides = append(out.sides, sd)
		out.bits = append(out.bits, make([]uint64, n))
	}
	if f.Size() > 256 {
		return nil, fmt.Errorf("%d fieldworks are more than a byte tells apart", f.Size())
	}
	out.waves, out.fieldwork, out.weight = make([]uint8, n), make([]uint8, n), make([]int64, n)
	i := 0
	for b, err := range source.Respondents(ctx) {
		if err != nil {
			return nil, err
		}
		for _, r := range b.Respondents {
			for q := range out.single {
				out.single[q][i] = 255
			}
			for _, a := range r.Attributes {
				if p := places[a]; p.side >= 0 {
					out.bits[p.side][i] |= 1 << p.option
					if p.question >= 0 {
						out.single[p.question][i] = uint8(p.option)
					}
				}
			}
			wave := f.Wave(s.Waves[r.Wave].Code)
			out.waves[i] = uint8(wave)
			out.fieldwork[i] = uint8(f.At(wave, f.Location(s.Locations[r.Location].Code)))
			out.weight[i], _ = r.Weights[0].Scaled(f.Decimals(0))
			i++
		}
	}
	out.strata(f)
	return out, nil
}

// strata divides the fieldwork of the first namespace.
func (d *data) strata(f *audience.Frame) {
	d.cover = f.Fielded(0)
	for w := range f.Waves {
		c := audience.NewCover(f.Size())
		for l := range f.Locations {
			if d.cover.Has(f.At(w, l)) {
				c.Set(f.At(w, l))
			}
		}
		d.byWave = append(d.byWave, c)
	}
	waves := make([]float64, len(f.Locations)) // that each location has
	for h := range f.Size() {
		c := audience.NewCover(f.Size())
		if d.cover.Has(h) {
			c.Set(h)
			_, l := f.Fieldwork(h)
			waves[l]++
		}
		d.byFieldwork = append(d.byFieldwork, c)
	}
	d.factors = make([]float64, f.Size())
	for h := range d.factors {
		if _, l := f.Fieldwork(h); d.cover.Has(h) {
			d.factors[h] = 1 / (waves[l] * math.Pow10(f.Decimals(0)))
		}
	}
}

// steps is how many masked adds a table of some sides by the first options of another needs at the least: set bits of
// the sparser axis × groups of 16 of the other.
func (d *data) steps(rows []int, columns, limit int) float64 {
	options, inRows, inColumns := 0, 0.0, 0.0
	for _, side := range rows {
		options += len(d.sides[side].options)
		for _, b := range d.bits[side] {
			inRows += float64(bits.OnesCount64(b))
		}
	}
	limit = min(limit, len(d.sides[columns].options))
	for _, b := range d.bits[columns] {
		inColumns += float64(bits.OnesCount64(b & (1<<limit - 1)))
	}
	return min(inRows*float64((limit+15)/16), inColumns*float64((options+15)/16))
}
