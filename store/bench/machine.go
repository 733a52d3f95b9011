package main

import (
	"runtime"
	"time"

	"github.com/crosswave/crosswave/internal/kernel"
)

// stepNS is what the weighted count can't do without, in nanoseconds: adding one weight to 16 sums under a mask. 0 if
// the kernel here has no such step.
func stepNS() float64 {
	best := 0.0
	k := kernel.Best()
	for range 2000 {
		begun := time.Now()
		n := k.Spin()
		if n == 0 {
			return 0
		}
		if ns := float64(time.Since(begun).Nanoseconds()) * 16 / float64(n); best == 0 || ns < best {
			best = ns
		}
	}
	return best
}

// readGBps is how fast one thread reads memory that is in no cache.
func readGBps() float64 {
	data := make([]uint64, 64<<20) // 512 MiB
	for i := range data {
		data[i] = uint64(i)
	}
	best := time.Duration(1 << 62)
	var sum uint64
	for range 3 {
		begun := time.Now()
		var a, b, c, d uint64
		for i := 0; i+8 <= len(data); i += 8 {
			a += data[i] + data[i+1]
			b += data[i+2] + data[i+3]
			c += data[i+4] + data[i+5]
			d += data[i+6] + data[i+7]
		}
		sum += a + b + c + d
		best = min(best, time.Since(begun))
	}
	runtime.KeepAlive(sum)
	return float64(len(data)*8) / float64(best.Nanoseconds())
}
