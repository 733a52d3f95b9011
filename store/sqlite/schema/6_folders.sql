-- A folder belongs to a user: two users may have folders of one id, each with a number of its own. Those that there are go to whoever has audiences
-- in them: the first of several keeps the number, the others get folders of their own. One that is empty is whose who puts something into it.
ALTER TABLE folder RENAME TO folder_of_all;

CREATE TABLE folder (
	v1   INTEGER PRIMARY KEY, -- the number that older clients know it by; folders stay, so that none is given twice
	user INTEGER,             -- NULL: nobody's yet
	id   TEXT NOT NULL,       -- UUID, lower case
	UNIQUE (user, id)
) STRICT;

INSERT INTO folder (v1, user, id)
	SELECT f.v1, (SELECT s.user FROM saved s WHERE s.folder = f.v1 ORDER BY s.v1 LIMIT 1), f.id FROM folder_of_all f;

INSERT INTO folder (user, id)
	SELECT s.user, f.id FROM saved s JOIN folder_of_all f ON f.v1 = s.folder JOIN folder first ON first.v1 = f.v1
	WHERE s.user <> first.user GROUP BY f.v1, s.user ORDER BY f.v1, min(s.v1);

-- The table as it was, but for what folder refers to.
CREATE TABLE saved_in_folder (
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

INSERT INTO saved_in_folder
	SELECT s.v1, s.id, s.user, s.name, s.description, s.expression, s.datasets, s.datasets_set, s.flags,
		(SELECT mine.v1 FROM folder_of_all f JOIN folder mine ON mine.id = f.id AND mine.user = s.user WHERE f.v1 = s.folder),
		s.position, s.shared, s.created, s.updated, s.version FROM saved s;

DELETE FROM sqlite_sequence WHERE name = 'saved_in_folder';
INSERT INTO sqlite_sequence (name, seq) SELECT 'saved_in_folder', seq FROM sqlite_sequence WHERE name = 'saved';

DROP TABLE saved;
ALTER TABLE saved_in_folder RENAME TO saved;
DROP TABLE folder_of_all;

CREATE INDEX saved_by_user ON saved (user, position, id);
CREATE INDEX saved_shared ON saved (position, id) WHERE shared = 1;
