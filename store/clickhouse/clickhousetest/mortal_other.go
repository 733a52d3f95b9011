//go:build !linux

package clickhousetest

import "syscall"

func mortal() *syscall.SysProcAttr { return nil }
