package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/catalogue"
	"github.com/crosswave/crosswave/internal/strictjson"
	"github.com/crosswave/crosswave/saved"
)

// savedRecord is a saved audience on the wire.
type savedRecord struct {
	ID          string           `json:"id"`
	V1ID        int64            `json:"v1_id"`
	UserID      int64            `json:"user_id"`
	Name        string           `json:"name"`
	Description string           `json:"description"`
	Expression  json.RawMessage  `json:"expression"`
	Datasets    []string         `json:"datasets"`
	Flags       []string         `json:"flags"`
	FolderID    string           `json:"folder_id"`
	Position    float64          `json:"position"`
	Shared      bool             `json:"shared"`
	Permissions savedPermissions `json:"permissions"`
	Sharings    savedSharings    `json:"sharings"`
	CreatedAt   string           `json:"created_at"`
	UpdatedAt   string           `json:"updated_at"`
}

type savedPermissions struct {
	Overall string `json:"audience_overall"`
	Meta    any    `json:"meta"` // {} or the codes that stand in the way, in the shape of forbidden_codes
}

type savedSharings struct {
	Everyone bool `json:"everyone,omitempty"`
}

// The members of a saved audience that a client sets, and those that it may send back and that change nothing.
var (
	settable = []string{"name", "expression", "datasets", "flags", "folder", "folder_id", "position", "shared"}
	readOnly = []string{"id", "v1_id", "user_id", "description", "permissions", "sharings", "created_at", "updated_at"}
)

// savedRead answers GET /v2/saved/audiences/{id}.
func (c *call) savedRead() error {
	a, err := saved.Read(c.ctx(), c.Saved, c.caller.User, c.id())
	if err != nil {
		return err
	}
	frames, err := c.frames()
	if err != nil {
		return err
	}
	return c.replySaved(http.StatusOK, a, frames)
}

// savedUpdate answers PATCH /v2/saved/audiences/{id}.
func (c *call) savedUpdate() error {
	return c.savedChange(http.StatusOK, func(p saved.Patch, o saved.Options) (saved.Audience, error) {
		return saved.Update(c.ctx(), c.Saved, o, c.caller.User, c.id(), c.ifMatch(), p)
	})
}

// savedCreate answers POST /v2/saved/audiences.
func (c *call) savedCreate() error {
	return c.savedChange(http.StatusCreated, func(p saved.Patch, o saved.Options) (saved.Audience, error) {
		a, err := saved.Create(c.ctx(), c.Saved, o, c.caller.User, p)
		if err == nil {
			c.w.Header().Set("Location", c.BasePath+"/v2/saved/audiences/"+a.ID)
		}
		return a, err
	})
}

// savedChange reads the body of a create or an update, has it put into effect and answers with the record. What the
// answer takes is read first, as nothing may fail once the change is made.
func (c *call) savedChange(status int, change func(saved.Patch, saved.Options) (saved.Audience, error)) error {
	patch, err := c.savedPatch()
	if err != nil {
		return err
	}
	frames, err := c.frames()
	if err != nil {
		return err
	}
	a, err := change(patch, c.savedOptions(frames))
	if err != nil {
		return err
	}
	return c.replySaved(status, a, frames)
}

// savedDelete answers DELETE /v2/saved/audiences/{id}.
func (c *call) savedDelete() error {
	if err := saved.Delete(c.ctx(), c.Saved, c.caller.User, c.id(), c.ifMatch()); err != nil {
		return err
	}
	c.stamp()
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

// mostListed is how many audiences a page of a list has at most, and unless less is asked for.
const mostListed = 1000

// savedList answers GET /v2/saved/audiences?folder_id=…&flags=a,b&limit=…&offset=…, an audience at a time.
func (c *call) savedList() error {
	filter, err := savedFilter(c.r.URL.RawQuery)
	if err != nil {
		return err
	}
	page, total, err := saved.List(c.ctx(), c.Saved, c.caller.User, filter)
	if err != nil {
		return err
	}
	frames, err := c.frames()
	if err != nil {
		return err
	}
	var held int64
	for i := range page {
		held += saved.Size(&page[i])
	}
	if err := c.hold(held); err != nil {
		return err
	}
	b := fmt.Appendf(c.begin("application/json"), `{"meta":{"total":%d},"data":[`, total)
	for i, a := range page {
		if i > 0 {
			b = append(b, ',')
		}
		record, err := marshal(frames.record(a))
		if err != nil {
			return err
		}
		if b, err = c.flush(append(b, bytes.TrimSuffix(record, []byte("\n"))...)); err != nil {
			return err
		}
	}
	_, err = c.w.Write(append(b, "]}\n"...))
	return err
}

// savedFilter reads the query of a list. A parameter that is misspelt is an error: left unseen it would widen the list.
func savedFilter(query string) (f saved.Filter, err error) {
	f.Limit = mostListed
	params, err := url.ParseQuery(query)
	if err != nil {
		return f, &audience.InvalidError{Path: "the query", Reason: err.Error()}
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		values := params[name]
		switch {
		case name == "folder_id" && len(values) == 1 && values[0] != "":
			f.FolderID = values[0]
		case name == "folder_id":
			return f, &audience.InvalidError{Path: name, Reason: "give the UUID of one folder, " + saved.NoFolder +
				" for audiences that lie in none"}
		case name == "flags":
			for _, list := range values {
				f.Flags = append(f.Flags, strings.Split(list, ",")...)
			}
		case name == "limit":
			f.Limit, err = pageNumber(name, values, 1, mostListed)
		case name == "offset":
			f.Offset, err = pageNumber(name, values, 0, math.MaxInt32)
		default:
			err = &audience.InvalidError{Path: name, Reason: "there is no such parameter; folder_id and flags filter the " +
				"list, limit and offset turn its pages"}
		}
		if err != nil {
			return f, err
		}
	}
	return f, nil
}

// pageNumber reads a parameter that says which part of a list is wanted.
func pageNumber(name string, values []string, least, most int) (int, error) {
	n, err := strconv.Atoi(values[0])
	if err != nil || len(values) > 1 || n < least || n > most {
		return 0, &audience.InvalidError{Path: name,
			Reason: fmt.Sprintf("the parameter is given once, as a whole number from %d to %d", least, most)}
	}
	return n, nil
}

func (c *call) replySaved(status int, a saved.Audience, frames savedFrames) error {
	c.w.Header().Set("ETag", etag(a.Version))
	return c.replyJSON(status, frames.record(a))
}

// savedFrames are what tells whether a caller may count an audience.
type savedFrames struct{ whole, mine *audience.Frame }

func (c *call) frames() (f savedFrames, err error) {
	if f.whole, err = c.Framer.Frame(c.ctx()); err != nil {
		return f, err
	}
	key, list, err := c.definitions(c.ctx())
	if err != nil {
		return f, err
	}
	f.whole = f.whole.Extend(key, list)
	f.mine, err = c.restricted.Frame(c.ctx())
	return f, err
}

func (f savedFrames) record(a saved.Audience) savedRecord {
	r := savedRecord{
		ID: a.ID, V1ID: a.V1ID, UserID: a.UserNumber, Name: a.Name, Description: a.Description, Expression: a.Expression.JSON,
		Datasets: strictjson.List(a.Datasets), Flags: strictjson.List(a.Flags), FolderID: a.FolderID,
		Position: a.Position, Shared: a.Shared,
		Permissions: savedPermissions{Meta: struct{}{}}, Sharings: savedSharings{Everyone: a.Shared},
		CreatedAt: a.Created.UTC().Format(time.RFC3339Nano), UpdatedAt: a.Updated.UTC().Format(time.RFC3339Nano),
	}
	overall, missing := saved.Permission(a, f.whole, f.mine)
	r.Permissions.Overall = overall
	if missing != nil {
		r.Permissions.Meta = forbiddenCodes(missing)
	}
	return r
}

// savedPatch reads the body of a create or an update.
func (c *call) savedPatch() (p saved.Patch, err error) {
	body, err := c.body(slices.Concat(settable, readOnly)...)
	if err != nil {
		return p, err
	}
	for _, name := range settable {
		if v := body.Get(name); v.Null() && name != "folder_id" {
			v.Fail("null clears folder_id only: leave %s out to keep it", name)
		}
	}
	p.Name, p.Position = sent(body, "name", strictjson.Value.Text), sent(body, "position", strictjson.Value.Float)
	p.Shared = sent(body, "shared", strictjson.Value.Bool)
	p.Datasets, p.Flags = sent(body, "datasets", strictjson.Value.Texts), sent(body, "flags", strictjson.Value.Texts)
	p.Folder = sent(body, "folder", strictjson.Value.Int)
	p.FolderID = sent(body, "folder_id", func(v strictjson.Value) string {
		if v.Null() {
			return saved.NoFolder
		}
		return v.Text()
	})
	if err := body.Err(); err != nil {
		return p, err
	}
	if v := body.Get("expression"); v.Exists() {
		x, err := c.parser.Expr(v)
		if err != nil {
			return p, err
		}
		p.Expression = &saved.Expression{JSON: appendExpression(nil, v), Expr: x}
	}
	return p, nil
}

// sent reads a member if the body has it.
func sent[T any](body strictjson.Object, name string, read func(strictjson.Value) T) *T {
	if !body.Has(name) {
		return nil
	}
	v := read(body.Get(name))
	return &v
}

// appendExpression writes an expression that was read without error as it was sent, on one line, with its suffixes as
// integers.
func appendExpression(b []byte, v strictjson.Value) []byte {
	b = append(b, '{')
	comma := false
	for name, member := range v.Object().Members() {
		if comma {
			b = append(b, ',')
		}
		comma = true
		b = append(strictjson.AppendString(b, name), ':')
		switch {
		case member.Null():
			b = append(b, "null"...)
		case name == "suffixes":
			b = append(append(append(b, '['), strings.Join(member.Codes(), ",")...), ']')
		case name == "and" || name == "or":
			b = appendList(b, member.Items(), appendExpression)
		default:
			b = append(b, member.Compact()...)
		}
	}
	return append(b, '}')
}

// savedOptions are what a patch is held against.
func (c *call) savedOptions(frames savedFrames) saved.Options {
	return saved.Options{Frame: frames.mine, Datasets: catalogue.New(frames.mine).DatasetsOf, Now: c.Now(), NewID: c.NewID,
		Quota: saved.Quota{Audiences: max(0, c.Limits.SavedAudiences), Bytes: max(0, c.Limits.SavedBytes)}}
}

// etag is the entity tag of a record at a version.
func etag(version int64) string { return fmt.Sprintf(`"v%d"`, version) }

// ifMatch reads the versions that If-Match insists on; nil if there is no such header, or if any version will do. A tag
// that was never given out is that of no version.
func (c *call) ifMatch() []int64 {
	lines := c.r.Header.Values("If-Match")
	if len(lines) == 0 {
		return nil
	}
	list := strings.Join(lines, ",")
	if strings.TrimSpace(list) == "*" { // alone it is any version; a tag may hold ,*, and is none that was given out
		return nil
	}
	versions := []int64{}
	for tag := range strings.SplitSeq(list, ",") {
		tag = strings.TrimSpace(tag)
		number, _ := strings.CutPrefix(tag, `"v`)
		if version, err := strconv.ParseInt(strings.TrimSuffix(number, `"`), 10, 64); err == nil && tag == etag(version) {
			versions = append(versions, version)
		}
	}
	return versions
}

func (c *call) id() string { return c.r.PathValue("id") }
