package castagnoli

import "golang.org/x/sys/cpu"

// fold returns the remainder of so many blocks of 256 bytes behind another remainder; there is at least one.
//
//go:noescape
func fold(remainder uint32, data *byte, blocks int) uint32

const block = 256

// update adds the first bytes of data, as many as it returns. A call is over after 64 kB, as nothing can interrupt it.
func update(sum uint32, data []byte) (_ uint32, done int) {
	const most = 256
	if len(data) < 2*block || !cpu.X86.HasAVX512F || !cpu.X86.HasAVX512VPCLMULQDQ || !cpu.X86.HasSSE42 {
		return sum, 0
	}
	for end := len(data) / block; done < end; done += min(most, end-done) {
		sum = ^fold(^sum, &data[done*block], min(most, end-done))
	}
	return sum, done * block
}
