#!/bin/sh
# SPDX-License-Identifier: MIT
# Wrong usage is 2 and a failure of ours 125, and nothing is run.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/run/lib.sh"
plan 33

# wrong OPTION...: usage error, with the usage on stderr.
wrong() {
	is "$(status "$PTRACE_RUN" "$@" touch ran)" 2 "$*: status 2"
	like "$(cat err)" '^usage: ptrace-run' "$*: usage"
}
wrong --no-such-option
wrong -e no-such-family
wrong -s 1X
wrong -s -1
wrong -b ''
wrong --stream-policy no-such
wrong --log-policy flush
wrong -E =x
wrong -o ''
wrong -p 1
wrong -o '|cat' --log-policy loop
is "$(status "$PTRACE_RUN")" 2 "no command: status 2"
like "$(cat err)" '^usage: ptrace-run' "no command: usage"
is "$(status "$PTRACE_RUN" -p x)" 2 "-p x: status 2"

[ ! -e ran ]
ok $? "nothing was run"
is "$(status "$PTRACE_RUN" -o no/such/dir touch ran)" 125 \
	"a log that cannot be written: status 125"
is "$(wc -l <err)" 1 "one line says why"
is "$(status "$PTRACE_RUN" -o . touch ran)" 125 "a directory as log"
[ ! -e ran ]
ok $? "nothing was run then, too"

is "$(status "$PTRACE_RUN" --help)" 0 "--help"
is "$(status "$PTRACE_RUN" -V)" 0 "-V"
like "$(cat out)" '^ptrace-run \(libptrace\) [0-9]' "-V says the version"
