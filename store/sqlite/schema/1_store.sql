-- What is published: one row. Everything in it is sealed with a checksum.
CREATE TABLE release (
	version INTEGER PRIMARY KEY, -- 0: nothing yet
	survey  BLOB,                -- catalogue.Survey, JSON
	frame   BLOB,                -- audience.Frame, JSON
	facts   BLOB,                -- []survey.Facts, JSON
	columns BLOB,                -- which answers column belongs to which attribute, JSON
	chunks  BLOB                 -- ids of the live chunks, JSON
) STRICT;

INSERT INTO release (version) VALUES (0);

-- Imports that run, or that died: their chunks are not yet in the release's list.
CREATE TABLE import (
	id    INTEGER PRIMARY KEY AUTOINCREMENT,
	begun INTEGER NOT NULL -- Unix seconds
) STRICT;

-- Respondents of one wave that were taken in together. Chunks never change and their ids are never used again.
CREATE TABLE chunk (
	id          INTEGER PRIMARY KEY AUTOINCREMENT,
	wave        TEXT    NOT NULL,
	generation  INTEGER NOT NULL, -- id of the import it came with
	respondents INTEGER NOT NULL,
	header      BLOB    NOT NULL  -- runs of locations and stored columns, sealed
) STRICT;

-- Bitmaps. id is chunk·2^40 + column, so a question's columns of a chunk stand side by side.
CREATE TABLE answers (
	id   INTEGER PRIMARY KEY,
	data BLOB NOT NULL
) STRICT;

-- Weights exactly as they were written.
CREATE TABLE weights (
	chunk     INTEGER NOT NULL REFERENCES chunk (id) ON DELETE CASCADE,
	namespace TEXT    NOT NULL,
	data      BLOB    NOT NULL,
	PRIMARY KEY (chunk, namespace)
) STRICT;

-- Weights as integers in units of 10^-decimals people.
CREATE TABLE units (
	chunk     INTEGER NOT NULL REFERENCES chunk (id) ON DELETE CASCADE,
	namespace TEXT    NOT NULL,
	decimals  INTEGER NOT NULL,
	data      BLOB    NOT NULL,
	PRIMARY KEY (chunk, namespace, decimals)
) STRICT;

CREATE TABLE key (
	id      INTEGER PRIMARY KEY AUTOINCREMENT,
	name    TEXT    NOT NULL,
	user    INTEGER NOT NULL,
	hash    BLOB    NOT NULL UNIQUE, -- SHA-256 of the secret
	allowed TEXT    NOT NULL,        -- audience.Grant, JSON
	created INTEGER NOT NULL,        -- Unix milliseconds
	expires INTEGER,                 -- NULL: never
	revoked INTEGER                  -- NULL: it is not
) STRICT;
