// Package saved keeps audiences: named expressions that belong to a user, lie in folders and can be shared.
//
// The records are plain values. [Apply] says what a partial update makes of one. [Create], [Read], [Update], [Delete]
// and [List] work on a [Store], which replaces a record only if it still has the version that was read: of two updates
// of one audience neither undoes the other.
//
// An audience is seen by its owner and, if it is shared, by everyone; to others it is not there. Only its owner changes
// it. Users are whoever the program that embeds this says: their ids are opaque texts (see [CheckUser]), and equal
// bytes are one user. A Store keeps a number for each, for those who know users by numbers.
package saved

import (
	"context"
	"errors"
	"time"

	"github.com/crosswave/crosswave/audience"
)

// NoFolder is the folder id of an audience that lies in none.
const NoFolder = "00000000-0000-0000-0000-000000000000"

// flags are what an audience may carry.
var flags = []string{"authored", "curated", "isP2"}

var (
	// ErrNotYours is returned for a change to an audience that another user shares.
	ErrNotYours = errors.New("the audience belongs to another user, who shares it for reading")
	// ErrConflict is returned by a Store whose record has another version than the one to be replaced, and by Update
	// and Delete if that never ends.
	ErrConflict = errors.New("the audience was changed meanwhile")
	// ErrPrecondition is returned if the caller insists on versions and the current one is none of them.
	ErrPrecondition = errors.New("the audience has another version than the one asked for")
)

// Audience is a saved audience.
type Audience struct {
	ID          string // UUID, lower case
	V1ID        int64  // a sequence per store
	User        string // the owner; see CheckUser
	UserNumber  int64  // the owner's number; the Store fills it in
	Name        string
	Description string // generated, in words
	Expression  Expression
	Datasets    []string // codes
	// DatasetsSet tells that Datasets was set by the user; else it follows the expression.
	DatasetsSet bool
	Flags       []string // authored, curated, isP2
	FolderID    string   // UUID, lower case; NoFolder if it lies in none
	// Folder is the v1 number of the folder, 0 if it lies in none. The Store fills it in; a record on its way there may
	// have the number that a new folder is to get if it is free.
	Folder   int64
	Position float64 // finite
	Shared   bool
	Created  time.Time // UTC
	Updated  time.Time // UTC; each change moves it
	Version  int64     // from 1; each change makes it one more
}

// Expression is an expression as the user wrote it and as it is understood.
type Expression struct {
	JSON []byte // on one line, suffixes as integers; nil: as audience.Print writes Expr
	Expr audience.Expr
}

// Folder is a place where a user keeps audiences. Folders come into being when an audience is put into them. Two users
// may have folders of one ID; they know nothing of each other.
type Folder struct {
	ID string // UUID, lower case
	V1 int64  // from 1, its own in the whole store
}

// Store keeps the records. Every change is on disk when the method returns. Implementations are safe for concurrent
// use; storetest.TestSaved tells whether they keep to this.
type Store interface {
	// Saved returns the audience with that id, whoever owns it; audience.ErrNotFound if there is none.
	Saved(ctx context.Context, id string) (Audience, error)
	// SavedFor lists the audiences that a user owns or that are shared, by position, then id.
	SavedFor(ctx context.Context, user string) ([]Audience, error)
	// InsertSaved puts in a new audience; one with an id that is there is an error. It gives it its V1ID, which is never
	// given again, its owner's number, and its folder, if the user has none of that id, a number: a.Folder if that is
	// above 0 and free, else the lowest that is. It returns it so.
	InsertSaved(ctx context.Context, a Audience) (Audience, error)
	// ReplaceSaved puts a in the place of the record with the same id if that has the given version, else returns
	// ErrConflict, also where there is no such record. Its V1ID, owner and time of creation stay as they were, whatever a
	// says. A new folder gets its number as with InsertSaved. It returns the record as it is now.
	ReplaceSaved(ctx context.Context, a Audience, version int64) (Audience, error)
	// DeleteSaved removes the audience if it has the given version, else returns ErrConflict. Its folder stays, so that no
	// number of a folder is given twice.
	DeleteSaved(ctx context.Context, id string, version int64) error
	// Folders lists the folders of a user by V1, and with them those that nobody has put anything into yet.
	Folders(ctx context.Context, user string) ([]Folder, error)
	// UserNumber returns the number of a user: that of OwnNumber or, for other ids, one from FirstUserNumber on. Such a
	// number is given when the user is first heard of, here or with an audience, to nobody else and for good; a Store that
	// can't be written to returns audience.ErrReadOnly instead. Ids that CheckUser refuses have none, which is its error.
	UserNumber(ctx context.Context, user string) (int64, error)
}

// Options say what a change is held against and stamped with. Frame is required.
type Options struct {
	Frame *audience.Frame // what the caller may use
	// codes of the datasets that an expression draws on; for patches with an Expression or Datasets
	Datasets func(audience.Expr) []string
	Now      time.Time     // when the change is made
	Quota    Quota         // what a user may keep
	NewID    func() string // makes the id of a new audience, a UUID in lower case; nil: a random one
}
