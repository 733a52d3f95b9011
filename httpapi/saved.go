package httpapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/crosswave/crosswave/audience"
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
	Folder      int64            `json:"folder"`
	FolderID    string           `json:"folder_id"`
	Position    float64          `json:"position"`
	Shared      bool             `json:"shared"`
	Permissions savedPermissions `json:"permissions"`
	Sharings    map[string]bool  `json:"sharings"`
	CreatedAt   string           `json:"created_at"`
	UpdatedAt   string           `json:"updated_at"`
}

type savedPermissions struct {
	Overall string `json:"audience_overall"`
	Meta    any    `json:"meta"` // {} or the codes that stand in the way, in the shape of forbidden_codes
}

// readOnly are the members of a saved audience that a client may send back and that change nothing.
var readOnly = []string{"id", "v1_id", "user_id", "description", "permissions", "sharings", "created_at", "updated_at"}

// savedRead answers GET /v2/saved/audiences/{id}.
func (c *call) savedRead() error {
	a, err := saved.Read(c.ctx(), c.Store, c.caller.User, c.id())
	if err != nil {
		return err
	}
	return c.replySaved(http.StatusOK, a)
}

// savedUpdate answers PATCH /v2/saved/audiences/{id}.
func (c *call) savedUpdate() error {
	patch, err := c.savedPatch()
	if err != nil {
		return err
	}
	version, err := c.ifMatch()
	if err != nil {
		return err
	}
	world, err := c.savedWorld()
	if err != nil {
		return err
	}
	a, err := saved.Update(c.ctx(), c.Store, world, c.caller.User, c.id(), version, patch)
	if err != nil {
		return err
	}
	return c.replySaved(http.StatusOK, a)
}

// savedCreate answers POST /v2/saved/audiences.
func (c *call) savedCreate() error {
	patch, err := c.savedPatch()
	if err != nil {
		return err
	}
	world, err := c.savedWorld()
	if err != nil {
		return err
	}
	a, err := saved.Create(c.ctx(), c.Store, world, c.caller.User, patch)
	if err != nil {
		return err
	}
	c.w.Header().Set("Location", c.BasePath+"/v2/saved/audiences/"+a.ID)
	return c.replySaved(http.StatusCreated, a)
}

// savedDelete answers DELETE /v2/saved/audiences/{id}.
func (c *call) savedDelete() error {
	version, err := c.ifMatch()
	if err != nil {
		return err
	}
	if err := saved.Delete(c.ctx(), c.Store, c.caller.User, c.id(), version); err != nil {
		return err
	}
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

// savedList answers GET /v2/saved/audiences?folder_id=…&flags=a,b.
func (c *call) savedList() error {
	q := c.r.URL.Query()
	for name := range q {
		if name != "folder_id" && name != "flags" {
			return &audience.InvalidError{Path: name, Reason: "the list is filtered by folder_id and flags"}
		}
	}
	filter := saved.Filter{FolderID: strings.ToLower(q.Get("folder_id"))}
	for _, flags := range q["flags"] {
		filter.Flags = append(filter.Flags, strings.Split(flags, ",")...)
	}
	all, err := saved.List(c.ctx(), c.Store, c.caller.User, filter)
	if err != nil {
		return err
	}
	records := []savedRecord{}
	for _, a := range all {
		r, err := c.savedRecord(a)
		if err != nil {
			return err
		}
		records = append(records, r)
	}
	return c.replyJSON(http.StatusOK, map[string]any{"meta": map[string]int{"total": len(records)}, "data": records})
}

func (c *call) replySaved(status int, a saved.Audience) error {
	r, err := c.savedRecord(a)
	if err != nil {
		return err
	}
	c.w.Header().Set("ETag", etag(a.Version))
	return c.replyJSON(status, r)
}

func (c *call) savedRecord(a saved.Audience) (savedRecord, error) {
	whole, err := c.Store.Frame(c.ctx())
	if err != nil {
		return savedRecord{}, err
	}
	mine, err := c.store.Frame(c.ctx())
	if err != nil {
		return savedRecord{}, err
	}
	overall, missing := saved.Permission(a, whole, mine)
	r := savedRecord{
		ID: a.ID, V1ID: a.V1ID, UserID: a.User, Name: a.Name, Description: a.Description, Expression: a.Expression.JSON,
		Datasets: list(a.Datasets), Flags: list(a.Flags), Folder: a.Folder, FolderID: a.FolderID, Position: a.Position, Shared: a.Shared,
		Permissions: savedPermissions{Overall: overall, Meta: struct{}{}}, Sharings: map[string]bool{},
		CreatedAt: a.Created.UTC().Format(time.RFC3339Nano), UpdatedAt: a.Updated.UTC().Format(time.RFC3339Nano),
	}
	if missing != nil {
		r.Permissions.Meta = forbiddenCodes(missing)
	}
	if a.Shared {
		r.Sharings["everyone"] = true
	}
	return r, nil
}

// savedPatch reads the body of a create or an update.
func (c *call) savedPatch() (p saved.Patch, err error) {
	body, err := c.body(append([]string{"name", "expression", "datasets", "flags", "folder", "folder_id", "position", "shared"}, readOnly...)...)
	if err != nil {
		return p, err
	}
	for name, v := range body.Members() {
		if v.Null() && name != "folder_id" && !slices.Contains(readOnly, name) {
			v.Fail("null clears folder_id only: leave %s out to keep it", name)
		}
	}
	p.Name, p.Position, p.Shared = sent(body, "name", strictjson.Value.Text), sent(body, "position", strictjson.Value.Float), sent(body, "shared", strictjson.Value.Bool)
	p.Datasets, p.Flags = sent(body, "datasets", strictjson.Value.Texts), sent(body, "flags", strictjson.Value.Texts)
	p.Folder = sent(body, "folder", strictjson.Value.Int)
	p.FolderID = sent(body, "folder_id", func(v strictjson.Value) string {
		if v.Null() {
			return saved.NoFolder
		}
		return v.Text()
	})
	if v := body.Get("expression"); v.Exists() {
		x, err := c.parser.Expr(v)
		if err != nil {
			return p, err
		}
		p.Expression = &saved.Expression{JSON: appendExpression(nil, v), Expr: x}
	}
	return p, body.Err()
}

// sent reads a member if the body has it.
func sent[T any](body strictjson.Object, name string, read func(strictjson.Value) T) *T {
	if !body.Has(name) {
		return nil
	}
	v := read(body.Get(name))
	return &v
}

// appendExpression writes an expression as it was sent, on one line, with its suffixes as integers.
func appendExpression(b []byte, v strictjson.Value) []byte {
	b = append(b, '{')
	comma := false
	for name, member := range v.Object().Members() {
		if comma {
			b = append(b, ',')
		}
		comma = true
		b = append(appendString(b, name), ':')
		switch {
		case member.Null():
			b = append(b, "null"...)
		case name == "suffixes":
			b = append(append(append(b, '['), strings.Join(member.Codes(), ",")...), ']')
		case name == "and" || name == "or":
			b = append(b, '[')
			for i, part := range member.Items() {
				if i > 0 {
					b = append(b, ',')
				}
				b = appendExpression(b, part)
			}
			b = append(b, ']')
		default:
			b = append(b, member.Compact()...)
		}
	}
	return append(b, '}')
}

func (c *call) savedWorld() (saved.World, error) {
	cat, err := c.catalogue()
	if err != nil {
		return saved.World{}, err
	}
	frame, err := c.store.Frame(c.ctx())
	if err != nil {
		return saved.World{}, err
	}
	return saved.World{Frame: frame, Datasets: cat.DatasetsOf, Known: cat.HasDataset, Now: time.Now().UTC()}, nil
}

// etag is the entity tag of a record at a version.
func etag(version int64) string { return fmt.Sprintf(`"v%d"`, version) }

// ifMatch reads the version that If-Match insists on; 0 if it does not.
func (c *call) ifMatch() (int64, error) {
	text := strings.TrimSpace(c.r.Header.Get("If-Match"))
	if text == "" || text == "*" {
		return 0, nil
	}
	number, ok := strings.CutPrefix(strings.Trim(text, `"`), "v")
	version, err := strconv.ParseInt(number, 10, 64)
	if !ok || err != nil || version < 1 {
		return 0, fmt.Errorf("%w: If-Match is %s", saved.ErrPrecondition, text)
	}
	return version, nil
}

// lookup gives an audience that has an id and no expression that of the saved audience with that id, if the caller may read it.
func (c *call) lookup(a *audience.Audience) error {
	if a.Expr != nil || a.ID == "" {
		return nil
	}
	found, err := saved.Read(c.ctx(), c.Store, c.caller.User, a.ID)
	if errors.Is(err, audience.ErrNotFound) {
		return nil // the audience stays empty, and is told so where that is an error
	}
	a.Expr = found.Expression.Expr
	return err
}

func (c *call) id() string { return c.r.PathValue("id") }
