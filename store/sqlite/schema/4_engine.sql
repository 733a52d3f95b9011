-- What the engine that keeps the respondents has to know to count this version, in its own form and sealed; NULL: they are in chunks.
ALTER TABLE release ADD COLUMN engine BLOB;

-- The store's own name, given at random once: what another engine keeps for this store is found by it.
CREATE TABLE identity (id TEXT NOT NULL) STRICT;

INSERT INTO identity (id) VALUES (lower(hex(randomblob(8))));
