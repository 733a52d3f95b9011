package main

import "strings"

// neon writes the kernels for 64-bit ARM: what both have in common, and their additions, with the dot products of
// ARMv8.2 (neon) and with the matrix products of ARMv8.6 (i8mm).
func neon(f *file) {
	f.data("neonFactors", []uint64{2 | 1<<(8+32), 1<<16 | 1<<(24+32)})
	neonCount(f)
	neonMeet(f)
	neonMerge(f)
	neonTranspose(f)
	neonCompact(f)
	neonSpread(f)
	neonCell(f)
	neonCellMany(f)
	neonCellSmall(f)
	neonCellSmallMany(f)
	neonPack(f)
	for limbs := 4; limbs <= 6; limbs++ {
		neonDots(f, limbs)
	}
	neonMatrix(f, 4)
	neonMatrix(f, 6)
	neonSpin(f)
}

// The instructions that Go's assembler does not know. Registers are given in ARM's order, the destination first.
var neonCodes = map[string]uint32{
	"BIC":        0x4e601c00, // V.16B = V.16B &^ V.16B
	"UADALP.B16": 0x6e206800, // V.8H += each two of V.16B
	"UADALP.S4":  0x6ea06800, // V.2D += each two of V.4S
	"LDRQ":       0x3ce06800, // Q, of 16 bytes, from X + X
	"LDRD":       0xfc606800, // D, of 8 bytes, likewise
	"UDOT":       0x6f80e000, // V.4S += the dot products of each four of V.16B and the four bytes V.S[i]
	"UMMLA":      0x6e80a400, // V.2×2S += V.2×8B times V.2×8B transposed
	"MLA":        0x6f800000, // V.4S += V.4S · V.S[i]
	"MLS":        0x6f804000, // V.4S -= V.4S · V.S[i]
	"UMLAL":      0x2f802000, // V.2D += V.2S · V.S[i]
	"UMLAL2":     0x6f802000, // V.2D += the upper V.2S · V.S[i]
	"MLSV":       0x6ea09400, // V.4S -= V.4S · V.4S
	"UMULL":      0x2ea0c000, // V.2D = V.2S · V.2S
	"UMULL2":     0x6ea0c000, // V.2D = the upper V.2S · the upper V.2S
	"BICS":       0x6f0777e0, // V.4S &= 2^24-1
}

// word adds an instruction of neonCodes: of registers d, n and m.
func (f *file) word(name string, d, n, m int) {
	f.op("WORD $0x%08x // %s %d, %d, %d", neonCodes[name]|uint32(m<<16|n<<5|d), name, d, n, m)
}

// element adds one that multiplies with element i of register m.
func (f *file) element(name string, d, n, m, i int) {
	f.op("WORD $0x%08x // %s %d, %d, %d[%d]",
		neonCodes[name]|uint32(i&1<<21|m<<16|i>>1<<11|n<<5|d), name, d, n, m, i)
}

// arguments is load for ARM.
func (f *file) arguments(arguments ...string) {
	for i, a := range arguments {
		if name, register, ok := strings.Cut(a, " "); ok {
			f.op("MOVD %s+%d(FP), %s", name, 8*i, register)
		}
	}
}

// countdown is again for ARM.
func (f *file) countdown(register, label string) {
	f.op("SUBS $1, %s", register)
	f.op("BNE %s", label)
}

// neonZero sets registers to 0.
func neonZero(f *file, first, n int) {
	for i := first; i < first+n; i++ {
		f.op("VEOR V%[1]d.B16, V%[1]d.B16, V%[1]d.B16", i)
	}
}

// neonPopCount adds the bits of registers from to from+n to the 16-bit lanes of V31.
func neonPopCount(f *file, from, n int) {
	for i := from; i < from+n; i++ {
		f.op("VCNT V%d.B16, V%d.B16", i, i)
	}
	for ; n > 1; n /= 2 {
		for i := range n / 2 {
			f.op("VADD V%d.B16, V%d.B16, V%d.B16", from+n/2+i, from+i, from+i)
		}
	}
	f.word("UADALP.B16", 31, from, 0)
}

// neonSum sums the 16-bit lanes of V31 in a register.
func neonSum(f *file, register string) {
	f.op("VUADDLV V31.H8, V30")
	f.op("FMOVD F30, %s", register)
}

// 8 words at a time, the last words one by one.
func neonCount(f *file) {
	f.function("func countNEON(dst *int32, xs *[]uint64, options int, mask *uint64, words int)", 40)
	f.arguments("dst R0", "xs R1", "options R2", "mask R3", "words R4")
	f.label("option")
	f.op("MOVD (R1), R5")
	f.op("MOVD R3, R6")
	neonZero(f, 31, 1)
	f.op("SUBS $8, R4, R7")
	f.op("BLT rest")
	f.label("eight")
	f.op("VLD1.P 64(R5), [V0.B16, V1.B16, V2.B16, V3.B16]")
	f.op("VLD1.P 64(R6), [V4.B16, V5.B16, V6.B16, V7.B16]")
	for i := range 4 {
		f.op("VAND V%d.B16, V%d.B16, V%d.B16", 4+i, i, i)
	}
	neonPopCount(f, 0, 4)
	f.op("SUBS $8, R7")
	f.op("BGE eight")
	f.label("rest")
	f.op("ADDS $8, R7")
	f.op("BEQ sum")
	f.label("word")
	f.op("FMOVD.P 8(R5), F0")
	f.op("FMOVD.P 8(R6), F4")
	f.op("VAND V4.B16, V0.B16, V0.B16")
	neonPopCount(f, 0, 1)
	f.countdown("R7", "word")
	f.label("sum")
	neonSum(f, "R8")
	f.op("MOVW.P R8, 4(R0)")
	f.op("ADD $24, R1")
	f.countdown("R2", "option")
	f.op("RET")
}

func neonMeet(f *file) {
	f.function("func meetNEON(dst, a, b *uint64, words int, flip uint64) int", 48)
	f.arguments("dst R0", "a R1", "b R2", "words R3", "flip R4")
	f.op("VDUP R4, V30.D2")
	neonZero(f, 31, 1)
	f.op("SUBS $8, R3")
	f.op("BLT rest")
	f.label("eight")
	f.op("VLD1.P 64(R1), [V0.B16, V1.B16, V2.B16, V3.B16]")
	f.op("VLD1.P 64(R2), [V4.B16, V5.B16, V6.B16, V7.B16]")
	for i := range 4 {
		f.op("VEOR V30.B16, V%d.B16, V%d.B16", 4+i, 4+i)
		f.op("VAND V%d.B16, V%d.B16, V%d.B16", 4+i, i, i)
	}
	f.op("VST1.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(R0)")
	neonPopCount(f, 0, 4)
	f.op("SUBS $8, R3")
	f.op("BGE eight")
	f.label("rest")
	f.op("ADDS $8, R3")
	f.op("BEQ sum")
	f.label("word")
	f.op("FMOVD.P 8(R1), F0")
	f.op("FMOVD.P 8(R2), F4")
	f.op("VEOR V30.B16, V4.B16, V4.B16")
	f.op("VAND V4.B16, V0.B16, V0.B16")
	f.op("FMOVD.P F0, 8(R0)")
	neonPopCount(f, 0, 1)
	f.countdown("R3", "word")
	f.label("sum")
	neonSum(f, "R5")
	f.op("MOVD R5, ret+40(FP)")
	f.op("RET")
}

// The sums of 8 options at a time, of each kind.
func neonMerge(f *file) {
	f.function("func mergeNEON(dst, src *sums, groups int)", 24)
	f.arguments("dst R0", "src R1", "groups R2")
	f.op("ADD $512, R0, R3 // weights")
	f.op("ADD $512, R1, R4")
	f.label("group")
	for range 2 {
		for _, r := range [][2]int{{0, 1}, {3, 4}} {
			f.op("VLD1 (R%d), [V0.D2, V1.D2, V2.D2, V3.D2]", r[0])
			f.op("VLD1.P 64(R%d), [V4.D2, V5.D2, V6.D2, V7.D2]", r[1])
			for i := range 4 {
				f.op("VADD V%d.D2, V%d.D2, V%d.D2", 4+i, i, i)
			}
			f.op("VST1.P [V0.D2, V1.D2, V2.D2, V3.D2], 64(R%d)", r[0])
		}
	}
	f.countdown("R2", "group")
	f.op("RET")
}

// neonMasks sets V29 and V30 to the masks that neonExchange needs.
func neonMasks(f *file) {
	for i, mask := range []string{"0x5555555555555555", "0x3333333333333333"} {
		f.op("MOVD $%s, R5", mask)
		f.op("VDUP R5, V%d.D2", 29+i)
	}
}

// neonOptions loads words of each of the 8 bitmaps at R2, at the offset R7, into V0 to V7: two by LDRQ, one by LDRD.
func neonOptions(f *file, load string) {
	for i := range 8 {
		f.op("MOVD %d(R2), R%d", 24*i, 8+i%4)
		f.word(load, i, 8+i%4, 7)
	}
}

// neonExchange makes of 128 bits of 8 options, in V0 to V7, a byte for each of their respondents, and writes those in
// order to R6: 8 × 8 bits at a time are transposed by exchanging squares of bits between registers, after which
// register k has the respondents 8b+k.
func neonExchange(f *file) {
	for stage := range 3 {
		d := 1 << stage
		for i := range 8 {
			if i&d != 0 {
				continue
			}
			f.note("Squares of %d bits of options %d and %d.", d, i, i+d)
			if d == 4 {
				f.op("VMOV V%d.B16, V8.B16", i+d)
				f.op("VSRI $4, V%d.B16, V%d.B16", i, i+d)
				f.op("VSLI $4, V8.B16, V%d.B16", i)
				continue
			}
			f.op("VUSHR $%d, V%d.D2, V8.D2", d, i)
			f.op("VSHL $%d, V%d.D2, V9.D2", d, i+d)
			f.op("VBIT V%d.B16, V8.B16, V%d.B16", 29+stage, i+d)
			f.op("VBIF V%d.B16, V9.B16, V%d.B16", 29+stage, i)
		}
	}
	for word := range 2 {
		neonInterleave(f, word, [4]int{0, 2, 4, 6}, 1, 8, "R6")
	}
}

// neonInterleave writes, of the lower or upper halves of four registers and of those that are so far behind them, the
// bytes of all 8 in turn. It uses the four registers from temp on.
func neonInterleave(f *file, half int, from [4]int, behind, temp int, to string) {
	for i, x := range from {
		f.op("VZIP%d V%d.B16, V%d.B16, V%d.B16", half+1, x+behind, x, temp+i)
	}
	f.op("VST4.P [V%d.H8, V%d.H8, V%d.H8, V%d.H8], 64(%s)", temp, temp+1, temp+2, temp+3, to)
}

// The bits of 8 options × 128 respondents (2 words) at a time are made bytes; then the bytes of 8 such groups are
// interleaved.
func neonTranspose(f *file) {
	f.function("func transposeNEON(dst, temp *uint64, xs *[]uint64, bytes, words int)", 40)
	f.arguments("dst R0", "temp R1", "xs", "bytes", "words R4")
	neonMasks(f)
	f.note("Groups of 8 options without any stay zero.")
	neonZero(f, 0, 4)
	f.op("MOVD R1, R6")
	f.op("MOVD $16, R5")
	f.label("zero")
	f.op("VST1.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(R6)")
	f.countdown("R5", "zero")
	f.op("MOVD $0, R7 // offset into the bitmaps")
	f.label("step")
	f.arguments("dst", "temp", "xs R2", "bytes R3")
	f.op("MOVD R1, R6")
	f.label("options")
	f.op("CMP $2, R4")
	f.op("BLT short")
	neonOptions(f, "LDRQ")
	f.label("exchange")
	neonExchange(f)
	f.op("ADD $192, R2")
	f.countdown("R3", "options")
	for at := 0; at < 128; at += 32 {
		f.note("Respondents %d to %d.", at, at+31)
		for g := range 8 {
			f.op("FLDPQ %d(R1), (F%d, F%d)", 128*g+at, 2*g, 2*g+1)
		}
		for i := range 2 {
			for half := range 2 {
				neonInterleave(f, half, [4]int{i, 4 + i, 8 + i, 12 + i}, 2, 16+4*half, "R0")
			}
		}
	}
	f.op("ADD $16, R7")
	f.op("SUBS $2, R4")
	f.op("BGT step")
	f.op("RET")
	f.label("short")
	f.note("One word is left: the other is 0.")
	neonOptions(f, "LDRD")
	f.op("JMP exchange")
}

// The respondents of mask ∧ (x ⊕ flip) are put together: the transposed options and the weight of each, and 8 empty
// ones after the last. Four words at a time are looked at. A word's bits are taken from the first on, which stands
// highest.
func neonCompact(f *file) {
	f.function("func compactNEON(dst *[2]uint64, most int, x, mask *uint64, words int, flip uint64, transposed *uint64, "+
		"weights *Packed) (n, done int)", 80)
	f.arguments("dst R0", "most R1", "x R2", "mask R3", "words R4", "flip R5", "transposed R6", "weights R7")
	f.op("ADD R1<<4, R0, R1 // no words are begun from here on")
	f.op("MOVD $(1<<63), R8")
	f.op("SUBS $4, R4")
	f.op("BLT rest")
	f.op("CBNZ R5, flipped")
	neonListWords(f, "four", "")
	neonListWords(f, "flipped", "R5")
	f.label("stop")
	f.op("ADD $4, R4")
	f.op("JMP done")
	f.label("rest")
	f.op("ADDS $4, R4")
	f.op("BEQ done")
	f.label("single")
	f.op("MOVD.P 8(R2), R9")
	f.op("MOVD.P 8(R3), R11")
	f.op("EOR R5, R9, R9")
	f.op("AND R11, R9, R9")
	f.op("CBZ R9, empty")
	neonListBits(f, "R9", "R6", "R7", "last")
	f.label("empty")
	f.op("ADD $512, R6")
	f.op("ADD $512, R7")
	f.countdown("R4", "single")
	f.label("done")
	neonZero(f, 0, 4)
	f.op("VST1 [V0.B16, V1.B16, V2.B16, V3.B16], (R0)")
	f.op("ADD $64, R0, R5")
	f.op("VST1 [V0.B16, V1.B16, V2.B16, V3.B16], (R5)")
	f.op("MOVD dst+0(FP), R1")
	f.op("SUB R1, R0")
	f.op("LSR $4, R0")
	f.op("MOVD R0, n+64(FP)")
	f.op("MOVD words+32(FP), R1")
	f.op("SUB R4, R1")
	f.op("MOVD R1, done+72(FP)")
	f.op("RET")
}

// neonListWords lists four words at a time, until fewer are left or the list is long enough.
func neonListWords(f *file, name, flip string) {
	f.label("%s", name)
	words := [4]string{"R9", "R10", "R20", "R21"}
	for i := 0; i < 4; i += 2 {
		f.op("LDP.P 16(R2), (%s, %s)", words[i], words[i+1])
		f.op("LDP.P 16(R3), (R%d, R%d)", 11+i, 12+i)
	}
	for i, word := range words {
		if flip != "" {
			f.op("EOR %s, %s, %[2]s", flip, word)
		}
		f.op("AND R%d, %s, %[2]s", 11+i, word)
	}
	for i, word := range words {
		transposed, weights, next := "R6", "R7", name+"Next"+string('1'+rune(i))
		f.op("CBZ %s, %s", word, next)
		if i > 0 {
			transposed, weights = "R15", "R19"
			f.op("ADD $%d, R6, %s", 512*i, transposed)
			f.op("ADD $%d, R7, %s", 512*i, weights)
		}
		neonListBits(f, word, transposed, weights, name+"Word"+string('1'+rune(i)))
		f.label("%s", next)
	}
	f.op("ADD $2048, R6")
	f.op("ADD $2048, R7")
	f.op("SUBS $4, R4")
	f.op("BLT rest")
	f.op("CMP R1, R0")
	f.op("BLO %s", name)
	f.op("JMP stop")
}

// neonListBits lists the respondents of a word, of which there are some.
func neonListBits(f *file, word, transposed, weights, name string) {
	f.op("RBIT %s, %[1]s", word)
	f.label("%s", name)
	f.op("CLZ %s, R11", word)
	f.op("LSR R11, R8, R14")
	f.op("MOVD (%s)(R11<<3), R12", transposed)
	f.op("MOVD (%s)(R11<<3), R13", weights)
	f.op("EOR R14, %s, %[1]s", word)
	f.op("STP.P (R12, R13), 16(R0)")
	f.op("CBNZ %s, %s", word, name)
}

// The bytes of 8 respondents at a time are put together: those of the options, and six of the weight, which are all
// that it has, in the order of their use: 0 and 1, 2 and 7 (the count; 6 of squares), 4 and 5. It returns bytes 4
// of all, one above the other, and bytes 5.
func neonSpread(f *file) {
	f.function("func spreadNEON(options *[4]eight, weights *eight, from *[2]uint64, eights int) "+
		"(fourth, fifth uint64)", 48)
	f.arguments("options R0", "weights R1", "from R2", "eights R3")
	neonZero(f, 30, 1)
	f.label("eight")
	f.op("VLD4.P 64(R2), [V0.B16, V1.B16, V2.B16, V3.B16]")
	f.op("VLD4.P 64(R2), [V4.B16, V5.B16, V6.B16, V7.B16]")
	f.note("V8 to V15: byte i of the options and of the weight, in turn, of 8 respondents.")
	for i := range 4 {
		f.op("VUZP1 V%d.B16, V%d.B16, V%d.B16", 4+i, i, 8+i)
		f.op("VUZP2 V%d.B16, V%d.B16, V%d.B16", 4+i, i, 12+i)
	}
	for p := range 4 {
		f.op("VUZP1 V%d.B16, V%d.B16, V%d.B16", 9+2*p, 8+2*p, 16+p)
	}
	f.note("Bytes 6 or 7: a weight has its count in byte 7, a square's limb its highest byte in 6.")
	f.op("VORR V14.B16, V15.B16, V29.B16")
	for p, bytes := range [][2]int{{0, 1}, {2, 21}, {4, 5}} {
		f.op("VUZP2 V%d.B16, V%d.B16, V%d.B16", 8+bytes[1], 8+bytes[0], 20+p)
	}
	f.op("VORR V22.B16, V30.B16, V30.B16")
	f.op("VST1.P [V16.B16, V17.B16, V18.B16, V19.B16], 64(R0)")
	f.op("VST1.P [V20.B16, V21.B16, V22.B16], 48(R1)")
	f.countdown("R3", "eight")
	f.op("VMOV V30.D[0], R4")
	f.op("VMOV V30.D[1], R5")
	f.op("MOVD R4, fourth+32(FP)")
	f.op("MOVD R5, fifth+40(FP)")
	f.op("RET")
}
