package main

// neonPack packs 16 weights at a time: of each, the low limb as one number of 32 bits and the high one with the count
// as the next, which a store interleaves.
func neonPack(f *file) {
	f.function("func packNEON(dst *Packed, weights *uint32, words int)", 24)
	f.arguments("dst R0", "weights R1", "words R2")
	f.op("LSL $2, R2, R2")
	f.op("MOVD $0xffffff, R3")
	f.op("VDUP R3, V16.S4")
	f.op("MOVD $0x1000000, R3")
	f.op("VDUP R3, V17.S4")
	f.label("weights")
	f.op("VLD1.P 64(R1), [V0.S4, V1.S4, V2.S4, V3.S4]")
	for i := range 4 {
		low := 4 + 3*i
		f.op("VAND V16.B16, V%d.B16, V%d.B16", i, low)
		f.op("VUSHR $24, V%d.S4, V%d.S4", i, low+1)
		f.op("VCMTST V%[1]d.S4, V%[1]d.S4, V%[2]d.S4", i, low+2)
		f.op("VAND V17.B16, V%[1]d.B16, V%[1]d.B16", low+2)
		f.op("VORR V%[1]d.B16, V%[2]d.B16, V%[2]d.B16", low+2, low+1)
		f.op("VST2.P [V%d.S4, V%d.S4], 32(R0)", low, low+1)
	}
	f.countdown("R2", "weights")
	f.op("RET")
}
