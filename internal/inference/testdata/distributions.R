# Prints what R's distributions give over a grid, as distributions.csv:
#
#     Rscript distributions.R > distributions.csv
#
# Each line is a function, its arguments and its value; digits are enough to read the same number back.
line <- function(name, ...) cat(name, sapply(c(...), function(x) sprintf("%.17g", x)), sep = ",", fill = FALSE)
show <- function(name, ...) { line(name, ...); cat("\n") }

# Beta, by quantiles, so that x lies where it matters. Where R's quantile is not one by R's own tail, as for the smallest
# shapes and those above a million, or where it is too near 1 for x to say it, it is left out.
shapes <- c(0.001, 0.03, 0.5, 1, 1.7, 4, 11.5, 30, 100, 450.25, 3000, 5e4, 1e6, 1e9)
for (a in shapes) for (b in shapes) for (p in c(1e-30, 1e-8, 0.005, 0.025, 0.1, 0.4, 0.6, 0.9, 0.975, 0.995)) {
  x <- suppressWarnings(qbeta(p, a, b))
  back <- pbeta(x, a, b)
  if (x < 1e-300 || x > 1 - 1e-3) next
  show("pbeta", x, a, b, back)
  if (abs(back / p - 1) < 1e-11) show("qbeta", p, a, b, x)
}

# two-sided p-values of Student's t, down to the smallest numbers
for (df in c(1, 1.5, 2, 3, 7, 29.3, 300, 4999, 5e4, 123456, 1e6, 3e8, 1e12))
  for (t in c(1e-12, 1e-4, 0.1, 0.7, 1, 1.96, 3.3, 8, 26.8, 37, 150, 1e5)) show("pt", t, df, 2 * pt(-t, df))
for (df in c(1, 1.5, 2, 3, 7, 29.3, 300, 4999, 5e4, 123456, 1e6, 3e8, 1e12))
  for (p in c(1e-20, 1e-6, 5e-4, 0.005, 0.025, 0.1, 0.2499, 0.4, 0.499, 0.7, 0.975)) show("qt", p, df, qt(p, df))

# upper tails of F and of chi-square
for (df1 in c(0.3, 1, 2.5, 12, 399)) for (df2 in c(1, 8.4, 60, 5321.5, 1e7)) for (f in c(1e-6, 0.2, 1, 1.7, 6, 90, 5000))
  show("pf", f, df1, df2, pf(f, df1, df2, lower.tail = FALSE))
for (df in c(1, 2, 3.7, 40, 900)) for (x in c(1e-9, 0.3, 1, 3.84, 60, 700, 1300))
  show("pchisq", x, df, pchisq(x, df, lower.tail = FALSE))
