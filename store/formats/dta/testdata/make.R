# Makes the files of this folder from numbers that are made up, and beside each what a reader has to find in it:
#
#   Rscript make.R
#
# haven14.dta is of format 118, haven12.dta of 115 and haven13.dta of 117; foreign6.dta is of format 108 and
# foreign10.dta of 114.
suppressMessages({library(haven); library(foreign)})
n <- 12
sex <- labelled(c(1, 2, NA, 1, tagged_na("a"), 2, 1, 2, tagged_na("b"), 1, 2, 1),
  c(Man = 1, Woman = 2, "Not asked" = tagged_na("a"), Refused = tagged_na("b")), label = "What are you?")
agree <- labelled(as.integer(rep(c(-1, 0, 1, NA), 3)), c("I don’t" = -1L, "Neither" = 0L, "I do" = 1L),
  label = "Agrees")
d <- data.frame(id = seq_len(n))
d$sex <- sex
d$agree <- agree
d$weight <- round(0.1 + (seq_len(n) * 37 %% 11) / 7, 6)
d$weight[4] <- NA
d$town <- rep(c("Köln", "Łódź", "", "Zürich "), 3)
d$day <- as.Date("2026-01-30") + seq_len(n) * 17
d$day[2] <- NA
d$moment <- as.POSIXct("1959-12-31 23:00:00", tz = "UTC") + seq_len(n) * 1800.5
attr(d$moment, "label") <- "When it began"
d$words <- strrep(rep(c("ä1", "b", ""), 4), c(400, 30, 0))
iso <- function(x) { # as in the table of a file
  if (inherits(x, "Date")) return(ifelse(is.na(x), "", format(x, "%Y-%m-%d")))
  if (inherits(x, "POSIXct")) return(paste0(format(x, "%Y-%m-%dT%H:%M:%S"), ifelse(as.numeric(x) %% 1 == 0, "", ".5")))
  if (is.factor(x)) x <- as.integer(x)
  if (is.character(x)) return(sub(" +$", "", ifelse(is.na(x), "", x)))
  tag <- if (is.double(x)) na_tag(x) else rep(NA_character_, length(x))
  ifelse(!is.na(tag), paste0(".", tag), ifelse(is.na(x), "", format(as.double(x), digits = 15, trim = TRUE,
    scientific = FALSE, drop0trailing = TRUE)))
}
expect <- function(d, name) {
  cells <- as.data.frame(lapply(d, iso), check.names = FALSE)
  for (i in seq_along(cells)) cells[[i]] <- vapply(seq_len(nrow(d)), function(k) iso(d[[i]][k]), "")
  write.table(cells, paste0(name, ".csv"), sep = ",", row.names = FALSE, qmethod = "double", fileEncoding = "UTF-8")
}
for (v in 12:14) {
  e <- if (v == 14) d else d[setdiff(names(d), "words")]
  if (v < 14) { # they hold no letters of all languages
    e$town <- rep(c("Koln", "Lodz", "", "Zurich "), 3)
    names(attr(e$agree, "labels"))[1] <- "I do not"
  }
  write_dta(e, sprintf("haven%d.dta", v), version = v, label = "Made up", strl_threshold = 60)
  expect(e, sprintf("haven%d", v))
}
f <- data.frame(id = seq_len(n), group = factor(rep(c("low", "high", NA), 4), levels = c("low", "high")),
  size = c(1.5, NA, -2, 3e10, 0.125, 100, 1e-3, 7, 8, 9, NA, 2^40), day = d$day, name = rep(c("a", "bc", "def"), 4),
  small = rep(c(-5L, NA, 2147483620L), 4), yes = rep(c(TRUE, FALSE, NA), 4), stringsAsFactors = FALSE)
for (v in c(6, 10)) {
  write.dta(f, sprintf("foreign%d.dta", v), version = v)
  e <- f
  e$day <- as.numeric(f$day) + 3653 # it names no format for dates
  if (v == 10) # it writes the largest whole number where there is none, which is .z then
    for (name in c("group", "small", "yes")) e[[name]] <- ifelse(is.na(f[[name]]), ".z", as.integer(f[[name]]))
  expect(e, sprintf("foreign%d", v))
}
