package main

// 8 words at a time are looked at, the last ones one by one. The limbs and the count of each weight are added up for
// themselves.
func neonCell(f *file) {
	f.function("func cellNEON(a, b, mask *uint64, weights *Packed, words int) (sample, weight int64)", 56)
	f.arguments("a R0", "b R1", "mask R2", "weights R3", "words R4")
	f.op("MOVD $(1<<63), R5")
	for _, r := range []string{"R6", "R7", "R8"} {
		f.op("MOVD $0, %s", r)
	}
	f.note("R6: the count; R7 and R8: low and high limbs, these with the counts.")
	bits := func(weights, name string) {
		f.op("RBIT R9, R9")
		f.label("%s", name)
		f.op("CLZ R9, R10")
		f.op("LSR R10, R5, R11")
		f.op("MOVD (%s)(R10<<3), R13", weights)
		f.op("EOR R11, R9, R9")
		f.op("ADD R13>>56, R6, R6")
		f.op("ADD R13.UXTW, R7, R7")
		f.op("ADD R13>>32, R8, R8")
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
		f.op("ADD $%d, R3, R15", 512*i)
		bits("R15", "bit"+string('0'+rune(i)))
		f.label("next%d", i)
	}
	f.op("ADD $4096, R3")
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
	f.op("ADD $512, R3")
	f.countdown("R4", "word")
	f.label("done")
	f.op("SUB R6<<24, R8, R8")
	f.op("ADD R8<<24, R7, R7")
	f.op("MOVD R6, sample+40(FP)")
	f.op("MOVD R7, weight+48(FP)")
	f.op("RET")
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
	f.op("MOVD R6, sample+40(FP)")
	f.op("MOVD R7, weight+48(FP)")
	f.op("RET")
}
