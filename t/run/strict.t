#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run --strict ends with 125 where the log has not everything, and says
# what is missing; else as COMMAND does.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 15

# Of these a stream of 4 KiB has room for some.
cat >many.sh <<'E2'
i=0
while [ $i -lt 4000 ]; do
	: <many.sh
	i=$((i + 1))
done
exit 3
E2
set -- -e all --strict sh many.sh

is "$(status "$PTRACE_RUN" -o log -b 4M "$@")" 3 "all is there: COMMAND's status"
is "$(grep -c -e --strict err)" 0 "and nothing is said"

is "$(status "$PTRACE_RUN" -o log -b 4K --stream-policy until-full "$@")" 125 \
	"events are lost in a stream that is full"
like "$(tail -n 1 err)" '--strict: [1-9][0-9, ]* events were lost \(with --stream-policy block COMMAND waits instead\)$' \
	"it says how many, and what would help"
like "$(head -n 1 err)" '^ptrace-run: [0-9][0-9, ]* events, [1-9].* lost' \
	"below the summary"
is "$(status "$PTRACE_RUN" -q -o log -b 4K --stream-policy until-full "$@")" \
	125 "-q"
is "$(wc -l <err)" 1 "that line alone"
is "$(status "$PTRACE_RUN" -o log -b 4K --stream-policy block "$@")" 3 \
	"nor is any lost by one that waits"

is "$(status "$PTRACE_RUN" -o '|head -c 1000 >got' "$@")" 125 \
	"the reader of a pipe ends"
like "$(tail -n 1 err)" '--strict: [1-9][0-9, ]* events? w.* lost$' \
	"no policy helps there"
is "$(status "$PTRACE_RUN" -o '|cat >got' -b 4M "$@")" 3 "it reads to the end"

is "$(status "$PTRACE_RUN" -o gone/log "$@")" 125 \
	"no log, no COMMAND: as without"
cat >cuts.sh <<'E2'
: >log
exit 3
E2
is "$(status "$PTRACE_RUN" --strict -o log sh cuts.sh)" 125 \
	"the log is emptied by COMMAND"
like "$(cat err)" 'was cut or overwritten' "it says so"
is "$(status "$PTRACE_RUN" -o log sh cuts.sh)" 3 "without --strict it is COMMAND's"
