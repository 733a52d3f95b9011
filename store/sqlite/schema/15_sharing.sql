-- The header of a chunk says how the answers to a question share its respondents. Headers of before say nothing of it and are read as they are; an
-- older program can't read those of now.
SELECT 1;
