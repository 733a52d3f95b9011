package main

func avx512Cell(f *file) {
	f.function("func cell512(a, b, mask *uint64, weights *Packed, words int) (sample, weight int64)", 56)
	f.load("a SI", "b DI", "mask R8", "weights R9", "words CX")
	zmm.cell(f, 8, func() {
		f.op("KMOVQ AX, K1")
		for i := range 8 {
			f.op("VPADDQ %d(R9), Z%d, K1, Z%d", 64*i, i, i)
			if i < 7 {
				f.op("KSHIFTRQ $8, K1, K1")
			}
		}
	})
	f.note("Each lane has added at most 128 weights; now part the limbs.")
	f.op("MOVL $0xffffffff, AX")
	f.op("VPBROADCASTQ AX, Z30")
	f.op("MOVL $0xffffff, AX")
	f.op("VPBROADCASTQ AX, Z31")
	zmm.weigh(f, 30, 31)
	f.op("VMOVDQA64 Z8, Z0")
	avx512Sum(f)
	f.op("MOVQ R10, sample+40(FP)")
	f.op("MOVQ AX, weight+48(FP)")
	f.leave()
}

func avx512CellSmall(f *file) {
	f.function("func cellSmall512(a, b, mask *uint64, weights *uint32, words int) (sample, weight int64)", 56)
	f.load("a SI", "b DI", "mask R8", "weights R9", "words CX")
	zmm.cell(f, 4, func() {
		f.op("KMOVQ AX, K1")
		for i := range 8 {
			f.op("VPMOVZXDQ.Z %d(R9), K1, Z%d", 32*i, 8+i)
			f.op("VPADDQ Z%[1]d, Z%[2]d, Z%[2]d", 8+i, i)
			if i < 7 {
				f.op("KSHIFTRQ $8, K1, K1")
			}
		}
	})
	for i := range 7 {
		f.op("VPADDQ Z%d, Z0, Z0", i+1)
	}
	avx512Sum(f)
	f.op("MOVQ R10, sample+40(FP)")
	f.op("MOVQ AX, weight+48(FP)")
	f.leave()
}

// avx512Pack packs 8 weights at a time.
func avx512Pack(f *file) {
	f.function("func pack512(dst *Packed, weights *uint32, words int)", 24)
	f.load("dst DI", "weights SI", "words CX")
	f.op("MOVL $0xffffff, AX")
	f.op("VPBROADCASTQ AX, Z29 // the low limb")
	f.op("VPSLLQ $24, Z29, Z30")
	f.op("VPSRLQ $32, Z30, Z30")
	f.op("VPSLLQ $32, Z30, Z30 // what a weight has of the high one, 8 digits to the left")
	f.op("MOVL $1, AX")
	f.op("VPBROADCASTQ AX, Z31")
	f.op("VPSLLQ $56, Z31, Z31 // the count")
	f.label("word")
	for i := range 8 {
		f.op("VPMOVZXDQ %d(SI), Z0", 32*i)
		f.op("VPTESTMQ Z0, Z0, K1")
		f.op("VPSLLQ $8, Z0, Z1")
		f.op("VPANDQ Z30, Z1, Z1")
		f.op("VPTERNLOGQ $0xf8, Z29, Z0, Z1 // or low digits")
		f.op("VPORQ Z31, Z1, K1, Z1")
		f.op("VMOVDQU64 Z1, %d(DI)", 64*i)
	}
	f.op("ADDQ $256, SI")
	f.op("ADDQ $512, DI")
	f.again("CX", "word")
	f.leave()
}
