package clickhousetest

import "syscall"

// mortal makes a process end when the thread that started it ends.
func mortal() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
