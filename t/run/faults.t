#!/bin/sh
# SPDX-License-Identifier: MIT
# Where a system call of ours fails, the program is as it would be alone, and
# what is said of it is true: some cases of `make faults' that once were not.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/alone.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
inject=$abs_top_builddir/t/faults/inject
program=$abs_top_builddir/t/faults/program
for monitor in "$abs_top_builddir/tools/ptrace-monitor" \
	"$abs_top_builddir/libexec/libptrace/ptrace-monitor"; do
	[ ! -x "$monitor" ] || break
done
"$inject" -l -o "$T/list" true || skip_all "no ptrace"
plan 26

# Where a call of libgcov's fails, it forgets all that was counted.
GCOV_PREFIX=$T/gcov
export GCOV_PREFIX

"$program" >"$T/alone" 2>/dev/null

# each CHECK PROCESS ORIGIN CALL ERROR COMMAND...: for each such call there is,
# one after the other, fails when CHECK does, and tells of which.
each() {
	check=$1 process=$2 origin=$3 call=$4 error=$5
	shift 5
	number=0
	while [ $number -lt 20 ]; do
		number=$((number + 1))
		rm -f "$T/log"
		"$inject" -t 60 -o "$T/result" -p "$process" -f "$origin" -s "$call" \
			-e "$error" -n $number "$@" >"$T/out" 2>"$T/err"
		status=$?
		grep -q '^hit' "$T/result" || break
		"$check" && continue
		diag "$process $call $number $error: status $status"
		diag "$(cat "$T/err")"
		return 1
	done
	[ $number -gt 1 ] || diag "no $call in $process"
}

# is_unchanged: the program, whatever else.
is_unchanged() {
	[ "$status" = 7 ] && cmp -s "$T/out" "$T/alone"
}

# says PATTERN: if it was not run then one line says why, and that is true.
says() {
	is_unchanged || {
		[ "$status" -ge 125 ] && [ ! -s "$T/out" ] &&
			[ "$(wc -l <"$T/err")" = 1 ] && grep -Eq "$1" "$T/err"
	}
}
not_denied() {
	says '.' && ! grep -q 'no permission' "$T/err"
}
no_descriptor() {
	says 'Too many open files'
}
no_process() {
	says 'Resource temporarily unavailable|too many .*(threads|processes)'
}
no_space() {
	says 'No space left on device'
}

set -- "$monitor" -o "$T/log" "$program"
each not_denied r.2.1 lib fstat ENOMEM "$@"
ok $? "the run directory cannot be looked at: not 'no permission'"
each no_descriptor r.2.1 lib fcntl EMFILE "$@"
ok $? "no descriptor for the log"
each no_process r.2 other clone EAGAIN "$@"
ok $? "no process for the controller: not that it died"
each no_process r.2.1 other clone3 EAGAIN "$@"
ok $? "no thread for the flusher: not too many streams"
each no_space r other write ENOSPC "$@"
ok $? "the command cannot be told to go on"

# not_closed: nobody closed the log that cannot be looked at.
not_closed() {
	says . && ! grep -q 'Bad file descriptor' "$T/err"
}
each not_closed r.2.1 lib fstat ENOMEM "$@"
ok $? "the log cannot be looked at: not that it is closed"
no_reader() {
	[ "$status" = 125 ] && says 'Permission denied'
}
each no_reader r.2 other execve EACCES "$monitor" -o '|cat >/dev/null' "$program"
ok $? "no shell for the log's reader: not that it has ended"

is_told() {
	says .
}
each is_told r.1 other write EINTR "$@"
ok $? "the copy that becomes the command is interrupted"
each is_told r.1 other read EIO "$@"
ok $? "or is not told to go on"

# is_whole: it ran, and the last word of its controller was heard.
is_whole() {
	is_unchanged && grep -q '^ptrace-run: [1-9][0-9]* events' "$T/err"
}
each is_whole r other sendto ENOBUFS "$@" &&
	each is_whole r other recvfrom ENOMEM "$@"
ok $? "ptrace-run has no memory to speak with the controller"
each is_whole r.2.1 other sendto ENOBUFS "$@" &&
	each is_whole r.2.1 other recvfrom ENOMEM "$@"
ok $? "nor has the controller"
each is_unchanged r other wait4 ECHILD "$@"
ok $? "the status of the command is its own, reaped or not"

# is_traced: the command at least.
is_traced() {
	is_unchanged && [ "$(count process:start)" -ge 4 ]
}
each is_traced r lib mmap ENOMEM "$@"
ok $? "ptrace-run cannot be traced itself: its command can"
each is_traced r.1 lib fallocate ENOSPC "$@"
ok $? "nor the copy that becomes the command"

# tells_unhooked: the calls of that name are there, or why not.
tells_unhooked() {
	is_unchanged && {
		[ "$(count call:enter)" = 2 ] ||
			[ "$(dump | grep -c 'refused to change memory')" = 1 ]
	}
}
each tells_unhooked 'r.1!' lib mprotect ENOMEM \
	"$monitor" -o "$T/log" -r execl "$program"
ok $? "functions that cannot be hooked are counted"

# is_over: nothing is left that nobody would ever collect.  (Such a program has
# its log open.)
is_over() {
	[ "$status" = 7 ] && ! dump --info | grep -q 'being written'
}
# Without a monitor: however late one may come on a busy machine.
PTRACE_OUTPUT=$T/log
PTRACE_MONITOR=/nonexistent
export PTRACE_OUTPUT PTRACE_MONITOR
each is_over 'r!' lib newfstatat ENOMEM env LD_PRELOAD="$LIBPTRACE" "$program"
ok $? "a process that cannot ask for its namespace so is found to be dead"
LD_PRELOAD=$LIBPTRACE "$program" >/dev/null 2>&1
[ "$(count dl:map)" -gt 0 ]
ok $? "a program that is its own controller tells what its addresses mean"
LD_PRELOAD=$LIBPTRACE PTRACE_EVENTS='process,!dl' "$program" >/dev/null 2>&1
is "$(count dl:map)" 0 "unless it is not to"
unset PTRACE_OUTPUT PTRACE_MONITOR

# whole NAME WORD...: make faults, of these cases.
whole() {
	name=$1
	shift
	if command -v python3 >/dev/null; then
		"$abs_top_srcdir/t/faults/faults" "$@" >"$T/faults" 2>&1
		like "$(tail -n 1 "$T/faults")" \
			'^[1-9][0-9]* injections, 0 failures|^SKIP' \
			"make faults: $name"
	else
		skip "make faults: $name" "no python3"
	fi
}
whole "the whole way" -q -j2 run starter execve
whole "a log that cannot be read to its end loses nothing" \
	dump-info-incomplete pread64 EIO+
whole "what a program that cannot map the stream does is counted" \
	itself program.4! pread64 EIO+
whole "a child can map what its parent could not, and tells of its birth" \
	run program pread64 2 EIO+
whole "an image that the library starts late in is counted" \
	run program mmap ENOMEM 1
whole "what is unused is not known of a log that cannot be read" \
	all front pread64 EIO+
whole "why a log cannot be opened" api fcntl EPERM
whole "why a stream cannot be created" api renameat2 EPERM
