package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/crosstab"
)

// extent is what a figure covers, in codes, and what it leaves out of what was requested.
type extent struct {
	namespace        string
	waves, locations []string
	// withoutWaves and withoutLocations are those requested in which nothing is covered, further the pairs of a wave and a
	// location with respondents that are left out beside.
	withoutWaves, withoutLocations []string
	further                        [][2]string
	complete                       bool // all of what was requested where the namespace has respondents
}

// extent tells what a cell covers, whose row and column are given. A wave column is requested for its wave.
func (x *crossed) extent(c *crosstab.Cell, row, column audience.Expr) extent {
	f := x.frame
	e := extent{namespace: c.Namespace, waves: f.WaveCodes(c.Cover), locations: f.LocationCodes(c.Cover), complete: true}
	waves, locations := x.request.Waves, x.request.Locations
	if len(waves) == 0 {
		waves = f.WaveCodes(f.Visible())
	}
	if len(locations) == 0 {
		locations = f.LocationCodes(f.Visible())
	}
	for _, side := range []audience.Expr{row, column} {
		if only, ok := side.(audience.Waves); ok && len(only.Codes) > 0 {
			waves = slices.DeleteFunc(slices.Clone(waves), func(code string) bool { return !slices.Contains(only.Codes, code) })
		}
	}
	e.withoutWaves, e.withoutLocations = without(waves, e.waves), without(locations, e.locations)
	for i := range f.Fielded(f.Namespace(c.Namespace)).All() {
		w, l := f.Fieldwork(i)
		wave, location := f.Waves[w].Code, f.Locations[l].Code
		if c.Cover.Has(i) || !slices.Contains(waves, wave) || !slices.Contains(locations, location) {
			continue
		}
		e.complete = false
		if slices.Contains(e.waves, wave) && slices.Contains(e.locations, location) {
			e.further = append(e.further, [2]string{wave, location})
		}
	}
	return e
}

// without are those of some codes that are not among others, each once.
func without(codes, others []string) (rest []string) {
	for _, code := range codes {
		if !slices.Contains(others, code) && !slices.Contains(rest, code) {
			rest = append(rest, code)
		}
	}
	return rest
}

// text says what is covered, and what is left out, in words.
func (e *extent) text(f *audience.Frame) string {
	if len(e.waves) == 0 {
		return e.namespace + ", nothing: it was not asked, or nobody was, in what was requested"
	}
	var all [2][]string
	for _, w := range f.Waves {
		all[0] = append(all[0], w.Code)
	}
	for _, l := range f.Locations {
		all[1] = append(all[1], l.Code)
	}
	text := e.namespace + ", " + some("wave", e.waves, all[0]) + ", " + some("location", e.locations, all[1])
	var left []string
	if len(e.withoutWaves) > 0 {
		left = append(left, counted("wave", e.withoutWaves))
	}
	if len(e.withoutLocations) > 0 {
		left = append(left, counted("location", e.withoutLocations))
	}
	for i, pair := range e.further {
		if i == 4 {
			left = append(left, fmt.Sprintf("%d more of a wave in a location", len(e.further)-i))
			break
		}
		left = append(left, pair[0]+" in "+pair[1])
	}
	if len(left) > 0 {
		text += "; left out: " + strings.Join(left, ", ")
	}
	return text
}

// fewCodes are listed one by one.
const fewCodes = 6

// some names some of all codes: those that follow one another by the first and the last, if they are many.
func some(what string, codes, all []string) string {
	n, first := len(codes), slices.Index(all, codes[0])
	number := fmt.Sprint(n)
	whole := n == len(all) && n > 1
	if whole {
		number = "all " + number
		if n == 2 {
			number = "both"
		}
	}
	switch {
	case what == "wave" && n > fewCodes && slices.Equal(codes, all[first:min(first+n, len(all))]):
		return fmt.Sprintf("%s waves %s … %s", number, codes[0], codes[n-1])
	case whole && what == "location":
		return number + " locations"
	case whole:
		return number + " " + counted(what, codes)
	}
	return counted(what, codes)
}

// counted names codes one by one.
func counted(what string, codes []string) string {
	if len(codes) > 1 {
		what += "s"
	}
	if len(codes) > 4*fewCodes {
		return fmt.Sprintf("%d %s", len(codes), what)
	}
	return what + " " + strings.Join(codes, ", ")
}

// coverage says what the table covers: what its total does, and which rows and columns differ from that.
func (x *crossed) coverage() []string {
	total := x.extent(&x.cells[0][0], nil, nil)
	lines := []string{"Covers " + total.text(x.frame) + "."}
	rows := make([]extent, len(x.rows))
	for i := range rows {
		rows[i] = x.extent(&x.cells[i][0], x.rows[i].Expr, nil)
	}
	columns := make([]extent, len(x.columns))
	for j := range columns {
		columns[j] = x.extent(&x.cells[0][j], nil, x.columns[j].Expr)
	}
	lines = append(lines, x.differing("Row", x.rows, rows, total)...)
	lines = append(lines, x.differing("Column", x.columns, columns, total)...)
	if len(lines) > 1 {
		lines = append(lines, "A cell covers what both its row and its column cover.")
	}
	return lines
}

// differing are lines for the audiences of an axis that leave out more than the total, or are counted in another
// namespace; those that are alike share one.
func (x *crossed) differing(what string, as []audience.Audience, extents []extent, total extent) (lines []string) {
	named := map[string][]string{}
	var texts []string
	for i, e := range extents {
		if e.namespace == total.namespace && len(e.further) == len(total.further) &&
			len(without(e.withoutWaves, total.withoutWaves)) == 0 &&
			len(without(e.withoutLocations, total.withoutLocations)) == 0 {
			continue
		}
		text := e.text(x.frame)
		if named[text] == nil {
			texts = append(texts, text)
		}
		named[text] = append(named[text], strconv.Quote(plain(name(as[i]))))
	}
	for _, text := range texts {
		names, which := named[text], what
		if len(names) > 1 {
			which += "s"
		}
		if n := len(names) - fewCodes; n > 0 {
			names = append(names[:fewCodes:fewCodes], fmt.Sprintf("%d more", n))
		}
		lines = append(lines, fmt.Sprintf("%s %s: %s.", which, strings.Join(names, ", "), text))
	}
	return lines
}
