#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-ctl: wrong usage is 2, with a line that says what is wrong and one that
# says where help is.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 54

# wrong WHAT ARGUMENT...
wrong() {
	what=$1
	shift
	is "$(status "$PTRACE_CTL" "$@")" 2 "$*: status 2"
	is "$(cat out)" "" "$*: nothing else"
	is "$(cat err)" "ptrace-ctl: $what
try 'ptrace-ctl --help'" "$*: what is wrong"
}
commands="list, start, stop, flush, clear, filter, mark, when, triggers, forget or snapshot"
wrong "which COMMAND? $commands"
wrong "'nonsense' is not a command: $commands" nonsense
wrong "'' is not a command: $commands" ''
wrong "'--json' is not a command: $commands" --json list
wrong "--no: not an option of list; -- goes before what begins with a dash" \
	list --no
wrong "--json: not an option of stop; -- goes before what begins with a dash" \
	stop --json
wrong "mark needs a TEXT" mark
wrong "-x: not an option of mark; -- goes before what begins with a dash" \
	mark -x
wrong "snapshot needs a FILE" snapshot
wrong "snapshot: a FILE is for one trace" snapshot file 1 2
wrong "filter needs add, sub or set, and at least one NAME" filter
wrong "filter needs add, sub or set, and at least one NAME" filter add
wrong "filter: 'mul' is not add, sub or set" filter mul name
wrong "filter: 'file:opne' is not an event type; close is file:open" \
	filter add file:opne

is "$(status "$PTRACE_CTL" mark "$(head -c 70000 /dev/zero | tr '\0' x)")" 2 \
	"too much text: status 2"
is "$(cat err)" "ptrace-ctl: mark: more text than a request can have
try 'ptrace-ctl --help'" "it is said"

for option in -h --help; do
	is "$(status "$PTRACE_CTL" $option)" 0 "$option"
	like "$(cat out)" '^usage: ptrace-ctl COMMAND' "$option: the usage"
done
is "$(status "$PTRACE_CTL" -V)" 0 "-V"
like "$(cat out)" '^ptrace-ctl \(libptrace\) [0-9]' "-V says the version"
for target in 1 no/such.ptlog no.ptlog /; do
	is "$(status "$PTRACE_CTL" filter add mine $target)" 3 \
		"$target is a target, and none that is there"
done
