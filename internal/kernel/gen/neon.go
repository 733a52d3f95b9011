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
	neonSpread(f, "spread", false)
	neonSpread(f, "spreadTwice", true)
	neonCell(f)
	neonPack(f)
	for _, limbs := range []int{4, 6} {
		neonDots(f, limbs)
		neonMatrix(f, limbs)
	}
	neonSpin(f)
}

// The instructions that Go's assembler does not know. Registers are given in ARM's order, the destination first.
var neonCodes = map[string]uint32{
	"BIC":        0x4e601c00, // V.16B = V.16B &^ V.16B
	"UADALP.B16": 0x6e206800, // V.8H += each two of V.16B
	"LDRQ":       0x3ce06800, // Q, of 16 bytes, from X + X
	"LDRD":       0xfc606800, // D, of 8 bytes, likewise
	"UDOT":       0x6e809400, // V.4S += the dot products of each four of V.16B and V.16B
	"UMMLA":      0x6e80a400, // V.2×2S += V.2×8B times V.2×8B transposed
	"MLA":        0x6f800000, // V.4S += V.4S · V.S[i]
	"MLS":        0x6f804000, // V.4S -= V.4S · V.S[i]
	"UMLAL":      0x2f802000, // V.2D += V.2S · V.S[i]
	"UMLAL2":     0x6f802000, // V.2D += the upper V.2S · V.S[i]
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

// The sums of 4 options at a time, of each kind.
func neonMerge(f *file) {
	f.function("func mergeNEON(dst, src *sums, groups int)", 24)
	f.arguments("dst R0", "src R1", "groups R2")
	f.label("group")
	for at := 0; at < 128; at += 64 {
		for _, at := range []int{at, 512 + at} {
			for i := range 2 {
				f.op("FLDPQ %d(R0), (F%d, F%d)", at+32*i, 2*i, 2*i+1)
				f.op("FLDPQ %d(R1), (F%d, F%d)", at+32*i, 4+2*i, 5+2*i)
			}
			for i := range 4 {
				f.op("VADD V%d.D2, V%d.D2, V%d.D2", 4+i, i, i)
			}
			for i := range 2 {
				f.op("FSTPQ (F%d, F%d), %d(R0)", 2*i, 2*i+1, at+32*i)
			}
		}
	}
	f.op("ADD $128, R0")
	f.op("ADD $128, R1")
	f.countdown("R2", "group")
	f.op("RET")
}

// The matrix of 64 options × 128 respondents (2 words each) is transposed by exchanging squares of bits between the
// registers of 8 options; then, for two respondents in a row of each byte, the bytes of 8 groups of options.
func neonTranspose(f *file) {
	f.function("func transposeNEON(dst, temp *uint64, xs *[]uint64, bytes, words int)", 40)
	f.arguments("dst R0", "temp R1", "xs", "bytes", "words R4")
	for i, mask := range []string{"0x5555555555555555", "0x3333333333333333", "0x0f0f0f0f0f0f0f0f"} {
		f.op("MOVD $%s, R5", mask)
		f.op("VDUP R5, V%d.D2", 29+i)
	}
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
	for i := range 8 {
		f.op("MOVD %d(R2), R%d", 24*i, 8+i%4)
		f.word("LDRQ", i, 8+i%4, 7)
	}
	f.label("exchange")
	for stage := range 3 {
		d := 1 << stage
		for i := range 8 {
			if i&d != 0 {
				continue
			}
			f.note("Squares of %d bits of options %d and %d.", d, i, i+d)
			f.op("VUSHR $%d, V%d.D2, V8.D2", d, i)
			f.op("VSHL $%d, V%d.D2, V9.D2", d, i+d)
			f.op("VBIT V%d.B16, V8.B16, V%d.B16", 29+stage, i+d)
			f.op("VBIF V%d.B16, V9.B16, V%d.B16", 29+stage, i)
		}
	}
	// In temp the respondents 8b+k and 8b+k+1 of one word stand together, for each word and even k, by groups.
	for k := 0; k < 8; k += 2 {
		for word := range 2 {
			f.op("VZIP%d V%d.D2, V%d.D2, V%d.D2", word+1, k+1, k, 8+word)
			f.op("FMOVQ F%d, %d(R6)", 8+word, 128*(4*word+k/2))
		}
	}
	f.op("ADD $192, R2")
	f.op("ADD $16, R6")
	f.countdown("R3", "options")
	for word := range 2 {
		for k := 0; k < 8; k += 2 {
			f.note("Respondents %d and %d of each byte of word %d.", k, k+1, word)
			for g := 0; g < 8; g += 2 {
				f.op("FLDPQ %d(R1), (F%d, F%d)", 128*(4*word+k/2)+16*g, g, g+1)
			}
			for stage, unit := range []string{"B16", "H8", "S4"} {
				from, to, d := [3]int{0, 8, 16}[stage], [3]int{8, 16, 0}[stage], 1<<stage
				for i := range 8 {
					if i&d == 0 {
						for side, to := range []int{to + i, to + i + d} {
							f.op("VTRN%d V%d.%[3]s, V%[4]d.%[3]s, V%[5]d.%[3]s", side+1, from+i+d, unit, from+i, to)
						}
					}
				}
			}
			for b := range 8 {
				f.op("FMOVQ F%d, %d(R0)", b, 8*(64*word+8*b+k))
			}
		}
	}
	f.op("ADD $1024, R0")
	f.op("ADD $16, R7")
	f.op("SUBS $2, R4")
	f.op("BGT step")
	f.op("RET")
	f.label("short")
	f.note("One word is left: the other is 0.")
	for i := range 8 {
		f.op("MOVD %d(R2), R%d", 24*i, 8+i%4)
		f.word("LDRD", i, 8+i%4, 7)
	}
	f.op("JMP exchange")
}

// The respondents of x ∧ mask are put together: the transposed options and the weight of each, and 8 empty ones
// after the last. Two words at a time are looked at. A word's bits are taken from the first on, which stands
// highest.
func neonCompact(f *file) {
	f.function("func compactNEON(dst *[2]uint64, most int, x, mask *uint64, words int, flip uint64, transposed *uint64, "+
		"weights *Packed) (n, done int)", 80)
	f.arguments("dst R0", "most R1", "x R2", "mask R3", "words R4", "flip R5", "transposed R6", "weights R7")
	f.op("ADD R1<<4, R0, R1 // no words are begun from here on")
	f.op("MOVD $(1<<63), R8")
	bits := func(word, transposed, weights, name, then string) {
		f.op("RBIT %s, %[1]s", word)
		f.op("CBZ %s, %s", word, then)
		f.label("%s", name)
		f.op("CLZ %s, R11", word)
		f.op("LSR R11, R8, R14")
		f.op("MOVD (%s)(R11<<3), R12", transposed)
		f.op("MOVD (%s)(R11<<3), R13", weights)
		f.op("EOR R14, %s, %[1]s", word)
		f.op("STP.P (R12, R13), 16(R0)")
		f.op("CBNZ %s, %s", word, name)
	}
	f.op("SUBS $2, R4")
	f.op("BLT rest")
	f.label("two")
	f.op("LDP.P 16(R2), (R9, R10)")
	f.op("LDP.P 16(R3), (R11, R12)")
	f.op("EOR R5, R9, R9")
	f.op("EOR R5, R10, R10")
	f.op("AND R11, R9, R9")
	f.op("AND R12, R10, R10")
	f.op("ORR R9, R10, R11")
	f.op("CBZ R11, next")
	bits("R9", "R6", "R7", "first", "other")
	f.label("other")
	f.op("ADD $512, R6, R15")
	f.op("ADD $512, R7, R19")
	bits("R10", "R15", "R19", "second", "next")
	f.label("next")
	f.op("ADD $1024, R6")
	f.op("ADD $1024, R7")
	f.op("SUBS $2, R4")
	f.op("BLT rest")
	f.op("CMP R1, R0")
	f.op("BLO two")
	f.op("ADD $2, R4")
	f.op("JMP done")
	f.label("rest")
	f.op("ADDS $2, R4")
	f.op("BEQ done")
	f.op("MOVD (R2), R9")
	f.op("MOVD (R3), R11")
	f.op("EOR R5, R9, R9")
	f.op("AND R11, R9, R9")
	f.op("MOVD $0, R4")
	bits("R9", "R6", "R7", "single", "done")
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

// The bytes of 8 respondents at a time are put together: those of the options, and six of the weight, which are all
// that it has, in the order of their use: 0 and 1, 2 and 7 (the count; 6 of squares), 4 and 5; for dot products
// each twice. It returns whether any has bytes 4 and 5.
func neonSpread(f *file, name string, twice bool) {
	f.function("func %sNEON(options *[4]eight, weights *eight, from *[2]uint64, eights int) (high uint64)", 40, name)
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
	if twice {
		for i := range 6 {
			f.op("VZIP%d V%d.D2, V%[2]d.D2, V%d.D2", i%2+1, 20+i/2, 23+i)
		}
		f.op("VST1.P [V23.B16, V24.B16, V25.B16, V26.B16], 64(R1)")
		f.op("VST1.P [V27.B16, V28.B16], 32(R1)")
	} else {
		f.op("VST1.P [V20.B16, V21.B16, V22.B16], 48(R1)")
	}
	f.countdown("R3", "eight")
	f.op("VMOV V30.D[0], R4")
	f.op("VMOV V30.D[1], R5")
	f.op("ORR R4, R5")
	f.op("MOVD R5, high+32(FP)")
	f.op("RET")
}

// The weights of a word's respondents are added as they are packed, of three words at most: no limb overflows.
func neonCell(f *file) {
	f.function("func cellNEON(a, b, mask *uint64, weights *Packed, words int) (sample, weight int64)", 56)
	f.arguments("a R0", "b R1", "mask R2", "weights R3", "words R4")
	f.op("MOVD $(1<<63), R5")
	for _, r := range []string{"R6", "R7", "R8"} {
		f.op("MOVD $0, %s", r)
	}
	f.note("R6: the count; R7 and R8: low and high limbs.")
	f.label("word")
	f.op("MOVD.P 8(R0), R9")
	f.op("MOVD.P 8(R1), R10")
	f.op("MOVD.P 8(R2), R11")
	f.op("AND R10, R9, R9")
	f.op("ANDS R11, R9, R9")
	f.op("BEQ next")
	f.op("RBIT R9, R9")
	f.op("MOVD $0, R12")
	f.label("bit")
	f.op("CLZ R9, R10")
	f.op("LSR R10, R5, R11")
	f.op("MOVD (R3)(R10<<3), R13")
	f.op("EOR R11, R9, R9")
	f.op("ADD R13, R12, R12")
	f.op("CBNZ R9, bit")
	f.op("ADD R12>>56, R6, R6")
	f.op("UBFX $32, R12, $24, R13")
	f.op("ADD R13, R8, R8")
	f.op("MOVWU R12, R12")
	f.op("ADD R12, R7, R7")
	f.label("next")
	f.op("ADD $512, R3")
	f.countdown("R4", "word")
	f.op("ADD R8<<24, R7, R7")
	f.op("MOVD R6, sample+40(FP)")
	f.op("MOVD R7, weight+48(FP)")
	f.op("RET")
}
