package httpapi

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/derived"
	"github.com/crosswave/crosswave/internal/strictjson"
	"github.com/crosswave/crosswave/saved"
)

// meRecord is who asks, what they may use and how much of it.
type meRecord struct {
	User        int64    `json:"user_id"`    // 0: the store has given the user no number and can't be written to
	Everything  bool     `json:"everything"` // the grant leaves nothing out, and has no floor
	Grants      []grant  `json:"grants"`
	MinSample   int64    `json:"min_sample"` // the floor of the grant, in respondents; 0: none
	Limits      meLimits `json:"limits"`
	Quotas      meQuotas `json:"quotas"`
	DataVersion uint64   `json:"data_version"`
}

// grant is one list of a caller's grant, and what it comes to in the survey as it is now.
type grant struct {
	Of     string   `json:"of"`     // namespaces, questions …
	Codes  []string `json:"codes"`  // as granted; * is all
	Usable int      `json:"usable"` // how many the caller may use, all lists taken together
	All    int      `json:"all"`    // how many there are
	Words  string   `json:"words"`
}

// meLimits are the limits of one request, and of a user's requests beside each other; null is none.
type meLimits struct {
	Body     *int64   `json:"body_bytes"`
	Rows     *int64   `json:"rows"`
	Columns  *int64   `json:"columns"`
	Cells    *int64   `json:"cells"`
	Response *int64   `json:"response_bytes"`
	Nodes    *int64   `json:"nodes"`
	Levels   *int64   `json:"levels"`
	Seconds  *float64 `json:"query_seconds"`
	Running  *int64   `json:"running"`
	Waiting  *int64   `json:"waiting"`
	Wait     *float64 `json:"wait_seconds"`
}

// meQuotas are what is left of what a user may do over time, and keep.
type meQuotas struct {
	Rate      *rateQuota `json:"requests"` // null: there is no limit to the rate
	Audiences *keptQuota `json:"saved_audiences"`
	Bytes     *keptQuota `json:"saved_bytes"`
	Derived   *keptQuota `json:"derived_questions"`
	Texts     *keptQuota `json:"derived_bytes"`
}

// keptQuota is how much of something a user may keep. What is kept may be more, as the limit may have been changed.
type keptQuota struct {
	Limit int64 `json:"limit"`
	Left  int64 `json:"left"`
}

type rateQuota struct {
	PerSecond float64 `json:"per_second"`
	Left      int64   `json:"left"` // how many may be sent at once now, this one taken off
}

// me answers GET /v1/me.
func (c *call) me() error {
	f, err := c.restricted.Frame(c.ctx())
	if err != nil {
		return err
	}
	user, err := c.Saved.UserNumber(c.ctx(), c.caller.User)
	if errors.Is(err, audience.ErrReadOnly) || errors.Is(err, audience.ErrFull) {
		user, err = 0, nil
	}
	if err != nil {
		return err
	}
	audiences, bytes, err := saved.SizeOf(c.ctx(), c.Saved, c.caller.User)
	if err != nil {
		return err
	}
	questions, texts, err := derived.SizeOf(c.ctx(), c.Derived, c.caller.User)
	if err != nil {
		return err
	}
	out := meRecord{User: user, Everything: c.caller.Grant.Whole(), Grants: grants(f, c.caller.Grant),
		MinSample: f.Floor(), DataVersion: f.Version,
		Limits: limits(c.Limits), Quotas: meQuotas{
			Audiences: kept(int64(c.Limits.SavedAudiences), int64(audiences)), Bytes: kept(c.Limits.SavedBytes, bytes),
			Derived: kept(int64(c.Limits.DerivedQuestions), int64(questions)), Texts: kept(c.Limits.DerivedBytes, texts)}}
	if c.meter != nil {
		out.Quotas.Rate = &rateQuota{c.Limits.Rate, c.meter.left(c.caller.User, time.Now())}
	}
	return c.replyJSON(http.StatusOK, out)
}

// limits are the Limits that a user may run into, on the wire.
func limits(l Limits) meLimits {
	seconds := func(d time.Duration) *float64 {
		if d <= 0 {
			return nil
		}
		s := d.Seconds()
		return &s
	}
	out := meLimits{Body: limit(l.Body), Rows: limit(l.Rows), Columns: limit(l.Columns), Cells: limit(l.Cells),
		Response: limit(l.Response), Nodes: limit(l.Nodes), Levels: limit(l.Levels), Seconds: seconds(l.QueryTime),
		Running: limit(l.RunningEach), Waiting: limit(l.Waiting), Wait: seconds(l.Wait)}
	if l.Running > 0 && (out.Running == nil || l.Running < l.RunningEach) {
		out.Running = limit(l.Running)
	}
	return out
}

// kept is a quota of which so much is used.
func kept(limit, used int64) *keptQuota {
	if limit <= 0 {
		return nil
	}
	return &keptQuota{limit, max(0, limit-used)}
}

// limit is a limit of Limits on the wire.
func limit[N int | int64](n N) *int64 {
	if n <= 0 {
		return nil
	}
	out := int64(n)
	return &out
}

// left is how many requests a user may send at once.
func (m *meter) left(user string, now time.Time) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := m.users[user]
	if l == nil {
		return int64(m.burst)
	}
	return max(0, int64(math.Floor(l.TokensAt(now))))
}

// grants are the lists of a grant, with what the frame of its caller shows.
func grants(f *audience.Frame, g audience.Grant) []grant {
	out := []grant{
		{Of: "namespaces", Codes: g.Namespaces}, {Of: "questions", Codes: g.Questions},
		{Of: "datapoints", Codes: g.Datapoints}, {Of: "locations", Codes: g.Locations}, {Of: "waves", Codes: g.Waves},
	}
	var names [5][]string
	enter := func(list int, hidden bool, name, code string) {
		out[list].All++
		if hidden {
			return
		}
		out[list].Usable++
		if name == "" {
			name = code
		}
		names[list] = append(names[list], name)
	}
	for i, n := range f.Namespaces {
		enter(0, f.HidesNamespace(i), n.Name, n.Code)
	}
	for i := range f.Questions {
		q := &f.Questions[i]
		if f.Derived(i) { // which no grant names
			break
		}
		enter(1, f.HidesQuestion(i), q.Name, q.Code)
		for j, d := range q.Datapoints {
			enter(2, f.HidesQuestion(i) || f.HidesDatapoint(i, j), d.Name, d.Code)
		}
	}
	for i, l := range f.Locations {
		enter(3, f.HidesLocation(i), l.Name, l.Code)
	}
	for i, w := range f.Waves {
		enter(4, f.HidesWave(i), w.Name, w.Code)
	}
	for i := range out {
		out[i].Codes = strictjson.List(slices.Clone(out[i].Codes))
		out[i].Words = out[i].words(names[i])
	}
	return out
}

// mostNamed is how many names words lists.
const mostNamed = 8

// words says what may be used, by name where that is few.
func (g *grant) words(names []string) string {
	switch {
	case g.All == 0:
		return "there are no " + g.Of
	case g.Usable == 0:
		return "no " + g.Of
	case g.Usable == g.All:
		return fmt.Sprintf("all %s (%d)", g.Of, g.All)
	case g.Usable > mostNamed:
		return fmt.Sprintf("%d of %d %s", g.Usable, g.All, g.Of)
	}
	return fmt.Sprintf("%d of %d %s: %s", g.Usable, g.All, g.Of, strings.Join(names, ", "))
}
