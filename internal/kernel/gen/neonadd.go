package main

// A place is half of a register of 32-bit sums: the lower two or the upper two.
type place struct {
	register int
	upper    bool
}

// neonFlush adds the sums that the function returns to those at R0 (counts) and R1 (weights) of two groups of 8
// options, two options at a time. It says where the sums of each two are: low those of bytes 0 and 1 of the weights,
// middle those of byte 2, high those of bytes 4 and 5, if there are any, and count the counts. Registers 28 to 31 are
// used.
func neonFlush(f *file, sums func() (low, middle, high, count [8]place)) {
	low, middle, high, count := sums()
	const memory = "[V28.D2, V29.D2, V30.D2, V31.D2]"
	add := func(i int, p place) {
		if p.upper {
			f.op("VUADDW2 V%d.S4, V%d.D2, V%[2]d.D2", p.register, 28+i)
		} else {
			f.op("VUADDW V%d.S2, V%d.D2, V%[2]d.D2", p.register, 28+i)
		}
	}
	multiply := func(i int, p place, factor int) {
		if p.upper {
			f.element("UMLAL2", 28+i, p.register, 27, factor)
		} else {
			f.element("UMLAL", 28+i, p.register, 27, factor)
		}
	}
	for first := 0; first < 8; first += 4 {
		f.note("Group %d.", first/4)
		f.op("VLD1 (R1), %s", memory)
		for i := range 4 {
			add(i, low[first+i])
			multiply(i, middle[first+i], 2)
			if high != [8]place{} {
				multiply(i, high[first+i], 3)
			}
		}
		f.op("VST1.P %s, 64(R1)", memory)
		f.op("VLD1 (R0), %s", memory)
		for i := range 4 {
			add(i, count[first+i])
		}
		f.op("VST1.P %s, 64(R0)", memory)
	}
}

// neonAdd writes a function that adds up some groups of 16 options: begin clears the sums, multiply adds the products
// of eight respondents to them, and flush puts them where neonFlush wants them.
func neonAdd(f *file, name string, limbs int, begin, multiply func(),
	flush func() (low, middle, high, count [8]place)) {
	f.function("func %sNEONx%d(sums *sums, groups int, options, weights *eight, eights int)", 40, name, limbs)
	f.arguments("sums R0", "groups R8", "options R9", "weights R10", "eights R11")
	f.op("ADD $512, R0, R1 // weights")
	f.op("MOVD $48, R5")
	f.op("MOVD $64, R6")
	f.op("MOVD $neonFactors<>(SB), R7")
	f.label("group")
	f.op("MOVD R9, R2")
	f.op("MOVD R10, R3")
	f.op("MOVD R11, R4")
	begin()
	f.note("V24 and on: the weights of 8 respondents. V27: their options.")
	f.label("eight")
	if limbs > 4 {
		f.op("VLD1.P 48(R3), [V24.B16, V25.B16, V26.B16]")
	} else {
		f.op("VLD1.P (R3)(R5), [V24.B16, V25.B16]")
	}
	f.op("VLD1.P (R2)(R6), [V27.B16]")
	multiply()
	f.countdown("R4", "eight")
	f.op("VLD1 (R7), [V27.B16]")
	neonFlush(f, flush)
	f.op("ADD $16, R9")
	f.countdown("R8", "group")
	f.op("RET")
}

// A matrix of two groups × 8 respondents is multiplied with one of 8 respondents × two bytes of the weights, 32
// products and additions at a time. A byte of options is a number, in which option b stands for 2^b. Shifted to the
// right by k it has the options from k on, so what is summed is s[k] + 2·s[k+1] + 4·s[k+2] and so on; twice the
// next of these, taken away in the end, leaves s[k]. That spares a mask for each option. The sums have 32 bits:
// enough for 8 bits of options and 8 of weights of 65,536 respondents.
func neonMatrix(f *file, limbs int) {
	pairs := limbs / 2
	neonAdd(f, "matrix", limbs, func() { neonZero(f, 0, 8*pairs) }, func() {
		for k := range 8 {
			x := 27
			if k > 0 {
				x = 28 + k%4
				f.op("VUSHR $%d, V27.B16, V%d.B16", k, x)
			}
			for p := range pairs {
				f.word("UMMLA", pairs*k+p, x, 24+p)
			}
		}
	}, func() (low, middle, high, count [8]place) { return neonMatrixSums(f, pairs) })
}

// neonMatrixSums brings the sums of matrix products of so many pairs of bytes together: of two options at a time, those
// of the one group below those of the other.
func neonMatrixSums(f *file, pairs int) (low, middle, high, count [8]place) {
	for k := range 7 {
		for p := range pairs {
			f.element("MLS", pairs*k+p, pairs*(k+1)+p, 27, 0)
		}
	}
	for k := 0; k < 8; k += 2 {
		f.note("Options %d and %d of each group: bytes 0 and 1, 2 and the count, 4 and 5.", k, k+1)
		for p := range pairs {
			a, b := pairs*k+p, pairs*(k+1)+p
			f.op("VTRN2 V%d.S4, V%d.S4, V28.S4", b, a)
			f.op("VTRN1 V%d.S4, V%d.S4, V%[2]d.S4", b, a)
			if p == 1 {
				f.op("VMOV V28.B16, V%d.B16", b)
			} else {
				f.element("MLA", a, 28, 27, 1)
			}
		}
		for group := range 2 {
			i, upper := 4*group+k/2, group == 1
			low[i], middle[i], count[i] = place{pairs * k, upper}, place{pairs*k + 1, upper}, place{pairs*(k+1) + 1, upper}
			if pairs > 2 {
				high[i] = place{pairs*k + 2, upper}
			}
		}
	}
	return low, middle, high, count
}

// The same by dot products of 4 respondents, 16 products and additions at a time: of half a byte of the options of each
// group, the lower of four and the upper of four, so that there are registers for the sums of all.
func neonDots(f *file, limbs int) {
	neonAdd(f, "dots", limbs, func() {
		neonZero(f, 0, 4*limbs)
		f.op("VMOVI $15, V31.B16")
	}, func() {
		f.op("VUSHR $4, V27.B16, V30.B16")
		f.op("VAND V31.B16, V27.B16, V28.B16")
		for half := range 2 {
			x := 27 + 2*half
			f.op("VTRN%d V30.S4, V28.S4, V%d.S4", half+1, x)
			for k := range 4 {
				if k > 0 {
					f.op("VUSHR $1, V%d.B16, V%[1]d.B16", x)
				}
				for i := range limbs {
					f.element("UDOT", limbs*k+i, x, 24+i/2, i%2*2+half)
				}
			}
		}
	}, func() (low, middle, high, count [8]place) { return neonDotsSums(f, limbs) })
}

// neonDotsSums brings the sums of dot products of so many bytes together: of two options at a time, the lower four of
// a group below the upper four.
func neonDotsSums(f *file, limbs int) (low, middle, high, count [8]place) {
	for k := range 3 {
		for i := range limbs {
			f.element("MLS", limbs*k+i, limbs*(k+1)+i, 27, 0)
		}
	}
	for k := range 4 {
		f.element("MLA", limbs*k, limbs*k+1, 27, 1)
		if limbs > 5 {
			f.element("MLA", limbs*k+4, limbs*k+5, 27, 1)
		}
	}
	// The sums of two options at a time go where there are none any more.
	pair := func(from, to int) (places [8]place) {
		for group := range 2 {
			for k := 0; k < 4; k += 2 {
				dst := limbs*(2*group+k/2) + to
				f.op("VZIP%d V%d.S4, V%d.S4, V%d.S4", group+1, limbs*(k+1)+from, limbs*k+from, dst)
				places[4*group+k/2], places[4*group+2+k/2] = place{dst, false}, place{dst, true}
			}
		}
		return places
	}
	low, middle = pair(0, 1), pair(2, 0)
	count = pair(3, 2)
	if limbs > 4 {
		high = pair(4, 3)
	}
	return low, middle, high, count
}

// 24 matrix products, and as many dot products, into 24 registers, as the loops above do them.
func neonSpin(f *file) {
	for _, kind := range []string{"dots", "matrix"} {
		f.function("func "+kind+"SpinNEON(rounds int)", 8)
		f.arguments("rounds R0")
		neonZero(f, 0, 26)
		f.label("round")
		for i := range 24 {
			if kind == "dots" {
				f.element("UDOT", i, 24, 25, 0)
			} else {
				f.word("UMMLA", i, 24, 25)
			}
		}
		f.countdown("R0", "round")
		f.op("RET")
	}
}
