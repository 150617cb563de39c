#!/bin/sh
# SPDX-License-Identifier: MIT
# More logs than there may be descriptors, and more than 512: all are read.
# What cannot be is told in one line for what is the same; a log that goes away
# between two looks at it is noticed.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 19

# copies DIRECTORY FIRST LAST <LOG
copies() {
	cat >copied
	mkdir -p "$1"
	seq "$2" "$3" | sed "s,.*,$1/&.ptlog," |
		xargs -n 100 sh -c 'tee "$@" <copied >/dev/null' sh
}

run -e all sh -c ': </dev/null'
each=$(dump | wc -l)
copies small 1 700 <log
# shellcheck disable=SC3045 # dash and others have it
ulimit -n 256
is "$(status "$PTRACE_DUMP" -f raw small/*.ptlog)" 0 "dump of 700 logs"
is "$(wc -l <out)" "$((700 * each))" "all events of all"
is "$(cat err)" "" "nothing to say"
is "$(status "$PTRACE_REPORT" --processes small/*.ptlog)" 0 "report of them"
is "$(cat err)" "" "nothing to say"

# Few logs: a line for each, as ever.
echo 'this is not a log at all' >g
is "$("$PTRACE_DUMP" -f raw small/1.ptlog g nowhere 2>&1 >/dev/null)" \
	"ptrace-dump: g: not a trace log
ptrace-dump: nowhere: No such file or directory" "two that are none: two lines"

copies garbage 1 20 <g
head -c $(($(wc -c <log) - 100)) log >short
copies cut 1 30 <short
mkdir folder
is "$(status "$PTRACE_DUMP" -f raw small/*.ptlog garbage/*.ptlog folder \
	cut/*.ptlog $(seq -f gone/%g 40))" 1 "many of all kinds"
is "$(grep -c . err)" 4 "a line for each kind"
like "$(cat err)" "ptrace-dump: 20 logs left out: not a trace log, first garbage/1.ptlog" \
	"no logs"
like "$(cat err)" "ptrace-dump: 40 logs left out: No such file or directory, first gone/1" \
	"not there"
like "$(cat err)" "ptrace-dump: folder: a directory, not a log" "a folder"
like "$(cat err)" "ptrace-dump: 30 logs incomplete: no end mark; [0-9]* events salvaged, first cut/1.ptlog" \
	"without an end"

# Of so many some events are read before their turn: calls that end at once,
# stacks, a command line of several records, what is not wanted.  Each event is
# there as often as there are logs, and as it is of one.
# shellcheck disable=SC2016 # not here
run -e all -k -r 'libc:[gs]et*' sh -c 'for i in 1 2 3 4 5 6 7 8; do (:); done; exit' \
	"$(printf '%020000d' 7)"
copies alike 1 40 <log
half=$("$PTRACE_DUMP" -f json log | sed -n 's/.*"t":\([0-9]*\).*/\1/p' |
	awk '{ t = $1 } END { printf "%.9f", t / 2e9 }')
for only in "" "--since $half" "--until $half"; do
	# shellcheck disable=SC2086 # options
	"$PTRACE_DUMP" -f json $only log | sort | sed 's/^/40 /' >want
	# shellcheck disable=SC2086
	"$PTRACE_DUMP" -f json $only alike/*.ptlog | sort | uniq -c |
		sed 's/^ *//' >got
	cmp -s want got && [ -s got ]
	ok $? "40 logs that are alike ${only%% *}" "$(diff want got | head -n 4)"
done

# Logs that are read in several pieces, and not at once.
# shellcheck disable=SC2016 # not here
run -e all sh -c 'i=0; while [ $i -lt 500 ]; do : </dev/null; i=$((i + 1)); done'
copies large 1 300 <log
mkfifo way begun replaced
{
	read -r _
	: >begun
	: <replaced
	cat >/dev/null
} <way &
"$PTRACE_DUMP" -f raw large/*.ptlog >way 2>err &
dump=$!
: <begun
# Its output does not fit into the pipe, so it waits.
mv small/1.ptlog large/150.ptlog
rm large/151.ptlog
head -c 9000 log >large/152.ptlog
: >replaced
wait $dump
is $? 1 "logs went away meanwhile"
grep -q '/150.ptlog: removed or replaced while it was read: [0-9]* bytes' err
ok $? "another file" "$(cat err)"
grep -q '/151.ptlog: removed or replaced while it was read: [0-9]* bytes' err
ok $? "none" "$(cat err)"
grep -q '/152.ptlog: damaged: [0-9]* bytes' err
ok $? "the same, but shorter" "$(cat err)"
