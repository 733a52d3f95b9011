#include "textflag.h"

// What the two halves of 128 bits are multiplied by to stand d bits on: the remainders of x^(d+32) and x^(d-32), their
// bits in reverse order and moved on by one.

// d = 2048: the next block.
DATA next<>+0(SB)/8, $0x00000000dcb17aa4
DATA next<>+8(SB)/8, $0x00000000b9e02b86
GLOBL next<>(SB), RODATA|NOPTR, $16

// d = 512: the next 64 bytes.
DATA vector<>+0(SB)/8, $0x00000000740eef02
DATA vector<>+8(SB)/8, $0x000000009e4addf8
GLOBL vector<>(SB), RODATA|NOPTR, $16

// d = 384, 256 and 128: the last of the four in a vector; this one itself is not moved.
DATA last<>+0(SB)/8, $0x000000001c291d04
DATA last<>+8(SB)/8, $0x00000001d82c63da
DATA last<>+16(SB)/8, $0x00000001384aa63a
DATA last<>+24(SB)/8, $0x00000000ba4fc28e
DATA last<>+32(SB)/8, $0x00000000f20c0dfe
DATA last<>+40(SB)/8, $0x000000014cd00bd6
DATA last<>+48(SB)/8, $0
DATA last<>+56(SB)/8, $0
GLOBL last<>(SB), RODATA|NOPTR, $64

// FOLD moves the 64 bytes in a onto those at b; t is overwritten.
#define FOLD(factors, a, b, t) \
	VPCLMULQDQ $0x00, factors, a, t \
	VPCLMULQDQ $0x11, factors, a, a \
	VPTERNLOGQ $0x96, b, t, a

// func fold(remainder uint32, data *byte, blocks int) uint32
TEXT ·fold(SB), NOSPLIT, $0-28
	MOVL remainder+0(FP), AX
	MOVQ data+8(FP), SI
	MOVQ blocks+16(FP), CX
	VMOVD AX, X4
	VPXORQ (SI), Z4, Z0
	VMOVDQU64 64(SI), Z1
	VMOVDQU64 128(SI), Z2
	VMOVDQU64 192(SI), Z3
	VBROADCASTI32X4 next<>(SB), Z16
	JMP more
blocks:
	ADDQ $256, SI
	FOLD(Z16, Z0, 0(SI), Z4)
	FOLD(Z16, Z1, 64(SI), Z5)
	FOLD(Z16, Z2, 128(SI), Z6)
	FOLD(Z16, Z3, 192(SI), Z7)
more:
	DECQ CX
	JNZ blocks
	VBROADCASTI32X4 vector<>(SB), Z16
	FOLD(Z16, Z0, Z1, Z4)
	FOLD(Z16, Z0, Z2, Z4)
	FOLD(Z16, Z0, Z3, Z4)
	VEXTRACTI32X4 $3, Z0, X1
	VMOVDQU64 last<>(SB), Z16
	VPXORQ Z2, Z2, Z2
	FOLD(Z16, Z0, Z2, Z4)
	VEXTRACTI64X4 $1, Z0, Y2
	VPXOR Y2, Y0, Y0
	VEXTRACTI128 $1, Y0, X2
	VPXOR X2, X0, X0
	VPXOR X1, X0, X0
	// The remainder of the 16 bytes left is what the processor's own instruction makes of them.
	VMOVQ X0, AX
	VPEXTRQ $1, X0, BX
	XORL DX, DX
	CRC32Q AX, DX
	CRC32Q BX, DX
	MOVL DX, ret+24(FP)
	VZEROUPPER
	RET
