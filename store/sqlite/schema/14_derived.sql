-- Derived questions: their answers are expressions over other questions. Sealed as all rows are, and found by two columns.
CREATE TABLE derived (
	id           INTEGER PRIMARY KEY,
	code         TEXT    NOT NULL UNIQUE,
	user         INTEGER NOT NULL,
	namespace    TEXT    NOT NULL,
	name         TEXT    NOT NULL,
	description  TEXT    NOT NULL,
	datapoints   TEXT    NOT NULL, -- JSON array of code, name and expression, which is a text: JSON, as its user wrote it
	shared       INTEGER NOT NULL,
	created      INTEGER NOT NULL, -- Unix nanoseconds
	updated      INTEGER NOT NULL,
	version      INTEGER NOT NULL,
	again        INTEGER NOT NULL, -- of code
	user_again   INTEGER NOT NULL, -- a copy of user
	shared_again INTEGER NOT NULL, -- a copy of shared
	seal         INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX derived_again ON derived (again);
CREATE INDEX derived_by_user ON derived (user);
CREATE INDEX derived_user_again ON derived (user_again);
CREATE INDEX derived_shared ON derived (id) WHERE shared = 1;
CREATE INDEX derived_shared_again ON derived (id) WHERE shared_again = 1;

INSERT INTO inventory (name, rows, seals, seal) VALUES ('derived', 0, 0, rowseal('inventory', CAST('derived' AS BLOB), 0, 0));

CREATE TRIGGER derived_comes AFTER INSERT ON derived BEGIN
	UPDATE inventory SET rows = rows + 1, seals = seals + NEW.seal WHERE name = 'derived';
END;
CREATE TRIGGER derived_changes AFTER UPDATE OF seal ON derived BEGIN
	UPDATE inventory SET seals = seals + NEW.seal - OLD.seal WHERE name = 'derived';
END;
CREATE TRIGGER derived_goes AFTER DELETE ON derived BEGIN
	UPDATE inventory SET rows = rows - 1, seals = seals - OLD.seal WHERE name = 'derived';
END;
