#!/bin/sh
# SPDX-License-Identifier: MIT
# Processes that outlive the command are traced to their end.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 9

is_complete() {
	dump --info | grep -q '^log-state: *complete'
}
has_event() {
	names | grep -q -x "$1"
}
mkfifo fifo

is "$(status "$PTRACE_RUN" -o log "$VICTIMS/victim-daemon" fifo)" 0 \
	"ptrace-run does not wait for a daemon"
like "$(cat err)" '^ptrace-run: 1 process is still traced; log is complete when it ends$' \
	"and says so"
is "$(count process:exit)" 1 "what the command did is in the log at once"
sleep 0.3
is "$(dump --info 2>/dev/null | grep -c '^log-state: *complete')" 0 \
	"the log is not complete"
: >fifo
wait_for is_complete
ok $? "the log is complete when the daemon has ended"
is "$(count late)" 1 "what it did is there"

# The same without the front process.
"$PTRACE_RUN" -o log sh -c 'echo $$ >pid; read -r line <fifo; exit 4' \
	2>/dev/null &
wait_for test -s pid
kill -9 $!
wait $! 2>/dev/null
is "$(is_ended "$(cat pid)" && echo ended)" "" \
	"the command survives ptrace-run"
echo go >fifo
wait_for is_complete
ok $? "the log is complete"
has_event process:exit
ok $? "the end of the command is there"
