-- Several bitmaps of a chunk share a row of table answers, and answers of which nobody gave two are stored as digits where that takes fewer bitmaps.
-- The headers of chunks say so. Chunks of before have a row for each column and are read as they are; an older program can't read those of now.
SELECT 1;
