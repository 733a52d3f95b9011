package main

// neonFlush adds to the sums at R0 and R1 those of some options of two groups of 8, from the first on. limb(i, k,
// to) sets a register to the sums of byte i of the weights of options k and k+1 of the one group and of the other;
// it may use register 26. The function uses registers 24 to 31.
func neonFlush(f *file, first, options, limbs int, limb func(i, k, to int)) {
	for k := 0; k < options; k += 2 {
		at := 8 * (first + k)
		f.note("Options %d and %d of each group.", first+k, first+k+1)
		f.op("FMOVQ %d(R1), F24", at)
		f.op("FMOVQ %d(R1), F25", 64+at)
		limb(0, k, 28)
		limb(1, k, 29)
		f.element("MLA", 28, 29, 27, 1)
		f.op("VUADDW V28.S2, V24.D2, V24.D2")
		f.op("VUADDW2 V28.S4, V25.D2, V25.D2")
		if limbs > 4 {
			limb(4, k, 28)
			limb(5, k, 29)
			f.element("MLA", 28, 29, 27, 1)
			f.element("UMLAL", 24, 28, 27, 3)
			f.element("UMLAL2", 25, 28, 27, 3)
		}
		limb(2, k, 28)
		f.element("UMLAL", 24, 28, 27, 2)
		f.element("UMLAL2", 25, 28, 27, 2)
		f.op("FMOVQ F24, %d(R1)", at)
		f.op("FMOVQ F25, %d(R1)", 64+at)
		f.op("FMOVQ %d(R0), F24", at)
		f.op("FMOVQ %d(R0), F25", 64+at)
		limb(3, k, 28)
		f.op("VUADDW V28.S2, V24.D2, V24.D2")
		f.op("VUADDW2 V28.S4, V25.D2, V25.D2")
		f.op("FMOVQ F24, %d(R0)", at)
		f.op("FMOVQ F25, %d(R0)", 64+at)
	}
}

// neonBegin begins a function that adds.
func neonBegin(f *file, name string, limbs int) {
	f.function("func %sx%d(sums *sums, group int, options, weights *eight, eights int)", 40, name, limbs)
	f.arguments("sums R0", "group R1", "options R2", "weights R3", "eights R4")
	f.op("ADD R1<<7, R0, R0 // counts")
	f.op("ADD $512, R0, R1 // weights")
}

// neonFactors loads the factors that neonFlush needs.
func neonFactors(f *file) {
	f.op("MOVD $neonFactors<>(SB), R5")
	f.op("VLD1 (R5), [V27.B16]")
}

// A matrix of two groups × 8 respondents is multiplied with one of 8 respondents × two bytes of the weights, 32
// products and additions at a time. A byte of options is a number, in which option b stands for 2^b. Shifted to the
// right by k it has the options from k on, so what is summed is s[k] + 2·s[k+1] + 4·s[k+2] and so on; twice the
// next of these, taken away in the end, leaves s[k]. That spares a mask for each option. The sums have 32 bits:
// enough for 8 bits of options and 8 of weights of 65,536 respondents.
func neonMatrix(f *file, limbs int) {
	neonBegin(f, "matrixNEON", limbs)
	pairs := limbs / 2
	neonZero(f, 0, 8*pairs)
	f.op("MOVD $48, R5")
	f.op("MOVD $64, R6")
	f.label("eight")
	if pairs == 3 {
		f.op("VLD1.P 48(R3), [V24.B16, V25.B16, V26.B16]")
	} else {
		f.op("VLD1.P (R3)(R5), [V24.B16, V25.B16]")
	}
	f.op("VLD1.P (R2)(R6), [V27.B16]")
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
	f.countdown("R4", "eight")
	neonFactors(f)
	for k := range 7 {
		for p := range pairs {
			f.element("MLS", pairs*k+p, pairs*(k+1)+p, 27, 0)
		}
	}
	neonFlush(f, 0, 8, limbs, func(i, k, to int) {
		f.op("VTRN%d V%d.S4, V%d.S4, V%d.S4", i%2+1, pairs*(k+1)+i/2, pairs*k+i/2, to)
	})
	f.op("RET")
}

// The same by dot products of 4 respondents, 16 products and additions at a time. There are registers for the sums of 4
// options of each group, so it goes through the respondents twice.
func neonDots(f *file, limbs int) {
	neonBegin(f, "dotsNEON", limbs)
	f.op("VMOVI $15, V31.B16")
	f.op("MOVD $64, R8")
	f.op("MOVD $96, R9")
	for half := range 2 {
		name := []string{"lower", "upper"}[half]
		neonZero(f, 0, 4*limbs)
		f.op("MOVD R2, R5")
		f.op("MOVD R3, R6")
		f.op("MOVD R4, R7")
		f.label("%s", name)
		if limbs == 4 {
			f.op("VLD1.P (R6)(R9), [V24.B16, V25.B16, V26.B16, V27.B16]")
		} else {
			f.op("VLD1.P 64(R6), [V24.B16, V25.B16, V26.B16, V27.B16]")
			f.op("VLD1.P 32(R6), [V28.B16, V29.B16]")
		}
		f.op("VLD1.P (R5)(R8), [V30.B16]")
		if half == 0 {
			f.op("VAND V31.B16, V30.B16, V30.B16")
		} else {
			f.op("VUSHR $4, V30.B16, V30.B16")
		}
		for k := range 4 {
			if k > 0 {
				f.op("VUSHR $1, V30.B16, V30.B16")
			}
			for i := range limbs {
				f.word("UDOT", limbs*k+i, 30, 24+i)
			}
		}
		f.countdown("R7", name)
		neonFactors(f)
		for k := range 3 {
			for i := range limbs {
				f.element("MLS", limbs*k+i, limbs*(k+1)+i, 27, 0)
			}
		}
		neonFlush(f, 4*half, 4, limbs, func(i, k, to int) {
			f.op("VTRN1 V%d.S4, V%d.S4, V%d.S4", limbs*(k+1)+i, limbs*k+i, to)
			f.op("VTRN2 V%d.S4, V%d.S4, V26.S4", limbs*(k+1)+i, limbs*k+i)
			f.op("VADD V26.S4, V%d.S4, V%[1]d.S4", to)
		})
	}
	f.op("RET")
}

// 24 matrix products, and as many dot products, into 24 registers, as the loops above do them.
func neonSpin(f *file) {
	for _, kind := range [][2]string{{"dots", "UDOT"}, {"matrix", "UMMLA"}} {
		f.function("func "+kind[0]+"SpinNEON(rounds int)", 8)
		f.arguments("rounds R0")
		neonZero(f, 0, 26)
		f.label("round")
		for i := range 24 {
			f.word(kind[1], i, 24, 25)
		}
		f.countdown("R0", "round")
		f.op("RET")
	}
}
