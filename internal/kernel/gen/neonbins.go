package main

import "strconv"

// neonBins writes what counts by bins for ARM, and what squares weights.
func neonBins(f *file) {
	for planes := 2; planes <= 8; planes++ {
		neonPlanes(f, planes)
	}
	neonCodes16(f)
	f.data("neonBits", neonFours())
	neonBin(f)
	neonBinSmall(f)
	neonGather(f)
	neonSquare(f)
	neonSquares(f)
}

// neonPlanes writes the function that makes of options that exclude each other the bits of their numbers. A bitmap goes
// to the planes of the bits of its number; of as many words at a time as there are registers for.
func neonPlanes(f *file, planes int) {
	registers := 4
	if planes > 6 {
		registers = 2
	}
	f.function("func planesNEONx%d(dst *[BlockWords]uint64, xs *[]uint64, options int, words int)", 32, planes)
	f.arguments("dst R0", "xs", "options", "words R3")
	f.op("MOVD $0, R4 // offset into the bitmaps")
	f.label("words")
	f.arguments("dst", "xs R1", "options R2")
	f.op("MOVD $1, R5 // the option's number")
	neonZero(f, 0, registers*planes)
	list := func(first int) string {
		if registers == 2 {
			return neonList(first, 2)
		}
		return neonList(first, 4)
	}
	f.label("option")
	f.op("MOVD.P 24(R1), R6")
	f.op("ADD R4, R6")
	f.op("VLD1 (R6), %s", list(28))
	for p := range planes {
		f.op("TBZ $%d, R5, skip%d", p, p)
		for i := range registers {
			f.op("VORR V%d.B16, V%d.B16, V%[2]d.B16", 28+i, registers*p+i)
		}
		f.label("skip%d", p)
	}
	f.op("ADD $1, R5")
	f.countdown("R2", "option")
	f.op("ADD R4, R0, R6")
	for p := range planes {
		f.op("VST1 %s, (R6)", list(registers*p))
		if p < planes-1 {
			f.op("ADD $1024, R6")
		}
	}
	f.op("ADD $%d, R4", 16*registers)
	f.op("SUBS $%d, R3", 2*registers)
	f.op("BGT words")
	f.op("RET")
}

// neonList names registers in a row, as loads and stores of several want them.
func neonList(first, n int) string {
	s := "["
	for i := range n {
		if i > 0 {
			s += ", "
		}
		s += "V" + strconv.Itoa(first+i) + ".B16"
	}
	return s + "]"
}

// The bitmaps of 16 options × 128 respondents are made bytes as those of transposeNEON are; the bytes of the first 8
// options and of the others are then interleaved.
func neonCodes16(f *file) {
	f.function("func codesNEON(dst *uint16, temp *uint64, xs *[]uint64, words int)", 32)
	f.arguments("dst R0", "temp R1", "xs", "words R4")
	neonMasks(f)
	f.op("MOVD $0, R7 // offset into the bitmaps")
	f.label("step")
	f.arguments("dst", "temp", "xs R2")
	f.op("MOVD R1, R6")
	f.op("MOVD $2, R3")
	f.label("options")
	f.op("CMP $2, R4")
	f.op("BLT short")
	neonOptions(f, "LDRQ")
	f.label("exchange")
	neonExchange(f)
	f.op("ADD $192, R2")
	f.countdown("R3", "options")
	f.op("CMP $2, R4")
	f.op("BLT last")
	write := func(words int) {
		for at := 0; at < 64*words; at += 32 {
			f.op("FLDPQ %d(R1), (F0, F1)", at)
			f.op("FLDPQ %d(R1), (F2, F3)", 128+at)
			for i := range 4 {
				f.op("VZIP%d V%d.B16, V%d.B16, V%d.B16", i%2+1, 2+i/2, i/2, 4+i)
			}
			f.op("VST1.P %s, 64(R0)", neonList(4, 4))
		}
	}
	write(2)
	f.op("ADD $16, R7")
	f.op("SUBS $2, R4")
	f.op("BGT step")
	f.op("RET")
	f.label("last")
	write(1)
	f.op("RET")
	f.label("short")
	f.note("One word is left: the other is 0.")
	neonOptions(f, "LDRD")
	f.op("JMP exchange")
}

// many is from how many respondents of a word on all 64 are added, those outside of the mask as nothing.
const many = 36

// neonBinWords writes the loop of both functions below: for weights of so many bytes. load(masked) leaves in temp, at
// R11, what is to be added for each of a word's respondents; under the mask, which is in V26 and V27, if it is to be
// masked. one puts in R12 what is to be added for respondent R9.
func neonBinWords(f *file, bytes int, load func(masked bool), one func()) {
	f.arguments("bins R0", "codes R1", "weights R2", "mask R3", "words R4", "count R5", "temp R6")
	f.op("MOVD $(1<<63), R7")
	f.op("MOVD $neonBits<>(SB), R11")
	f.op("VLD1.P 64(R11), %s", neonList(16, 4))
	f.op("VLD1 (R11), %s", neonList(20, 4))
	f.op("MOVD $0, R17 // all")
	neonZero(f, 29, 1)
	f.label("word")
	f.op("MOVD.P 8(R3), R8")
	f.op("MOVD R6, R11")
	f.op("CMN $1, R8")
	f.op("BNE part")
	load(false)
	f.label("add")
	for i := 0; i < 64; i += 2 {
		f.op("LDP %d(R6), (R12, R13)", 8*i)
		for k := range 2 {
			f.op("MOVHU %d(R1), R14", 2*(i+k))
			f.op("MOVD (R0)(R14<<3), R15")
			f.op("ADD R%d, R15, R15", 12+k)
			f.op("MOVD R15, (R0)(R14<<3)")
		}
	}
	f.label("next")
	f.op("ADD $128, R1")
	f.op("ADD $%d, R2", 64*bytes)
	f.countdown("R4", "word")
	f.op("JMP done")
	f.label("part")
	f.op("CBZ R8, next")
	f.op("FMOVD R8, F4")
	f.op("VCNT V4.B8, V4.B8")
	f.op("VUADDLV V4.B8, V4")
	f.op("FMOVD F4, R9")
	f.op("CMP $%d, R9", many)
	f.op("BLT few")
	f.op("VDUP R8, V26.S4")
	f.op("LSR $32, R8, R9")
	f.op("VDUP R9, V27.S4")
	load(true)
	f.op("JMP add")
	f.label("few")
	f.op("RBIT R8, R8")
	f.label("bit")
	f.op("CLZ R8, R9")
	f.op("LSR R9, R7, R10")
	f.op("EOR R10, R8, R8")
	f.op("MOVHU (R1)(R9<<1), R14")
	one()
	f.op("MOVD (R0)(R14<<3), R15")
	f.op("ADD R5, R12, R12")
	f.op("ADD R12, R15, R15")
	f.op("MOVD R15, (R0)(R14<<3)")
	f.op("CBNZ R8, bit")
	f.op("JMP next")
	f.label("done")
}

// neonMask sets a register to all ones for those of 4 respondents, from 4i on, who are under a word's mask.
func neonMask(f *file, i, to int) { f.op("VCMTST V%d.S4, V%d.S4, V%d.S4", 16+i%8, 26+i/8, to) }

// The limbs of 4 weights at a time are taken apart. The higher one gets the count in the bits above, and the lower one
// is added to it.
func neonBin(f *file) {
	f.function("func binNEON(bins *uint64, codes *uint16, weights *Packed, mask *uint64, words int, count uint64, "+
		"temp *uint64) (all Packed)", 64)
	f.arguments("bins", "codes", "weights", "mask", "words", "count R5")
	f.op("LSR $24, R5, R8")
	f.op("VDUP R8, V30.S4")
	f.op("MOVD $0xffffff, R8")
	f.op("VDUP R8, V31.S4")
	neonZero(f, 28, 1)
	neonBinWords(f, 8, func(masked bool) {
		f.op("MOVD R2, R10")
		for i := range 16 {
			to := i % 2 * 2
			f.op("VLD2.P 32(R10), [V4.S4, V5.S4]")
			if masked {
				neonMask(f, i, 6)
				f.op("VAND V6.B16, V4.B16, V4.B16")
			}
			f.op("VBIF V31.B16, V30.B16, V5.B16")
			if masked {
				f.op("VAND V6.B16, V5.B16, V5.B16")
			}
			f.op("VORR V4.B16, V28.B16, V28.B16")
			f.op("VORR V5.B16, V29.B16, V29.B16")
			f.op("VUSHLL $24, V5.S2, V%d.D2", to)
			f.op("VUSHLL2 $24, V5.S4, V%d.D2", to+1)
			f.op("VUADDW V4.S2, V%d.D2, V%[1]d.D2", to)
			f.op("VUADDW2 V4.S4, V%d.D2, V%[1]d.D2", to+1)
			if i%2 == 1 {
				f.op("VST1.P %s, 64(R11)", neonList(0, 4))
			}
		}
	}, func() {
		f.op("MOVD (R2)(R9<<3), R12")
		f.op("ORR R12, R17, R17")
		f.op("UBFX $32, R12, $24, R13")
		f.op("BFI $24, R13, $40, R12")
	})
	f.note("What vectors have seen, lower limbs and then higher ones without the counts.")
	f.op("VAND V31.B16, V29.B16, V29.B16")
	for i, v := range []int{28, 29} {
		for half := range 2 {
			f.op("VMOV V%d.D[%d], R8", v, half)
			f.op("ORR R8>>32, R8, R8")
			f.op("MOVWU R8, R8")
			f.op("ORR R8<<%d, R17, R17", 32*i)
		}
	}
	f.op("MOVD R17, all+56(FP)")
	f.op("RET")
}

func neonBinSmall(f *file) {
	f.function("func binSmallNEON(bins *uint64, codes *uint16, weights *uint32, mask *uint64, words int, count uint64, "+
		"temp *uint64)", 56)
	f.arguments("bins", "codes", "weights", "mask", "words", "count R5")
	f.op("VDUP R5, V30.D2")
	f.op("LSR $24, R5, R8")
	f.op("VDUP R8, V31.S4")
	neonBinWords(f, 4, func(masked bool) {
		f.op("MOVD R2, R10")
		for i := range 16 {
			w := 8 + i%4
			if i%4 == 0 {
				f.op("VLD1.P 64(R10), %s", neonList(8, 4))
			}
			to, count := i%2*2, [2]int{30, 30}
			if masked {
				neonMask(f, i, 6)
				f.op("VAND V6.B16, V%d.B16, V%[1]d.B16", w)
				f.op("VAND V31.B16, V6.B16, V6.B16")
				f.op("VUSHLL $24, V6.S2, V%d.D2", to)
				f.op("VUSHLL2 $24, V6.S4, V%d.D2", to+1)
				count = [2]int{to, to + 1}
			}
			f.op("VUADDW V%d.S2, V%d.D2, V%d.D2", w, count[0], to)
			f.op("VUADDW2 V%d.S4, V%d.D2, V%d.D2", w, count[1], to+1)
			if i%2 == 1 {
				f.op("VST1.P %s, 64(R11)", neonList(0, 4))
			}
		}
	}, func() {
		f.op("MOVWU (R2)(R9<<2), R12")
	})
	f.op("RET")
}

// neonGather writes the function that adds the rows of src to those of dst, and sums those of src up in the first of
// them: 8 columns after the others.
func neonGather(f *file) {
	f.function("func gatherNEON(dst, src *uint64, rows, cols int)", 32)
	f.arguments("dst R0", "src R1", "rows R2", "cols R3")
	f.op("LSL $3, R3, R4 // bytes of a row")
	f.label("columns")
	f.op("MOVD R0, R5")
	f.op("MOVD R1, R6")
	f.op("MOVD R2, R7")
	neonZero(f, 0, 4)
	f.label("rows")
	f.op("VLD1.P (R6)(R4), %s", neonList(4, 4))
	f.op("VLD1 (R5), %s", neonList(8, 4))
	for i := range 4 {
		f.op("VADD V%d.D2, V%d.D2, V%[2]d.D2", 4+i, i)
		f.op("VADD V%d.D2, V%d.D2, V%[2]d.D2", 4+i, 8+i)
	}
	f.op("VST1.P %s, (R5)(R4)", neonList(8, 4))
	f.countdown("R7", "rows")
	f.op("VST1.P %s, 64(R1)", neonList(0, 4))
	f.op("ADD $64, R0")
	f.op("SUBS $8, R3")
	f.op("BNE columns")
	f.op("RET")
}

// neonLimbs takes the lower 24 bits of a number of 48 and the upper ones apart, which are in another register, and
// whose bits from 24 on do not matter.
func neonLimbs(f *file, low, high int) {
	f.op("VSLI $32, V%d.D2, V%d.D2", high, low)
	f.word("BICS", low, 0, 0)
}

// Weights below 2^24 are their lower limbs.
func neonSquare(f *file) {
	f.function("func squareNEON(low, from *Packed, weights int)", 24)
	f.arguments("low R0", "from R1", "weights R2")
	f.label("eight")
	f.op("VLD1.P 64(R1), %s", neonList(0, 4))
	for i := 0; i < 4; i += 2 {
		f.op("VUZP1 V%d.S4, V%d.S4, V8.S4", i+1, i)
		for half := range 2 {
			f.word([]string{"UMULL", "UMULL2"}[half], i+half, 8, 8)
			f.op("VUSHR $24, V%d.D2, V9.D2", i+half)
			neonLimbs(f, i+half, 9)
		}
	}
	f.op("VST1.P %s, 64(R0)", neonList(0, 4))
	f.op("SUBS $8, R2")
	f.op("BGT eight")
	f.op("RET")
}

// A weight is a + b·2^24, and its square a² + 2ab·2^24 + b²·2^48: of 2ab and b² each takes what is above 24 bits of
// what is before it.
func neonSquares(f *file) {
	f.function("func squaresNEON(low, high, from *Packed, weights int)", 32)
	f.arguments("low R0", "high R1", "from R2", "weights R3")
	f.op("MOVD $0xffff, R4")
	f.op("VDUP R4, V31.S4")
	f.label("eight")
	for i := 0; i < 4; i += 2 {
		f.op("VLD2.P 32(R2), [V8.S4, V9.S4]")
		f.op("VAND V31.B16, V9.B16, V9.B16")
		f.op("VADD V9.S4, V9.S4, V10.S4")
		for half := range 2 {
			low, high, name := i+half, 4+i+half, []string{"UMULL", "UMULL2"}[half]
			f.word(name, low, 8, 8)
			f.word(name, 11, 8, 10)
			f.word(name, high, 9, 9)
			f.op("VUSRA $24, V%d.D2, V11.D2", low)
			f.op("VUSRA $24, V11.D2, V%d.D2", high)
			neonLimbs(f, low, 11)
			f.op("VUSHR $24, V%d.D2, V12.D2", high)
			neonLimbs(f, high, 12)
		}
	}
	f.op("VST1.P %s, 64(R0)", neonList(0, 4))
	f.op("VST1.P %s, 64(R1)", neonList(4, 4))
	f.op("SUBS $8, R3")
	f.op("BGT eight")
	f.op("RET")
}
