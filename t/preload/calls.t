#!/bin/sh
# SPDX-License-Identifier: MIT
# Each call of a function of libc gives one event, in its order, whatever form
# of the function it is; arguments, results and errors are as they were.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 53
todo_coverage "libgcov reads and writes files"
victim=$VICTIMS/victim-calls

# run_all COMMAND...: as run_traced, all families, in an empty directory.
run_all() {
	rm -rf "$T/log" "$T/dir"
	mkdir "$T/dir"
	(cd "$T/dir" && "$PTRACE_RUN" -q -e all -o "$T/log" -- "$@") \
		>"$T/traced.out" 2>"$T/traced.err" </dev/null
	echo $? >"$T/traced.status"
	"$PTRACE_DUMP" -f raw "$T/log" 2>"$T/dump.err" | sed 's/ dur=[0-9]*//' >"$T/text"
	grep -E ' ((file|io|mem|sync|time|net):[a-z_]+|process:(prlimit|sched_[gs]etaffinity)) ' "$T/text" >"$T/calls"
}
# shows NAME PATTERN: there is such a line.
shows() {
	if grep -qE -e "$2" "$T/calls"; then
		pass "$1"
	else
		fail "$1"
		diag "$(grep -F -e "${2%% *}" "$T/calls" | head -n 5)"
	fi
}

for family in file io mem sync time net process; do
	run_all "$victim" $family
	is "$(cat "$T/traced.status" "$T/traced.err")" 0 "$family: goes well"
	# libc itself calls malloc as programs do.
	cut -d ' ' -f 3 "$T/calls" | if [ $family = mem ]; then
		cat
	else
		grep -v '^mem:'
	fi >"$T/names"
	is "$(diff "$T/traced.out" "$T/names")" "" "$family: one event a call"
	case $family in
	file)
		shows "open" ' file:open dir=AT_FDCWD flags=O_RDWR\|O_CREAT mode=0600 ret=[0-9]+ path="f" @ [a-z]+\+0x'
		shows "an error" ' file:fopen ret=0x0 errno=ENOENT path="/no/such" mode="r"'
		shows "two paths" ' file:rename olddir=AT_FDCWD newdir=AT_FDCWD flags=RENAME_NOREPLACE ret=0 old="p3" new="q3"'
		shows "a type" ' file:mknod .* mode=S_IFIFO\|0600 dev=0x0 ret=0 path="p2"'
		shows "a template" ' file:mkstemp flags=O_CLOEXEC ret=[0-9]+ path="a[A-Za-z0-9]{6}\.c"'
		shows "three strings" ' file:mount flags=MS_RDONLY ret=-1 errno=E[A-Z]+ source="none" target="/no/such" type="tmpfs"'
		;;
	io)
		shows "offsets" ' io:pwrite fd=[0-9]+ size=4 offset=0 ret=4'
		shows "a command" ' io:fcntl fd=[0-9]+ cmd=F_SETFD arg=0x1 ret=0'
		shows "a request" ' io:ioctl fd=[0-9]+ request=TCGETS arg=0x[0-9a-f]+ ret=-1 errno=ENOTTY'
		shows "one of libc's" ' io:ioctl fd=[0-9]+ request=TCGETS arg=0x0 ret=-1 errno=ENOTTY'
		shows "no flags, no mode" ' io:mq_open flags=O_RDWR mode=0000 ret=-1 errno=E[A-Z]+ name="/ptrace no such"'
		shows "flags and a mode" ' io:mq_open flags=O_RDWR\|O_CREAT mode=0600 ret=-?[0-9]+ .*name="/ptrace-calls'
		shows "a time" ' io:epoll_wait epoll=-1 count=1 timeout=2003 ret=-1 errno=EBADF'
		shows "by a stream" ' io:printf stream=0x[0-9a-f]+ fd=[0-9]+ ret=2 '
		shows "without one" ' io:printf stream=0x0 fd=-1 ret=-1 errno=EBADF'
		shows "the end of a file is no error" ' io:gets stream=0x[0-9a-f]+ fd=[0-9]+ ret=-1 (dur|@)'
		shows "what is returned is the error" ' io:fallocate .* ret=-1 errno=EBADF'
		;;
	mem)
		shows "mmap" ' mem:mmap addr=0x0 size=8192 prot=PROT_READ\|PROT_WRITE flags=MAP_PRIVATE\|MAP_ANONYMOUS fd=-1 offset=0x0 ret=0x[0-9a-f]+ @'
		shows "it fails" ' mem:mmap .* ret=0xffffffffffffffff errno=E'
		shows "posix_memalign fails" ' mem:aligned align=3 size=100 ret=0x0 errno=EINVAL'
		shows "the bits of an int" ' mem:mprotect .* prot=[^ ]*0xf[0-9a-f]{7} ret=-1 errno=EINVAL'
		malloc=$(sed -n 's/.* mem:malloc size=10 ret=\(0x[0-9a-f]*\) .*/\1/p' "$T/calls" | head -n 1)
		shows "realloc" " mem:realloc ptr=$malloc size=20 ret=0x"
		;;
	sync)
		shows "the error is the result" ' sync:timedwait cond=0x[0-9a-f]+ mutex=0x[0-9a-f]+ ret=ETIMEDOUT'
		shows "a semaphore" ' sync:sem_open flags=O_RDONLY\|O_CREAT\|O_EXCL mode=0600 value=3 ret=0x[0-9a-f]+ name="/ptrace-calls'
		shows "C11 words" ' sync:cnd_wait cnd=0x[0-9a-f]+ mtx=0x[0-9a-f]+ ret=thrd_timedout'
		;;
	time)
		shows "nanoseconds" ' time:nanosleep clock=CLOCK_MONOTONIC flags=0 ns=1 ret=0'
		;;
	process)
		shows "what was set, and before" ' process:prlimit pid=0 resource=RLIMIT_CORE ret=0 limits=new \{rlim_cur='
		;;
	net)
		shows "an address" ' net:connect fd=[0-9]+ ret=0 addr=unix:sock'
		shows "flags" ' net:socket family=AF_UNIX type=SOCK_STREAM\|SOCK_CLOEXEC protocol=0 ret='
		shows "internet" ' net:getnameinfo ret=0 addr=127\.0\.0\.1:80'
		;;
	esac
done

run_all "$victim" waits
is "$(cat "$T/traced.status" "$T/traced.err")" 0 "threads that wait"
shows "a wait" ' sync:wait cond=0x[0-9a-f]+ mutex=0x[0-9a-f]+ ret=0'
shows "a C11 wait" ' sync:cnd_wait cnd=0x[0-9a-f]+ mtx=0x[0-9a-f]+ ret=thrd_success'
is "$("$victim" bad)" good "errors of bad pointers, untraced"
run_all "$victim" bad
is "$(cat "$T/traced.status" "$T/traced.out")" "0
good" "and traced"
shows "what cannot be read is not" ' file:open dir=AT_FDCWD .* errno=EFAULT @'
shows "and the rest is" ' file:rename .* errno=ENOENT old="/no/such" @'

# Every function that is only recorded is called there.
set -- "$abs_top_srcdir"/preload/calls/[!h]*.tbl
awk -v make=names -f "$abs_top_srcdir/preload/calls/calls.awk" \
	"$abs_top_srcdir/core/format/sysevents.h" "$@" | sort >"$T/wrapped"
[ "$(wc -l <"$T/wrapped")" -gt 300 ]
ok $? "hundreds are recorded"
cat "$abs_top_srcdir"/t/preload/victim-calls.c \
	"$abs_top_srcdir"/t/preload/calls-file.c \
	"$abs_top_srcdir"/t/preload/calls-stdio.c |
	tr -cs 'A-Za-z0-9_' '\n' | sort -u >"$T/called"
is "$(comm -23 "$T/wrapped" "$T/called" | tr '\n' ' ')" \
	"" "no function is forgotten here"
