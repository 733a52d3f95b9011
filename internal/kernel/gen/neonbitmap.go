package main

// neonBitmaps writes the loops over bitmaps for ARM: for multiples of 8 words, and of 4 for counters.
func neonBitmaps(f *file) {
	for _, name := range []string{"and", "andNot", "or"} {
		f.function("func %sNEON(dst, a, b *uint64, words int)", 32, name)
		f.arguments("dst R0", "a R1", "b R2", "words R3")
		f.label("words")
		f.op("VLD1.P 64(R1), [V0.B16, V1.B16, V2.B16, V3.B16]")
		f.op("VLD1.P 64(R2), [V4.B16, V5.B16, V6.B16, V7.B16]")
		for i := range 4 {
			switch name {
			case "and":
				f.op("VAND V%d.B16, V%d.B16, V%d.B16", 4+i, i, i)
			case "andNot":
				f.word("BIC", i, i, 4+i)
			case "or":
				f.op("VORR V%d.B16, V%d.B16, V%d.B16", 4+i, i, i)
			}
		}
		f.op("VST1.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(R0)")
		f.op("SUBS $8, R3")
		f.op("BGT words")
		f.op("RET")
	}
	for planes := range maxPlanes + 1 {
		neonAtLeast(f, planes)
	}
	for digits := range maxDigits {
		neonSaying(f, digits+1)
	}
}

// Each bitmap is turned over where the number has a 0, and all are met; see Saying.
func neonSaying(f *file, digits int) {
	f.function("func sayingNEONx%d(dst *uint64, xs *[]byte, number, from, to int)", 40, digits)
	f.arguments("dst R0", "xs R1", "number R2", "from R3", "to R4")
	f.op("ADD R3<<3, R0, R0")
	for p := range digits {
		f.op("MOVD %d(R1), R%d", 24*p, 5+p)
		f.op("ADD R3<<3, R%d, R%[1]d", 5+p)
		f.op("SBFX $%d, R2, $1, R11", p)
		f.op("MVN R11, R11")
		f.op("VDUP R11, V%d.D2", 16+p)
	}
	f.label("words")
	for p := range digits {
		f.op("VLD1.P 32(R%d), [V%d.B16, V%d.B16]", 5+p, 2*p, 2*p+1)
	}
	for p := range digits {
		for i := range 2 {
			f.op("VEOR V%d.B16, V%d.B16, V%[2]d.B16", 16+p, 2*p+i)
			if p > 0 {
				f.op("VAND V%d.B16, V%d.B16, V%[2]d.B16", 2*p+i, i)
			}
		}
	}
	f.op("VST1.P [V0.B16, V1.B16], 32(R0)")
	f.op("ADD $4, R3")
	f.op("CMP R4, R3")
	f.op("BLT words")
	f.op("RET")
}

// Counters of the given number of bits start at start and carry into V30 and V31; see AtLeast. 4 words at a time
// take two registers of each plane.
func neonAtLeast(f *file, planes int) {
	f.function("func atLeastNEONx%d(dst *uint64, xs *[]uint64, bitmaps, from, to, start int)", 48, planes)
	f.arguments("dst R0", "xs R1", "bitmaps R2", "from R3", "to R4", "start R5")
	f.op("ADD R3<<3, R0, R0")
	f.op("LSL $3, R3 // bytes")
	f.op("LSL $3, R4")
	for p := range planes {
		f.note("V%d: plane %d of the first counters.", 16+p, p)
		f.op("SBFX $%d, R5, $1, R6", p)
		f.op("VDUP R6, V%d.D2", 16+p)
	}
	f.label("words")
	f.op("MOVD R1, R7")
	f.op("MOVD R2, R8")
	for p := range planes {
		for i := range 2 {
			f.op("VMOV V%d.B16, V%d.B16", 16+p, 2*p+i)
		}
	}
	neonZero(f, 30, 2)
	f.label("bitmap")
	f.op("MOVD.P 24(R7), R9")
	f.op("ADD R3, R9")
	f.op("VLD1 (R9), [V24.B16, V25.B16]")
	for p := range planes {
		x, carry := 24+p%2*2, 26-p%2*2
		for i := range 2 {
			f.op("VAND V%d.B16, V%d.B16, V%d.B16", x+i, 2*p+i, carry+i)
			f.op("VEOR V%d.B16, V%d.B16, V%d.B16", x+i, 2*p+i, 2*p+i)
		}
	}
	for i := range 2 {
		f.op("VORR V%d.B16, V%d.B16, V%[2]d.B16", 24+planes%2*2+i, 30+i)
	}
	f.countdown("R8", "bitmap")
	f.op("VST1.P [V30.B16, V31.B16], 32(R0)")
	f.op("ADD $32, R3")
	f.op("CMP R4, R3")
	f.op("BLT words")
	f.op("RET")
}
