#!/bin/sh
# SPDX-License-Identifier: MIT
# A program that is started in a trace and in which the library does not begin
# is counted and named, however it was started; what can begin after all does.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 19

few="too few descriptors (RLIMIT_NOFILE)"
# said: the summary without its numbers, and the names behind it.
said() {
	sed -n -e 's/.* process[es]*, \(.* not traced\),.*/\1/p' \
		-e 's/^ptrace-run: not traced: //p' err | tr '\n' ' '
}

# Beside the standard descriptors ld.so has one, which is not enough for us.
status "$PTRACE_RUN" -o log "$VICTIMS/victim-limit" 4 /bin/true >/dev/null
is "$(said)" "4 not traced /bin/true: $few " \
	"by vfork, posix_spawn, fork, and exec"
is "$(wc -l <err)" 2 "and all have ended"
is "$(dump --info | grep -A 1 '^not-traced' | tr -s '\n ' ' ')" \
	"not-traced: 4 /bin/true: $few " "--info"
status "$PTRACE_RUN" -o log "$VICTIMS/victim-limit" 6 /bin/true >/dev/null
is "$(said)$(count process:start)" 5 "with a few more all are traced"

limited='ulimit -n 4; /bin/true; exec /bin/true'
is "$(status "$PTRACE_RUN" --strict -o log sh -c "$limited" 3>&-)" 125 \
	"--strict"
like "$(tail -n 1 err)" '--strict: 2 programs could not be traced' "says how many"
status "$PTRACE_RUN" -F -o log sh -c "$limited; :" 3>&- >/dev/null
is "$(said)" "1 not traced /bin/true: $few " \
	"children that are not to be followed are none"
status "$PTRACE_RUN" -o log sh -c '/nonexistent; exec /bin/true' >/dev/null
is "$(said)" "" "nor is what is not there"
is "$(env PTRACE_OUTPUT="$T/log" LD_PRELOAD="$LIBPTRACE" PTRACE_MONITOR=/none \
	sh -c "$limited" 3>&- 2>&1)" "" "by LD_PRELOAD: nothing is said"
is "$(dump --info | grep '^not-traced')" "not-traced:         2" "but known"

# A filter that was there before.
status "$PTRACE_RUN" -o log "$VICTIMS/victim-filter" /bin/true >/dev/null
is "$(said)" "1 not traced /bin/true: libptrace.so did not start in it, under a \
seccomp filter " "behind a seccomp filter"

# Past the wrappers there is no environment to change.
is "$(status "$PTRACE_RUN" -o log "$VICTIMS/victim-exec-by-number" /bin/sh -c \
	'exit 5')" 5 "exec by syscall(): status"
is "$(said)$(count process:start)" 2 "and traced"
is "$(status "$PTRACE_RUN" -o log "$VICTIMS/victim-exec-by-number" \
	/nonexistent)" 9 "exec by syscall() that fails"
is "$(count process:exec_failed)" 1 "is told"

# -p: of a process that runs already.
mkfifo go
env LD_PRELOAD="$LIBPTRACE" PTRACE_DISABLE=1 sh -c 'echo >ready; read -r _ <go
	ulimit -n 4; unset PTRACE_DISABLE; /bin/true; /bin/true; :' 3>&- &
target=$!
wait_for test -e ready
rm -f log
"$PTRACE_RUN" -p $target --strict -o log 2>err &
front=$!
has_begun() {
	dump -n posix_trace_start 2>&1 | grep -q posix_trace_start
}
wait_for has_begun
echo >go
wait $front
is $? 125 "-p --strict"
is "$(said)" "2 not traced /bin/true: $few " "says why"

if [ -z "${PTL_T_PRIVATE_SHM-}" ] || [ "$(id -u)" != 0 ] ||
	! mount -o remount,size=4M /dev/shm 2>/dev/null; then
	skip "no room in /dev/shm" "not root, or no /dev/shm of our own" 2
	exit
fi
status "$PTRACE_RUN" -o log sh -c 'cat /dev/zero >/dev/shm/full 2>/dev/null
	/bin/true; (exec /bin/true); exec /bin/true' >/dev/null
is "$(said)$(grep -c ' 0 lost' err)" 1 "no room in /dev/shm: nothing is lost"
is "$(count process:start)" 4 "all are traced"
rm -f /dev/shm/full
