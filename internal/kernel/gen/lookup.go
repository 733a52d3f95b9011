package main

// lookUp looks weights up in a list, a word of 64 places at a time, each of so many bytes; see LookUp. Of a place only
// those digits are taken that the last place of the list has, so that nothing beyond the list is read.
func lookUp(f *file, bytes int) {
	load := map[int]string{1: "VPMOVZXBD", 2: "VPMOVZXWD"}[bytes]
	f.function("func lookUp512x%d(weights *uint32, positive *uint64, places *byte, list *uint32, last, words int) uint64",
		56, bytes)
	f.load("weights DI", "positive DX", "places SI", "list BX", "last AX", "words CX")
	f.op("VPBROADCASTD AX, Z16 // the digits of a place")
	f.op("VPXORQ Z17, Z17, Z17 // those of all places, one above the other")
	f.label("words")
	for i := range 4 {
		f.op("%s %d(SI), Z%d", load, 16*bytes*i, i)
		f.op("VPORD Z%d, Z17, Z17", i)
		f.op("VPANDD Z16, Z%d, Z%[1]d", i)
		f.op("KXNORW K%d, K%[1]d, K%[1]d", 1+i)
		f.op("VPXORQ Z%d, Z%[1]d, Z%[1]d", 4+i)
		f.op("VPGATHERDD (BX)(Z%d*4), K%d, Z%d", i, 1+i, 4+i)
	}
	for i := range 4 {
		f.op("VMOVDQU32 Z%d, %d(DI)", 4+i, 64*i)
		f.op("VPTESTMD Z%d, Z%[1]d, K%d", 4+i, 1+i)
	}
	f.op("KUNPCKWD K1, K2, K1")
	f.op("KUNPCKWD K3, K4, K3")
	f.op("KUNPCKDQ K1, K3, K1")
	f.op("KMOVQ K1, (DX)")
	f.op("ADDQ $%d, SI", 64*bytes)
	f.op("ADDQ $256, DI")
	f.op("ADDQ $8, DX")
	f.again("CX", "words")
	f.op("VEXTRACTI64X4 $1, Z17, Y0")
	f.op("VPORD Y17, Y0, Y0")
	f.op("VEXTRACTI128 $1, Y0, X1")
	f.op("VPOR X1, X0, X0")
	f.op("VPSHUFD $0x4e, X0, X1")
	f.op("VPOR X1, X0, X0")
	f.op("VPSHUFD $0xb1, X0, X1")
	f.op("VPOR X1, X0, X0")
	f.op("VMOVD X0, AX")
	f.op("MOVQ AX, ret+48(FP)")
	f.leave()
}
