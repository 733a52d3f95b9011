-- What an engine that keeps the respondents remembers beside what is published, in its own form: it belongs to this file, and no version.
ALTER TABLE identity ADD COLUMN memory BLOB;
