# Prints small made-up surveys and what R's survey package says of how two questions go together in them, as
# answers.csv and association.csv:
#
#     Rscript association.R
#
# answers.csv has a line a respondent: set, fieldwork, weight, and the answers to two questions, 0 being none.
# association.csv has a line a set: set, F, its degrees of freedom, those of its denominator, p, and Cramér's V; and NaN
# where R has none.
suppressPackageStartupMessages(library(survey))
options(survey.lonely.psu = "adjust")

make <- function(set, sizes, weight, rows = 3, columns = 4, tie = 0.3, answered = 0.9) {
  n <- sum(sizes)
  row <- sample(rows, n, TRUE)
  column <- ifelse(runif(n) < tie, (row - 1) %% columns + 1, sample(columns, n, TRUE))
  row[runif(n) > answered] <- 0; column[runif(n) > answered] <- 0
  data.frame(set, fieldwork = rep(seq_along(sizes), sizes), weight = weight(n), row, column)
}
skewed <- function(n) round(rlnorm(n, 7, 0.8)) + 1
set.seed(31)
sets <- list(
  make(1, 400, function(n) rep(1000, n)),
  make(2, c(160, 90, 240), skewed),
  make(3, c(1, 170, 1, 130), function(n) sample(200:2000, n, TRUE), 2, 2),       # fieldworks of one respondent
  make(4, c(120, 80), function(n) 1e9 + sample(-1:1, n, TRUE), 3, 3),            # weights nearly the same
  make(5, c(400, 300, 500), skewed, 8, 9, 0.1),
  make(6, c(300, 250), skewed, 4, 3, 0),                                         # nothing to find
  make(7, c(300, 200), skewed, 3, 3, 0.95),                                      # nearly the same question
  make(8, c(200, 160), skewed, 4, 5),
  make(9, c(25, 30), skewed, 2, 3, 0.5, 0.6),
  make(10, c(100, 2, 80, 3), skewed, 5, 2),
  make(11, c(150, 150), skewed, 2, 2, 1),                                        # the same question twice
  make(12, c(900, 1200), function(n) sample(c(1, 10, 1e5), n, TRUE), 3, 4, 0.05), # weights far apart
  make(13, rep(30, 40), skewed, 6, 7, 0.2),
  make(14, c(200, 200, 200), skewed, 3, 3, 0.2),
  make(15, c(200, 300), skewed, 5, 5, 0.2)
)
drop <- function(d, which) { d$row[which] <- 0; d }
sets[[8]] <- with(sets[[8]], drop(sets[[8]], (row == 1 & column == 2) | (row == 3 & column == 3))) # cells of no one
sets[[15]] <- with(sets[[15]], drop(sets[[15]], row == column))                  # five of them, and no ring
sets[[14]] <- transform(sets[[14]], row = ifelse(fieldwork == 1, 1, row), column = ifelse(fieldwork == 1, 2, column))

all <- do.call(rbind, sets)
write.table(format(all, scientific = FALSE, trim = TRUE), "answers.csv", sep = ",", quote = FALSE, row.names = FALSE,
            col.names = FALSE)

out <- file("association.csv", "w")
for (d in sets) {
  design <- svydesign(ids = ~1, strata = ~fieldwork, weights = ~weight, data = d)
  both <- subset(design, row > 0 & column > 0)
  both$variables$row <- factor(both$variables$row); both$variables$column <- factor(both$variables$column)
  test <- svychisq(~row + column, both, statistic = "F")
  p <- prop.table(svytable(~row + column, both)); e <- outer(rowSums(p), colSums(p))
  v <- sqrt(sum((p - e)^2 / e) / (min(dim(p)) - 1))
  writeLines(paste(c(d$set[1], sprintf("%.17g", c(test$statistic, test$parameter, test$p.value, v))), collapse = ","), out)
}
close(out)
