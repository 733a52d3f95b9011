package main

// A vector is a size of vector registers, with the names of the instructions that differ by size.
type vector struct {
	register       string
	bytes          int
	move, xor, and string
}

var (
	ymm = vector{"Y", 32, "VMOVDQU", "VPXOR", "VPAND"}
	zmm = vector{"Z", 64, "VMOVDQU64", "VPXORQ", "VPANDQ"}
)

// clear sets the first n registers to 0.
func (v vector) clear(f *file, n int) {
	for i := range n {
		f.op("%s %[2]s%[3]d, %[2]s%[3]d, %[2]s%[3]d", v.xor, v.register, i)
	}
}

// zero sets n bytes at R8 to 0.
func (v vector) zero(f *file, n int) {
	f.note("Groups of 8 options without any stay zero.")
	v.clear(f, 1)
	f.op("XORQ AX, AX")
	f.label("zero")
	f.op("%s %s0, (R8)(AX*1)", v.move, v.register)
	f.op("ADDQ $%d, AX", v.bytes)
	f.op("CMPQ AX, $%d", n)
	f.op("JNE zero")
}

// unpack interleaves the units of each two of the registers in, the second first, into two of out.
func (v vector) unpack(f *file, unit string, in, out [8]int) {
	r := v.register
	for i := 0; i < 8; i += 2 {
		f.op("VPUNPCKL%s %s%d, %s%d, %s%d", unit, r, in[i+1], r, in[i], r, out[i])
		f.op("VPUNPCKH%s %s%d, %s%d, %s%d", unit, r, in[i+1], r, in[i], r, out[i+1])
	}
}

// addParts goes through a list of CX respondents at SI in parts of at most so many, so that no limb overflows. In a
// part it adds step respondents at a time, then the rest one by one; one(i) adds the i-th from SI on. The part's sums
// are in the first registers, and what follows, from the label flush on, adds them up.
func (v vector) addParts(f *file, most, step int, name string, registers int, one func(i int)) {
	f.label("part")
	f.note("At most %d respondents, so that no limb overflows.", most)
	f.op("MOVQ CX, DX")
	f.op("CMPQ DX, $%d", most)
	f.op("JLE begin")
	f.op("MOVQ $%d, DX", most)
	f.label("begin")
	f.op("SUBQ DX, CX")
	v.clear(f, registers)
	f.op("SUBQ $%d, DX", step)
	f.op("JLT rest")
	f.op("PCALIGN $32")
	f.label("%s", name)
	for i := range step {
		one(i)
	}
	f.op("ADDQ $%d, SI", 2*step)
	f.op("SUBQ $%d, DX", step)
	f.op("JGE %s", name)
	f.label("rest")
	f.op("ADDQ $%d, DX", step)
	f.op("JZ flush")
	if step > 2 {
		f.label("single")
	}
	one(0)
	f.op("ADDQ $2, SI")
	if step > 2 {
		f.again("DX", "single")
	}
	f.label("flush")
}

// cell goes through the CX words of three bitmaps at SI, DI and R8. It counts the respondents in all three in R10; add
// adds the weights of those of a word, which are in AX, to the first 8 registers.
func (v vector) cell(f *file, add func()) {
	f.op("XORQ R10, R10 // count")
	v.clear(f, 8)
	f.op("LEAQ (SI)(CX*8), SI")
	f.op("LEAQ (DI)(CX*8), DI")
	f.op("LEAQ (R8)(CX*8), R8")
	f.op("NEGQ CX")
	f.label("word")
	f.op("MOVQ (SI)(CX*8), AX")
	f.op("ANDQ (DI)(CX*8), AX")
	f.op("ANDQ (R8)(CX*8), AX")
	f.op("JZ next")
	f.op("POPCNTQ AX, BX")
	f.op("ADDQ BX, R10")
	add()
	f.label("next")
	f.op("ADDQ $512, R9")
	f.op("INCQ CX")
	f.op("JNZ word")
}

// weigh sums in register 8 the weights that cell left, given the registers that hold the masks of their low and high
// limbs.
func (v vector) weigh(f *file, low, high int) {
	r := v.register
	f.op("%s %[2]s8, %[2]s8, %[2]s8", v.xor, r)
	for i := range 8 {
		f.op("%s %s%d, %s%d, %s9", v.and, r, low, r, i, r)
		f.op("VPADDQ %[1]s9, %[1]s8, %[1]s8", r)
		f.op("VPSRLQ $32, %s%d, %s9", r, i, r)
		f.op("%s %s%d, %s9, %s9", v.and, r, high, r, r)
		f.op("VPSLLQ $24, %[1]s9, %[1]s9", r)
		f.op("VPADDQ %[1]s9, %[1]s8, %[1]s8", r)
	}
}

// merge adds sums to sums, a group of as many options as two registers hold at a time.
func (v vector) merge(f *file) {
	f.function("func merge%d(dst, src *sums, groups int)", 24, 8*v.bytes)
	f.load("dst DI", "src SI", "groups CX")
	f.label("group")
	for _, at := range []int{0, v.bytes, 512, 512 + v.bytes} {
		f.op("%s %d(SI), %s0", v.move, at, v.register)
		f.op("VPADDQ %d(DI), %[2]s0, %[2]s0", at, v.register)
		f.op("%s %s0, %d(DI)", v.move, v.register, at)
	}
	f.op("ADDQ $%d, SI", 2*v.bytes)
	f.op("ADDQ $%d, DI", 2*v.bytes)
	f.again("CX", "group")
	f.leave()
}
