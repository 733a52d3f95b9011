# Prints small made-up surveys and what R's survey package says of them, as respondents.csv and survey.csv:
#
#     Rscript survey.R
#
# respondents.csv has a line a respondent: set, fieldwork, weight, whether in row, in column a, in column b, in the base,
# and a number. survey.csv has a line a figure: set, figure, level or 0, and up to six numbers that survey_test.go names.
suppressPackageStartupMessages(library(survey))
options(survey.lonely.psu = "adjust")

make <- function(set, sizes, weight, row = 0.3, a = 0.4, b = 0.5, base = 0.8) {
  n <- sum(sizes)
  flag <- function(share) as.integer(runif(n) < share)
  data.frame(set, fieldwork = rep(seq_along(sizes), sizes), weight = weight(n), row = flag(row), a = flag(a), b = flag(b),
             base = flag(base), number = sample(-3:20, n, TRUE))
}
set.seed(12)
sets <- list(
  make(1, 80, function(n) rep(1000, n)),
  make(2, c(60, 90, 40), function(n) round(rlnorm(n, 7, 0.6))),
  make(3, c(1, 70, 1, 30), function(n) sample(200:2000, n, TRUE)),                  # fieldworks of one respondent
  make(4, c(25, 3, 2, 40), function(n) sample(1:50, n, TRUE), base = 0.5),          # few in the base
  make(5, c(400, 300), function(n) round(rlnorm(n, 9, 1)), row = 0.01, a = 0.9),    # a small share
  make(6, c(120, 80), function(n) 1e9 + sample(-1:1, n, TRUE), row = 0.5),          # weights nearly the same
  make(7, c(300, 200), function(n) round(rlnorm(n, 12, 1.5)), row = 0.97),          # nearly all
  make(8, c(50, 50), function(n) sample(10:30, n, TRUE), row = 0)                   # no one at all
)
sets[[6]]$base <- 1L
sets[[9]] <- transform(sets[[2]], set = 9, row = base)                              # everyone
for (i in seq_along(sets)) sets[[i]]$row <- sets[[i]]$row * sets[[i]]$base

all <- do.call(rbind, sets)
columns <- lapply(all, function(x) if (is.numeric(x)) sprintf("%d", as.integer(x)) else x)
writeLines(do.call(paste, c(columns, sep = ",")), "respondents.csv")

out <- file("survey.csv", "w")
show <- function(set, figure, level, ...)
  writeLines(paste(c(set, figure, level, sprintf("%.17g", c(...))), collapse = ","), out)
alone <- function(x) as.numeric(SE(x))

for (d in sets) {
  set <- d$set[1]
  design <- svydesign(ids = ~1, strata = ~fieldwork, weights = ~weight, data = d)
  based <- subset(design, base == 1)

  # size of the row in the base: estimate, standard error, df, interval
  size <- svytotal(~row, based)
  show(set, "size", 0.95, coef(size), alone(size), degf(based), confint(size, df = degf(based)))

  # share of the row in the base and in a: estimate, standard error, df, sample, interval
  for (level in c(0.6, 0.95, 0.999)) for (which in c("base", "a")) {
    part <- if (which == "base") based else subset(based, a == 1)
    share <- svymean(~row, part)
    interval <- c(NaN, NaN)
    if (coef(share) > 0 && coef(share) < 1) interval <- confint(svyciprop(~row, part, method = "beta", level = level))
    show(set, paste0("share.", which), level, coef(share), alone(share), degf(part), nrow(part), interval)
  }

  # mean of the numbers in a
  mean <- svymean(~number, subset(based, a == 1))
  df <- degf(subset(based, a == 1))
  show(set, "mean", 0.95, coef(mean), alone(mean), df, confint(mean, df = df))

  # index of row and a, by the delta method on its logarithm
  totals <- svytotal(~I(row * a) + row + a + base, based)
  attr(totals, "names") <- c("both", "row", "a", "all")
  if (coef(totals)[["both"]] > 0) {
    log.index <- svycontrast(totals, quote(log(both * all / (row * a))))
    show(set, "index", 0.95, 100 * exp(coef(log.index)), alone(log.index), degf(based),
         100 * exp(coef(log.index) + c(-1, 1) * qt(0.975, degf(based)) * alone(log.index)))
  }

  # a against b, which overlap, and a against the rest of the base: difference, standard error, df, t, p
  totals <- svytotal(~I(row * a) + a + I(row * b) + b + row + base, based)
  attr(totals, "names") <- c("ra", "a", "rb", "b", "row", "all")
  test <- function(name, contrast, df) {
    e <- coef(contrast); se <- alone(contrast)
    show(set, name, 0, e, se, df, e / se, 2 * pt(-abs(e / se), df))
  }
  test("columns", svycontrast(totals, quote(ra / a - rb / b)), degf(subset(based, a == 1 | b == 1)) - 1)
  test("rest", svycontrast(totals, quote(ra / a - (row - ra) / (all - a))), degf(based) - 1)
}
close(out)
