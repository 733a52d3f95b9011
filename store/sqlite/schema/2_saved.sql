-- Folders of saved audiences. v1 is the number that older clients know them by.
CREATE TABLE folder (
	v1 INTEGER PRIMARY KEY AUTOINCREMENT,
	id TEXT NOT NULL UNIQUE -- UUID, lower case
) STRICT;

-- Saved audiences. v1 counts up for the whole store and is never used again.
CREATE TABLE saved (
	v1           INTEGER PRIMARY KEY AUTOINCREMENT,
	id           TEXT    NOT NULL UNIQUE, -- UUID, lower case
	user         INTEGER NOT NULL,
	name         TEXT    NOT NULL,
	description  TEXT    NOT NULL,
	expression   TEXT    NOT NULL, -- JSON, as its user wrote it
	datasets     TEXT    NOT NULL, -- JSON array of codes
	datasets_set INTEGER NOT NULL, -- 1: by the user, 0: they follow the expression
	flags        TEXT    NOT NULL, -- JSON array
	folder       INTEGER REFERENCES folder (v1),
	position     REAL    NOT NULL,
	shared       INTEGER NOT NULL,
	created      INTEGER NOT NULL, -- Unix nanoseconds
	updated      INTEGER NOT NULL,
	version      INTEGER NOT NULL
) STRICT;

CREATE INDEX saved_by_user ON saved (user, position, id);
CREATE INDEX saved_shared ON saved (position, id) WHERE shared = 1;
