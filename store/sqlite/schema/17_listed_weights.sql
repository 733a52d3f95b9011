-- Weights of a chunk in units may stand in a list, with its place in it for each position (see listedweights.go). Those
-- of before are read as they are; an older program can't read those of now.
SELECT 1;
