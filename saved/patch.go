package saved

import (
	"context"
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
	Datasets   *[]string // codes; those that follow from the expression, or none, leave it to the expression
	Flags      *[]string // authored, curated, isP2
	// Folder is the v1 number of a folder of the user, 0 for none; it and FolderID are two names of one. Beside the
	// FolderID of a new folder it is the number that this gets if it is free.
	Folder   *int64
	FolderID *string  // UUID, of a folder that there is or of a new one; NoFolder takes the audience out of its folder
	Position *float64 // finite
	Shared   *bool
}

// Empty tells whether the patch changes nothing.
func (p Patch) Empty() bool { return p == Patch{} }

// Apply returns a with p applied: what was not sent stays, the description and, unless they were set, the datasets
// follow the expression, the version and the time of the update move on. A patch of nothing changes nothing. Folder
// counts only beside a FolderID, as the number that a new folder is to get: Update finds out what it means before.
//
// Errors name the member. First comes what is wrong with the patch itself (*audience.InvalidError,
// *audience.EmptyError), then codes of the expression that are not there or not for the caller
// (*audience.UnavailableError, all of them), then namespaces that do not go together (*audience.IncompatibleError).
func Apply(a Audience, p Patch, o Options) (Audience, error) {
	if p.Empty() {
		return a, nil
	}
	if err := p.check(a, o); err != nil {
		return a, err
	}
	set(&a.Name, p.Name)
	set(&a.Position, p.Position)
	set(&a.Shared, p.Shared)
	if p.FolderID != nil {
		a.FolderID, a.Folder = strings.ToLower(*p.FolderID), 0
		set(&a.Folder, p.Folder)
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
	if p.Datasets != nil || p.Expression != nil && !a.DatasetsSet {
		p.datasets(&a, o)
	}
	a.Updated = after(a.Updated, o.Now)
	a.Version++
	return a, nil
}

// datasets sets the datasets of a, whose expression is in place. Those that follow from the expression, or followed
// from the one before, go on following when they are sent back; so do none.
func (p Patch) datasets(a *Audience, o Options) {
	derived := o.Datasets(a.Expression.Expr)
	if p.Datasets == nil || len(*p.Datasets) == 0 || sameSet(*p.Datasets, derived) ||
		!a.DatasetsSet && sameSet(*p.Datasets, a.Datasets) {
		a.Datasets, a.DatasetsSet = derived, false
		return
	}
	a.Datasets, a.DatasetsSet = strictjson.Once(*p.Datasets), true
}

func sameSet(a, b []string) bool {
	a, b = strictjson.Once(a), strictjson.Once(b)
	return len(a) == len(b) && !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(b, s) })
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// check looks at all that Apply puts into the record.
func (p Patch) check(a Audience, o Options) error {
	if err := p.shape(); err != nil {
		return err
	}
	if p.Datasets != nil {
		for i, d := range *p.Datasets {
			known := func(known audience.Dataset) bool { return known.Code == d }
			if !slices.Contains(a.Datasets, d) && !slices.ContainsFunc(o.Frame.Datasets, known) {
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

// mostFolders is the largest number that a folder may be given: the largest whole number that all readers of JSON take.
const mostFolders = 1<<53 - 1

// place settles which folder of a user a patch means: Folder and FolderID are two names of one. The patch that it
// returns has FolderID alone, or both where the folder is new. What is wrong with the rest of the patch is told first.
func (p Patch) place(ctx context.Context, st Store, user string) (Patch, error) {
	if err := p.shape(); err != nil || p.Folder == nil {
		return p, err
	}
	v1, id := *p.Folder, NoFolder
	if v1 != 0 {
		folders, err := st.Folders(ctx, user)
		if err != nil {
			return p, err
		}
		at := slices.IndexFunc(folders, func(f Folder) bool { return f.V1 == v1 })
		switch {
		case at >= 0:
			id = folders[at].ID
		case p.FolderID != nil && 0 < v1 && v1 <= mostFolders && p.isNew(folders):
			return p, nil
		default:
			return p, &audience.InvalidError{Path: "folder", Reason: fmt.Sprintf("there is no folder %d: a new folder is made "+
				"by a folder_id that was not used before", v1)}
		}
	}
	if p.FolderID != nil && strings.ToLower(*p.FolderID) != id {
		return p, &audience.InvalidError{Path: "folder",
			Reason: fmt.Sprintf("folder %d is %s, and folder_id says %s: send one of them", v1, id, *p.FolderID)}
	}
	p.Folder, p.FolderID = nil, &id
	return p, nil
}

// isNew tells whether FolderID is that of a folder that is not among those of the user.
func (p Patch) isNew(folders []Folder) bool {
	id := strings.ToLower(*p.FolderID)
	return id != NoFolder && !slices.ContainsFunc(folders, func(f Folder) bool { return f.ID == id })
}
