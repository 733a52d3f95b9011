# Prints p-values and what R's p.adjust makes of them, as corrections.csv:
#
#     Rscript corrections.R > corrections.csv
#
# Each line is a family's number, a p-value and its adjusted values by Bonferroni, Holm and Benjamini-Hochberg.
set.seed(20)
families <- list(0.04, c(0.01, 0.01), c(0.03, 0.01, 0.02, 0.04, 0.05), c(0, 1, 0.5, 1, 0), c(0.9, 1e-157, 0.2, 0.2, 0.9),
                 runif(40), rbeta(60, 0.2, 2), c(rep(0.012, 5), runif(5)))
for (i in seq_along(families)) {
  p <- families[[i]]
  a <- cbind(i, p, p.adjust(p, "bonferroni"), p.adjust(p, "holm"), p.adjust(p, "BH"))
  cat(apply(a, 1, function(x) paste(sprintf("%.17g", x), collapse = ",")), sep = "\n")
}
