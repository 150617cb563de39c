#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run -p traces a process in other namespaces, by the number that it has
# outside.
# shellcheck disable=SC2016 # for another shell
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/alone.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need unshare
[ -n "${PTL_T_PRIVATE_SHM-}" ] || skip_all "no mount namespace"
unshare -pf true 2>/dev/null || skip_all "no pid namespaces"
[ -e "/proc/$$/task/$$/children" ] || skip_all "no children in /proc"
plan 4
mkfifo go

# What is to be traced: preloaded, in no trace; a child, then the end.
program='LD_PRELOAD=$0 PTRACE_STREAMS= exec sh -c "
	read -r _; /bin/true; exit 3"'

# contain COMMAND...: runs it, where $0 is the library; $outer becomes the number
# that the program has here.
contain() {
	"$@" "$LIBPTRACE" <go &
	container=$!
	exec 9>go
	wait_for starts
}

# starts: the child of the container is the program, with the library.
starts() {
	outer=$(tr -d ' ' <"/proc/$container/task/$container/children")
	[ -n "$outer" ] && grep -q libptrace.so "/proc/$outer/maps" &&
		grep -q '^State:.S' "/proc/$outer/status" &&
		[ "$(cat "/proc/$outer/comm")" = sh ]
}

# traced NAME: it is, from now to its end.
traced() {
	rm -f log
	"$PTRACE_RUN" -v -o log -p "$outer" 2>err &
	tracer=$!
	wait_for grep -q "tracing process" err
	echo >&9
	exec 9>&-
	wait $tracer
	is "$? $(count process:exit) $(count process:start)" "0 2 1" \
		"$1: a child and both ends are recorded" ||
		diag "$(cat err)" "$(names)"
	wait $container
	is $? 3 "$1: its status is its own"
}

contain unshare -pf sh -c "$program"
traced "another pid namespace"
contain unshare -pf --mount-proc sh -c "$program"
traced "with a /proc of its own"
