package inference

import "math"

// interaction is what is left of a crosstab's cells when all that rows and columns explain by themselves is taken away.
//
// With D the shares p of the cells on a diagonal and C the contrasts of which independence says that they are 0, it is
//
//	K = D⁻¹C(CᵀD⁻¹C)⁻¹CᵀD⁻¹ = D⁻¹ − X(XᵀDX)⁻¹Xᵀ
//
// where X is the main effects: tr Δ = tr(KV) and tr Δ² = tr(KVKV) for the covariance V of the shares. So the tables of
// rows + columns that XᵀDX is are all that has to be solved, and not those of cells.
//
// A cell of nobody has D⁻¹ = 0, so that of the main effects only those remain that are 0 on each such cell: the effect
// of its row is the opposite of that of its column. So rows and columns that such cells join have one effect between
// them. If such cells form a ring, a whole contrast is of nothing but them: then CᵀD⁻¹C can't be solved, and else it
// can. That is found out exactly, without a limit below which a number counts as 0.
//
// With the sign of columns turned, XᵀDX is a network of conductances: each effect is a node, and each cell joins that
// of its row to that of its column by p. One node is the ground. Its equations are solved by taking nodes away one by
// one, which adds and divides positive numbers only: nothing cancels, however different the shares are.
type interaction struct {
	rows, columns int
	shares        []float64 // by cell
	node          []int     // of each row, then of each column
	nodes         int       // but the ground, which has this number
	holes         bool      // there are cells of nobody

	taken   [][]float64 // by node: which parts of what flows into it flow on to each later one
	carried []float64   // by node: what it conducts to all later ones
	inverse [][]float64 // of XᵀDX
}

// newInteraction returns nil where whole contrasts are of cells with no one in them.
func newInteraction(rows, columns int, shares []float64) *interaction {
	m := &interaction{rows: rows, columns: columns, shares: shares}
	if !m.join() {
		return nil
	}
	m.eliminate()
	m.inverse = make([][]float64, m.nodes)
	for i := range m.inverse {
		m.inverse[i] = make([]float64, m.nodes)
		m.inverse[i][i] = 1
		m.solve(m.inverse[i])
	}
	return m
}

// join numbers the nodes; false if cells of nobody form a ring.
func (m *interaction) join() bool {
	parent := make([]int, m.rows+m.columns)
	for i := range parent {
		parent[i] = i
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for cell, share := range m.shares {
		if share > 0 {
			continue
		}
		m.holes = true
		row, column := root(cell/m.columns), root(m.rows+cell%m.columns)
		if row == column {
			return false
		}
		parent[column] = row
	}
	m.node = make([]int, len(parent))
	numbers := map[int]int{}
	for i := range m.node {
		r := root(i)
		if _, there := numbers[r]; !there {
			numbers[r] = len(numbers)
		}
		m.node[i] = numbers[r]
	}
	m.nodes = len(numbers) - 1
	return true
}

// ends are the nodes that a cell joins.
func (m *interaction) ends(cell int) (row, column int) {
	return m.node[cell/m.columns], m.node[m.rows+cell%m.columns]
}

// network is what the nodes, the ground included, conduct to each other if a cell conducts so much.
func (m *interaction) network(conductance []float64) [][]float64 {
	w := make([][]float64, m.nodes+1)
	for i := range w {
		w[i] = make([]float64, m.nodes+1)
	}
	for cell, g := range conductance {
		if a, b := m.ends(cell); a != b {
			w[a][b] += g
			w[b][a] += g
		}
	}
	return w
}

// eliminate takes the nodes away one by one: what a node carried from one to another is added to what these conduct.
func (m *interaction) eliminate() {
	w := m.network(m.shares)
	m.taken, m.carried = make([][]float64, m.nodes), make([]float64, m.nodes)
	for k := range m.nodes {
		for _, g := range w[k][k+1:] {
			m.carried[k] += g
		}
		m.taken[k] = make([]float64, m.nodes+1)
		for v := k + 1; v <= m.nodes; v++ {
			m.taken[k][v] = w[k][v] / m.carried[k]
		}
		for u := k + 1; u <= m.nodes; u++ {
			part := m.taken[k][u]
			if part == 0 {
				continue
			}
			to, from := w[u], w[k]
			for v := k + 1; v <= m.nodes; v++ {
				to[v] += float64(part * from[v])
			}
		}
	}
}

// solve replaces x by (XᵀDX)⁻¹x.
func (m *interaction) solve(x []float64) {
	for k := range x {
		if flow := x[k]; flow != 0 {
			for v := k + 1; v < len(x); v++ {
				x[v] += float64(m.taken[k][v] * flow)
			}
		}
	}
	for k := len(x) - 1; k >= 0; k-- {
		x[k] /= m.carried[k]
		for v := k + 1; v < len(x); v++ {
			x[k] += float64(m.taken[k][v] * x[v])
		}
	}
}

// at is an entry of the inverse, which is 0 at the ground.
func (m *interaction) at(i, j int) float64 {
	if i == m.nodes || j == m.nodes {
		return 0
	}
	return m.inverse[i][j]
}

// resistance is what a cell has in X(XᵀDX)⁻¹Xᵀ on the diagonal.
func (m *interaction) resistance(cell int) float64 {
	a, b := m.ends(cell)
	return m.at(a, a) + (m.at(b, b) - 2*m.at(a, b))
}

// left is K·x, for x by cell that is 0 where nobody is.
func (m *interaction) left(x []float64) []float64 {
	effects := make([]float64, m.nodes+1)
	for cell, value := range x {
		if a, b := m.ends(cell); value != 0 && a != b {
			effects[a] += value
			effects[b] -= value
		}
	}
	m.solve(effects[:m.nodes])
	effects[m.nodes] = 0
	out := make([]float64, len(x))
	for cell, share := range m.shares {
		if share > 0 {
			a, b := m.ends(cell)
			out[cell] = (x[cell] - float64(share*(effects[a]-effects[b]))) / share
		}
	}
	return out
}

// varied is the covariance of the shares, seen through the interaction: V is a diagonal and a few vectors times
// themselves, two a fieldwork and two more at the most, and never a table of cells by cells.
type varied struct {
	*interaction
	diagonal []float64 // by cell
	vectors  []vector
	crude    float64 // what the trace would be if nothing were centred
}

// vector is D^½·K times a vector of V. As K·D·K is K, the product of two of them is that of the vectors with K between.
type vector struct {
	left []float64 // by cell
	less bool      // it is taken away from V, and not added
}

// design forms V. The shares vary as P·z does, the sizes of the cells being z and P·z = z − p·Σz what does not change
// the whole. Of z each fieldwork of n respondents has n/(n−1)·(Σ_c Q_c·e_c·e_cᵀ − W·Wᵀ/n), e_c being 1 in cell c.
//
// Where most respondents are in one cell, that would be a small difference of large numbers. It is formed from there
// instead. With m·e the mean weight of that cell, in its place, and t respondents elsewhere, whose weights are q, it is
//
//	(Q − W²/s of that cell) + Σ_c Q_c·e_c·e_cᵀ − q·qᵀ/t + (1/t − 1/n)·(q − t·m·e)(q − t·m·e)ᵀ
//
// where Σ_c is of the others. K·p is 0 but where there are cells of nobody; there P is applied to the vectors, and to
// the diagonal E as
//
//	P·E·Pᵀ = E − e·eᵀ/ε + ε·(p − e/ε)(p − e/ε)ᵀ        e = E·1, ε = Σe
func (m *interaction) design(crossed []Crossed) *varied {
	v := &varied{interaction: m, diagonal: make([]float64, len(m.shares))}
	for i := range crossed {
		v.add(&crossed[i])
	}
	all := 0.0
	for _, e := range v.diagonal {
		all += e
	}
	if m.holes && all > 0 {
		v.vector(v.diagonal, 1/all, true)
		apart := make([]float64, len(m.shares))
		for cell, share := range m.shares {
			apart[cell] = share - v.diagonal[cell]/all
		}
		v.vector(apart, all, false)
	}
	return v
}

func (v *varied) add(h *Crossed) {
	n, scale := float64(h.Respondents), float64(h.Person*h.Person)
	if h.Respondents > 1 {
		scale = float64(scale * n / (n - 1))
	}
	rest := h.Respondents
	most := -1 // the cell that holds at least half of the respondents
	for i := range h.Cells {
		c := &h.Cells[i]
		rest -= c.Sample
		if h.Respondents > 1 && 2*c.Sample >= h.Respondents && (most < 0 || c.Sample > h.Cells[most].Sample) {
			most = i
		}
	}
	others := make([]float64, len(v.shares)) // weights
	groups := 0                              // that others are of
	if rest > 0 {
		groups++
	}
	for i := range h.Cells {
		c := &h.Cells[i]
		cell := c.Row*v.columns + c.Column
		v.crude += float64(float64(scale*c.Squares()) * v.own(cell))
		if i == most {
			v.diagonal[cell] += float64(scale * (c.scatter() / float64(c.Sample)))
			continue
		}
		groups++
		others[cell] = float64(c.Weight)
	}
	for i := range h.Cells {
		c := &h.Cells[i]
		switch cell := c.Row*v.columns + c.Column; {
		case i == most:
		case most >= 0 && groups == 1: // what varies between groups is all in the second vector
			v.diagonal[cell] += float64(scale * (c.scatter() / float64(c.Sample)))
		default:
			v.diagonal[cell] += float64(scale * c.Squares())
		}
	}
	switch {
	case h.Respondents <= 1:
	case most < 0:
		v.vector(v.within(others), scale/n, true)
	case groups > 0:
		c := &h.Cells[most]
		elsewhere := float64(h.Respondents - c.Sample)
		if groups > 1 {
			v.vector(v.within(others), scale/elsewhere, true)
		}
		others[c.Row*v.columns+c.Column] = -float64(elsewhere * (float64(c.Weight) / float64(c.Sample)))
		v.vector(v.within(others), float64(scale*(float64(c.Sample)/n))/elsewhere, false)
	}
}

// within is P·x; or x, where it makes no difference.
func (v *varied) within(x []float64) []float64 {
	if !v.holes {
		return x
	}
	all := 0.0
	for _, value := range x {
		all += value
	}
	out := make([]float64, len(x))
	for cell, share := range v.shares {
		out[cell] = x[cell] - float64(share*all)
	}
	return out
}

// vector adds factor·x·xᵀ, or takes it away.
func (v *varied) vector(x []float64, factor float64, less bool) {
	left, root := v.left(x), math.Sqrt(factor)
	for cell := range left {
		left[cell] = float64(float64(left[cell]*root) * math.Sqrt(v.shares[cell]))
	}
	v.vectors = append(v.vectors, vector{left, less})
}

// own is K of a cell with itself.
func (v *varied) own(cell int) float64 {
	return max(0, 1/v.shares[cell]-v.resistance(cell))
}

// rounding is the share of what was taken away below which what is left of it may be but rounding.
const rounding = 1e-13

// traces are tr(KV) and tr(KVKV); false where nothing varies.
func (v *varied) traces() (trace, ofSquare float64, is bool) {
	less := 0.0
	for cell, e := range v.diagonal {
		if e > 0 {
			trace += float64(v.own(cell) * e)
		}
	}
	for i := range v.vectors {
		x := &v.vectors[i]
		switch size := product(x, x); {
		case x.less:
			less += size
		default:
			trace += size
		}
	}
	trace -= less
	if !(trace > float64(rounding*less)+float64(negligible*v.crude)) {
		return 0, 0, false
	}
	ofSquare = v.ofDiagonal()
	for i := range v.vectors {
		x := &v.vectors[i]
		through := 0.0
		for cell, e := range v.diagonal {
			if e > 0 {
				through += float64(float64(x.left[cell]*x.left[cell]) * (e / v.shares[cell]))
			}
		}
		ofSquare += x.sign() * 2 * through
		for k := range v.vectors[:i+1] {
			y := &v.vectors[k]
			both := product(x, y)
			twice := float64(both * both)
			if k < i {
				twice *= 2
			}
			ofSquare += x.sign() * y.sign() * twice
		}
	}
	return trace, ofSquare, ofSquare > 0
}

func (x *vector) sign() float64 {
	if x.less {
		return -1
	}
	return 1
}

// product is the product of two vectors, as four sums, so that a sum need not wait for the one before it.
func product(x, y *vector) float64 {
	var sums [4]float64
	a, b := x.left, y.left
	for len(a) >= 4 && len(b) >= 4 {
		sums[0] += float64(a[0] * b[0])
		sums[1] += float64(a[1] * b[1])
		sums[2] += float64(a[2] * b[2])
		sums[3] += float64(a[3] * b[3])
		a, b = a[4:], b[4:]
	}
	for i := range a {
		sums[i] += float64(a[i] * b[i])
	}
	return (sums[0] + sums[1]) + (sums[2] + sums[3])
}

// ofDiagonal is tr(KEKE), E being the diagonal of V.
func (v *varied) ofDiagonal() float64 {
	sum := 0.0
	for cell, e := range v.diagonal {
		if e > 0 {
			square := float64(e * e)
			share := v.shares[cell]
			sum += float64(float64(square/share) * (1/share - 2*v.resistance(cell)))
		}
	}
	through := v.through(v.network(v.diagonal))
	for i := range through {
		for j := range through {
			sum += float64(through[i][j] * through[j][i])
		}
	}
	return sum
}

// through is the inverse times XᵀEX, of which w is the network.
func (v *varied) through(w [][]float64) [][]float64 {
	for i := range w {
		out := 0.0
		for _, g := range w[i] {
			out += g
		}
		for j := range w[i] {
			w[i][j] = -w[i][j]
		}
		w[i][i] = out
	}
	product := make([][]float64, v.nodes)
	for i := range product {
		product[i] = make([]float64, v.nodes)
		for k, s := range v.inverse[i] {
			for j, g := range w[k][:v.nodes] {
				product[i][j] += float64(s * g)
			}
		}
	}
	return product
}
