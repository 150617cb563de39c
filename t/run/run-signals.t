#!/bin/sh
# SPDX-License-Identifier: MIT
# Signals sent to ptrace-run reach the command.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 6

for signal in TERM HUP INT QUIT USR1; do
	rm -f ready
	"$PTRACE_RUN" -q -o log sh -c '
		trap "kill \$!; exit 9" TERM HUP INT QUIT USR1
		sleep 20 & touch ready; wait' 2>/dev/null &
	# A background job of sh ignores INT and QUIT, as it should.
	want=9
	wait_for test -e ready
	case $signal in
	INT | QUIT)
		kill -$signal $!
		kill -TERM $!
		;;
	*) kill -$signal $! ;;
	esac
	wait $!
	is $? $want "SIG$signal"
done
# Stopped and continued as one.
"$PTRACE_RUN" -q -o log sh -c 'kill -STOP $$; exit 5' &
wait_for grep -q '^State:[[:space:]]*T' "/proc/$!/status"
kill -CONT $!
wait $!
is $? 5 "ptrace-run stops with its command, and continues it"
