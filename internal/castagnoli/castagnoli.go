// Package castagnoli computes CRC-32C, as hash/crc32 does with its table Castagnoli. The embedded store sums each
// bitmap that it reads, which takes a tenth of the time of reading it. Where a processor multiplies without carry by
// vectors of 512 bits, a sum of some kilobytes takes half as long as there.
//
// The method is that of V. Gopal and others, Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction
// (Intel, 2009): 128 bits of data that are followed by d more have the same remainder as the sum of two products of 64
// by 32 bits that stand d bits on. So data are folded into those that follow until 16 bytes are left.
package castagnoli

import "hash/crc32"

var table = crc32.MakeTable(crc32.Castagnoli)

// Update adds data to a sum, which is 0 for none.
func Update(sum uint32, data []byte) uint32 {
	sum, done := update(sum, data)
	return crc32.Update(sum, table, data[done:])
}
