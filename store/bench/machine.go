package main

import (
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/crosswave/crosswave/internal/kernel"
	"golang.org/x/sys/cpu"
)

// stepNS is what the weighted count can't do without, in nanoseconds: adding one weight to 16 sums under a mask. 0 if
// the kernel has no such step.
func stepNS(k *kernel.Kernel) float64 {
	best := 0.0
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

// besideItself is how many times what one thread does several do at a time, each with sums of its own that the
// processor's registers hold: what is computed here can't do better on as many threads, whatever it does. Processors
// that a host shares out are often halves of the same one. 0 if the kernel has no such step.
func besideItself(k *kernel.Kernel, threads int) float64 {
	const round = 20 * time.Millisecond
	spun := func() (n int) {
		for begun := time.Now(); time.Since(begun) < round; {
			n += k.Spin()
		}
		return n
	}
	one, all := 0, 0
	for range 10 {
		one = max(one, spun())
		each := make([]int, threads)
		var done sync.WaitGroup
		for i := range each {
			done.Go(func() { each[i] = spun() })
		}
		done.Wait()
		together := 0
		for _, n := range each {
			together += n
		}
		all = max(all, together)
	}
	if one == 0 {
		return 0
	}
	return float64(all) / float64(one)
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

// features names what the processor has of what kernels are chosen by.
func features() string {
	x := &cpu.X86
	var has []string
	for _, f := range []struct {
		name string
		has  bool
	}{{"AVX2", x.HasAVX2}, {"AVX512F", x.HasAVX512F}, {"BW", x.HasAVX512BW}, {"DQ", x.HasAVX512DQ},
		{"VL", x.HasAVX512VL}, {"VBMI", x.HasAVX512VBMI}, {"VBMI2", x.HasAVX512VBMI2}, {"GFNI", x.HasAVX512GFNI},
		{"VPOPCNTDQ", x.HasAVX512VPOPCNTDQ}, {"NEON", cpu.ARM64.HasASIMD}} {
		if f.has {
			has = append(has, f.name)
		}
	}
	return strings.Join(has, " ")
}
