-- Numbers that respondents of a chunk gave to a question, exactly as they were written: who gave one, and the numbers. The question is that of the
-- columns. Which questions a chunk has numbers of stands in its header.
CREATE TABLE numbers (
	chunk    INTEGER NOT NULL REFERENCES chunk (id) ON DELETE CASCADE,
	question INTEGER NOT NULL,
	data     BLOB    NOT NULL,
	PRIMARY KEY (chunk, question)
) STRICT;
