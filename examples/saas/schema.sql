-- Tenants, and the numbers that were given last in each: none is given twice.
CREATE TABLE IF NOT EXISTS tenant (
	id        text COLLATE "C" PRIMARY KEY,
	allowed   json   NOT NULL,                     -- audience.Grant: what all of its people may use
	audiences bigint NOT NULL DEFAULT 0,           -- the V1ID given last
	users     bigint NOT NULL DEFAULT 999999999999 -- the number of a user given last
);

CREATE TABLE IF NOT EXISTS account (
	tenant text COLLATE "C" NOT NULL REFERENCES tenant,
	email  text COLLATE "C" NOT NULL,
	salt   bytea NOT NULL,
	hash   bytea NOT NULL, -- PBKDF2 of the password
	PRIMARY KEY (tenant, email)
);

CREATE TABLE IF NOT EXISTS session (
	hash    bytea PRIMARY KEY, -- SHA-256 of the token
	tenant  text COLLATE "C" NOT NULL,
	email   text COLLATE "C" NOT NULL,
	expires timestamptz NOT NULL,
	FOREIGN KEY (tenant, email) REFERENCES account ON DELETE CASCADE
);

-- Numbers of users whose ids are not their own numbers.
CREATE TABLE IF NOT EXISTS user_number (
	tenant text COLLATE "C" NOT NULL REFERENCES tenant,
	id     text COLLATE "C" NOT NULL,
	number bigint NOT NULL,
	PRIMARY KEY (tenant, id),
	UNIQUE (tenant, number)
);

-- Folders stay when they are empty, so that no number of one is given twice.
CREATE TABLE IF NOT EXISTS folder (
	tenant text COLLATE "C" NOT NULL REFERENCES tenant,
	v1     bigint NOT NULL,
	owner  text COLLATE "C" NOT NULL,
	id     text COLLATE "C" NOT NULL,
	PRIMARY KEY (tenant, v1),
	UNIQUE (tenant, owner, id)
);

CREATE TABLE IF NOT EXISTS audience (
	tenant   text COLLATE "C" NOT NULL REFERENCES tenant,
	id       text COLLATE "C" NOT NULL,
	v1       bigint NOT NULL,
	owner    text COLLATE "C" NOT NULL,
	folder   bigint, -- NULL: it lies in none
	position double precision NOT NULL,
	shared   boolean NOT NULL,
	version  bigint NOT NULL,
	created  timestamptz NOT NULL,
	record   json NOT NULL, -- the rest of it; json and not jsonb, which does not hold every text
	PRIMARY KEY (tenant, id),
	UNIQUE (tenant, v1),
	FOREIGN KEY (tenant, folder) REFERENCES folder
);

CREATE INDEX IF NOT EXISTS audience_by_owner ON audience (tenant, owner, position, id);
CREATE INDEX IF NOT EXISTS audience_shared ON audience (tenant, position, id) WHERE shared;
