-- Every row of these tables is sealed with a checksum over all its columns: seal. What a row is found by stands in it twice (again: as rowseal
-- gives it), so that a row whose one copy changed is found by the other. Rows of before are sealed as they are. (rowseal is a function of the program.)
ALTER TABLE user ADD COLUMN again INTEGER NOT NULL DEFAULT 0; -- of id
ALTER TABLE user ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
UPDATE user SET again = rowseal(id);
UPDATE user SET seal = rowseal('user', number, CAST(id AS BLOB), again);
CREATE INDEX user_again ON user (again);

ALTER TABLE key ADD COLUMN again INTEGER NOT NULL DEFAULT 0; -- of hash
ALTER TABLE key ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
UPDATE key SET again = rowseal(hash);
UPDATE key SET seal = rowseal('key', id, CAST(name AS BLOB), user, hash, CAST(allowed AS BLOB), created, expires, revoked, again);
CREATE INDEX key_again ON key (again);

ALTER TABLE folder ADD COLUMN user_again INTEGER; -- a copy of user
ALTER TABLE folder ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
UPDATE folder SET user_again = user;
UPDATE folder SET seal = rowseal('folder', v1, user, CAST(id AS BLOB), user_again);
CREATE INDEX folder_user_again ON folder (user_again);

ALTER TABLE saved ADD COLUMN again INTEGER NOT NULL DEFAULT 0; -- of id
ALTER TABLE saved ADD COLUMN user_again INTEGER NOT NULL DEFAULT 0; -- a copy of user
ALTER TABLE saved ADD COLUMN shared_again INTEGER NOT NULL DEFAULT 0; -- a copy of shared
ALTER TABLE saved ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
UPDATE saved SET again = rowseal(id), user_again = user, shared_again = shared;
UPDATE saved SET seal = rowseal('saved', v1, CAST(id AS BLOB), user, CAST(name AS BLOB), CAST(description AS BLOB), CAST(expression AS BLOB),
	CAST(datasets AS BLOB), datasets_set, CAST(flags AS BLOB), folder, position, shared, created, updated, version, again, user_again, shared_again);
CREATE INDEX saved_again ON saved (again);
CREATE INDEX saved_user_again ON saved (user_again);
CREATE INDEX saved_shared_again ON saved (id) WHERE shared_again = 1;

ALTER TABLE insight ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
UPDATE insight SET seal = rowseal('insight', id, CAST(record AS BLOB));

ALTER TABLE generic ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
UPDATE generic SET seal = rowseal('generic', CAST(id AS BLOB), CAST(record AS BLOB));
