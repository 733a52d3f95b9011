-- The survey stands once: what was a frame of its own beside it, with the same records, is what the survey does not tell. What is stored is
-- rewritten by the program.
ALTER TABLE release RENAME COLUMN frame TO coverage;
