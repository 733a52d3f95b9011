package catalogue

import (
	"cmp"

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
	for at, l := range c.frame.Locations {
		if !c.matches(filter, func(_, location int) bool { return location == at }) {
			continue
		}
		r := LocationRecord{ID: cmp.Or(l.ID, l.Code), Code: l.Code, ISOCode: l.ISOCode, Name: l.Name,
			Accessible: !c.frame.HidesLocation(at), Namespaces: []LocationNamespace{}}
		for n, ns := range c.frame.Namespaces {
			here := c.cut(n, func(_, location int) bool { return location == at })
			if waves := c.frame.WaveCodes(here); len(waves) > 0 {
				r.Namespaces = append(r.Namespaces, LocationNamespace{Code: ns.Code, WaveCodes: waves})
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

// cut is where a namespace was fielded, as far as a record is about it.
func (c *Catalogue) cut(namespace int, of func(wave, location int) bool) audience.Cover {
	here := audience.NewCover(c.frame.Size())
	for i := range c.frame.Fielded(namespace).All() {
		if of(c.frame.Fieldwork(i)) {
			here.Set(i)
		}
	}
	return here
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
	out := []WaveRecord{}
	for at, w := range c.frame.Waves {
		if !c.matches(filter, func(wave, _ int) bool { return wave == at }) {
			continue
		}
		r := WaveRecord{Code: w.Code, Name: w.Name, Accessible: !c.frame.HidesWave(at), DateStart: w.Start, DateEnd: w.End,
			Kind: w.Kind, Namespaces: []WaveNamespace{}}
		for n, ns := range c.frame.Namespaces {
			here := c.cut(n, func(wave, _ int) bool { return wave == at })
			if locations := c.frame.LocationCodes(here); len(locations) > 0 {
				r.Namespaces = append(r.Namespaces, WaveNamespace{Code: ns.Code, LocationCodes: locations})
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
	for at, n := range c.frame.Namespaces {
		one := FieldworkFilter{Namespaces: []string{n.Code}, Waves: filter.Waves, Locations: filter.Locations}
		filtered := len(filter.Waves)+len(filter.Locations) > 0
		if !picks(filter.Namespaces, n.Code) || filtered && !c.matches(one, func(_, _ int) bool { return true }) {
			continue
		}
		fielded := c.frame.Fielded(at)
		out = append(out, NamespaceRecord{Code: n.Code, Name: n.Name, Description: n.Description,
			Accessible: !c.frame.HidesNamespace(at), BaseNamespaceCode: n.Base, Universe: cmp.Or(n.Universe, audience.Average),
			WaveCodes: c.frame.WaveCodes(fielded), LocationCodes: c.frame.LocationCodes(fielded)})
	}
	return out
}

// matches tells whether there is fieldwork that the filter lets through and that is of the record.
func (c *Catalogue) matches(filter FieldworkFilter, of func(wave, location int) bool) bool {
	if len(filter.Namespaces)+len(filter.Waves)+len(filter.Locations) == 0 {
		return true
	}
	for n, ns := range c.frame.Namespaces {
		if !picks(filter.Namespaces, ns.Code) {
			continue
		}
		for i := range c.frame.Fielded(n).All() {
			w, l := c.frame.Fieldwork(i)
			if of(w, l) && picks(filter.Waves, c.frame.Waves[w].Code) && picks(filter.Locations, c.frame.Locations[l].Code) {
				return true
			}
		}
	}
	return false
}
