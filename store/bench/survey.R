# Forms a table with intervals with the survey package, as often as the second argument says, and prints what it took
# at the least, in seconds of processor, without the start of R and the reading of its file, and then every figure:
#
#     Rscript survey.R table.csv 2
#
# The file has a line a respondent: fieldwork, weight, and 0 or 1 for each row (r1 …) and each column (c1 …). A line
# printed is figure, row, column (0: of the other alone), estimate, standard error, and the ends of its 95 % interval.
# Whatever several cells share is formed once: the design, its domains, and the percentages of the margins.
suppressPackageStartupMessages(library(survey))

arguments <- commandArgs(trailingOnly = TRUE)
respondents <- read.csv(arguments[1])
respondents$all <- 1
rows <- grep("^r", names(respondents), value = TRUE)
columns <- grep("^c", names(respondents), value = TRUE)

# share is a percentage of a domain with its Korn-Graubard interval.
share <- function(formula, domain) {
  p <- svyciprop(formula, domain, method = "beta")
  100 * c(coef(p), sqrt(attr(p, "var")), confint(p))
}

form <- function() {
  design <- svydesign(ids = ~1, strata = ~fieldwork, weights = ~weight, data = respondents)
  t <- qt(0.975, degf(design))
  of.row <- lapply(rows, function(r) design[respondents[[r]] == 1, ])
  of.column <- lapply(columns, function(c) design[respondents[[c]] == 1, ])
  figures <- list()
  note <- function(figure, i, j, numbers) figures[[length(figures) + 1]] <<- list(figure, i, j, numbers)
  for (i in seq_along(rows)) note("percentage", i, 0, share(reformulate(rows[i]), design))
  for (j in seq_along(columns)) note("percentage", 0, j, share(reformulate(columns[j]), design))
  for (i in seq_along(rows)) for (j in seq_along(columns)) {
    row <- rows[i]
    column <- columns[j]
    both <- sprintf("I(%s * %s)", row, column)
    note("percentage", i, j, share(reformulate(both), design))
    note("of column", i, j, share(reformulate(row), of.column[[j]]))
    note("of row", i, j, share(reformulate(column), of.row[[i]]))
    totals <- svytotal(reformulate(c(both, row, column, "all")), design)
    attr(totals, "names") <- c("both", "row", "column", "all")
    size <- coef(totals)[["both"]]
    error <- SE(totals)[[1]]
    note("size", i, j, c(size, error, size - t * error, size + t * error))
    index <- svycontrast(totals, quote(log(both * all / (row * column))))
    middle <- coef(index)[[1]]
    error <- SE(index)[[1]]
    note("index", i, j, 100 * exp(middle) * c(1, error, exp(-t * error), exp(t * error)))
  }
  figures
}

took <- Inf
for (round in seq_len(as.integer(arguments[2]))) {
  began <- sum(proc.time()[1:2])
  figures <- form()
  took <- min(took, sum(proc.time()[1:2]) - began)
}
print.line <- function(figure, i, j, numbers)
  cat(figure, i, j, sprintf("%.17g", numbers), sep = ",", fill = FALSE)
for (f in c(list(list("seconds", 0, 0, c(took, 0, 0, 0))), figures)) {
  do.call(print.line, f)
  cat("\n")
}
