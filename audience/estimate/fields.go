package estimate

import "strconv"

// Text writes what tells how sure a figure is to twelve digits, as answers over HTTP have it: more than it is worth.
// p-values may have very many zeros.
func Text(x float64) string { return strconv.FormatFloat(x, 'g', 12, 64) }

// Fields are the standard error and both ends of an interval, as a line of a CSV file has them; empty where there is
// none.
func (i *Interval) Fields() []string {
	if i == nil {
		return make([]string, 3)
	}
	return []string{Text(i.StandardError), Text(i.Low), Text(i.High)}
}

// Fields are a difference, its standard error, t, degrees of freedom and both p-values, as a line of a CSV file has
// them; empty where there is none.
func (d *Difference) Fields() []string {
	if d == nil {
		return make([]string, 6)
	}
	var fields []string
	for _, x := range []float64{d.Difference, d.StandardError, d.T, d.DF, d.P, d.AdjustedP} {
		fields = append(fields, Text(x))
	}
	return fields
}
