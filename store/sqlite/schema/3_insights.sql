CREATE TABLE insight (
	id     INTEGER PRIMARY KEY,
	record TEXT NOT NULL -- insights.Insight, JSON
) STRICT;

CREATE TABLE generic (
	id     TEXT PRIMARY KEY,
	record TEXT NOT NULL -- insights.Generic, JSON as in an insights file
) STRICT, WITHOUT ROWID;
