package main

// avx2 writes the kernel for CPUs with AVX2, BMI and POPCNT.
func avx2(f *file) {
	f.data("nibbles", pack(32, func(i int) byte { return []byte{0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4}[i%16] }))
	avx2Count(f)
	avx2Transpose(f)
	avx2List(f)
	avx2Cell(f)
	avx2CellSmall(f)
	avx2Pack(f)
	avx2Meet(f)
	ymm.merge(f)
	avx2Spin(f)
	ymm.square(f)
	for groups := 1; groups <= 6; groups++ {
		avx2Add(f, groups)
	}
}

// Nibbles are counted by table, 4 words at a time; the last words one by one.
func avx2Count(f *file) {
	f.function("func count256(dst *int32, xs *[]uint64, options int, mask *uint64, words int)", 40)
	f.load("dst DI", "xs SI", "options R8", "mask R9", "words CX")
	avx2PopCount(f)
	f.label("option")
	f.op("MOVQ (SI), R10")
	f.op("VPXOR Y0, Y0, Y0")
	f.op("XORQ AX, AX")
	f.op("XORQ R11, R11 // count of the last words")
	f.op("MOVQ CX, DX")
	f.op("SUBQ $4, DX")
	f.op("JLT rest")
	f.label("four")
	f.op("VMOVDQU (R10)(AX*1), Y1")
	f.op("VPAND (R9)(AX*1), Y1, Y1")
	avx2AddPopCount(f)
	f.op("ADDQ $32, AX")
	f.op("SUBQ $4, DX")
	f.op("JGE four")
	f.label("rest")
	f.op("ADDQ $4, DX")
	f.op("JZ sum")
	f.label("word")
	f.op("MOVQ (R10)(AX*1), BX")
	f.op("ANDQ (R9)(AX*1), BX")
	f.op("POPCNTQ BX, BX")
	f.op("ADDQ BX, R11")
	f.op("ADDQ $8, AX")
	f.again("DX", "word")
	f.label("sum")
	avx2Sum(f)
	f.op("ADDL R11, AX")
	f.op("MOVL AX, (DI)")
	f.op("ADDQ $4, DI")
	f.op("ADDQ $24, SI")
	f.again("R8", "option")
	f.leave()
}

// The matrix of 64 options × 256 respondents (4 words each) is transposed by
// exchanging squares of bits between the registers of 8 options, then, for the
// respondents with the same place in a byte, the bytes of 8 groups of options.
func avx2Transpose(f *file) {
	f.function("func transpose256(dst, temp *uint64, xs *[]uint64, bytes, words int)", 40)
	f.load("dst DI", "temp R8", "xs", "bytes", "words CX")
	for i, m := range []string{"0x55555555", "0x33333333", "0x0f0f0f0f"} {
		avx2Fill(f, m, 13+i)
	}
	f.op("XORQ R9, R9 // offset into the bitmaps")
	ymm.zero(f, 2048)
	f.label("step")
	f.load("dst", "temp", "xs SI", "bytes R10")
	f.op("MOVQ R8, R11")
	f.label("options")
	f.op("CMPQ CX, $4")
	f.op("JLT short")
	for i := range 8 {
		f.op("MOVQ %d(SI), AX", 24*i)
		f.op("VMOVDQU (AX)(R9*1), Y%d", i)
	}
	f.label("exchange")
	avx2Exchange(f)
	for i := range 8 {
		f.op("VMOVDQU Y%d, %d(R11)", i, 256*i)
	}
	f.op("ADDQ $192, SI")
	f.op("ADDQ $32, R11")
	f.again("R10", "options")
	// Now (k, g) in temp has, for the respondents 8b+k of 4 words, the byte of
	// option group g. Two k at a time give 16 bytes for 2 respondents in a row.
	for k := range 8 {
		f.note("Respondents %d of each byte.", k)
		for g := range 8 {
			f.op("VMOVDQU %d(R8), Y%d", 256*k+32*g, g)
		}
		// In turn: bytes 0-1, 2-3, 4-5, 6-7 of the even words, then of the odd.
		for i, y := range avx2Bytes(f) {
			word, b := i/4, i%4*2
			at := func(word, b int) int { return 8 * (64*word + 8*b + k) }
			f.op("VEXTRACTI128 $1, Y%d, X12", y)
			f.op("VMOVQ X%d, %d(DI)", y, at(word, b))
			f.op("VMOVHPS X%d, %d(DI)", y, at(word, b+1))
			f.op("VMOVQ X12, %d(DI)", at(word+2, b))
			f.op("VMOVHPS X12, %d(DI)", at(word+2, b+1))
		}
	}
	f.op("ADDQ $2048, DI")
	f.op("ADDQ $32, R9")
	f.op("SUBQ $4, CX")
	f.op("JGT step")
	f.leave()
	avx2Short(f)
	f.op("JMP exchange")
	f.data("order", []uint64{0, 1, 2, 3})
}

// avx2Exchange exchanges squares of bits between the registers of 8 options, so that each byte has a respondent's bits.
func avx2Exchange(f *file) {
	for stage := range 3 {
		d := 1 << stage
		for i := range 8 {
			if i&d != 0 {
				continue
			}
			f.note("Squares of %d bits of options %d and %d.", d, i, i+d)
			f.op("VPSRLQ $%d, Y%d, Y8", d, i)
			f.op("VPXOR Y%d, Y8, Y8", i+d)
			f.op("VPAND Y%d, Y8, Y8", 13+stage)
			f.op("VPXOR Y8, Y%d, Y%d", i+d, i+d)
			f.op("VPSLLQ $%d, Y8, Y8", d)
			f.op("VPXOR Y8, Y%d, Y%d", i, i)
		}
	}
}

// avx2Bytes interleaves the bytes of the first 8 registers, and returns those that then have them: bytes 0 and 1, 2 and
// 3, 4 and 5, 6 and 7 of the even words, then of the odd, each of all 8 in turn. The last three registers stay as they
// are.
func avx2Bytes(f *file) [8]int {
	ymm.unpack(f, "BW", [8]int{0, 1, 2, 3, 4, 5, 6, 7}, [8]int{8, 9, 10, 11, 12, 0, 1, 2})
	// 8, 10, 12, 1 hold the even words of two groups each, 9, 11, 0, 2 the odd.
	ymm.unpack(f, "WD", [8]int{8, 10, 12, 1, 9, 11, 0, 2}, [8]int{3, 4, 5, 6, 7, 8, 9, 10})
	// 3 and 5: bytes 0-3 of the even words; 4 and 6: 4-7; 7 and 9, 8 and 10: odd.
	ymm.unpack(f, "DQ", [8]int{3, 5, 4, 6, 7, 9, 8, 10}, [8]int{0, 1, 2, 11, 3, 4, 5, 6})
	return [8]int{0, 1, 2, 11, 3, 4, 5, 6}
}

// avx2Short loads 8 registers at the label short, as the words that are left are fewer than 4.
func avx2Short(f *file) {
	f.label("short")
	f.note("Fewer than 4 words are left: the mask for them is -1 in CX words.")
	f.op("VMOVQ CX, X8")
	f.op("VPBROADCASTQ X8, Y8")
	f.op("VPCMPGTQ order<>(SB), Y8, Y8")
	for i := range 8 {
		f.op("MOVQ %d(SI), AX", 24*i)
		f.op("VPMASKMOVQ (AX)(R9*1), Y8, Y%d", i)
	}
}

// Where a word has 8 bits or fewer, as most have of an option that one in ten chose, each bit's place is found and
// stored by itself, 8 times whatever there are. Else the places of the bits of a byte are read from a table: all 8 are
// stored, as of those that were found. What comes next goes over those beyond the number of bits.
func avx2List(f *file) {
	f.function("func list256(dst *uint16, x, mask *uint64, words int, flip uint64, places *[256][8]uint16) int", 56)
	f.load("dst DI", "x SI", "mask R8", "words CX", "flip R9", "places R10")
	f.note("R11: the first respondent of the word. X7: that of each of its bytes, less the one before.")
	f.op("XORL R11, R11")
	f.op("MOVL $0x00080008, AX")
	f.op("VMOVD AX, X7")
	f.op("VPBROADCASTD X7, X7")
	f.label("word")
	f.op("MOVQ (SI), AX")
	f.op("XORQ R9, AX")
	f.op("ANDQ (R8), AX")
	f.op("JZ next")
	f.op("POPCNTQ AX, DX")
	f.op("CMPQ DX, $8")
	f.op("JA many")
	for i := range 8 {
		f.op("TZCNTQ AX, BX")
		if i < 7 {
			f.op("BLSRQ AX, AX")
		}
		f.op("ADDL R11, BX")
		f.op("MOVW BX, %d(DI)", 2*i)
	}
	f.op("LEAQ (DI)(DX*2), DI")
	f.label("next")
	f.op("ADDL $64, R11")
	f.op("ADDQ $8, SI")
	f.op("ADDQ $8, R8")
	f.again("CX", "word")
	f.op("SUBQ dst+0(FP), DI")
	f.op("SHRQ $1, DI")
	f.op("MOVQ DI, ret+48(FP)")
	f.op("RET")
	f.label("many")
	f.op("VMOVD R11, X0")
	f.op("VPBROADCASTW X0, X0")
	for i := range 8 {
		f.op("RORXQ $%d, AX, BX", (8*i+60)%64)
		f.op("ANDL $0xff0, BX")
		f.op("POPCNTL BX, DX")
		f.op("VPADDW (R10)(BX*1), X0, X1")
		f.op("VMOVDQU X1, (DI)")
		f.op("LEAQ (DI)(DX*2), DI")
		if i < 7 {
			f.op("VPADDW X7, X0, X0")
		}
	}
	f.op("JMP next")
}

// The sums of 8 options are two registers of low and high limbs: Y0 and Y1 for
// the first group, Y2 and Y3 for the second, and so on. The mask of a group is
// read from a table by the byte of its bits.
func avx2Add(f *file, groups int) {
	f.function("func add256x%d(sums *sums, group int, list *uint16, n int, transposed *uint64, weights *Packed, "+
		"masks *[256][8]uint32)", 56, groups)
	f.op("MOVQ group+8(FP), AX")
	f.op("MOVQ sums+0(FP), DI")
	f.op("MOVQ transposed+32(FP), R8")
	f.op("ADDQ AX, R8")
	f.op("SHLQ $6, AX")
	f.op("ADDQ AX, DI // counts")
	f.op("LEAQ 512(DI), R11 // weights")
	f.op("MOVQ list+16(FP), SI")
	f.op("MOVQ n+24(FP), CX")
	f.op("MOVQ weights+40(FP), R9")
	f.op("MOVQ masks+48(FP), R10")
	f.op("VPXOR Y0, Y0, Y0")
	for i := range 2 * groups {
		f.op("VMOVDQU Y0, %d(DI)", 32*i)
		f.op("VMOVDQU Y0, %d(R11)", 32*i)
	}
	one := func(i int) {
		f.op("MOVWLZX %d(SI), AX", 2*i)
		f.op("VPBROADCASTD (R9)(AX*8), Y14")
		f.op("VPBROADCASTD 4(R9)(AX*8), Y15")
		for g := range groups {
			f.op("MOVBLZX %d(R8)(AX*8), BX", g)
			f.op("SHLL $5, BX")
			f.op("VMOVDQU (R10)(BX*1), Y13")
			f.op("VPAND Y13, Y14, Y12")
			f.op("VPAND Y13, Y15, Y13")
			f.op("VPADDD Y12, Y%d, Y%d", 2*g, 2*g)
			f.op("VPADDD Y13, Y%d, Y%d", 2*g+1, 2*g+1)
		}
	}
	ymm.addParts(f, 254, 2, "two", 2*groups, one)
	avx2Fill(f, "0xffffff", 15)
	for g := range groups {
		low, high := 2*g, 2*g+1
		f.note("Group %d: counts, then weights.", g)
		f.op("VPSRLD $24, Y%d, Y14", high)
		f.op("VPAND Y15, Y%d, Y%d", high, high)
		for half := range 2 {
			at := 32 * (2*g + half)
			if half == 1 {
				f.op("VEXTRACTI128 $1, Y14, X14")
				f.op("VEXTRACTI128 $1, Y%d, X%d", low, low)
				f.op("VEXTRACTI128 $1, Y%d, X%d", high, high)
			}
			f.op("VPMOVZXDQ X14, Y13")
			f.op("VPADDQ %d(DI), Y13, Y13", at)
			f.op("VMOVDQU Y13, %d(DI)", at)
			f.op("VPMOVZXDQ X%d, Y13", high)
			f.op("VPSLLQ $24, Y13, Y13")
			f.op("VPMOVZXDQ X%d, Y12", low)
			f.op("VPADDQ Y12, Y13, Y13")
			f.op("VPADDQ %d(R11), Y13, Y13", at)
			f.op("VMOVDQU Y13, %d(R11)", at)
		}
	}
	f.op("TESTQ CX, CX")
	f.op("JNZ part")
	f.leave()
}

// The weights of 4 respondents at a time are loaded under a mask: their bits of
// the word, shifted to the lanes' signs.
func avx2Cell(f *file) {
	shifts := make([]uint64, 64)
	for i := range shifts {
		shifts[i] = uint64(63 - i)
	}
	f.data("shifts", shifts)
	f.function("func cell256(a, b, mask *uint64, weights *Packed, words int) (sample, weight int64)", 56)
	f.load("a SI", "b DI", "mask R8", "weights R9", "words CX")
	f.op("LEAQ shifts<>(SB), R11")
	ymm.cell(f, 8, func() {
		f.op("VMOVQ AX, X15")
		f.op("VPBROADCASTQ X15, Y15")
		for i := range 16 {
			f.op("VPSLLVQ %d(R11), Y15, Y%d", 32*i, 8+i%4)
			f.op("VPMASKMOVQ %d(R9), Y%d, Y%d", 32*i, 8+i%4, 12+i%2)
			f.op("VPADDQ Y%d, Y%d, Y%d", 12+i%2, i%8, i%8)
		}
	})
	f.note("Each lane has added at most 256 weights: the limbs have not overflowed, but")
	f.note("for the counts in them. Now part the limbs.")
	f.op("VPCMPEQQ Y15, Y15, Y15")
	f.op("VPSRLQ $32, Y15, Y14")
	f.op("VPSRLQ $40, Y15, Y15")
	ymm.weigh(f, 14, 15)
	f.op("VEXTRACTI128 $1, Y8, X1")
	f.op("VPADDQ X1, X8, X0")
	f.op("VPSHUFD $0x4E, X0, X1")
	f.op("VPADDQ X1, X0, X0")
	f.op("VMOVQ X0, AX")
	f.op("MOVQ R10, sample+40(FP)")
	f.op("MOVQ AX, weight+48(FP)")
	f.leave()
}

// avx2CellSmall adds 8 weights at a time, those in even places apart from the others.
func avx2CellSmall(f *file) {
	shifts := make([]uint64, 16)
	for i := range shifts {
		shifts[i] = uint64(31-2*i) | uint64(30-2*i)<<32
	}
	f.data("shiftsSmall", shifts)
	f.function("func cellSmall256(a, b, mask *uint64, weights *uint32, words int) (sample, weight int64)", 56)
	f.load("a SI", "b DI", "mask R8", "weights R9", "words CX")
	f.op("LEAQ shiftsSmall<>(SB), R11")
	f.op("VPCMPEQQ Y14, Y14, Y14")
	f.op("VPSRLQ $32, Y14, Y14")
	ymm.cell(f, 4, func() {
		f.op("VMOVQ AX, X15")
		f.op("VPBROADCASTD X15, Y15")
		for i := range 8 {
			if i == 4 {
				f.op("SHRQ $32, AX")
				f.op("VMOVQ AX, X15")
				f.op("VPBROADCASTD X15, Y15")
			}
			f.op("VPSLLVD %d(R11), Y15, Y%d", 32*(i%4), 8+i%2)
			f.op("VPMASKMOVD %d(R9), Y%d, Y%d", 32*i, 8+i%2, 10+i%2)
			f.op("VPAND Y14, Y%d, Y%d", 10+i%2, 12+i%2)
			f.op("VPADDQ Y%[1]d, Y%[2]d, Y%[2]d", 12+i%2, 2*i%8)
			f.op("VPSRLQ $32, Y%[1]d, Y%[1]d", 10+i%2)
			f.op("VPADDQ Y%[1]d, Y%[2]d, Y%[2]d", 10+i%2, (2*i+1)%8)
		}
	})
	for i := range 7 {
		f.op("VPADDQ Y%d, Y0, Y0", i+1)
	}
	avx2Sum(f)
	f.op("MOVQ R10, sample+40(FP)")
	f.op("MOVQ AX, weight+48(FP)")
	f.leave()
}

// avx2Pack packs 4 weights at a time.
func avx2Pack(f *file) {
	f.function("func pack256(dst *Packed, weights *uint32, words int)", 24)
	f.load("dst DI", "weights SI", "words CX")
	f.op("VPCMPEQQ Y12, Y12, Y12")
	f.op("VPSRLQ $40, Y12, Y13 // the low limb")
	f.op("VPSRLQ $56, Y12, Y14")
	f.op("VPSLLQ $32, Y14, Y14 // what a weight has of the high one, 8 digits to the left")
	f.op("VPSRLQ $63, Y12, Y15")
	f.op("VPSLLQ $56, Y15, Y15 // the count")
	f.op("VPXOR Y12, Y12, Y12")
	f.label("word")
	for i := range 16 {
		f.op("VPMOVZXDQ %d(SI), Y0", 16*i)
		f.op("VPCMPEQQ Y12, Y0, Y1")
		f.op("VPANDN Y15, Y1, Y1")
		f.op("VPSLLQ $8, Y0, Y2")
		f.op("VPAND Y14, Y2, Y2")
		f.op("VPAND Y13, Y0, Y0")
		f.op("VPOR Y2, Y0, Y0")
		f.op("VPOR Y1, Y0, Y0")
		f.op("VMOVDQU Y0, %d(DI)", 32*i)
	}
	f.op("ADDQ $256, SI")
	f.op("ADDQ $512, DI")
	f.again("CX", "word")
	f.leave()
}

func avx2Meet(f *file) {
	f.function("func meet256(dst, a, b *uint64, words int, flip uint64) int", 48)
	f.load("dst DI", "a SI", "b R8", "words CX", "flip R9")
	f.op("VPBROADCASTQ flip+32(FP), Y5")
	avx2PopCount(f)
	f.op("VPXOR Y0, Y0, Y0")
	f.op("XORQ AX, AX")
	f.op("XORQ R11, R11 // count of the last words")
	f.op("SUBQ $4, CX")
	f.op("JLT rest")
	f.label("four")
	f.op("VPXOR (R8)(AX*1), Y5, Y1")
	f.op("VPAND (SI)(AX*1), Y1, Y1")
	f.op("VMOVDQU Y1, (DI)(AX*1)")
	avx2AddPopCount(f)
	f.op("ADDQ $32, AX")
	f.op("SUBQ $4, CX")
	f.op("JGE four")
	f.label("rest")
	f.op("ADDQ $4, CX")
	f.op("JZ sum")
	f.label("word")
	f.op("MOVQ (R8)(AX*1), BX")
	f.op("XORQ R9, BX")
	f.op("ANDQ (SI)(AX*1), BX")
	f.op("MOVQ BX, (DI)(AX*1)")
	f.op("POPCNTQ BX, BX")
	f.op("ADDQ BX, R11")
	f.op("ADDQ $8, AX")
	f.again("CX", "word")
	f.label("sum")
	avx2Sum(f)
	f.op("ADDQ R11, AX")
	f.op("MOVQ AX, ret+40(FP)")
	f.leave()
}

// avx2PopCount sets the registers that avx2AddPopCount needs.
func avx2PopCount(f *file) {
	f.op("VMOVDQU nibbles<>(SB), Y15")
	avx2Fill(f, "0x0f0f0f0f", 14)
	f.op("VPXOR Y13, Y13, Y13")
}

// avx2Fill sets all 32-bit lanes of a register.
func avx2Fill(f *file, value string, y int) {
	f.op("MOVL $%s, AX", value)
	f.op("VMOVD AX, X%d", y)
	f.op("VPBROADCASTD X%d, Y%d", y, y)
}

// avx2AddPopCount adds the bits of Y1 to Y0, nibble by nibble with a table.
func avx2AddPopCount(f *file) {
	f.op("VPSRLW $4, Y1, Y2")
	f.op("VPAND Y14, Y1, Y1")
	f.op("VPAND Y14, Y2, Y2")
	f.op("VPSHUFB Y1, Y15, Y1")
	f.op("VPSHUFB Y2, Y15, Y2")
	f.op("VPADDB Y2, Y1, Y1")
	f.op("VPSADBW Y13, Y1, Y1")
	f.op("VPADDQ Y1, Y0, Y0")
}

// avx2Sum sums the lanes of Y0 in AX.
func avx2Sum(f *file) {
	f.op("VEXTRACTI128 $1, Y0, X1")
	f.op("VPADDQ X1, X0, X0")
	f.op("VPSHUFD $0x4E, X0, X1")
	f.op("VPADDQ X1, X0, X0")
	f.op("VMOVQ X0, AX")
}

// 12 maskings and additions to 12 registers, as add does them.
func avx2Spin(f *file) {
	f.function("func spin256(rounds int)", 8)
	f.op("MOVQ rounds+0(FP), CX")
	ymm.clear(f, 16)
	f.label("round")
	for i := range 12 {
		f.op("VPAND Y14, Y15, Y%d", 12+i%2)
		f.op("VPADDD Y%d, Y%d, Y%d", 12+i%2, i, i)
	}
	f.again("CX", "round")
	f.leave()
}
