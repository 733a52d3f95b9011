-- Secrets that were replaced: each opens its key, too, until its time. Sealed as all rows are, and found by two columns.
CREATE TABLE replaced (
	id    INTEGER PRIMARY KEY,
	key   INTEGER NOT NULL,
	hash  BLOB    NOT NULL UNIQUE, -- SHA-256 of the secret
	until INTEGER NOT NULL,        -- Unix milliseconds
	again INTEGER NOT NULL DEFAULT 0,
	seal  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX replaced_again ON replaced (again);

-- When keys were last used. It stands apart from them, so that noting a use writes nothing that a key is found by.
CREATE TABLE used (
	key  INTEGER PRIMARY KEY,
	hour INTEGER NOT NULL, -- since 1970
	seal INTEGER NOT NULL
) STRICT;

-- How many rows each table of sealed rows has and what their seals add up to, so that a check finds rows that went or came otherwise than by the
-- program. Triggers keep it; whoever deletes a row with another program is told that there is no function rowseal.
CREATE TABLE inventory (
	name  TEXT    PRIMARY KEY,
	rows  INTEGER NOT NULL,
	seals INTEGER NOT NULL,
	seal  INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

INSERT INTO inventory (name, rows, seals)
	SELECT 'user', count(*), coalesce(sum(seal), 0) FROM user
	UNION ALL
	SELECT 'key', count(*), coalesce(sum(seal), 0) FROM key
	UNION ALL
	SELECT 'replaced', count(*), coalesce(sum(seal), 0) FROM replaced
	UNION ALL
	SELECT 'saved', count(*), coalesce(sum(seal), 0) FROM saved
	UNION ALL
	SELECT 'folder', count(*), coalesce(sum(seal), 0) FROM folder
	UNION ALL
	SELECT 'insight', count(*), coalesce(sum(seal), 0) FROM insight
	UNION ALL
	SELECT 'generic', count(*), coalesce(sum(seal), 0) FROM generic;
UPDATE inventory SET seal = rowseal('inventory', CAST(name AS BLOB), rows, seals);

CREATE TRIGGER inventory_changes AFTER UPDATE OF rows, seals ON inventory BEGIN
	UPDATE inventory SET seal = rowseal('inventory', CAST(name AS BLOB), rows, seals) WHERE name = NEW.name;
END;

CREATE TRIGGER user_comes AFTER INSERT ON user BEGIN
	UPDATE inventory SET rows = rows + 1, seals = seals + NEW.seal WHERE name = 'user';
END;
CREATE TRIGGER user_changes AFTER UPDATE OF seal ON user BEGIN
	UPDATE inventory SET seals = seals + NEW.seal - OLD.seal WHERE name = 'user';
END;
CREATE TRIGGER user_goes AFTER DELETE ON user BEGIN
	UPDATE inventory SET rows = rows - 1, seals = seals - OLD.seal WHERE name = 'user';
END;

CREATE TRIGGER key_comes AFTER INSERT ON key BEGIN
	UPDATE inventory SET rows = rows + 1, seals = seals + NEW.seal WHERE name = 'key';
END;
CREATE TRIGGER key_changes AFTER UPDATE OF seal ON key BEGIN
	UPDATE inventory SET seals = seals + NEW.seal - OLD.seal WHERE name = 'key';
END;
CREATE TRIGGER key_goes AFTER DELETE ON key BEGIN
	UPDATE inventory SET rows = rows - 1, seals = seals - OLD.seal WHERE name = 'key';
END;

CREATE TRIGGER replaced_comes AFTER INSERT ON replaced BEGIN
	UPDATE inventory SET rows = rows + 1, seals = seals + NEW.seal WHERE name = 'replaced';
END;
CREATE TRIGGER replaced_changes AFTER UPDATE OF seal ON replaced BEGIN
	UPDATE inventory SET seals = seals + NEW.seal - OLD.seal WHERE name = 'replaced';
END;
CREATE TRIGGER replaced_goes AFTER DELETE ON replaced BEGIN
	UPDATE inventory SET rows = rows - 1, seals = seals - OLD.seal WHERE name = 'replaced';
END;

CREATE TRIGGER saved_comes AFTER INSERT ON saved BEGIN
	UPDATE inventory SET rows = rows + 1, seals = seals + NEW.seal WHERE name = 'saved';
END;
CREATE TRIGGER saved_changes AFTER UPDATE OF seal ON saved BEGIN
	UPDATE inventory SET seals = seals + NEW.seal - OLD.seal WHERE name = 'saved';
END;
CREATE TRIGGER saved_goes AFTER DELETE ON saved BEGIN
	UPDATE inventory SET rows = rows - 1, seals = seals - OLD.seal WHERE name = 'saved';
END;

CREATE TRIGGER folder_comes AFTER INSERT ON folder BEGIN
	UPDATE inventory SET rows = rows + 1, seals = seals + NEW.seal WHERE name = 'folder';
END;
CREATE TRIGGER folder_changes AFTER UPDATE OF seal ON folder BEGIN
	UPDATE inventory SET seals = seals + NEW.seal - OLD.seal WHERE name = 'folder';
END;
CREATE TRIGGER folder_goes AFTER DELETE ON folder BEGIN
	UPDATE inventory SET rows = rows - 1, seals = seals - OLD.seal WHERE name = 'folder';
END;

CREATE TRIGGER insight_comes AFTER INSERT ON insight BEGIN
	UPDATE inventory SET rows = rows + 1, seals = seals + NEW.seal WHERE name = 'insight';
END;
CREATE TRIGGER insight_changes AFTER UPDATE OF seal ON insight BEGIN
	UPDATE inventory SET seals = seals + NEW.seal - OLD.seal WHERE name = 'insight';
END;
CREATE TRIGGER insight_goes AFTER DELETE ON insight BEGIN
	UPDATE inventory SET rows = rows - 1, seals = seals - OLD.seal WHERE name = 'insight';
END;

CREATE TRIGGER generic_comes AFTER INSERT ON generic BEGIN
	UPDATE inventory SET rows = rows + 1, seals = seals + NEW.seal WHERE name = 'generic';
END;
CREATE TRIGGER generic_changes AFTER UPDATE OF seal ON generic BEGIN
	UPDATE inventory SET seals = seals + NEW.seal - OLD.seal WHERE name = 'generic';
END;
CREATE TRIGGER generic_goes AFTER DELETE ON generic BEGIN
	UPDATE inventory SET rows = rows - 1, seals = seals - OLD.seal WHERE name = 'generic';
END;
