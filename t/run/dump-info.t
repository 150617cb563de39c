#!/bin/sh
# SPDX-License-Identifier: MIT
# --info tells what a log says of itself.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 21

"$PTRACE_RUN" -q -o log -s 123 -b 2M -F --stream-policy until-full \
	"$VICTIMS/victim-ticks" 10
dump --info >info
ok $? "status"
# says KEY PATTERN
says() {
	like "$(sed -n "s/^$1: *//p" info)" "$2" "$1"
}
says log-state '^complete$'
says log-size '^[0-9]+$'
is "$(sed -n 's/^events: *//p' info)" "$(dump | wc -l)" "events"
says lost '^0$'
says processes '^1$'
says clock '^(tsc|monotonic|[a-z]+)$'
is "$(sed -n 's/^host: *//p' info)" "$(uname -n)" "host"
says generation-version '^libptrace '
says max-data-size '^123$'
says stream-full-policy '^until-full$'
says inheritance '^close-for-child$'
says log-full-policy '^append$'
says log-max-size '^no limit$'
says stream-status '^suspended$'
says creation-time '^[0-9]+\.[0-9]{9}$'
is "$(grep -c '^event-types\|^  [0-9]' info)" 0 "no event types"
"$PTRACE_RUN" -q -o loop --log-policy loop --log-size 3M \
	"$VICTIMS/victim-ticks" 10
is "$("$PTRACE_DUMP" --info loop | sed -n 's/^log-max-size: *//p')" 3145728 \
	"a log that has a limit"
dump --info --types >info
like "$(cat info)" '^  [0-9]+ process:start ppid:i uid:i exe:s cwd:s argv:v$' \
	"system event types"
like "$(cat info)" '^  [0-9]+ tick$' "user event types"
is "$(status "$PTRACE_DUMP" --types log) $(cat err)" \
	"2 ptrace-dump: --types is for --info: it adds the event types
try 'ptrace-dump --help'" "--types alone"
