# Says what R's survey package makes of two questions, which TestAssociationAsR in association_r_test.go writes down:
#
#     Rscript association.R DIRECTORY
#
# A table is a file of the directory with a line a respondent: fieldwork h, effective weight v, and the answers i and j
# to the two questions, 0 for who is not in the base or did not answer both. What comes is a line a table: its name, F,
# its degrees of freedom, those of its denominator, p and Cramér's V; NaN where R has none.
suppressPackageStartupMessages(library(survey))
options(survey.lonely.psu = "adjust")

directory <- commandArgs(TRUE)[1]
for (name in sort(list.files(directory, "\\.csv$"))) {
  d <- read.csv(file.path(directory, name))
  v <- NaN
  found <- tryCatch({
    design <- svydesign(ids = ~1, strata = ~h, weights = ~v, data = d)
    both <- subset(design, i > 0)
    both$variables$i <- factor(both$variables$i); both$variables$j <- factor(both$variables$j)
    p <- prop.table(svytable(~i + j, both)); e <- outer(rowSums(p), colSums(p))
    v <- sqrt(sum((p - e)^2 / e) / (min(dim(p)) - 1))
    test <- suppressWarnings(svychisq(~i + j, both, statistic = "F"))
    as.numeric(c(test$statistic, test$parameter, test$p.value))
  }, error = function(e) rep(NaN, 4))
  writeLines(paste(c(name, sprintf("%.15g", c(found, v))), collapse = ","))
}
