package kernel

import "golang.org/x/sys/cpu"

//go:generate go run ./gen

// kernels are those this CPU runs, the fastest first.
var kernels = detect()

// countAtOnce is the number of bitmaps that one call in assembly counts: few
// enough for 100 µs even when all come from memory.
const countAtOnce = 256

func detect() []*Kernel {
	var ks []*Kernel
	x := &cpu.X86
	old := x.HasAVX2 && x.HasBMI1 && x.HasBMI2 && x.HasPOPCNT
	sky := old && x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL
	if sky && x.HasAVX512VBMI && x.HasAVX512VBMI2 && x.HasAVX512GFNI && x.HasAVX512VPOPCNTDQ {
		ks = append(ks, &Kernel{
			name: "avx512", group: 16, costs: costs{.9, .62, 600, 70, 4400, .1, .75, .3, .5, .18, 8},
			tried: costs{respondent: .38, respondentGroup: .38, list: 145, listGroup: 24, transpose: 2130, code: .05,
				bin: .45, sample: .105, merge: 2.8},
			count: avx512Count, transpose: avx512Transpose, add: avx512Add, layered: avx512Layered,
			square: avx512Square, quotients: avx512Quotients, wide: limbs24, cell: avx512Cell, cellSmall: avx512CellSmall,
			pack: avx512Pack, lookUp: twinLookUp, gathering: avx512LookUp,
			meet: avx512Meet, merge: merge512, encode: avx512Codes, bin: avx512Bin,
			binSmall: avx512BinSmall, binSquares: avx512BinSquares, planes: avx512Planes, spin: avx512Spin,
		})
	}
	if sky {
		ks = append(ks, &Kernel{
			name: "sky", group: 16, costs: costs{.9, .62, 1100, 70, 13900, .2, .75, .3, .5, .46, 8},
			tried: costs{respondent: .54, respondentGroup: .36, list: 190, listGroup: 22, transpose: 4600, code: .097,
				bin: .45, sample: .255, merge: 2.9},
			count: avx2Count, transpose: avx2Transpose, add: skyAdd, layered: skyLayered,
			square: avx512Square, quotients: avx512Quotients, wide: limbs24, cell: avx512Cell, cellSmall: avx512CellSmall,
			pack: avx512Pack, lookUp: twinLookUp, gathering: avx512LookUp,
			meet: avx2Meet, merge: merge512, encode: avx2Codes, bin: avx512Bin,
			binSmall: avx512BinSmall, binSquares: avx512BinSquares, planes: avx512Planes, spin: avx512Spin,
		})
	}
	if old {
		ks = append(ks, &Kernel{
			name: "avx2", group: 8, costs: costs{1.2, 1, 1100, 60, 13900, .2, .9, .6, .5, .47, 8},
			tried: costs{respondent: .63, respondentGroup: .44, list: 200, listGroup: 10, transpose: 4850, code: .1,
				bin: .51, sample: .26, merge: 1.9},
			count: avx2Count, transpose: avx2Transpose, add: avx2Add, layered: avx2Layered,
			square: avx2Square, quotients: twinQuotients, wide: limbs24, cell: avx2Cell, cellSmall: avx2CellSmall,
			pack: avx2Pack, lookUp: twinLookUp,
			meet: avx2Meet, merge: merge256, encode: avx2Codes, bin: avx2Bin,
			binSmall: avx2BinSmall, binSquares: avx2BinSquares, planes: avx2Planes, spin: avx2Spin,
		})
	}
	return append(ks, twin)
}
