// SPDX-License-Identifier: MIT

// Goroutines with deep stacks, signals while they compute, and children: all of
// what Go does by system calls of its own.
package main

import "C"
import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"time"
)

func deep(depth int) int {
	var room [16]byte
	if depth == 0 {
		if _, err := os.Stat("/none"); err != nil {
			return 1
		}
		return 0
	}
	room[depth%16] = 1
	return deep(depth-1) + int(room[(depth+1)%16])
}

func each(nr int, work func(int)) {
	var all sync.WaitGroup
	for i := 0; i < nr; i++ {
		all.Add(1)
		go func(i int) {
			defer all.Done()
			work(i)
		}(i)
	}
	all.Wait()
}

func child(i int) {
	want := fmt.Sprint("child ", i, "\n")
	out, err := exec.Command("echo", "child", fmt.Sprint(i)).Output()
	if err != nil || string(out) != want {
		fmt.Println("bad:", i, err, string(out))
	}
	for sum, n := 0, 0; n < 1000000; n++ {
		sum += n
	}
	runtime.GC()
}

func main() {
	signals := make(chan os.Signal, 10)
	signal.Notify(signals, syscall.SIGUSR1)
	go func() {
		for range signals {
		}
	}()
	go func() {
		for {
			syscall.Kill(os.Getpid(), syscall.SIGUSR1)
			time.Sleep(time.Millisecond)
		}
	}()
	var lock sync.Mutex
	stats := 0
	each(30, func(int) {
		for depth := 0; depth < 100; depth++ {
			n := deep(depth)
			lock.Lock()
			stats += n
			lock.Unlock()
		}
	})
	fmt.Println(stats)
	each(10, child)
	fmt.Println(exec.Command("/none").Run())
	fmt.Println(exec.Command("sh", "-c", "kill -9 $$").Run())
	fmt.Println(exec.Command("sh", "-c", "exit 7").Run())
	os.Exit(5)
}
