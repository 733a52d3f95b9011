package catalogue

import (
	"cmp"
	"slices"

	"github.com/crosswave/crosswave/audience"
)

// FieldworkFilter picks records by where there is fieldwork: a record is listed if it has any in one of the namespaces,
// waves and locations. An empty list is no filter; codes that match nothing find nothing.
type FieldworkFilter struct {
	Namespaces, Waves, Locations []string
}

// LocationRecord is a location as the catalogue lists it.
type LocationRecord struct {
	ID         string              `json:"id"`
	Code       string              `json:"code"`
	ISOCode    string              `json:"iso_code"`
	Name       string              `json:"name"`
	Accessible bool                `json:"accessible"`
	Namespaces []LocationNamespace `json:"namespaces"` // in which it was fielded
	Region     *RegionRecord       `json:"region,omitempty"`
}

// LocationNamespace is a namespace and the waves in which it was fielded in a location, oldest first.
type LocationNamespace struct {
	Code      string   `json:"code"`
	WaveCodes []string `json:"wave_codes"`
}

// RegionRecord is the region of a location.
type RegionRecord struct {
	ID   string `json:"id"`
	Code string `json:"code"`
	Name string `json:"name"`
	Area string `json:"area"`
}

// Locations lists locations in the survey's order. Without a filter all are listed, fielded or not.
func (c *Catalogue) Locations(filter FieldworkFilter, regions bool) []LocationRecord {
	out := []LocationRecord{}
	for _, l := range c.survey.Locations {
		at := c.frame.Location(l.Code)
		if at < 0 || !c.matches(filter, func(_, location int) bool { return location == at }) {
			continue
		}
		r := LocationRecord{ID: cmp.Or(l.ID, l.Code), Code: l.Code, ISOCode: l.ISOCode, Name: l.Name,
			Accessible: !c.frame.Locations[at].Hidden,
			Namespaces: []LocationNamespace{}}
		for _, ns := range c.frame.Namespaces {
			n := LocationNamespace{Code: ns.Code}
			for i := range ns.Fielded.All() {
				if wave, location := c.frame.Fieldwork(i); location == at {
					n.WaveCodes = append(n.WaveCodes, c.frame.Waves[wave].Code)
				}
			}
			if len(n.WaveCodes) > 0 {
				r.Namespaces = append(r.Namespaces, n)
			}
		}
		if regions {
			r.Region = &RegionRecord{ID: cmp.Or(l.Region.ID, l.Region.Code), Code: l.Region.Code, Name: l.Region.Name,
				Area: l.Region.Area}
		}
		out = append(out, r)
	}
	return out
}

// WaveRecord is a wave as the catalogue lists it.
type WaveRecord struct {
	Code       string          `json:"code"`
	Name       string          `json:"name"`
	Accessible bool            `json:"accessible"`
	DateStart  string          `json:"date_start"` // 2024-01-31, "" if not known
	DateEnd    string          `json:"date_end"`
	Kind       string          `json:"kind"`
	Namespaces []WaveNamespace `json:"namespaces"` // in which it was fielded
}

// WaveNamespace is a namespace and the locations in which it was fielded in a wave, in the survey's order.
type WaveNamespace struct {
	Code          string   `json:"code"`
	LocationCodes []string `json:"location_codes"`
}

// Waves lists waves, oldest first. Without a filter all are listed, fielded or not.
func (c *Catalogue) Waves(filter FieldworkFilter) []WaveRecord {
	kinds := map[string]string{}
	for _, w := range c.survey.Waves {
		kinds[w.Code] = w.Kind
	}
	out := []WaveRecord{}
	for at, w := range c.frame.Waves {
		if !c.matches(filter, func(wave, _ int) bool { return wave == at }) {
			continue
		}
		r := WaveRecord{Code: w.Code, Name: w.Name, Accessible: !w.Hidden, DateStart: w.Start, DateEnd: w.End,
			Kind: kinds[w.Code], Namespaces: []WaveNamespace{}}
		for _, ns := range c.frame.Namespaces {
			n := WaveNamespace{Code: ns.Code}
			for i := range ns.Fielded.All() {
				if wave, location := c.frame.Fieldwork(i); wave == at {
					n.LocationCodes = append(n.LocationCodes, c.frame.Locations[location].Code)
				}
			}
			if len(n.LocationCodes) > 0 {
				r.Namespaces = append(r.Namespaces, n)
			}
		}
		out = append(out, r)
	}
	return out
}

// NamespaceRecord is a namespace as the catalogue lists it.
type NamespaceRecord struct {
	Code              string   `json:"code"`
	Name              string   `json:"name"`
	Description       string   `json:"description"`
	Accessible        bool     `json:"accessible"`
	BaseNamespaceCode string   `json:"base_namespace_code"`
	Universe          string   `json:"universe"`   // average or sum: how its weights meet several waves
	WaveCodes         []string `json:"wave_codes"` // in which it has respondents, oldest first
	LocationCodes     []string `json:"location_codes"`
}

// Namespaces lists namespaces, the default first.
func (c *Catalogue) Namespaces(filter FieldworkFilter) []NamespaceRecord {
	out := []NamespaceRecord{}
	for _, n := range c.survey.Namespaces {
		at := c.frame.Namespace(n.Code)
		one := FieldworkFilter{Namespaces: []string{n.Code}, Waves: filter.Waves, Locations: filter.Locations}
		filtered := len(filter.Waves)+len(filter.Locations) > 0
		if at < 0 || !picks(filter.Namespaces, n.Code) || filtered && !c.matches(one, func(_, _ int) bool { return true }) {
			continue
		}
		ns := &c.frame.Namespaces[at]
		r := NamespaceRecord{Code: n.Code, Name: n.Name, Description: n.Description, Accessible: !ns.Hidden,
			BaseNamespaceCode: n.Base,
			Universe:          cmp.Or(n.Universe, "average"), WaveCodes: []string{}, LocationCodes: []string{}}
		waves, locations := fielded(c.frame, ns.Fielded)
		for _, w := range waves {
			r.WaveCodes = append(r.WaveCodes, c.frame.Waves[w].Code)
		}
		for _, l := range locations {
			r.LocationCodes = append(r.LocationCodes, c.frame.Locations[l].Code)
		}
		out = append(out, r)
	}
	return out
}

// fielded is the waves and the locations, in the frame's order, that a cover has any fieldwork in.
func fielded(f *audience.Frame, cover audience.Cover) (waves, locations []int) {
	for i := range cover.All() {
		w, l := f.Fieldwork(i)
		if !slices.Contains(waves, w) {
			waves = append(waves, w)
		}
		if !slices.Contains(locations, l) {
			locations = append(locations, l)
		}
	}
	slices.Sort(locations)
	return waves, locations
}

// matches tells whether there is fieldwork that the filter lets through and that is of the record.
func (c *Catalogue) matches(filter FieldworkFilter, of func(wave, location int) bool) bool {
	if len(filter.Namespaces)+len(filter.Waves)+len(filter.Locations) == 0 {
		return true
	}
	for _, ns := range c.frame.Namespaces {
		if !picks(filter.Namespaces, ns.Code) {
			continue
		}
		for i := range ns.Fielded.All() {
			w, l := c.frame.Fieldwork(i)
			if of(w, l) && picks(filter.Waves, c.frame.Waves[w].Code) && picks(filter.Locations, c.frame.Locations[l].Code) {
				return true
			}
		}
	}
	return false
}
