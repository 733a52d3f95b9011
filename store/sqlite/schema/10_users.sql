-- Users are texts of whoever runs the store, each with a number that stays; rows stay, so that no number is given twice. What else is stored says
-- the number. Those of before were numbers, and are the texts of them.
CREATE TABLE user (
	number INTEGER PRIMARY KEY,
	id     TEXT NOT NULL UNIQUE
) STRICT;

INSERT INTO user (number, id)
	SELECT user, CAST(user AS TEXT) FROM (SELECT user FROM key UNION SELECT user FROM saved UNION SELECT user FROM folder WHERE user IS NOT NULL);
