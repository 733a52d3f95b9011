package background

import (
	"runtime"
	"syscall"
)

// lowerThread lowers the priority of the calling goroutine's thread, which is the goroutine's until both end; false if
// the system does not let it. Linux has priorities of threads where POSIX has those of processes, and 0 is the caller.
func lowerThread() bool {
	runtime.LockOSThread()
	now, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0) // 20 less the nice value
	if err == nil {
		err = syscall.Setpriority(syscall.PRIO_PROCESS, 0, min(20-now+steps, lowest))
	}
	if err != nil {
		runtime.UnlockOSThread()
	}
	return err == nil
}

// lowest is the lowest priority there is.
const lowest = 19
