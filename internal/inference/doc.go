// Package inference is the mathematics of how sure a figure of a weighted survey is: variances, intervals, tests,
// corrections for many tests, and the quality of percentages. It knows numbers only; what they are of is its callers'
// business.
//
// # Variances
//
// A fieldwork is a sample of its own, of n respondents drawn independently, each with a weight. A figure f (a size, a
// percentage, an index, a difference of two of them) is a smooth function of the weighted sizes T of a few parts of the
// base that have no one in common. So it varies, to first order, as Σ g·T does, where g = ∂f/∂T at the sizes found: as
// the total of z = g·weight over the respondents, g by the part that each is in, and 0 for those in none. This is
// Taylor linearisation, and the variance of such a total of independent draws is, summed over the fieldworks,
//
//	n/(n−1) · (Σ z² − (Σ z)²/n)  =  n/(n−1) · (Σ g²Q − (Σ gW)²/n)
//
// where W = Σ weight and Q = Σ weight² of a part: Moments. So integers that are counted once, and exactly, give the
// variance of every figure. A fieldwork of one respondent says nothing of how respondents differ; there it is Σ g²Q.
//
// The difference in the brackets loses all its digits where weights are nearly the same. It is the same as the
// variation within the parts, between them, and of those in no part, of which nothing is negative:
//
//	Σ g²·(s·Q − W²)/s  +  Σ s·(g·W/s − z̄)²  +  s₀·z̄²        z̄ = Σ g·W/n
//
// with s the respondents of a part, s₀ those of none, and s·Q − W² in exact integers. What remains below 10⁻²⁴ of Σ g²Q
// is rounding, and counts as 0.
//
// # Intervals and tests
//
// Level.Around is x ± t·se, and Level.AroundLog the same on the scale of logarithms, for a ratio. The variance has been
// estimated, so t is Student's, with as many degrees of freedom as the caller says: respondents less fieldworks.
//
// A percentage near 0 or 100 is not as likely too low as too high, and x ± t·se would reach beyond. Level.KornGraubard
// therefore asks how large a simple random sample would have told the share as well, n* = p(1−p)/Var, corrected for the
// degrees of freedom by (t of n−1 / t of df)², and takes the exact interval of Clopper and Pearson at n*:
//
//	from the α/2-quantile of beta(n*p, n*(1−p)+1) to the (1−α/2)-quantile of beta(n*p+1, n*(1−p))
//
// Test is Student's t of a difference. FTail and ChiSquareTail are for tests of other kinds.
//
// Who makes many tests finds something by chance. Correction.Adjust makes the p-values of a family of tests larger, so
// that each may still be held against the same limit: Bonferroni and Holm bound the chance of any false finding, and
// FDR, after Benjamini and Hochberg, bounds how many of the findings are expected to be false.
//
// # Association
//
// Associate tells how far two questions go together. χ² of a crosstab of weighted respondents is not distributed as χ²
// is, but as a sum of χ²s with the eigenvalues of Δ as their weights; Δ compares how the shares of the cells vary with
// how those of a simple random sample would (Rao and Scott). It is tested by an F with the degrees of freedom
// (tr Δ)²/tr Δ², which has the mean and the variance of that sum (Satterthwaite; Thomas and Rao), and those of the
// denominator times that. Both traces come from what is left of the cells without rows and columns; a table of cells by
// cells is never formed.
//
// # Quality
//
// SampleRule goes by the sample alone; NCHSRule is the standard of the National Center for Health Statistics, which
// goes by the sample, by the effective sample, by how wide the interval is, also as a share of the percentage, and by
// the degrees of freedom.
//
// # Distributions
//
// All tails but that of χ² are tails of the beta distribution, and each is computed on its own side: 1 minus the other
// side would be 0 long before 10⁻¹⁵⁷. With x₀ = a/n and y₀ = b/n, n = a+b, the density of the log odds is
//
//	x^a·y^b/B(a, b) = √(ab/2πn) · exp(S(n) − S(a) − S(b)) · exp(−a·φ(x/x₀ − 1) − b·φ(y/y₀ − 1)),   φ(u) = u − ln(1+u)
//
// S being what Stirling's formula lacks (Loader 2000), in which nothing large cancels. A probability is that density
// times a continued fraction (DiDonato and Morris 1992), or a series of positive terms where a is small.
//
// A quantile starts from the Cornish–Fisher expansion of the log odds by their first five cumulants, polygamma
// functions of a and b, or where a is small from the power of x that the distribution begins with. The starts are so
// near that one Newton step of fourth order mostly does it, as all derivatives of the density are known. For large a
// and b the expansion itself is exact.
//
// # Sources
//
//   - Korn and Graubard (1998), Confidence intervals for proportions with small expected number of positive counts
//     estimated from survey data, Survey Methodology 24.
//   - Parker et al. (2017), National Center for Health Statistics Data Presentation Standards for Proportions, Vital
//     and Health Statistics 2(175).
//   - Kish (1965), Survey Sampling, for the effective sample.
//   - Rao and Scott (1984), On chi-squared tests for multiway contingency tables with cell proportions estimated from
//     survey data, Annals of Statistics 12.
//   - Thomas and Rao (1987), Small-sample comparisons of level and power for simple goodness-of-fit statistics under
//     cluster sampling, Journal of the American Statistical Association 82.
//   - Cramér (1946), Mathematical Methods of Statistics, for V.
//   - Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6.
//   - Benjamini and Hochberg (1995), Controlling the false discovery rate, Journal of the Royal Statistical Society
//     B 57.
//   - DiDonato and Morris (1992), Algorithm 708, ACM Transactions on Mathematical Software 18.
//   - Loader (2000), Fast and accurate computation of binomial probabilities.
//   - Hill and Davis (1968), Generalized asymptotic expansions of Cornish–Fisher type, Annals of Mathematical
//     Statistics 39.
//
// The files in testdata hold what R and its survey package say of the same, with the scripts that print them.
package inference
