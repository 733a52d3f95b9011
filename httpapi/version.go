package httpapi

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/crosswave/crosswave/audience"
)

// The headers by which a client follows the versions of the survey.
const (
	dataVersion   = "Data-Version"    // of each answer: the version that it was formed from
	ifDataVersion = "If-Data-Version" // of a request: the only version that it is to be answered from
)

// versioned is the store as one request sees it. It notes the version that the request was answered from, and is an
// error where the client wants another.
type versioned struct {
	audience.Store
	wanted string // as the client wrote it; "" is any
	seen   *audience.Frame
	cells  atomic.Int64                                  // rows × columns of what was asked
	await  func(context.Context, []audience.Query) error // until it may be counted
}

// WantsWhole passes on what kind of queries the store wants.
func (v *versioned) WantsWhole(cells int) bool { return audience.WantsWhole(v.Store, cells) }

// Threads passes on with how many threads the store counts.
func (v *versioned) Threads() int { return audience.Threads(v.Store) }

// Count notes how much is asked, and waits for its turn. A side without audiences has one: the base.
func (v *versioned) Count(ctx context.Context, version uint64, qs []audience.Query) ([][]*audience.Table, error) {
	for _, q := range qs {
		v.cells.Add(int64(max(1, len(q.Rows))) * int64(max(1, len(q.Columns))))
	}
	if err := v.await(ctx, qs); err != nil {
		return nil, err
	}
	return v.Store.Count(ctx, version, qs)
}

func (v *versioned) Frame(ctx context.Context) (*audience.Frame, error) {
	f, err := v.Store.Frame(ctx)
	if err != nil {
		return nil, err
	}
	v.seen = f
	if now := versionText(f); v.wanted != "" && v.wanted != now {
		return nil, &statusError{"precondition_failed", fmt.Sprintf("%s: the survey is of version %s now, and no longer "+
			"of %s", ifDataVersion, now, v.wanted)}
	}
	return f, nil
}

func versionText(f *audience.Frame) string { return strconv.FormatUint(f.Version, 10) }

// follow has the call count and read one store that notes its version, and checks the one that the client wants.
func (c *call) follow() error {
	wanted := strings.TrimSpace(c.r.Header.Get(ifDataVersion))
	if n, err := strconv.ParseUint(wanted, 10, 64); wanted != "" {
		if err != nil {
			return &audience.InvalidError{Path: ifDataVersion, Reason: fmt.Sprintf("%q is no version: send the %s of an "+
				"earlier answer", wanted, dataVersion)}
		}
		wanted = strconv.FormatUint(n, 10)
	}
	c.version = &versioned{Store: c.unrestricted, wanted: wanted, await: c.await}
	c.restricted = audience.Extend(audience.Restrict(c.version, c.caller.Grant), c.definitions)
	if wanted == "" {
		return nil
	}
	_, err := c.version.Frame(c.ctx())
	return err
}

// stamp tells the version that an answer was formed from.
func (c *call) stamp() {
	if c.version == nil { // of endpoints without a key
		return
	}
	if c.version.seen == nil {
		// What was read has no part in the survey. If the version can't be told either, that is no error of the answer.
		if _, err := c.version.Frame(c.ctx()); err != nil {
			return
		}
	}
	c.w.Header().Set(dataVersion, versionText(c.version.seen))
}

// notModified tells a client that it has the answer already, as it said with the tag of an earlier one.
func (c *call) notModified(tag string) error {
	c.stamp()
	c.w.Header().Set("ETag", tag)
	c.w.WriteHeader(http.StatusNotModified)
	return nil
}

// recordsTag is the ETag of records, which depend on nothing but the version of the survey, the caller's grant and
// derived questions and the request.
func (c *call) recordsTag(f *audience.Frame) string {
	grant, err := json.Marshal(c.caller.Grant)
	if err != nil { // cannot happen: a Grant is lists of texts
		grant = nil
	}
	h := sha256.New()
	parts := [][]byte{[]byte(c.r.URL.Path), grant, c.sent}
	if derived := f.Extension(); derived != "" {
		parts = append(parts, []byte(derived))
	}
	for _, part := range parts {
		fmt.Fprintf(h, "%d ", len(part))
		h.Write(part)
	}
	return fmt.Sprintf(`"%s-%s"`, versionText(f), base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:12]))
}

// matches tells whether any of the lines of an If-None-Match names a tag. Tags are compared weakly, as is right for
// reading.
func matches(lines []string, tag string) bool {
	for named := range strings.SplitSeq(strings.Join(lines, ","), ",") {
		if strings.TrimPrefix(strings.TrimSpace(named), "W/") == tag {
			return true
		}
	}
	return false
}
