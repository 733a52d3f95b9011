package saved

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/strictjson"
)

// Patch is a partial update: nil members are kept.
type Patch struct {
	Name       *string // 1 to 255 characters
	Expression *Expression
	Datasets   *[]string // codes
	Flags      *[]string // authored, curated, isP2
	Folder     *int64    // v1 number of a folder that there is, 0 for none; it and FolderID are two names of one
	FolderID   *string   // UUID, of a folder that there is or of a new one; NoFolder takes the audience out of its folder
	Position   *float64  // finite
	Shared     *bool
}

// Empty tells whether the patch changes nothing.
func (p Patch) Empty() bool { return p == Patch{} }

// Apply returns a with p applied: what was not sent stays, the description and, unless they were set, the datasets
// follow the expression, the version and the time of the update move on. A patch of nothing changes nothing. Folder is
// not looked at: Update turns it into a FolderID before.
//
// Errors name the member. First comes what is wrong with the patch itself (*audience.InvalidError,
// *audience.EmptyError), then codes of the expression that are not there or not for the caller
// (*audience.UnavailableError, all of them), then namespaces that do not go together (*audience.IncompatibleError).
func Apply(a Audience, p Patch, o Options) (Audience, error) {
	if p.Empty() {
		return a, nil
	}
	if err := p.check(o); err != nil {
		return a, err
	}
	set(&a.Name, p.Name)
	set(&a.Position, p.Position)
	set(&a.Shared, p.Shared)
	if p.FolderID != nil {
		a.FolderID = strings.ToLower(*p.FolderID)
	}
	if p.Flags != nil {
		a.Flags = strictjson.List(strictjson.Once(*p.Flags))
	}
	if p.Expression != nil {
		a.Expression = *p.Expression
		if a.Expression.JSON == nil {
			a.Expression.JSON = audience.Print(a.Expression.Expr)
		}
		a.Description = audience.Describe(a.Expression.Expr, o.Frame)
	}
	switch {
	case p.Datasets != nil:
		a.Datasets, a.DatasetsSet = strictjson.List(strictjson.Once(*p.Datasets)), true
	case p.Expression != nil && !a.DatasetsSet:
		a.Datasets = o.Datasets(a.Expression.Expr)
	}
	a.Updated = after(a.Updated, o.Now)
	a.Version++
	return a, nil
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// check looks at all that Apply puts into the record.
func (p Patch) check(o Options) error {
	if err := p.shape(); err != nil {
		return err
	}
	if p.Datasets != nil {
		for i, d := range *p.Datasets {
			if !slices.ContainsFunc(o.Frame.Datasets, func(known audience.Dataset) bool { return known.Code == d }) {
				return &audience.InvalidError{Path: fmt.Sprintf("datasets[%d]", i),
					Reason: fmt.Sprintf("there is no dataset %q", d)}
			}
		}
	}
	if p.Expression == nil {
		return nil
	}
	if err := o.Frame.Check(nil, nil, audience.Use{Origin: "expression", Expr: p.Expression.Expr}); err != nil {
		return err
	}
	return audience.Renamed(audience.Spec{Rows: []audience.Expr{p.Expression.Expr}}.Check(o.Frame), "rows[0]",
		"expression")
}

// shape looks at what can be told to be wrong without knowing the survey.
func (p Patch) shape() error {
	if p.Name != nil {
		if n := utf8.RuneCountInString(*p.Name); n < 1 || n > 255 {
			return &audience.InvalidError{Path: "name",
				Reason: fmt.Sprintf("a name has 1 to 255 characters, this one has %d", n)}
		}
	}
	if p.Position != nil && (math.IsNaN(*p.Position) || math.IsInf(*p.Position, 0)) {
		return &audience.InvalidError{Path: "position", Reason: "a position is a finite number"}
	}
	if p.Flags != nil {
		if err := checkFlags(*p.Flags); err != nil {
			return err
		}
	}
	if p.FolderID != nil {
		if err := checkUUID("folder_id", *p.FolderID); err != nil {
			return err
		}
	}
	if p.Expression != nil && p.Expression.Expr == nil {
		return &audience.EmptyError{Path: "expression"}
	}
	return nil
}

func checkFlags(list []string) error {
	for i, f := range list {
		if !slices.Contains(flags, f) {
			return &audience.InvalidError{Path: fmt.Sprintf("flags[%d]", i),
				Reason: fmt.Sprintf("%q is no flag; %s are", f, strings.Join(flags, ", "))}
		}
	}
	return nil
}

// checkUUID tells whether s is a UUID in the usual form, in whatever case.
func checkUUID(path, s string) error {
	ok := len(s) == len(NoFolder)
	for i := 0; ok && i < len(s); i++ {
		hex := strings.IndexByte("0123456789abcdefABCDEF", s[i]) >= 0
		ok = hex && NoFolder[i] == '0' || s[i] == '-' && NoFolder[i] == '-'
	}
	if !ok {
		return &audience.InvalidError{Path: path, Reason: fmt.Sprintf("%q is no UUID: write it like %s, which "+
			"stands for no folder", s, NoFolder)}
	}
	return nil
}

// place settles which folder a patch means: Folder and FolderID are two names of one. The patch that it returns has
// FolderID alone. What is wrong with the rest of the patch is told first.
func (p Patch) place(ctx context.Context, st Store) (Patch, error) {
	if err := p.shape(); err != nil || p.Folder == nil {
		return p, err
	}
	id := NoFolder
	if *p.Folder != 0 {
		f, err := st.Folder(ctx, *p.Folder)
		if errors.Is(err, audience.ErrNotFound) {
			err = &audience.InvalidError{Path: "folder",
				Reason: fmt.Sprintf("there is no folder %d: a new folder is made by a folder_id that was not used "+
					"before", *p.Folder)}
		}
		if err != nil {
			return p, err
		}
		id = f.ID
	}
	if p.FolderID != nil && strings.ToLower(*p.FolderID) != id {
		return p, &audience.InvalidError{Path: "folder",
			Reason: fmt.Sprintf("folder %d is %s, and folder_id says %s: send one of them", *p.Folder, id, *p.FolderID)}
	}
	p.Folder, p.FolderID = nil, &id
	return p, nil
}
