package main

// bins writes what counts by bins, for AVX2 and for AVX-512 F, BW and DQ.
func bins(f *file) {
	for planes := 2; planes <= 8; planes++ {
		ymm.planes(f, planes)
		zmm.planes(f, planes)
	}
	avx2Codes(f)
	avx512Codes(f)
	avx2Bin(f)
	avx2BinSmall(f)
	avx512Bin(f)
	avx512BinSmall(f)
	avx2BinSquares(f)
	avx512BinSquares(f)
	gather256(f)
}

// gather256 writes the function that adds the rows of src to those of dst, and sums those of src up in the first of
// them: 8 columns after the others.
func gather256(f *file) {
	f.function("func gather256(dst, src *uint64, rows, cols int)", 32)
	f.load("dst DI", "src SI", "rows R9", "cols DX")
	f.op("MOVQ DX, R8")
	f.op("SHLQ $3, R8 // bytes of a row")
	f.label("columns")
	f.op("MOVQ R9, CX")
	f.op("XORQ AX, AX // offset of a row")
	f.op("VPXOR Y0, Y0, Y0")
	f.op("VPXOR Y1, Y1, Y1")
	f.label("rows")
	for half := range 2 {
		f.op("VMOVDQU %d(SI)(AX*1), Y%d", 32*half, 2+half)
		f.op("VPADDQ Y%d, Y%d, Y%d", 2+half, half, half)
		f.op("VPADDQ %d(DI)(AX*1), Y%d, Y%d", 32*half, 2+half, 2+half)
		f.op("VMOVDQU Y%d, %d(DI)(AX*1)", 2+half, 32*half)
	}
	f.op("ADDQ R8, AX")
	f.again("CX", "rows")
	f.op("VMOVDQU Y0, (SI)")
	f.op("VMOVDQU Y1, 32(SI)")
	f.op("ADDQ $64, DI")
	f.op("ADDQ $64, SI")
	f.op("SUBQ $8, DX")
	f.op("JNZ columns")
	f.leave()
}

// planes writes the function that makes of options that exclude each other the bits of their numbers, for a multiple of
// the words of a register. A bitmap goes to each plane under a mask that the number gives.
func (v vector) planes(f *file, planes int) {
	f.function("func planes%dx%d(dst *[BlockWords]uint64, xs *[]uint64, options int, masks *[8]uint64, words int)", 40,
		8*v.bytes, planes)
	f.load("dst DI", "xs", "options", "masks", "words CX")
	f.op("XORQ R9, R9 // offset into the bitmaps")
	f.label("words")
	f.load("dst", "xs SI", "options R10", "masks R8")
	v.clear(f, planes)
	f.label("option")
	f.op("MOVQ (SI), AX")
	f.op("%s (AX)(R9*1), %s8", v.move, v.register)
	for p := range planes {
		if v == zmm {
			f.op("VPTERNLOGQ.BCST $0xF8, %d(R8), Z8, Z%d", 8*p, p)
			continue
		}
		f.op("VPBROADCASTQ %d(R8), Y%d", 8*p, 9+p%4)
		f.op("VPAND Y8, Y%d, Y%d", 9+p%4, 9+p%4)
		f.op("VPOR Y%d, Y%d, Y%d", 9+p%4, p, p)
	}
	f.op("ADDQ $24, SI")
	f.op("ADDQ $64, R8")
	f.again("R10", "option")
	for p := range planes {
		f.op("%s %s%d, %d(DI)(R9*1)", v.move, v.register, p, 1024*p)
	}
	f.op("ADDQ $%d, R9", v.bytes)
	f.op("SUBQ $%d, CX", v.bytes/8)
	f.op("JGT words")
	f.leave()
}

// bin writes the function that adds weights to bins, word by word of the mask: load leaves in temp what is to be added
// for each of the word's respondents, whose bits are in AX; end what all weights have, one above the other, in X0.
func bin(f *file, size int, begin, load, end func()) {
	f.function("func bin%d(bins *uint64, codes *uint16, weights *Packed, mask *uint64, words int, count uint64, "+
		"temp *uint64) (all Packed)", 64, size)
	binWords(f, 8, begin, load)
	end()
	f.op("VMOVQ X0, AX")
	f.op("MOVQ AX, all+56(FP)")
	f.leave()
}

// binSmall writes the same for weights of 32 bits, whose digits nobody asks for.
func binSmall(f *file, size int, begin, load func()) {
	f.function("func binSmall%d(bins *uint64, codes *uint16, weights *uint32, mask *uint64, words int, count uint64, "+
		"temp *uint64)", 56, size)
	binWords(f, 4, begin, load)
	f.leave()
}

// binSquares writes the function that adds to bins the squares of what weights of 32 bits are times a root: shifted to
// the right and multiplied by the root's inverse. load does so, as that of bin does; end leaves in X0 all the weights,
// one above the other, and in X2 the largest of those products, the lower half of each 64 bits.
func binSquares(f *file, size int, begin, load, end func()) {
	f.function("func binSquares%d(bins *uint64, codes *uint16, weights *uint32, mask *uint64, words int, shift uint64, "+
		"temp *uint64, inverse uint64) (all, most uint64)", 80, size)
	binWords(f, 4, begin, load)
	end()
	f.op("VMOVQ X0, AX")
	f.op("MOVQ AX, all+64(FP)")
	f.op("VMOVD X2, AX")
	f.op("MOVQ AX, most+72(FP)")
	f.leave()
}

// binWords writes the loop of all three, for weights of so many bytes.
func binWords(f *file, bytes int, begin, load func()) {
	f.load("bins DI", "codes SI", "weights R9", "mask R8", "words CX", "count", "temp R10")
	begin()
	f.label("word")
	f.op("MOVQ (R8), AX")
	f.op("TESTQ AX, AX")
	f.op("JZ next")
	load()
	f.op("MOVL $8, DX")
	f.op("MOVQ SI, R11")
	f.op("MOVQ R10, R12")
	f.label("eight")
	for i := range 8 {
		f.op("MOVWLZX %d(R11), AX", 2*i)
		f.op("MOVQ %d(R12), BX", 8*i)
		f.op("ADDQ BX, (DI)(AX*8)")
	}
	f.op("ADDQ $16, R11")
	f.op("ADDQ $64, R12")
	f.again("DX", "eight")
	f.label("next")
	f.op("ADDQ $128, SI")
	f.op("ADDQ $%d, R9", 64*bytes)
	f.op("ADDQ $8, R8")
	f.again("CX", "word")
}

func avx512Bin(f *file) {
	bin(f, 512, func() {
		f.op("MOVL $0xffffff, AX")
		f.op("VPBROADCASTQ AX, Z31")
		f.op("VPSLLQ $24, Z31, Z30")
		f.op("VPBROADCASTQ count+40(FP), Z29")
		f.op("VPXORQ Z28, Z28, Z28 // all")
	}, func() {
		f.op("KMOVQ AX, K1")
		for i := range 8 {
			weight, high := 2*i, 2*i+1
			f.op("VMOVDQU64.Z %d(R9), K1, Z%d", 64*i, weight)
			f.op("PREFETCHT0 %d(R9)", 1024+64*i)
			f.op("VPORQ Z%d, Z28, Z28", weight)
			f.op("VPSRLQ $8, Z%d, Z%d", weight, high)
			f.op("VPANDQ Z31, Z%d, Z%d", weight, weight)
			f.op("VPTERNLOGQ $0xF8, Z30, Z%d, Z%d // with the high limb", high, weight)
			f.op("VPADDQ Z29, Z%d, K1, Z%d", weight, weight)
			f.op("VMOVDQU64 Z%d, %d(R10)", weight, 64*i)
			if i < 7 {
				f.op("KSHIFTRQ $8, K1, K1")
			}
		}
	}, func() {
		f.op("VEXTRACTI64X4 $1, Z28, Y0")
		f.op("VPORQ Z28, Z0, Z0")
		f.op("VEXTRACTI128 $1, Y0, X1")
		f.op("VPOR X1, X0, X0")
		f.op("VPSHUFD $0xee, X0, X1")
		f.op("VPOR X1, X0, X0")
	})
}

func avx512BinSmall(f *file) {
	binSmall(f, 512, func() {
		f.op("VPBROADCASTQ count+40(FP), Z29")
	}, func() {
		f.op("KMOVQ AX, K1")
		for i := range 8 {
			f.op("VPMOVZXDQ.Z %d(R9), K1, Z%d", 32*i, i)
			if i%2 == 0 {
				f.op("PREFETCHT0 %d(R9)", 1024+32*i)
			}
			f.op("VPADDQ Z29, Z%d, K1, Z%d", i, i)
			f.op("VMOVDQU64 Z%d, %d(R10)", i, 64*i)
			if i < 7 {
				f.op("KSHIFTRQ $8, K1, K1")
			}
		}
	})
}

func avx512BinSquares(f *file) {
	binSquares(f, 512, func() {
		f.op("VMOVQ shift+40(FP), X31")
		f.op("VPBROADCASTQ inverse+56(FP), Z30")
		f.op("VPXORQ Z29, Z29, Z29 // most")
		f.op("VPXORQ Z28, Z28, Z28 // all")
	}, func() {
		f.op("KMOVQ AX, K1")
		for i := range 8 {
			f.op("VPMOVZXDQ.Z %d(R9), K1, Z%d", 32*i, i)
			if i%2 == 0 {
				f.op("PREFETCHT0 %d(R9)", 1024+32*i)
			}
			f.op("VPORQ Z%d, Z28, Z28", i)
			f.op("VPSRLQ X31, Z%d, Z%d", i, i)
			f.op("VPMULUDQ Z30, Z%d, Z%d", i, i)
			f.op("VPMAXUD Z%d, Z29, Z29", i)
			f.op("VPMULUDQ Z%d, Z%d, Z%d", i, i, i)
			f.op("VMOVDQU64 Z%d, %d(R10)", i, 64*i)
			if i < 7 {
				f.op("KSHIFTRQ $8, K1, K1")
			}
		}
	}, func() {
		f.op("VEXTRACTI64X4 $1, Z28, Y0")
		f.op("VPORQ Z28, Z0, Z0")
		f.op("VEXTRACTI64X4 $1, Z29, Y2")
		f.op("VPMAXUD Z29, Z2, Z2")
		reduceSquares(f)
	})
}

// reduceSquares leaves in the first lanes of registers what all lanes of their lower halves have.
func reduceSquares(f *file) {
	f.op("VEXTRACTI128 $1, Y0, X1")
	f.op("VPOR X1, X0, X0")
	f.op("VPSHUFD $0xee, X0, X1")
	f.op("VPOR X1, X0, X0")
	f.op("VEXTRACTI128 $1, Y2, X3")
	f.op("VPMAXUD X3, X2, X2")
	f.op("VPSHUFD $0xee, X2, X3")
	f.op("VPMAXUD X3, X2, X2")
}

// avx2Small loads the i-th four weights of 32 bits of a word into the register behind one, and sets that one to ones
// where the mask has them.
func avx2Small(f *file, i, at int) {
	f.op("VPSLLVQ %d(R13), Y12, Y%d", 32*i, at)
	f.op("VPMOVZXDQ %d(R9), Y%d", 16*i, at+1)
	if i%4 == 0 {
		f.op("PREFETCHT0 %d(R9)", 1024+16*i)
	}
	f.op("VPCMPGTQ Y%d, Y11, Y%d", at, at)
}

// Those outside of the mask become 0, as with the weights themselves.
func avx2BinSquares(f *file) {
	binSquares(f, 256, func() {
		f.op("LEAQ signs<>(SB), R13")
		f.op("VMOVQ shift+40(FP), X15")
		f.op("VPBROADCASTQ inverse+56(FP), Y14")
		f.op("VPXOR Y11, Y11, Y11")
		f.op("VPXOR Y10, Y10, Y10 // all")
		f.op("VPXOR Y9, Y9, Y9 // most")
	}, func() {
		f.op("VMOVQ AX, X12")
		f.op("VPBROADCASTQ X12, Y12")
		for i := range 16 {
			at := i % 4 * 2
			avx2Small(f, i, at)
			f.op("VPAND Y%d, Y%d, Y%d", at+1, at, at)
			f.op("VPOR Y%d, Y10, Y10", at)
			f.op("VPSRLQ X15, Y%d, Y%d", at, at)
			f.op("VPMULUDQ Y14, Y%d, Y%d", at, at)
			f.op("VPMAXUD Y%d, Y9, Y9", at)
			f.op("VPMULUDQ Y%d, Y%d, Y%d", at, at, at)
			f.op("VMOVDQU Y%d, %d(R10)", at, 32*i)
		}
	}, func() {
		f.op("VMOVDQA Y10, Y0")
		f.op("VMOVDQA Y9, Y2")
		reduceSquares(f)
	})
}

// Of weights of 32 bits all are loaded, and those outside of the mask left out of what is added.
func avx2BinSmall(f *file) {
	binSmall(f, 256, func() {
		f.op("LEAQ signs<>(SB), R13")
		f.op("VPBROADCASTQ count+40(FP), Y13")
		f.op("VPXOR Y11, Y11, Y11")
	}, func() {
		f.op("VMOVQ AX, X12")
		f.op("VPBROADCASTQ X12, Y12")
		for i := range 16 {
			at := i % 4 * 2
			avx2Small(f, i, at)
			f.op("VPADDQ Y13, Y%d, Y%d", at+1, at+1)
			f.op("VPAND Y%d, Y%d, Y%d", at+1, at, at)
			f.op("VMOVDQU Y%d, %d(R10)", at, 32*i)
		}
	})
}

// The weights of 4 respondents at a time are loaded under a mask: their bits of the word, shifted to the lanes' signs.
func avx2Bin(f *file) {
	shifts := make([]uint64, 64)
	for i := range shifts {
		shifts[i] = uint64(63 - i)
	}
	f.data("signs", shifts)
	bin(f, 256, func() {
		f.op("LEAQ signs<>(SB), R13")
		avx2FillQuads(f, "0xffffff", 15)
		f.op("VPSLLQ $24, Y15, Y14")
		f.op("VPBROADCASTQ count+40(FP), Y13")
		f.op("VPXOR Y11, Y11, Y11 // all")
	}, func() {
		f.op("VMOVQ AX, X12")
		f.op("VPBROADCASTQ X12, Y12")
		for i := range 16 {
			at := i % 3 * 3
			f.op("VPSLLVQ %d(R13), Y12, Y%d", 32*i, at)
			f.op("VPMASKMOVQ %d(R9), Y%d, Y%d", 32*i, at, at+1)
			if i%2 == 0 {
				f.op("PREFETCHT0 %d(R9)", 1024+32*i)
			}
			f.op("VPOR Y%d, Y11, Y11", at+1)
			f.op("VPXOR Y%d, Y%d, Y%d", at+2, at+2, at+2)
			f.op("VPCMPGTQ Y%d, Y%d, Y%d", at, at+2, at)
			f.op("VPAND Y13, Y%d, Y%d // the count", at, at)
			f.op("VPSRLQ $8, Y%d, Y%d", at+1, at+2)
			f.op("VPAND Y15, Y%d, Y%d", at+1, at+1)
			f.op("VPAND Y14, Y%d, Y%d", at+2, at+2)
			f.op("VPADDQ Y%d, Y%d, Y%d", at+1, at, at)
			f.op("VPADDQ Y%d, Y%d, Y%d", at+2, at, at)
			f.op("VMOVDQU Y%d, %d(R10)", at, 32*i)
		}
	}, func() {
		f.op("VEXTRACTI128 $1, Y11, X0")
		f.op("VPOR X11, X0, X0")
		f.op("VPSHUFD $0xee, X0, X1")
		f.op("VPOR X1, X0, X0")
	})
}

// avx2FillQuads sets all 64-bit lanes of a register.
func avx2FillQuads(f *file, value string, y int) {
	f.op("MOVL $%s, AX", value)
	f.op("MOVQ AX, X%d", y)
	f.op("VPBROADCASTQ X%d, Y%d", y, y)
}

// The bitmaps of 16 options × 512 respondents are transposed as transpose512 begins to: the 8 × 8 bits of 8 options
// and a byte's respondents at once. The bytes of the first 8 options and of the others are then interleaved.
func avx512Codes(f *file) {
	f.function("func codes512(dst *uint16, xs *[]uint64, words int)", 24)
	f.load("dst DI", "xs SI", "words CX")
	avx512Tail(f)
	f.op("MOVQ $0x8040201008040201, AX")
	f.op("VPBROADCASTQ AX, Z30")
	f.op("XORQ R9, R9 // offset into the bitmaps")
	f.op("KXNORB K2, K2, K2")
	f.label("step")
	f.op("TESTQ CX, CX")
	f.op("JNZ full")
	f.op("KMOVB K1, K2")
	f.label("full")
	for group := range 2 {
		for i := range 8 {
			f.op("MOVQ %d(SI), AX", 192*group+24*(7-i))
			f.op("VMOVDQU64.Z (AX)(R9*1), K2, Z%d", i)
		}
		zmm.unpack(f, "BW", [8]int{0, 1, 2, 3, 4, 5, 6, 7}, [8]int{8, 9, 10, 11, 12, 13, 14, 15})
		zmm.unpack(f, "WD", [8]int{8, 10, 12, 14, 9, 11, 13, 15}, [8]int{0, 1, 2, 3, 4, 5, 6, 7})
		zmm.unpack(f, "DQ", [8]int{0, 2, 1, 3, 4, 6, 5, 7}, [8]int{8, 9, 10, 11, 12, 13, 14, 15})
		for i := range 8 {
			f.op("VGF2P8AFFINEQB $0, Z%d, Z30, Z%d", 8+i, 16-8*group+i) // out of the way of the next
		}
	}
	for i := range 8 {
		f.note("Respondents %d to %d of the %s words.", i%4*16, i%4*16+15, []string{"even", "odd"}[i/4])
		for half, side := range []string{"L", "H"} {
			f.op("VPUNPCK%sBW Z%d, Z%d, Z%d", side, 8+i, 16+i, half)
			for lane := range 4 {
				at := 128*(2*lane+i/4) + 32*(i%4) + 16*half
				f.op("VEXTRACTI32X4 $%d, Z%d, %d(DI)", lane, half, at)
			}
		}
	}
	f.op("ADDQ $1024, DI")
	f.op("ADDQ $64, R9")
	f.op("DECQ CX")
	f.op("JGE step")
	f.leave()
}

// The same for 256 respondents, whose squares of bits are exchanged between the registers of 8 options.
func avx2Codes(f *file) {
	f.function("func codes256(dst *uint16, temp *uint64, xs *[]uint64, words int)", 32)
	f.load("dst DI", "temp R8", "xs", "words CX")
	for i, m := range []string{"0x55555555", "0x33333333", "0x0f0f0f0f"} {
		avx2Fill(f, m, 13+i)
	}
	f.op("XORQ R9, R9 // offset into the bitmaps")
	f.label("step")
	f.op("MOVQ xs+16(FP), SI")
	f.op("MOVQ R8, R11")
	f.op("MOVL $2, R10")
	f.label("options")
	f.op("CMPQ CX, $4")
	f.op("JLT short")
	for i := range 8 {
		f.op("MOVQ %d(SI), AX", 24*i)
		f.op("VMOVDQU (AX)(R9*1), Y%d", i)
	}
	f.label("exchange")
	avx2Exchange(f)
	for i, y := range avx2Bytes(f) {
		f.op("VMOVDQU Y%d, %d(R11)", y, 32*i)
	}
	f.op("ADDQ $192, SI")
	f.op("ADDQ $256, R11")
	f.again("R10", "options")
	for i := range 8 {
		f.note("Respondents %d to %d of the %s words.", i%4*16, i%4*16+15, []string{"even", "odd"}[i/4])
		f.op("VMOVDQU %d(R8), Y0", 32*i)
		for half, side := range []string{"L", "H"} {
			f.op("VPUNPCK%sBW %d(R8), Y0, Y%d", side, 256+32*i, 1+half)
			for lane := range 2 {
				at := 128*(2*lane+i/4) + 32*(i%4) + 16*half
				f.op("VEXTRACTI128 $%d, Y%d, %d(DI)", lane, 1+half, at)
			}
		}
	}
	f.op("ADDQ $512, DI")
	f.op("ADDQ $32, R9")
	f.op("SUBQ $4, CX")
	f.op("JGT step")
	f.leave()
	avx2Short(f)
	f.op("JMP exchange")
	f.data("order", []uint64{0, 1, 2, 3})
}
