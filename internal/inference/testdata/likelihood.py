# Prints shares of two samples and their likelihood ratio test to fifty digits, as likelihood.csv:
#
#     python3 likelihood.py > likelihood.csv
#
# Each line is an effective sample and its share, those of the other sample, G² and the probability of chi-square with one degree of freedom
# beyond it. It needs mpmath.
from mpmath import mp, mpf, log, erfc, sqrt

mp.dps = 50


def part(k, n, pooled):
    return 0 if k == 0 else k * log(k / n / pooled)


def test(n, k, m, l):
    n, k, m, l = map(mpf, (n, k, m, l))
    p = (k + l) / (n + m)
    g = 2 * (part(k, n, p) + part(n - k, n, 1 - p) + part(l, m, p) + part(m - l, m, 1 - p))
    return g, erfc(sqrt(g / 2))


for n, m in ((1, 1), (30, 30), (50, 19950), (200.5, 1000.25), (1000, 1000000), (40000, 60000), (2**30, 2**31)):
    for a in (0, 2**-20, 2**-7, 0.125, 0.5, 0.75, 1 - 2**-12, 1):
        for b in (0, 2**-20, 2**-20 * 1.0009765625, 2**-7, 0.125, 0.140625, 0.5, 0.5 + 2**-20, 0.75, 1 - 2**-12, 1):
            k, l = a * n, b * m
            if 0 < k + l < n + m and mpf(k) / n == a and mpf(l) / m == b:
                g, p = test(n, k, m, l)
                if g > 0 and p > mpf(10) ** -290:
                    print(",".join([repr(n), repr(a), repr(m), repr(b), mp.nstr(g, 20), mp.nstr(p, 20)]))
