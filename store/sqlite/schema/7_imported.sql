-- The survey files that were imported, by the SHA-256 of their contents, so that a file is known again whatever its time says.
CREATE TABLE imported (
  hash BLOB NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,   -- of the file, as it was called then
  time INTEGER NOT NULL -- milliseconds since 1970
) STRICT;
