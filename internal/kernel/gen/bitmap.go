package main

// bitmaps writes the loops over bitmaps with AVX2, for multiples of 4 words.
func bitmaps(f *file) {
	for _, o := range []struct{ name, op string }{{"and", "VPAND"}, {"andNot", "VPANDN"}, {"or", "VPOR"}} {
		f.function("func %s256(dst, a, b *uint64, words int)", 32, o.name)
		f.load("dst DI", "a SI", "b R8", "words CX")
		f.op("XORQ AX, AX")
		f.label("words")
		f.op("VMOVDQU (R8)(AX*8), Y0")
		f.op("%s (SI)(AX*8), Y0, Y0", o.op)
		f.op("VMOVDQU Y0, (DI)(AX*8)")
		f.op("ADDQ $4, AX")
		f.op("CMPQ AX, CX")
		f.op("JLT words")
		f.leave()
	}
	for planes := range maxPlanes + 1 {
		atLeast(f, planes)
	}
	for _, bits := range []int{256, 512} {
		for digits := range maxDigits {
			saying(f, bits, digits+1)
		}
	}
}

// maxDigits is the greatest number of digits that there is a loop for: a bitmap is only kept of more than one
// respondent in 64, so no more than 63 of them can be told apart by digits.
const maxDigits = 6

// Each bitmap is turned over where the number has a 0, and all are met; see Saying. With AVX-512 that is one
// instruction a bitmap, for a multiple of 8 words.
func saying(f *file, bits, digits int) {
	pointers := []string{"SI", "R8", "R9", "R10", "R11", "R12"}
	f.function("func saying%dx%d(dst *uint64, xs *[]byte, number, from, to int)", 40, bits, digits)
	f.load("dst DI", "xs BX", "number DX", "from AX", "to CX")
	v, xor, move, ones := "Y", "VPXOR", "VMOVDQU", "VPCMPEQQ Y14, Y14, Y14"
	if bits == 512 {
		v, xor, move, ones = "Z", "VPXORQ", "VMOVDQU64", "VPTERNLOGQ $0xff, Z14, Z14, Z14"
	}
	f.op("%s", ones)
	for p := range digits {
		f.op("MOVQ %d(BX), %s", 24*p, pointers[p])
		f.op("%s %s%d, %[2]s%[3]d, %[2]s%[3]d", xor, v, 8+p)
		f.op("BTQ $%d, DX", p)
		f.op("JCS one%d", p)
		f.op("%s %s14, %[2]s%d", move, v, 8+p)
		f.label("one%d", p)
	}
	f.label("words")
	f.op("%s (%s)(AX*8), %s8, %[3]s0", xor, pointers[0], v)
	for p := 1; p < digits; p++ {
		if bits == 512 {
			f.op("VPTERNLOGQ $0x60, (%s)(AX*8), Z%d, Z0 // if the two differ", pointers[p], 8+p)
			continue
		}
		f.op("VPXOR (%s)(AX*8), Y%d, Y1", pointers[p], 8+p)
		f.op("VPAND Y1, Y0, Y0")
	}
	f.op("%s %s0, (DI)(AX*8)", move, v)
	f.op("ADDQ $%d, AX", bits/64)
	f.op("CMPQ AX, CX")
	f.op("JLT words")
	f.leave()
}

// maxPlanes is the greatest number of planes of counters that there is a loop
// for: enough for at least 64.
const maxPlanes = 6

// Counters of the given number of bits start at start and carry into Y15; see
// AtLeast.
func atLeast(f *file, planes int) {
	f.function("func atLeast256x%d(dst *uint64, xs *[]uint64, bitmaps, from, to, start int)", 48, planes)
	f.load("dst DI", "xs", "bitmaps", "from AX", "to CX")
	f.op("VPCMPEQQ Y14, Y14, Y14")
	f.label("words")
	f.load("dst", "xs SI", "bitmaps R8")
	f.op("VPXOR Y15, Y15, Y15")
	if planes > 0 {
		f.op("MOVQ start+40(FP), DX")
	}
	for p := range planes {
		f.op("VPXOR Y%d, Y%d, Y%d", p, p, p)
		f.op("BTQ $%d, DX", p)
		f.op("JCC clear%d", p)
		f.op("VMOVDQU Y14, Y%d", p)
		f.label("clear%d", p)
	}
	f.label("bitmap")
	f.op("MOVQ (SI), BX")
	f.op("ADDQ $24, SI")
	f.op("VMOVDQU (BX)(AX*8), Y12")
	for p := range planes {
		f.op("VPAND Y12, Y%d, Y13", p)
		f.op("VPXOR Y12, Y%d, Y%d", p, p)
		f.op("VMOVDQU Y13, Y12")
	}
	f.op("VPOR Y12, Y15, Y15")
	f.again("R8", "bitmap")
	f.op("VMOVDQU Y15, (DI)(AX*8)")
	f.op("ADDQ $4, AX")
	f.op("CMPQ AX, CX")
	f.op("JLT words")
	f.leave()
}
