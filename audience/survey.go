package audience

import (
	"slices"
	"strings"
)

// Survey describes a survey: every record that a file or a store holds about it, and no respondent. It is the one model
// of a survey: readers of files make one, engines keep it as it is, the Frame carries it, and the catalogue's answers
// are formed from it. It is written as JSON by its tags; empty members are left out.
type Survey struct {
	Name       string      `json:"name,omitempty"`
	Namespaces []Namespace `json:"namespaces"` // the first is the default
	// Waves are in any order in a file; a Frame has them oldest first: dated ones by start, undated ones after them, ties
	// as first listed.
	Waves      []Wave     `json:"waves"`
	Locations  []Location `json:"locations"`
	Questions  []Question `json:"questions"`
	Categories []Category `json:"categories,omitempty"`
	Datasets   []Dataset  `json:"datasets,omitempty"`
}

// Clone copies the survey with its lists of waves, questions and datapoints, which may then be changed; what else the
// records hold is shared.
func (s *Survey) Clone() *Survey {
	c := *s
	c.Waves, c.Questions = slices.Clone(s.Waves), slices.Clone(s.Questions)
	for i := range c.Questions {
		c.Questions[i].Datapoints = slices.Clone(c.Questions[i].Datapoints)
	}
	return &c
}

// Namespace is one questionnaire with its own respondents, waves, locations and weights.
type Namespace struct {
	Code        string `json:"code"`
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
	Base        string `json:"base,omitempty"`     // the namespace it is built on
	Universe    string `json:"universe,omitempty"` // Average (also when empty) or Sum
}

// How the weights of several waves of a location meet in a size.
const (
	Average = "average" // each wave stands for the location's whole population, so waves are averaged
	Sum     = "sum"     // the weights are already divided over waves, so waves add up
)

// Wave is a period of fieldwork.
type Wave struct {
	Code  string `json:"code"`
	Name  string `json:"name,omitempty"`
	Start string `json:"start,omitempty"` // 2024-01-31, "" if not known
	End   string `json:"end,omitempty"`
	Kind  string `json:"kind,omitempty"` // quarter, month …, as the survey calls it
}

// SortWaves puts waves in the order of a Frame: dated ones by start, undated ones after them, ties as they are listed.
func SortWaves(waves []Wave) {
	slices.SortStableFunc(waves, func(a, b Wave) int {
		switch {
		case a.Start == b.Start:
			return 0
		case a.Start == "":
			return 1
		case b.Start == "":
			return -1
		}
		return strings.Compare(a.Start, b.Start)
	})
}

// Location is a market.
type Location struct {
	ID      string `json:"id,omitempty"` // "" means the code
	Code    string `json:"code"`
	Name    string `json:"name,omitempty"`
	ISOCode string `json:"iso_code,omitempty"`
	Region  Region `json:"region,omitzero"`
}

// Region is a group of locations.
type Region struct {
	ID   string `json:"id,omitempty"` // "" means the code
	Code string `json:"code,omitempty"`
	Name string `json:"name,omitempty"`
	Area string `json:"area,omitempty"`
}

// The kinds of questions. They tell how answers are read and written, not how they are counted.
const (
	Single = "single" // one datapoint at the most
	Multi  = "multi"  // any number of datapoints
	Grid   = "grid"   // datapoints, each with suffixes
	Number = "number" // a number cut into bands, which are the datapoints
)

// Question is a question of one namespace with its answer codes.
type Question struct {
	Namespace     string   `json:"namespace"`
	Code          string   `json:"code"`
	Name          string   `json:"name,omitempty"`
	Description   string   `json:"description,omitempty"`
	Kind          string   `json:"kind,omitempty"`
	Unit          string   `json:"unit,omitempty"` // of a number: years, EUR
	Order         int      `json:"order,omitempty"`
	Flags         []string `json:"flags,omitempty"`
	KnowledgeBase string   `json:"knowledge_base,omitempty"`
	Message       string   `json:"message,omitempty"`
	Notice        string   `json:"notice,omitempty"`
	Warning       string   `json:"warning,omitempty"`
	Datasets      []string `json:"datasets,omitempty"` // dataset codes
	Hidden        bool     `json:"hidden,omitempty"`   // nobody may use it, until it is shown again; nothing of it is lost

	Datapoints []Datapoint `json:"datapoints"`
	Suffixes   []Suffix    `json:"suffixes,omitempty"` // of a grid

	// Separate tells that each datapoint was asked on its own (it has a column of its own in the file), so that
	// coverage is known datapoint by datapoint; otherwise it is known for the question as a whole.
	Separate bool `json:"separate,omitempty"`
	// Asked is where the question was asked, if the survey declares it.
	Asked Asked `json:"asked"`
}

// Datapoint is an answer code.
type Datapoint struct {
	Code     string   `json:"code"`
	Name     string   `json:"name,omitempty"`
	Midpoint *float64 `json:"midpoint,omitempty"` // the number the answer stands for, in the question's unit
	Order    *float64 `json:"order,omitempty"`
	Asked    Asked    `json:"asked"` // replaces the question's
}

// Suffix is a second answer code of a grid.
type Suffix struct {
	Code     int      `json:"code"` // 0 to 2³¹−1
	Name     string   `json:"name,omitempty"`
	Midpoint *float64 `json:"midpoint,omitempty"`
	Order    *float64 `json:"order,omitempty"`
}

// Asked is declared coverage: nil means that none is declared (it is derived from the answers), an empty one that it
// was asked nowhere.
type Asked []Fieldwork

// Fieldwork is a wave and a location by their codes; an empty code stands for all.
type Fieldwork struct {
	Wave     string `json:"wave,omitempty"`
	Location string `json:"location,omitempty"`
}

// Has tells whether a wave and a location, by their codes, are in it.
func (f Fieldwork) Has(wave, location string) bool {
	return (f.Wave == "" || f.Wave == wave) && (f.Location == "" || f.Location == location)
}

// Category is a shelf of the catalogue. Categories form trees by Parent.
type Category struct {
	ID          string   `json:"id"`
	Name        string   `json:"name,omitempty"`
	Description string   `json:"description,omitempty"`
	Parent      string   `json:"parent,omitempty"` // id of the category it is in
	Order       int      `json:"order,omitempty"`
	Questions   []string `json:"questions,omitempty"` // question codes, with a namespace where needed
	Datasets    []string `json:"datasets,omitempty"`  // dataset codes
}

// Dataset is what a survey is sold or released as: a named part of the catalogue.
type Dataset struct {
	Code              string `json:"code"`
	Name              string `json:"name,omitempty"`
	Description       string `json:"description,omitempty"`
	URL               string `json:"url,omitempty"`
	BaseAudienceLabel string `json:"base_audience_label,omitempty"`
	BaseNamespace     string `json:"base_namespace_code,omitempty"`
	Parent            string `json:"parent,omitempty"` // dataset it is part of; Depth is counted along it
	Order             int    `json:"order,omitempty"`
	Syndicated        bool   `json:"is_syndicated,omitempty"`
}

// Key is the code of a question with its namespace, which is unique in a survey: "core.q1".
func Key(namespace, code string) string { return namespace + "." + code }

// Key is the question's code with its namespace.
func (q *Question) Key() string { return Key(q.Namespace, q.Code) }

// Datapoint returns the index of a datapoint code, or -1. It looks through the list: a Frame has a faster way.
func (q *Question) Datapoint(code string) int {
	return slices.IndexFunc(q.Datapoints, func(d Datapoint) bool { return d.Code == code })
}

// Suffix returns the index of a suffix code, or -1.
func (q *Question) Suffix(code int) int {
	return slices.IndexFunc(q.Suffixes, func(s Suffix) bool { return s.Code == code })
}

// Grid tells whether the question has suffixes.
func (q *Question) Grid() bool { return len(q.Suffixes) > 0 }
