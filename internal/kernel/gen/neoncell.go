package main

// The limbs and the count of each weight are added up for themselves.
func neonCell(f *file) {
	f.function("func cellNEON(a, b, mask *uint64, weights *Packed, words int) (sample, weight int64)", 56)
	neonCellWords(f, 8, func(weights string) {
		f.op("MOVD (%s)(R10<<3), R13", weights)
		f.op("ADD R13>>56, R6, R6")
		f.op("ADD R13.UXTW, R7, R7")
		f.op("ADD R13>>32, R8, R8")
	})
	f.op("SUB R6<<24, R8, R8 // the high limbs without the counts")
	f.op("ADD R8<<24, R7, R7")
	neonCellEnd(f)
}

func neonCellSmall(f *file) {
	f.function("func cellSmallNEON(a, b, mask *uint64, weights *uint32, words int) (sample, weight int64)", 56)
	neonCellWords(f, 4, func(weights string) {
		f.op("MOVWU (%s)(R10<<2), R13", weights)
		f.op("ADD $1, R6, R6")
		f.op("ADD R13, R7, R7")
	})
	neonCellEnd(f)
}

// neonCellEnd returns the count in R6 and the weight in R7.
func neonCellEnd(f *file) {
	f.op("MOVD R6, sample+40(FP)")
	f.op("MOVD R7, weight+48(FP)")
	f.op("RET")
}

// neonCellWords goes through the words of three bitmaps, 8 at a time and the last ones one by one, and calls add to add
// the weight of respondent R10, of so many bytes, to R6, R7 and R8.
func neonCellWords(f *file, bytes int, add func(weights string)) {
	f.arguments("a R0", "b R1", "mask R2", "weights R3", "words R4")
	f.op("MOVD $(1<<63), R5")
	for _, r := range []string{"R6", "R7", "R8"} {
		f.op("MOVD $0, %s", r)
	}
	bits := func(weights, name string) {
		f.op("RBIT R9, R9")
		f.label("%s", name)
		f.op("CLZ R9, R10")
		f.op("LSR R10, R5, R11")
		f.op("EOR R11, R9, R9")
		add(weights)
		f.op("CBNZ R9, %s", name)
	}
	f.op("SUBS $8, R4")
	f.op("BLT rest")
	f.label("eight")
	f.op("VLD1.P 64(R0), %s", neonList(0, 4))
	f.op("VLD1.P 64(R1), %s", neonList(4, 4))
	f.op("VLD1.P 64(R2), %s", neonList(16, 4))
	for i := range 4 {
		f.op("VAND V%d.B16, V%d.B16, V%[2]d.B16", 4+i, i)
		f.op("VAND V%d.B16, V%d.B16, V%[2]d.B16", 16+i, i)
	}
	for i := range 8 {
		f.op("VMOV V%d.D[%d], R9", i/2, i%2)
		f.op("CBZ R9, next%d", i)
		f.op("ADD $%d, R3, R15", 64*bytes*i)
		bits("R15", "bit"+string('0'+rune(i)))
		f.label("next%d", i)
	}
	f.op("ADD $%d, R3", 8*64*bytes)
	f.op("SUBS $8, R4")
	f.op("BGE eight")
	f.label("rest")
	f.op("ADDS $8, R4")
	f.op("BEQ done")
	f.label("word")
	f.op("MOVD.P 8(R0), R9")
	f.op("MOVD.P 8(R1), R10")
	f.op("MOVD.P 8(R2), R11")
	f.op("AND R10, R9, R9")
	f.op("AND R11, R9, R9")
	f.op("CBZ R9, next")
	bits("R3", "bit")
	f.label("next")
	f.op("ADD $%d, R3", 64*bytes)
	f.countdown("R4", "word")
	f.label("done")
}

// The same for cells of many respondents: all weights of a word are added as they are packed, those of two respondents
// at a time times -1 where they are in the cell and 0 where they are not, and taken away. That is up to 31 words, of
// each of which 8 weights go to a lane: no limb overflows.
func neonCellMany(f *file) {
	bits := make([]uint64, 16)
	for i := range bits {
		bits[i] = 1 << i
	}
	f.data("neonPairs", bits)
	f.data("neonFours", neonFours())
	f.function("func cellManyNEON(a, b, mask *uint64, weights *Packed, words int) (sample, weight int64)", 56)
	f.arguments("a R0", "b R1", "mask R2", "weights R3", "words R4")
	f.op("MOVD $neonPairs<>(SB), R5")
	f.op("VLD1.P 64(R5), %s", neonList(16, 4))
	f.op("VLD1 (R5), %s", neonList(20, 4))
	neonZero(f, 0, 4)
	f.label("word")
	f.op("MOVD.P 8(R0), R9")
	f.op("MOVD.P 8(R1), R10")
	f.op("MOVD.P 8(R2), R11")
	f.op("AND R10, R9, R9")
	f.op("AND R11, R9, R9")
	f.op("VDUP R9, V8.D2")
	for i := 0; i < 64; i += 8 {
		f.op("VLD1.P 64(R3), %s", neonList(4, 4))
		for j := range 4 {
			f.op("VCMTST V%d.D2, V8.D2, V%d.D2", 16+i%16/2+j, 9+j)
			f.word("MLSV", j, 9+j, 4+j)
		}
		if i%16 != 0 && i < 56 {
			f.op("VUSHR $16, V8.D2, V8.D2")
		}
	}
	f.countdown("R4", "word")
	f.note("V4 and V5: low limbs; V6 and V7: high ones, with the counts.")
	for i := range 4 {
		f.op("VUZP%d V%d.S4, V%d.S4, V%d.S4", 1+i/2, i%2*2+1, i%2*2, 4+i)
	}
	for i := range 2 {
		f.op("VUSHR $24, V%d.S4, V%d.S4", 6+i, 8+i)
		f.word("BICS", 6+i, 0, 0)
	}
	f.op("VADD V9.S4, V8.S4, V8.S4")
	f.op("VADD V7.S4, V6.S4, V6.S4")
	for i, r := range []string{"R7", "R10", "R8", "", "R6"} {
		if r != "" {
			f.op("VUADDLV V%d.S4, V10", 4+i)
			f.op("FMOVD F10, %s", r)
		}
	}
	f.op("ADD R10, R7, R7")
	f.op("ADD R8<<24, R7, R7")
	neonCellEnd(f)
}

// neonCellSmallMany adds four weights of 32 bits at a time, those of the respondents in the cell, in pairs to sums of
// 64.
func neonCellSmallMany(f *file) {
	f.function("func cellSmallManyNEON(a, b, mask *uint64, weights *uint32, words int) (sample, weight int64)", 56)
	f.arguments("a R0", "b R1", "mask R2", "weights R3", "words R4")
	f.op("MOVD $neonFours<>(SB), R5")
	f.op("VLD1.P 64(R5), %s", neonList(16, 4))
	f.op("VLD1 (R5), %s", neonList(20, 4))
	neonZero(f, 0, 4)
	neonZero(f, 24, 1)
	f.label("word")
	f.op("MOVD.P 8(R0), R9")
	f.op("MOVD.P 8(R1), R10")
	f.op("MOVD.P 8(R2), R11")
	f.op("AND R10, R9, R9")
	f.op("AND R11, R9, R9")
	f.op("LSR $32, R9, R10")
	f.op("VDUP R9, V12.S4")
	f.op("VDUP R10, V13.S4")
	f.op("FMOVD R9, F14")
	f.op("VCNT V14.B8, V14.B8")
	f.op("VUADDLV V14.B8, V14")
	f.op("VADD V14.D2, V24.D2, V24.D2")
	for i := range 16 {
		if i%4 == 0 {
			f.op("VLD1.P 64(R3), %s", neonList(4, 4))
		}
		f.op("VCMTST V%d.S4, V%d.S4, V%d.S4", 16+i%8, 12+i/8, 8+i%4)
		f.op("VAND V%d.B16, V%d.B16, V%d.B16", 4+i%4, 8+i%4, 8+i%4)
		f.word("UADALP.S4", i%4, 8+i%4, 0)
	}
	f.countdown("R4", "word")
	for _, i := range []int{1, 3} {
		f.op("VADD V%d.D2, V%d.D2, V%d.D2", i, i-1, i-1)
	}
	f.op("VADD V2.D2, V0.D2, V0.D2")
	f.op("VMOV V0.D[0], R7")
	f.op("VMOV V0.D[1], R10")
	f.op("ADD R10, R7, R7")
	f.op("VMOV V24.D[0], R6")
	neonCellEnd(f)
}

// neonFours has a mask for each of 32 bits.
func neonFours() []uint64 {
	masks := make([]uint64, 16)
	for i := range masks {
		masks[i] = 1<<(2*i) | 1<<(2*i+1)<<32
	}
	return masks
}
