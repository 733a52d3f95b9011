package kernel_test

import (
	"fmt"

	"github.com/crosswave/crosswave/internal/kernel"
)

// Three respondents, of 1,000, 2,500 and 400 units, against two rows and two
// columns.
func ExampleKernel_Tile() {
	weights := make([]kernel.Packed, 64)
	kernel.Pack(weights, []int64{1000, 2500, 400})
	mask := []uint64{0b111}
	men, women := []uint64{0b011}, []uint64{0b100}
	readers, viewers := []uint64{0b110}, []uint64{0b001}

	acc := make([]kernel.Count, 4)
	var s kernel.Scratch
	kernel.Best().Tile(&s, acc, 2, [][]uint64{men, women}, [][]uint64{readers, viewers}, mask,
		kernel.Weights{Packed: weights})
	fmt.Println("men, readers:  ", acc[0])
	fmt.Println("men, viewers:  ", acc[1])
	fmt.Println("women, readers:", acc[2])
	fmt.Println("women, viewers:", acc[3])
	// Output:
	// men, readers:   {1 2500}
	// men, viewers:   {1 1000}
	// women, readers: {1 400}
	// women, viewers: {0 0}
}

// Of three questions, respondents who said yes to at least two.
func ExampleAtLeast() {
	dst := make([]uint64, 1)
	kernel.AtLeast(dst, [][]uint64{{0b0110}, {0b0011}, {0b1010}}, 2)
	fmt.Printf("%04b\n", dst[0])
	// Output: 0010
}
