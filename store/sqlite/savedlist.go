package sqlite

import (
	"context"
	"database/sql"

	"github.com/crosswave/crosswave/saved"
)

// reaching is the condition that a user, ?1, can see an audience; each of the two copies that a row has of whose it is
// and of whether it is shared is enough.
const reaching = `(s.user = ?1 OR s.user_again = ?1 OR s.shared = 1 OR s.shared_again = 1)`

// picking is the condition that a filter picks an audience which the user can see: ?2 is the id of a folder or nothing,
// ?3 flags as JSON. Folders of a user are for that user's audiences; none is everybody's.
const picking = reaching + ` AND (?2 = '' OR coalesce(f.id, '` + saved.NoFolder + `') = ?2 AND
	(s.user = ?1 OR ?2 = '` + saved.NoFolder + `')) AND (?3 = '[]' OR EXISTS (
	SELECT 1 FROM json_each(s.flags) has JOIN json_each(?3) wanted ON has.value = wanted.value))`

// SavedFor lists the audiences that a user owns or that are shared, by position, then id.
func (s *Store) SavedFor(ctx context.Context, user string) ([]saved.Audience, error) {
	number, err := knownUser(ctx, s.read, user)
	if err != nil {
		return nil, err
	}
	return collect(ctx, s.read, scanSaved, `SELECT `+savedColumns+` WHERE `+reaching+` ORDER BY s.position, s.id`, number)
}

// SavedPage lists a page of what SavedFor lists, and tells how many audiences the filter picks on all pages. Only the
// page is read; but what a row is picked and sorted by may be damaged, so that the checksum of each is looked at.
func (s *Store) SavedPage(ctx context.Context, user string, f saved.Filter) (page []saved.Audience, total int,
	err error) {
	tx, err := s.read.BeginTx(ctx, nil)
	if err != nil {
		return nil, 0, err
	}
	defer tx.Rollback()
	number, err := knownUser(ctx, tx, user)
	if err != nil {
		return nil, 0, err
	}
	if err := soundList(ctx, tx, number); err != nil {
		return nil, 0, err
	}
	limit := f.Limit
	if limit == 0 {
		limit = -1
	}
	flags := texts(f.Flags)
	err = tx.QueryRowContext(ctx, `SELECT count(*) FROM saved s LEFT JOIN folder f ON f.v1 = s.folder WHERE `+picking,
		number, f.FolderID, flags).Scan(&total)
	if err != nil {
		return nil, 0, err
	}
	page, err = collect(ctx, tx, scanSaved, `SELECT `+savedColumns+` WHERE `+picking+
		` ORDER BY s.position, s.id LIMIT ?4 OFFSET ?5`, number, f.FolderID, flags, limit, f.Offset)
	return page, total, err
}

// soundList is a DamagedError if an audience that the user with a number can see, or the folder that it lies in, is not
// as it was sealed.
func soundList(ctx context.Context, q querier, number sql.NullInt64) error {
	for _, check := range []struct{ what, query string }{
		{"saved audience", `SELECT s.id || ' (number ' || s.v1 || ')' FROM saved s WHERE ` + reaching + ` AND s.seal <> ` +
			savedSeal},
		{"the folder of saved audience", `SELECT s.id FROM saved s LEFT JOIN folder f ON f.v1 = s.folder WHERE ` +
			reaching + ` AND s.folder IS NOT NULL AND NOT coalesce(f.seal = ` + folderSeal + `, 0)`},
	} {
		if err := allSound(ctx, q, check.what, check.query+` LIMIT 1`, number); err != nil {
			return err
		}
	}
	return nil
}

// SavedSize tells how many audiences a user owns, and how many bytes their texts are. One that is damaged is a
// DamagedError, as it is in a list: what it takes, and whose it is, is not known. All are read for that, as they are
// for a page of a list, which takes a few microseconds each.
func (s *Store) SavedSize(ctx context.Context, user string) (audiences int, bytes int64, err error) {
	number, err := knownUser(ctx, s.read, user)
	if err != nil {
		return 0, 0, err
	}
	var damaged sql.NullString
	err = s.read.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(octet_length(s.name) + octet_length(s.description) +
		octet_length(s.expression) + octet_length(s.datasets)), 0),
		min(s.id || ' (number ' || s.v1 || ')') FILTER (WHERE s.seal <> `+savedSeal+`)
		FROM saved s WHERE s.user = ?1 OR s.user_again = ?1`, number).Scan(&audiences, &bytes, &damaged)
	if err == nil && damaged.Valid {
		err = &DamagedError{"saved audience " + damaged.String}
	}
	if err != nil {
		return 0, 0, err
	}
	return audiences, bytes, nil
}
