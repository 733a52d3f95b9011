package main

import "fmt"

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
// adds the weights of those of a word, which are in AX, to the first 8 registers. The weights are at R9, of so many
// bytes each.
func (v vector) cell(f *file, bytes int, add func()) {
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
	f.op("ADDQ $%d, R9", 64*bytes)
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

// square writes the functions that square weights, whose limbs are l and h, as layers of two limbs each: l² where there
// are no high limbs, else l² + 2lh·2²⁴ + h²·2⁴⁸ in two layers.
func (v vector) square(f *file) {
	name := fmt.Sprintf("func square%d", 8*v.bytes)
	begin := func(arguments ...string) {
		f.load(arguments...)
		f.op("MOVL $0xffffff, AX")
		f.op("MOVQ AX, X15")
		f.op("VPBROADCASTQ X15, %s15", v.register)
		f.op("XORQ AX, AX")
		f.op("SHLQ $9, CX // bytes")
		f.label("weights")
		f.op("%s (SI)(AX*1), %s0", v.move, v.register)
	}
	end := func() {
		f.op("ADDQ $%d, AX", v.bytes)
		f.op("CMPQ AX, CX")
		f.op("JLT weights")
		f.leave()
	}
	// put writes the low 48 bits of a register as two limbs. It uses registers 8 and 9.
	put := func(register int, to string) {
		r := v.register
		f.op("%s %s15, %s%d, %s8", v.and, r, r, register, r)
		f.op("VPSRLQ $24, %s%d, %s9", r, register, r)
		f.op("%s %[2]s15, %[2]s9, %[2]s9", v.and, r)
		f.op("VPSLLQ $32, %[1]s9, %[1]s9", r)
		f.op("VPADDQ %[1]s9, %[1]s8, %[1]s8", r)
		f.op("%s %s8, (%s)(AX*1)", v.move, r, to)
	}
	r := v.register
	f.function(name+"low(low, from *Packed, words int)", 24)
	begin("low DI", "from SI", "words CX")
	f.op("VPMULUDQ %[1]s0, %[1]s0, %[1]s1", r)
	put(1, "DI")
	end()

	f.function(name+"(low, high, from *Packed, words int)", 32)
	begin("low DI", "high R8", "from SI", "words CX")
	f.op("VPSRLQ $32, %[1]s0, %[1]s1 // h and the count", r)
	f.op("VPMULUDQ %[1]s0, %[1]s0, %[1]s2 // l²", r)
	f.op("VPSLLQ $40, %[1]s1, %[1]s1", r)
	f.op("VPSRLQ $40, %[1]s1, %[1]s1 // h", r)
	f.op("VPMULUDQ %[1]s0, %[1]s1, %[1]s3", r)
	f.op("VPADDQ %[1]s3, %[1]s3, %[1]s3 // 2lh", r)
	f.op("VPMULUDQ %[1]s1, %[1]s1, %[1]s4 // h²", r)
	f.op("%s %[2]s15, %[2]s3, %[2]s5", v.and, r)
	f.op("VPSLLQ $24, %[1]s5, %[1]s5", r)
	f.op("VPADDQ %[1]s5, %[1]s2, %[1]s2", r)
	f.op("VPSRLQ $24, %[1]s3, %[1]s3", r)
	f.op("VPADDQ %[1]s3, %[1]s4, %[1]s4", r)
	f.op("VPSRLQ $48, %[1]s2, %[1]s5 // what is carried", r)
	f.op("VPADDQ %[1]s5, %[1]s4, %[1]s4", r)
	put(2, "DI")
	put(4, "R8")
	end()
}
