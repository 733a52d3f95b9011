# Says what R's survey package makes of tables of respondents, which TestAsR in r_test.go writes:
#
#     Rscript statistics.R DIRECTORY
#
# A table is a file NAME.LEVEL.csv of the directory, with a line a respondent: fieldwork h, effective weight v, and
# whether in the base b, in the rows r1, r2 … and in the columns c1, c2 … What comes is a line a figure: table, figure,
# row, column, other column or 0, the scale by which its standard error is told, and numbers that r_test.go names.
suppressPackageStartupMessages(library(survey))
options(survey.lonely.psu = "adjust")

directory <- commandArgs(TRUE)[1]
out <- stdout()
# the variance that R forms of variances and covariances is below 0 at times where it is 0
alone <- function(x) { se <- suppressWarnings(as.numeric(SE(x))); ifelse(is.nan(se), 0, se) }
quiet <- function(x) suppressWarnings(x) # of Student's t without degrees of freedom, which is NaN

tabulate <- function(name) {
  d <- read.csv(file.path(directory, name))
  level <- as.numeric(sub(".*\\.([0-9]+)\\.csv", "\\1", name)) / 100
  alpha <- 1 - level
  d$part <- d$whole <- d$row <- d$column <- d$other <- d$both <- d$share <- d$otherboth <- d$rest <- d$z <- 0
  design <- svydesign(ids = ~1, strata = ~h, weights = ~v, data = d)
  show <- function(figure, i, j, k, ...)
    writeLines(paste(c(name, figure, i, j, k, sprintf("%.15g", c(...))), collapse = ","), out)
  put <- function(...) {
    for (x in names(list(...))) design$variables[[x]] <<- list(...)[[x]]
  }
  length2 <- function(z) sqrt(sum((d$v * z)^2))

  # share of part in whole: scale, estimate, standard error, degrees of freedom, sample, interval
  share <- function(figure, i, j, part, whole) {
    if (sum(whole) == 0) return()
    put(part = part * whole, whole = whole)
    domain <- subset(design, whole == 1)
    mean <- svymean(~part, domain)
    none <- all(part * whole == 0); every <- all(part * whole == whole)
    p <- if (none) 0 else if (every) 1 else coef(mean)
    se <- alone(mean); df <- degf(domain); y <- sum(d$v * whole)
    scale <- length2((part * whole - p * whole) / y)
    if (!none && !every && se > 1e-11 * scale) {
      interval <- quiet(as.numeric(confint(svyciprop(~part, domain, method = "beta", level = level))))
    } else { # where R has no interval: Clopper and Pearson's at Kish's effective sample
      n <- y^2 / sum((d$v * whole)^2)
      interval <- c(if (none) 0 else qbeta(alpha / 2, n * p, n * (1 - p) + 1),
                    if (every) 1 else qbeta(1 - alpha / 2, n * p + 1, n * (1 - p)))
    }
    show(figure, i, j, 0, scale, p, se, df, nrow(domain), interval)
  }

  # a difference: scale, estimate, standard error, degrees of freedom, t, p, and its variance by another way
  difference <- function(figure, i, j, k, estimate, z, df, other, crude, test) {
    put(z = z)
    se <- alone(svytotal(~z, design))
    scale <- length2(z)
    t <- p <- NaN
    if (se > 1e-9 * scale) {
      t <- estimate / se
      p <- quiet(2 * pt(-abs(t), df))
      if (!is.null(test) && df > 0) {
        t <- as.numeric(test()$statistic); p <- as.numeric(test()$p.value)
        stopifnot(test()$parameter == df)
      }
    }
    show(figure, i, j, k, scale, estimate, se, df, t, p, other, crude)
  }

  rows <- sub("r", "", grep("^r[0-9]", names(d), value = TRUE))
  columns <- sub("c", "", grep("^c[0-9]", names(d), value = TRUE))
  b <- d$b
  for (i in rows) for (j in columns) {
    row <- d[[paste0("r", i)]] * b; column <- d[[paste0("c", j)]] * b; both <- row * column
    put(row = row, column = column, both = both)
    share("row", i, j, row, b)
    share("column", i, j, column, b)
    share("both", i, j, both, b)
    share("of_column", i, j, both, column)
    share("of_row", i, j, both, row)

    # size: scale, estimate, standard error, degrees of freedom, interval
    totals <- svytotal(~both + row + column + b, design)
    df <- degf(subset(design, b == 1))
    size <- coef(totals)[["both"]]; se <- alone(totals)[1]
    show("size", i, j, 0, length2(both), size, se, df, quiet(size + c(-1, 1) * qt(1 - alpha / 2, df) * se))

    # index: scale, estimate, standard error of its logarithm, degrees of freedom, interval
    x <- coef(totals)
    if (size > 0) {
      index <- svycontrast(totals, quote(log(both * b / (row * column))))
      scale <- length2((both / x["both"] - column / x["column"]) + (b / x["b"] - row / x["row"]))
      crude <- length2(both / x["both"]) + length2(column / x["column"]) + length2(b / x["b"]) + length2(row / x["row"])
      show("index", i, j, 0, scale, 100 * exp(coef(index)), alone(index), df,
           quiet(100 * exp(coef(index) + c(-1, 1) * qt(1 - alpha / 2, df) * alone(index))), crude)
    }

    # the column against the rest of the base
    if (x["column"] > 0 && any(b > column)) {
      left <- b - column; in.left <- row - both
      put(rest = left, share = in.left)
      shares <- svytotal(~both + column + share + rest, design)
      contrast <- svycontrast(shares, quote(both / column - share / rest))
      p <- x["both"] / x["column"]; q <- sum(d$v * in.left) / sum(d$v * left)
      own <- (both - p * column) / x["column"]; others <- (in.left - q * left) / sum(d$v * left)
      difference("rest", i, j, 0, p - q, own - others, df - 1, alone(contrast), length2(own) + length2(others),
                 function() svyttest(row ~ column, subset(design, b == 1)))
    }

    # the column against each later one
    for (k in columns[as.integer(columns) > as.integer(j)]) {
      other <- d[[paste0("c", k)]] * b
      if (x["column"] == 0 || sum(other) == 0) next
      put(other = other, otherboth = other * row)
      shares <- svytotal(~both + column + otherboth + other, design)
      contrast <- svycontrast(shares, quote(both / column - otherboth / other))
      y <- sum(d$v * other); q <- sum(d$v * other * row) / y; p <- x["both"] / x["column"]
      own <- (both - p * column) / x["column"]; others <- (other * row - q * other) / y
      apart <- !any(column * other > 0)
      either <- subset(design, column == 1 | other == 1)
      difference("columns", i, j, k, p - q, own - others, degf(either) - 1, alone(contrast),
                 length2(own) + length2(others), if (apart) function() svyttest(row ~ column, either))
    }
  }
}

for (name in sort(list.files(directory, "\\.csv$"))) tabulate(name)
