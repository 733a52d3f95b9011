package audience

// Percentage is how much of whole the part x is, 0–100: (100·x)/whole, and 0 where the whole is 0.
func Percentage(x, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * x / whole
}

// Index compares an intersection with what chance would give: ((100·both)·base)/(row·column), 100 where rows and
// columns have nothing to do with each other, and 0 where a margin is 0.
func Index(both, base, row, column float64) float64 {
	if row*column == 0 {
		return 0
	}
	return 100 * both * base / (row * column)
}
