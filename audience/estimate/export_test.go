package estimate

// CountAtMost has an estimator hold at most so many counts at a time.
func (e *Estimator) CountAtMost(counts int) { e.most = counts }
