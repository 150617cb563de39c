#!/bin/sh
# SPDX-License-Identifier: MIT
# A log that others remove, replace, move, or cut while it is written: ptrace-run
# says so, in one line, and nothing is lost for it that can be saved.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 21
PATH=${PTRACE_EVENT%/*}:$PATH
mkfifo go

is_written() {
	"$PTRACE_DUMP" -f raw log 2>/dev/null | grep -q ' before '
}

# meanwhile COMMAND...: done while a log is written; the status is in $status,
# what was said in err.
meanwhile() {
	rm -rf log* dir
	"$PTRACE_RUN" -o log sh -c 'ptrace-event before; read -r _ <go
		ptrace-event after; exit 3' 2>err &
	front=$!
	wait_for is_written
	"$@"
	echo >go
	wait $front
	status=$?
}

# events LOG: those of the program.
events() {
	"$PTRACE_DUMP" -f raw -n before -n after "$1" 2>/dev/null |
		cut -d ' ' -f 3 | tr '\n' ' '
}

# judge NAME SAID LOG EVENTS: the status, what was said of the log, and what is in
# which log.
judge() {
	is "$status $(events "$3")" "3 $4" "$1: $3"
	like "$(cat err)" "^ptrace-run: log was $2" "$1: it is said"
	is "$(grep -c 'ptrace-run: log was' err)" 1 "$1: once"
}
replace() {
	echo another >new
	mv new log
}
overwrite() {
	echo another >log
}
cut_all() {
	: >log
}

meanwhile rm log
judge removed 'removed while it was written: it is there again' log 'before after '
like "$(cat err)" 'events, 0 lost.* -> log$' "removed: the summary"
meanwhile replace
judge replaced 'replaced .*: the log is log.recovered' log.recovered 'before after '
like "$(cat err)" 'events, 0 lost.* -> log.recovered$' "replaced: the summary"
meanwhile mv log logged
judge moved 'moved ' logged 'before after '
for how in overwrite cut_all; do
	meanwhile $how
	judge $how 'cut or overwritten ' log 'after '
	is "$(grep -c ' lost' err)" 0 "$how: no figures that are not true"
done
meanwhile :
is "$(grep -c 'log was' err)" 0 "nothing is said of a log that was left alone"

# Whoever removes a complete log wanted that: it does not come again, though its
# controller still looks after the symbols.  That it looked before the log was
# removed cannot be known: most of ten are enough.
is_complete() {
	"$PTRACE_DUMP" --info log 2>/dev/null | grep -q '^log-state: *complete'
}
is_over() {
	is_ended "$controller"
}
# Who writes it; its guardian has it open, too.
find_controller() {
	for controller in $(pgrep -x ptrace-monitor); do
		[ -z "$(find "/proc/$controller/fd" -lname "$T/log")" ] || return 0
	done
	return 1
}
# Symbols are kept of programs in /tmp.
cp "$(command -v sh)" own
away=0
for _ in 1 2 3 4 5 6 7 8 9 10; do
	rm -rf log*
	LD_PRELOAD=$LIBPTRACE PTRACE_OUTPUT=$T/log ./own -c 'read -r _ <go' &
	wait_for find_controller
	echo >go
	wait $!
	until is_complete; do :; done
	kill -STOP "$controller" 2>/dev/null
	rm log
	kill -CONT "$controller" 2>/dev/null
	wait_for is_over
	[ -e log ] || away=$((away + 1))
done
[ $away -ge 9 ]
ok $? "a complete log that is removed stays away" || diag "$away of 10"
