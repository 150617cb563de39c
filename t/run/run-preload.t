#!/bin/sh
# SPDX-License-Identifier: MIT
# LD_PRELOAD alone gives the same trace, set by PTRACE_* variables.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 24

is_complete() {
	dump --info | grep -q '^log-state: *complete'
}
# preload VAR=VAL... COMMAND...: waits until the log is complete.
preload() {
	rm -f log
	is "$(status env PTRACE_OUTPUT=log LD_PRELOAD="$LIBPTRACE" "$@")" 0 \
		"status"
	wait_for is_complete
}
PATH=${PTRACE_EVENT%/*}:$PATH
two='ptrace-event mine one; ptrace-event other two'

preload sh -c "$two; echo output; echo error >&2"
is "$(cat out err)" "output
error" "nothing of ours is said"
is "$(count mine)" 1 "user events of children"
[ "$(count process:start)" -ge 3 ]
ok $? "system events"
is "$(dump --info | sed -n 's/^inheritance: *//p')" inherited "inherited"

preload PTRACE_EVENTS=none PTRACE_EXCLUDE=mine,unknown PTRACE_DATA_SIZE=2 \
	sh -c "$two"
is "$(names | grep -c ':')" 0 "PTRACE_EVENTS=none"
is "$(count mine)" 0 "PTRACE_EXCLUDE"
like "$(dump -n other)" 'data="tw"\.\.\.' "PTRACE_DATA_SIZE"

preload PTRACE_FOLLOW=0 PTRACE_STREAM_POLICY=until-full PTRACE_LOG_SIZE=1M \
	PTRACE_LOG_POLICY=until-full PTRACE_STREAM_SIZE=2M sh -c "$two"
is "$(count mine)" 0 "PTRACE_FOLLOW=0"
dump --info >info
like "$(cat info)" '^stream-full-policy: *until-full$' "PTRACE_STREAM_POLICY"
like "$(cat info)" '^log-full-policy: *until-full$' "PTRACE_LOG_POLICY"
like "$(cat info)" '^log-max-size: *1048576$' "PTRACE_LOG_SIZE"

# What makes no sense is told, by the first process, and passed over.
is "$(env PTRACE_OUTPUT=log PTRACE_EVENTS='!mem,none,all,call' \
	PTRACE_MONITOR=/none LD_PRELOAD="$LIBPTRACE" sh -c : 2>&1)" "" \
	"sense is not"
# told SETTING=VALUE WHY: with that line, and the default.
told() {
	is "$(env PTRACE_OUTPUT=log "$1" LD_PRELOAD="$LIBPTRACE" \
		sh -c '/bin/true; :' 2>&1)" \
		"libptrace: ${1%%=*}: '${1#*=}' is not $2" "$1"
}
bytes="a number of bytes above 0, as 100, 16K, 2M, 1G"
told PTRACE_DATA_SIZE=x "$bytes"
told PTRACE_STREAM_SIZE=0 "a number of bytes from 4K on, as 64K, 2M, 1G"
told PTRACE_LOG_SIZE=1X "$bytes"
told PTRACE_STACK=65 "a depth from 0 to 64"
told PTRACE_STREAM_POLICY=no "one of loop, until-full, flush, block"
told PTRACE_LOG_POLICY=no "one of loop, until-full, append"
told PTRACE_FOLLOW=no "0 or 1"
env PTRACE_EVENTS=nonsense PTRACE_OUTPUT=- LD_PRELOAD="$LIBPTRACE" \
	sh -c 'echo $$' >out 2>err
is "$(cut -c 1-45 err)" "libptrace: PTRACE_OUTPUT: '-' is not a file o
libptrace: PTRACE_EVENTS: 'nonsense' is not a" "a line each"
mv "sh.$(cat out).ptlog" log
ok $? "the log has the name of the program"
