package main

import "fmt"

// avx512 writes the kernel for CPUs with AVX-512 F, BW, DQ, VL, VBMI, VBMI2,
// VPOPCNTDQ and GFNI.
func avx512(f *file) {
	f.data("iota", pack(64, func(i int) byte { return byte(i) }))
	f.data("unit", pack(8, func(i int) byte { return 1 << i }))
	f.data("swap", pack(64, func(i int) byte { return byte(i%8*8 + i/8) }))
	avx512Count(f)
	avx512Transpose(f)
	avx512List(f)
	avx512Add(f)
	avx512Cell(f)
	avx512CellSmall(f)
	avx512Pack(f)
	avx512Meet(f)
	zmm.merge(f)
	avx512Spin(f)
	zmm.square(f)
	avx512Quotients(f)
	avx512Squares(f)
	lookUp(f, 1)
	lookUp(f, 2)
}

// avx512Tail sets K1 to the words, of the last 8, that a bitmap of CX words has: all 8
// if CX is a multiple of 8. It leaves in CX the number of 8-word steps before
// the last.
func avx512Tail(f *file) {
	f.op("DECQ CX")
	f.op("MOVQ CX, AX")
	f.op("ANDQ $7, AX")
	f.op("MOVQ $2, BX")
	f.op("SHLXQ AX, BX, BX")
	f.op("DECQ BX")
	f.op("KMOVB BX, K1")
	f.op("SHRQ $3, CX")
}

// avx512Sum sums the lanes of Z0 in AX.
func avx512Sum(f *file) {
	f.op("VEXTRACTI64X4 $1, Z0, Y1")
	f.op("VPADDQ Y1, Y0, Y0")
	avx2Sum(f)
}

func avx512Count(f *file) {
	f.function("func count512(dst *int32, xs *[]uint64, options int, mask *uint64, words int)", 40)
	f.load("dst DI", "xs SI", "options R8", "mask R9", "words CX")
	avx512Tail(f)
	f.label("option")
	f.op("MOVQ (SI), R10")
	f.op("VPXORQ Z0, Z0, Z0")
	f.op("XORQ AX, AX")
	f.op("MOVQ CX, DX")
	f.op("TESTQ DX, DX")
	f.op("JZ last")
	f.label("words")
	f.op("VMOVDQU64 (R10)(AX*1), Z1")
	f.op("VPANDQ (R9)(AX*1), Z1, Z1")
	f.op("VPOPCNTQ Z1, Z1")
	f.op("VPADDQ Z1, Z0, Z0")
	f.op("ADDQ $64, AX")
	f.again("DX", "words")
	f.label("last")
	f.op("VMOVDQU64.Z (R10)(AX*1), K1, Z1")
	f.op("VMOVDQU64.Z (R9)(AX*1), K1, Z2")
	f.op("VPANDQ Z2, Z1, Z1")
	f.op("VPOPCNTQ Z1, Z1")
	f.op("VPADDQ Z1, Z0, Z0")
	avx512Sum(f)
	f.op("MOVL AX, (DI)")
	f.op("ADDQ $4, DI")
	f.op("ADDQ $24, SI")
	f.again("R8", "option")
	f.leave()
}

// The matrix of 64 options × 512 respondents (8 words each) is transposed in
// bytes, in squares of 8 × 8 bits by one multiplication with the unit matrix
// each, and in bytes again.
func avx512Transpose(f *file) {
	f.function("func transpose512(dst, temp *uint64, xs *[]uint64, bytes, words int)", 40)
	f.load("dst DI", "temp", "xs", "bytes", "words CX")
	avx512Tail(f)
	f.op("MOVQ temp+8(FP), R8")
	f.op("VPBROADCASTQ unit<>(SB), Z30")
	f.op("VMOVDQU64 swap<>(SB), Z31")
	f.op("XORQ R9, R9 // offset into the bitmaps")
	zmm.zero(f, 4096)
	f.op("KXNORB K2, K2, K2")
	f.label("step")
	f.op("TESTQ CX, CX")
	f.op("JNZ full")
	f.op("KMOVB K1, K2")
	f.label("full")
	f.load("dst", "temp", "xs SI", "bytes R10")
	f.op("MOVQ R8, R11")
	f.label("options")
	f.note("Z0 to Z7: 8 bytes of 8 options, the last first, as VGF2P8AFFINEQB counts rows from the end.")
	for i := range 8 {
		f.op("MOVQ %d(SI), AX", 24*(7-i))
		f.op("VMOVDQU64.Z (AX)(R9*1), K2, Z%d", i)
	}
	zmm.unpack(f, "BW", [8]int{0, 1, 2, 3, 4, 5, 6, 7}, [8]int{8, 9, 10, 11, 12, 13, 14, 15})
	// 8, 10, 12, 14 hold the even words of two options each, the others the odd.
	zmm.unpack(f, "WD", [8]int{8, 10, 12, 14, 9, 11, 13, 15}, [8]int{0, 1, 2, 3, 4, 5, 6, 7})
	// 0 and 2, then 1 and 3: bytes 0-3 and 4-7 of the even words; 4 to 7 of the odd.
	zmm.unpack(f, "DQ", [8]int{0, 2, 1, 3, 4, 6, 5, 7}, [8]int{8, 9, 10, 11, 12, 13, 14, 15})
	for i := range 8 {
		f.op("VGF2P8AFFINEQB $0, Z%d, Z30, Z%d", 8+i, 8+i)
		f.op("VMOVDQU64 Z%d, %d(R11)", 8+i, 512*i)
	}
	f.op("ADDQ $192, SI")
	f.op("ADDQ $64, R11")
	f.again("R10", "options")
	for k := range 8 {
		f.note("Respondents of bytes %d and %d of the %s words.", k%4*2, k%4*2+1, []string{"even", "odd"}[k/4])
		for g := range 8 {
			f.op("VMOVDQU64 %d(R8), Z%d", 512*k+64*g, g)
		}
		for u, side := range []string{"L", "H"} {
			for i := range 4 {
				f.op("VPUNPCK%sQDQ Z%d, Z%d, Z%d", side, 2*i+1, 2*i, 8+i)
			}
			f.op("VSHUFI64X2 $0x44, Z9, Z8, Z12")
			f.op("VSHUFI64X2 $0xEE, Z9, Z8, Z13")
			f.op("VSHUFI64X2 $0x44, Z11, Z10, Z14")
			f.op("VSHUFI64X2 $0xEE, Z11, Z10, Z15")
			f.op("VSHUFI64X2 $0x88, Z14, Z12, Z16")
			f.op("VSHUFI64X2 $0xDD, Z14, Z12, Z17")
			f.op("VSHUFI64X2 $0x88, Z15, Z13, Z18")
			f.op("VSHUFI64X2 $0xDD, Z15, Z13, Z19")
			for l := range 4 {
				f.op("VPERMB Z%d, Z31, Z%d", 16+l, 16+l)
				word, b := 2*l+k/4, k%4*2+u
				f.op("VMOVDQU64 Z%d, %d(DI)", 16+l, 64*(8*word+b))
			}
		}
	}
	f.op("ADDQ $4096, DI")
	f.op("ADDQ $64, R9")
	f.op("DECQ CX")
	f.op("JGE step")
	f.leave()
}

// Four words at a time, with registers of their own: VPCOMPRESSB waits for its
// destination. A word's first 32 respondents are stored whether there are as
// many or not, the next word's go over them; more than 32 are rare.
func avx512List(f *file) {
	const words = 4
	f.function("func list512(dst *uint16, x, mask *uint64, words int, flip uint64) int", 48)
	f.load("dst DI", "x SI", "mask R8", "words CX", "flip R9")
	f.op("VMOVDQU64 iota<>(SB), Z0")
	f.op("MOVL $64, AX")
	f.op("VPBROADCASTW AX, Z3")
	f.op("VPXORQ Z4, Z4, Z4 // the word's first respondent")
	word := func(i int, name string) {
		f.op("MOVQ %d(SI), AX", 8*i)
		f.op("XORQ R9, AX")
		f.op("ANDQ %d(R8), AX", 8*i)
		f.op("KMOVQ AX, K%d", 1+i)
		f.op("POPCNTQ AX, BX")
		f.op("VPXORQ X%d, X%d, X%d", 8+i, 8+i, 8+i)
		f.op("VPCOMPRESSB.Z Z0, K%d, Z%d", 1+i, 8+i)
		f.op("VPMOVZXBW Y%d, Z%d", 8+i, 12+i)
		f.op("VPADDW Z4, Z%d, Z%d", 12+i, 12+i)
		f.op("VMOVDQU64 Z%d, (DI)", 12+i)
		f.op("CMPQ BX, $32")
		f.op("JHI %s%d", name, i)
		f.label("%sback%d", name, i)
		f.op("VPADDW Z3, Z4, Z4")
		f.op("LEAQ (DI)(BX*2), DI")
	}
	more := func(i int, name string) {
		f.label("%s%d", name, i)
		f.op("VEXTRACTI64X4 $1, Z%d, Y%d", 8+i, 8+i)
		f.op("VPMOVZXBW Y%d, Z%d", 8+i, 12+i)
		f.op("VPADDW Z4, Z%d, Z%d", 12+i, 12+i)
		f.op("VMOVDQU64 Z%d, 64(DI)", 12+i)
		f.op("JMP %sback%d", name, i)
	}
	f.op("SUBQ $%d, CX", words)
	f.op("JLT rest")
	f.label("four")
	for i := range words {
		word(i, "more")
	}
	f.op("ADDQ $%d, SI", 8*words)
	f.op("ADDQ $%d, R8", 8*words)
	f.op("SUBQ $%d, CX", words)
	f.op("JGE four")
	f.label("rest")
	f.op("ADDQ $%d, CX", words)
	f.op("JZ done")
	f.label("single")
	word(0, "one")
	f.op("ADDQ $8, SI")
	f.op("ADDQ $8, R8")
	f.again("CX", "single")
	f.label("done")
	f.op("SUBQ dst+0(FP), DI")
	f.op("SHRQ $1, DI")
	f.op("MOVQ DI, ret+40(FP)")
	f.leave()
	for i := range words {
		more(i, "more")
	}
	more(0, "one")
}

// The sums of 16 options are two registers of low and high limbs: Z0 and Z1 for
// the first group, Z2 and Z3 for the second, and so on; after them those of each
// layer, of which the last may have low limbs only.
func avx512Add(f *file) {
	for groups := 1; groups <= 4; groups++ {
		avx512AddGroups(f, groups, 2)
	}
}

// avx512Quotients writes the function that divides weights: 2^shift, and then an odd number, by its inverse.
func avx512Quotients(f *file) {
	f.function("func quotients512(dst, from *Packed, words int, shift, inverse uint64) (all uint64)", 48)
	f.load("dst DI", "from SI", "words CX", "shift BX", "inverse DX")
	f.op("MOVL $0xffffff, AX")
	f.op("VPBROADCASTQ AX, Z15")
	f.op("MOVL $0xffff, AX")
	f.op("VPBROADCASTQ AX, Z14")
	f.op("VPBROADCASTQ DX, Z13")
	f.op("MOVQ BX, X12")
	f.op("MOVQ $1, AX")
	f.op("SHLXQ BX, AX, AX")
	f.op("DECQ AX")
	f.op("VPBROADCASTQ AX, Z11 // the digits that the shift takes away")
	f.op("VPXORQ Z10, Z10, Z10")
	f.op("VPXORQ Z9, Z9, Z9 // all")
	f.op("XORQ AX, AX")
	f.op("SHLQ $9, CX // bytes")
	f.label("weights")
	f.op("VMOVDQU64 (SI)(AX*1), Z0")
	f.op("VPANDQ Z15, Z0, Z1")
	f.op("VPSRLQ $32, Z0, Z0")
	f.op("VPANDQ Z14, Z0, Z0")
	f.op("VPSLLQ $24, Z0, Z0")
	f.op("VPORQ Z1, Z0, Z0 // the weight")
	f.op("VPANDQ Z11, Z0, Z1")
	f.op("VPSUBQ Z1, Z10, Z1 // above all that fits, where there is a rest")
	f.op("VPSRLQ X12, Z0, Z0")
	f.op("VPMULLQ Z13, Z0, Z0")
	f.op("VPORQ Z1, Z0, Z0")
	f.op("VPORQ Z0, Z9, Z9")
	f.op("VPANDQ Z15, Z0, Z1")
	f.op("VPSRLQ $24, Z0, Z0")
	f.op("VPANDQ Z14, Z0, Z0")
	f.op("VPSLLQ $32, Z0, Z0")
	f.op("VPORQ Z1, Z0, Z0")
	f.op("VMOVDQU64 Z0, (DI)(AX*1)")
	f.op("ADDQ $64, AX")
	f.op("CMPQ AX, CX")
	f.op("JLT weights")
	f.op("VEXTRACTI64X4 $1, Z9, Y1")
	f.op("VPORQ Y1, Y9, Y9")
	f.op("VEXTRACTI64X2 $1, Y9, X1")
	f.op("VPORQ X1, X9, X9")
	f.op("VPSHUFD $0xee, X9, X1")
	f.op("VPORQ X1, X9, X9")
	f.op("VMOVQ X9, AX")
	f.op("MOVQ AX, all+40(FP)")
	f.leave()
}

// avx512Squares writes what adds squares, too. It stands last, so that what counts without them lies where it lay.
func avx512Squares(f *file) {
	for limbs := 4; limbs <= 6; limbs++ {
		for groups := 1; groups <= 4; groups++ {
			avx512AddGroups(f, groups, limbs)
		}
	}
}

// avx512AddFunction begins the function for so many groups and limbs, which are those of a weight, 2, and those of its
// square. It returns the registers that point to the sums and to the weights, each with those of the layers after it.
func avx512AddFunction(f *file, groups, limbs int) (sums, weights []string) {
	name := fmt.Sprintf("func add512x%d", groups)
	arguments := "sums *sums, list *uint16, n int, transposed *uint64, weights *Packed"
	if limbs > 2 {
		name = fmt.Sprintf("func squares512x%dof%d", groups, limbs-2)
	}
	load := []string{"sums DI", "list SI", "n CX", "transposed R8", "weights R9"}
	sums, weights = []string{"DI"}, []string{"R9"}
	layers := (limbs - 1) / 2
	for y := 1; y <= layers; y++ {
		arguments += fmt.Sprintf(", sums%d *sums, weights%d *Packed", y, y)
		sums, weights = append(sums, fmt.Sprintf("R%d", 8+2*y)), append(weights, fmt.Sprintf("R%d", 9+2*y))
		load = append(load, fmt.Sprintf("sums%d %s", y, sums[y]), fmt.Sprintf("weights%d %s", y, weights[y]))
	}
	f.function(name+"("+arguments+")", 40+16*layers)
	f.load(load...)
	return sums, weights
}

// The masks of a respondent are shifted out of one load: loads into mask
// registers, shifts and additions share the vector units, and that is what bounds
// the loop; the order of the instructions does not matter.
func avx512AddGroups(f *file, groups, limbs int) {
	sums, weights := avx512AddFunction(f, groups, limbs)
	f.op("VPXORQ Z16, Z16, Z16")
	for _, to := range sums {
		for i := range 2 * groups {
			f.op("VMOVDQU64 Z16, %d(%s)", 64*i, to)
			f.op("VMOVDQU64 Z16, %d(%s)", 512+64*i, to)
		}
	}
	// Two respondents in turn use two sets of sums where there are registers: an
	// addition takes two cycles. With layers the last 8 registers are left for
	// weights, without them the last 16.
	registers, sets, temp := limbs*groups, 1, 16
	if limbs > 2 {
		temp = 24
	}
	if 2*registers <= temp && groups <= 3 {
		sets = 2
	}
	width := []string{"", "W", "D", "Q", "Q"}[groups] // of the masks of all groups
	one := func(i int) {
		sum, k, weight := i%sets*registers, 1+i%2*3, 24
		if limbs == 2 {
			weight += i % 4 * 2
		}
		f.op("MOVWLZX %d(SI), AX", 2*i)
		for y, from := range weights {
			f.op("VPBROADCASTD (%s)(AX*8), Z%d", from, weight+2*y)
			if 2*y+1 < limbs {
				f.op("VPBROADCASTD 4(%s)(AX*8), Z%d", from, weight+2*y+1)
			}
		}
		f.op("KMOV%s (R8)(AX*8), K%d", width, k)
		for g := range groups {
			if g > 0 {
				f.op("KSHIFTR%s $%d, K%d, K%d", width, 16*g, k, k+g)
			}
			for limb := range limbs {
				to := sum + avx512Limb(groups, limbs, g, limb)
				f.op("VPADDD Z%d, Z%d, K%d, Z%d", weight+limb, to, k+g, to)
			}
		}
	}
	zmm.addParts(f, 252, 4, "four", sets*registers, one)
	f.op("MOVL $0xffffff, AX")
	for i := range registers * (sets - 1) {
		f.op("VPADDD Z%d, Z%d, Z%d", registers+i, i, i)
	}
	f.op("VPBROADCASTD AX, Z31")
	for y, to := range sums {
		for g := range groups {
			low := avx512Limb(groups, limbs, g, 2*y)
			if 2*y+1 == limbs {
				f.note("Group %d: a limb.", g)
				avx512WidenOne(f, g, low, temp, to)
				continue
			}
			f.note("Group %d: counts, then weights.", g)
			avx512Widen(f, g, low, temp, to)
		}
	}
	f.op("TESTQ CX, CX")
	f.op("JNZ part")
	f.leave()
}

// avx512Limb is the register of a limb's sums of a group.
func avx512Limb(groups, limbs, g, limb int) int {
	each := min(2, limbs-limb/2*2) // limbs in the layer
	return limb/2*2*groups + each*g + limb%2
}

// avx512WidenOne adds the limbs of group g, of which there are none but low ones, to the sums that a register points
// to.
func avx512WidenOne(f *file, g, low, temp int, to string) {
	for half := range 2 {
		weight := 512 + 64*(2*g+half)
		if half == 1 {
			f.op("VEXTRACTI64X4 $1, Z%d, Y%d", low, low)
		}
		f.op("VPMOVZXDQ Y%d, Z%d", low, temp)
		f.op("VPADDQ %d(%s), Z%d, Z%d", weight, to, temp, temp)
		f.op("VMOVDQU64 Z%d, %d(%s)", temp, weight, to)
	}
}

// avx512Widen adds the limbs of group g, of which the low ones are in the register low and the high ones in the next,
// to the sums that a register points to. It uses five registers from temp on.
func avx512Widen(f *file, g, low, temp int, to string) {
	high, count, part := low+1, temp, temp+1
	f.op("VPSRLD $24, Z%d, Z%d", high, count)
	f.op("VPANDD Z31, Z%d, Z%d", high, part)
	for half := range 2 {
		sample := 64 * (2*g + half)
		weight := 512 + sample
		if half == 1 {
			f.op("VEXTRACTI64X4 $1, Z%d, Y%d", count, count)
			f.op("VEXTRACTI64X4 $1, Z%d, Y%d", part, part)
			f.op("VEXTRACTI64X4 $1, Z%d, Y%d", low, low)
		}
		f.op("VPMOVZXDQ Y%d, Z%d", count, temp+2)
		f.op("VPMOVZXDQ Y%d, Z%d", part, temp+3)
		f.op("VPMOVZXDQ Y%d, Z%d", low, temp+4)
		f.op("VPSLLQ $24, Z%d, Z%d", temp+3, temp+3)
		f.op("VPADDQ Z%d, Z%d, Z%d", temp+4, temp+3, temp+3)
		f.op("VPADDQ %d(%s), Z%d, Z%d", sample, to, temp+2, temp+2)
		f.op("VPADDQ %d(%s), Z%d, Z%d", weight, to, temp+3, temp+3)
		f.op("VMOVDQU64 Z%d, %d(%s)", temp+2, sample, to)
		f.op("VMOVDQU64 Z%d, %d(%s)", temp+3, weight, to)
	}
}

func avx512Meet(f *file) {
	f.function("func meet512(dst, a, b *uint64, words int, flip uint64) int", 48)
	f.load("dst DI", "a SI", "b R8", "words CX")
	f.op("VPBROADCASTQ flip+32(FP), Z3")
	avx512Tail(f)
	f.op("VPXORQ Z0, Z0, Z0")
	f.op("XORQ AX, AX")
	f.op("TESTQ CX, CX")
	f.op("JZ last")
	f.label("words")
	f.op("VPXORQ (R8)(AX*1), Z3, Z1")
	f.op("VPANDQ (SI)(AX*1), Z1, Z1")
	f.op("VMOVDQU64 Z1, (DI)(AX*1)")
	f.op("VPOPCNTQ Z1, Z1")
	f.op("VPADDQ Z1, Z0, Z0")
	f.op("ADDQ $64, AX")
	f.again("CX", "words")
	f.label("last")
	f.op("VMOVDQU64.Z (R8)(AX*1), K1, Z1")
	f.op("VMOVDQU64.Z (SI)(AX*1), K1, Z2")
	f.op("VPXORQ Z3, Z1, Z1")
	f.op("VPANDQ Z2, Z1, Z1")
	f.op("VMOVDQU64 Z1, K1, (DI)(AX*1)")
	f.op("VPOPCNTQ Z1, Z1")
	f.op("VPADDQ Z1, Z0, Z0")
	avx512Sum(f)
	f.op("MOVQ AX, ret+40(FP)")
	f.leave()
}

// 24 masked additions to 24 registers, as add does them.
func avx512Spin(f *file) {
	f.function("func spin512(rounds int)", 8)
	f.op("MOVQ rounds+0(FP), CX")
	f.op("MOVL $0x5a5a, AX")
	f.op("KMOVW AX, K1")
	zmm.clear(f, 25)
	f.label("round")
	for i := range 24 {
		f.op("VPADDD Z24, Z%d, K1, Z%d", i, i)
	}
	f.again("CX", "round")
	f.leave()
}
