package kernel

// The kernel "sky" is for processors that add 16 sums at a time under a mask but cannot compress bytes, permute them
// across a register or count the bits of each word: Skylake's servers and Cascade Lake. It adds as "avx512" does, and
// lists, transposes and counts as "avx2" does.

func skyAdd(s *Scratch, x, mask []uint64, flip uint64, weights []Packed, groups int) int {
	n := list256(&s.indices[0], &x[0], &mask[0], len(mask), flip, avx2Places)
	avx512AddListed(s, n, weights, groups)
	return n
}

func skyLayered(s *Scratch, x, mask []uint64, flip uint64, groups int) int {
	n := list256(&s.indices[0], &x[0], &mask[0], len(mask), flip, avx2Places)
	avx512LayeredListed(s, n, groups)
	return n
}
