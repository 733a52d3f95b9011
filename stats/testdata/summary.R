# Says what R's survey package makes of the numbers of respondents, which TestSummariesAsR in summary_r_test.go writes:
#
#     Rscript summary.R DIRECTORY
#
# A table is a file NAME.csv of the directory, with a line for each respondent of the fieldworks that are covered:
# fieldwork h, effective weight v, number x (NA: none), and whether in one audience, a, and in another, b. What comes is a
# line a figure: table, figure, the scale by which its standard error is told, and numbers that summary_r_test.go names.
suppressPackageStartupMessages(library(survey))
options(survey.lonely.psu = "adjust")

directory <- commandArgs(TRUE)[1]
alone <- function(x) { se <- suppressWarnings(as.numeric(SE(x))); ifelse(is.nan(se), 0, se) }
quiet <- function(x) suppressWarnings(x)
percents <- c(0, 2.5, 33.3, 50, 100)

summarise <- function(name) {
  d <- read.csv(file.path(directory, name))
  if (nrow(d) < 2) return() # R has nothing to say of one respondent
  has <- !is.na(d$x)
  d$a <- d$a * has; d$b <- d$b * has; d$x[!has] <- 0; d$z <- 0
  design <- svydesign(ids = ~1, strata = ~h, weights = ~v, data = d)
  show <- function(figure, ...)
    writeLines(paste(c(name, figure, sprintf("%.15g", c(...))), collapse = ","))
  mean <- function(of) sum(d$v * d$x * of) / sum(d$v * of)
  linear <- function(of) (d$x - mean(of)) * of / sum(d$v * of)
  length2 <- function(z) sqrt(sum((d$v * z)^2))

  # scale, mean, standard error, degrees of freedom, interval
  domain <- subset(design, a == 1)
  found <- svymean(~x, domain)
  se <- alone(found); df <- degf(domain)
  show("mean", length2(linear(d$a)), coef(found), se, df, quiet(coef(found) + c(-1, 1) * qt(0.975, df) * se))
  if (sum(d$a) > 1) show("deviation", 0, sqrt(as.numeric(coef(svyvar(~x, domain)))))
  quantiles <- svyquantile(~x, domain, percents / 100, ci = FALSE)
  show("quantiles", 0, as.numeric(coef(quantiles)))

  # a difference: scale, estimate, standard error, degrees of freedom, t, p
  if (sum(d$b) == 0) return()
  z <- linear(d$a) - linear(d$b)
  design$variables$z <- z
  se <- alone(svytotal(~z, design)); scale <- length2(z)
  estimate <- mean(d$a) - mean(d$b)
  either <- subset(design, a == 1 | b == 1)
  df <- degf(either) - 1
  t <- p <- NaN
  if (se > 1e-9 * (length2(linear(d$a)) + length2(linear(d$b)))) {
    t <- estimate / se
    p <- quiet(2 * pt(-abs(t), df))
    if (!any(d$a * d$b > 0) && df > 0) {
      test <- svyttest(x ~ a, either)
      stopifnot(test$parameter == df)
      t <- as.numeric(test$statistic); p <- as.numeric(test$p.value)
    }
  }
  show("difference", scale, estimate, se, df, t, p, length2(linear(d$a)) + length2(linear(d$b)))
}

for (name in sort(list.files(directory, "\\.csv$"))) summarise(name)
