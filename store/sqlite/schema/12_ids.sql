-- Fingerprints of the ids of a chunk's respondents, by which one can be found to be removed; the ids themselves are not stored. A chunk of before
-- has none.
CREATE TABLE ids (
	chunk INTEGER PRIMARY KEY REFERENCES chunk (id) ON DELETE CASCADE,
	data  BLOB NOT NULL
) STRICT;
