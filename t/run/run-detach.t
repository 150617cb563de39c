#!/bin/sh
# SPDX-License-Identifier: MIT
# With -D the command has ptrace-run's process id.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 6

is_complete() {
	dump --info | grep -q '^log-state: *complete'
}
sh -c 'echo $$ >pid; exec "$PTRACE_RUN" -D -o log sh -c "echo \$\$"' \
	>out 2>err
is $? 0 "status"
is "$(cat out)" "$(cat pid)" "process id"
is "$(cat err)" "" "no line of ours"
wait_for is_complete
ok $? "the log gets complete"
is "$(count process:start -p "$(cat pid)")" 1 "the command is in it"
is "$(status "$PTRACE_RUN" -D no-such-command)" 127 "not found"
