#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run -p traces what was preloaded to be traced later, and says truly why
# it cannot trace another.
# shellcheck disable=SC2016 # for eval, and for another shell
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/alone.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 9

# later COMMAND...: preloaded, and told not to record; $pid is its number.
later() {
	env LD_PRELOAD="$LIBPTRACE" PTRACE_DISABLE=1 "$@" &
	pid=$!
}

# loaded NAME: the process has become that program, with the library.
loaded() {
	[ "$(cat "/proc/$pid/comm")" = "$1" ] &&
		grep -q libptrace.so "/proc/$pid/maps" &&
		grep -q '^State:.S' "/proc/$pid/status"
}

# gone: it is not needed any more.
gone() {
	kill "$pid"
	wait "$pid" 2>/dev/null || :
}

# refused WHY NAME
refused() {
	is "$(status "$PTRACE_RUN" -p "$pid")" 125 "$2: status"
	is "$(cat "$T/err")" "ptrace-run: cannot trace process $pid: $1" "$2"
}

later sleep 1000
wait_for loaded sleep
"$PTRACE_RUN" -q -e signal,process -p "$pid" -o "$T/log" &
runner=$!
wait_for eval 'dump | grep -q trace_start'
kill -TERM $runner
wait $runner
is $? 0 "PTRACE_DISABLE=1: it can be traced later"
is "$(count process:exec)$(count process:exit)" 00 "and had recorded nothing"
gone

run sh -c 'PTRACE_DISABLE=1 /bin/true; /bin/true'
is "$(count process:start) $(count process:exit)" "2 3" \
	"in a trace, too, it records nothing, and others tell its end"

# It ends when its parent is no shell any more, which would wait for it.
sh -c 'until grep -q sleep /proc/$$/comm; do :; done & echo $! >zombie
	exec sleep 1000' &
pid=$!
wait_for test -s zombie
keeper=$pid
pid=$(cat zombie)
wait_for is_ended "$pid"
refused "it has ended" "a zombie"
kill "$keeper"
wait "$keeper" 2>/dev/null

sleep 20 &
pid=$!
wait_for eval '[ "$(cat /proc/$pid/comm)" = sleep ]'
refused "it was started without libptrace.so: see --inject" \
	"a program without the library"
gone

if ! command -v python3 >/dev/null || [ "$(id -u)" != 0 ]; then
	skip "a change of user" "no python3, or not root" 2
	exit
fi
later python3 -c 'import os, time; os.setuid(65534); time.sleep(20)'
wait_for eval 'grep -q "^Uid:.65534" "/proc/$pid/status"'
refused "it has changed its user since it was started" "a change of user"
gone
