package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/derived"
	"github.com/crosswave/crosswave/internal/strictjson"
)

// derivedRecord is a derived question on the wire.
type derivedRecord struct {
	Code          string             `json:"code"`
	NamespaceCode string             `json:"namespace_code"`
	Name          string             `json:"name"`
	Description   string             `json:"description"`
	Datapoints    []derivedDatapoint `json:"datapoints"`
	Shared        bool               `json:"shared"`
	Yours         bool               `json:"yours"`
	Accessible    bool               `json:"accessible"` // the caller can name it in a request
	Version       int64              `json:"version"`
	CreatedAt     string             `json:"created_at"`
	UpdatedAt     string             `json:"updated_at"`
}

type derivedDatapoint struct {
	Code       string          `json:"code"`
	Name       string          `json:"name"`
	Expression json.RawMessage `json:"expression"`
}

// The members of a derived question that a client sets, and those that it may send back and that change nothing.
var (
	derivedSettable = []string{"code", "name", "description", "datapoints", "shared"}
	derivedReadOnly = []string{"namespace_code", "yours", "accessible", "version", "created_at", "updated_at"}
)

// definitions are what the caller's frame is extended with. They are read once, so that all of an answer is of the
// same.
func (c *call) definitions(ctx context.Context) (key string, list []audience.Definition, err error) {
	if c.defined == nil {
		key, list, err := derived.Definitions(ctx, c.Derived, c.caller.User)
		if err != nil {
			return "", nil, err
		}
		c.defined = &defined{key, list}
	}
	return c.defined.key, c.defined.list, nil
}

// defined are the derived questions of a call.
type defined struct {
	key  string
	list []audience.Definition
}

// derivedCreate answers POST /v2/questions/derived.
func (c *call) derivedCreate() error {
	return c.derivedChange(http.StatusCreated, func(p derived.Patch, o derived.Options) (derived.Question, error) {
		q, err := derived.Create(c.ctx(), c.Derived, o, c.caller.User, p)
		if err == nil {
			c.w.Header().Set("Location", c.BasePath+"/v2/questions/derived/"+q.Code)
		}
		return q, err
	})
}

// derivedUpdate answers PATCH /v2/questions/derived/{code}.
func (c *call) derivedUpdate() error {
	return c.derivedChange(http.StatusOK, func(p derived.Patch, o derived.Options) (derived.Question, error) {
		return derived.Update(c.ctx(), c.Derived, o, c.caller.User, c.code(), c.ifMatch(), p)
	})
}

// derivedChange reads the body of a create or an update, has it put into effect and answers with the record. What the
// answer takes is read first, as nothing may fail once the change is made.
func (c *call) derivedChange(status int, change func(derived.Patch, derived.Options) (derived.Question, error)) error {
	patch, err := c.derivedPatch()
	if err != nil {
		return err
	}
	f, err := c.restricted.Frame(c.ctx())
	if err != nil {
		return err
	}
	q, err := change(patch, derived.Options{Frame: f, Now: c.Now(), Quota: derived.Quota{
		Questions: max(0, c.Limits.DerivedQuestions), Bytes: max(0, c.Limits.DerivedBytes)}})
	if err != nil {
		return err
	}
	record := c.derivedRecord(q, f)
	record.Accessible = record.Accessible || patch.Datapoints != nil // which were looked at
	return c.replyDerived(status, q, record)
}

// derivedRead answers GET /v2/questions/derived/{code}.
func (c *call) derivedRead() error {
	f, err := c.restricted.Frame(c.ctx())
	if err != nil {
		return err
	}
	q, err := derived.Read(c.ctx(), c.Derived, f, c.caller.User, c.code())
	if err != nil {
		return err
	}
	return c.replyDerived(http.StatusOK, q, c.derivedRecord(q, f))
}

func (c *call) replyDerived(status int, q derived.Question, record derivedRecord) error {
	c.w.Header().Set("ETag", etag(q.Version))
	return c.replyJSON(status, record)
}

// derivedDelete answers DELETE /v2/questions/derived/{code}.
func (c *call) derivedDelete() error {
	f, err := c.restricted.Frame(c.ctx())
	if err != nil {
		return err
	}
	if err := derived.Delete(c.ctx(), c.Derived, f, c.caller.User, c.code(), c.ifMatch()); err != nil {
		return err
	}
	c.stamp()
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

// derivedList answers GET /v2/questions/derived?limit=…&offset=….
func (c *call) derivedList() error {
	limit, offset, err := derivedPage(c.r.URL.RawQuery)
	if err != nil {
		return err
	}
	f, err := c.restricted.Frame(c.ctx())
	if err != nil {
		return err
	}
	page, total, err := derived.List(c.ctx(), c.Derived, f, c.caller.User, limit, offset)
	if err != nil {
		return err
	}
	var out struct {
		Meta struct {
			Total int `json:"total"`
		} `json:"meta"`
		Data []derivedRecord `json:"data"`
	}
	out.Meta.Total, out.Data = total, []derivedRecord{}
	var held int64
	for i := range page {
		held += derived.Size(&page[i])
		out.Data = append(out.Data, c.derivedRecord(page[i], f))
	}
	if err := c.hold(held); err != nil {
		return err
	}
	return c.replyJSON(http.StatusOK, out)
}

// derivedPage reads the query of a list. A parameter that is misspelt is an error.
func derivedPage(query string) (limit, offset int, err error) {
	limit = mostListed
	params, err := url.ParseQuery(query)
	if err != nil {
		return 0, 0, &audience.InvalidError{Path: "the query", Reason: err.Error()}
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		switch name {
		case "limit":
			limit, err = pageNumber(name, params[name], 1, mostListed)
		case "offset":
			offset, err = pageNumber(name, params[name], 0, math.MaxInt32)
		default:
			err = &audience.InvalidError{Path: name, Reason: "there is no such parameter; limit and offset turn the list's " +
				"pages"}
		}
		if err != nil {
			return 0, 0, err
		}
	}
	return limit, offset, nil
}

// derivedRecord is a question as the caller, whose frame it is, is told of it.
func (c *call) derivedRecord(q derived.Question, f *audience.Frame) derivedRecord {
	r := derivedRecord{Code: q.Code, NamespaceCode: q.Namespace, Name: q.Name, Description: q.Description,
		Datapoints: []derivedDatapoint{}, Shared: q.Shared, Yours: q.User == c.caller.User,
		Accessible: derived.Usable(f, &q), Version: q.Version, CreatedAt: q.Created.UTC().Format(time.RFC3339Nano),
		UpdatedAt: q.Updated.UTC().Format(time.RFC3339Nano)}
	for _, d := range q.Datapoints {
		r.Datapoints = append(r.Datapoints, derivedDatapoint{d.Code, d.Name, d.JSON})
	}
	return r
}

// derivedPatch reads the body of a create or an update.
func (c *call) derivedPatch() (p derived.Patch, err error) {
	body, err := c.body(slices.Concat(derivedSettable, derivedReadOnly)...)
	if err != nil {
		return p, err
	}
	for _, name := range derivedSettable {
		if v := body.Get(name); v.Null() {
			v.Fail("null clears nothing here: leave %s out to keep it", name)
		}
	}
	p.Code, p.Name = sent(body, "code", strictjson.Value.Text), sent(body, "name", strictjson.Value.Text)
	p.Description = sent(body, "description", strictjson.Value.Text)
	p.Shared = sent(body, "shared", strictjson.Value.Bool)
	if !body.Has("datapoints") {
		return p, body.Err()
	}
	points := []derived.Datapoint{}
	c.parser.Bands = true
	for i, item := range body.Items("datapoints") {
		o := item.Object("code", "name", "expression")
		point := derived.Datapoint{Code: o.Text("code"), Name: o.Text("name")}
		if err := body.Err(); err != nil {
			return p, err
		}
		v := o.Get("expression")
		if point.Expr, err = c.parser.Expr(v); err != nil {
			return p, err
		}
		if point.Expr == nil {
			return p, &audience.EmptyError{Path: fmt.Sprintf("datapoints[%d].expression", i)}
		}
		point.JSON = appendExpression(nil, v)
		points = append(points, point)
	}
	p.Datapoints = &points
	return p, body.Err()
}

func (c *call) code() string { return c.r.PathValue("code") }
