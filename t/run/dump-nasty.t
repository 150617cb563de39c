#!/bin/sh
# SPDX-License-Identifier: MIT
# No byte of a log, of a file's name or of an argument commands the terminal,
# or begins a line of its own.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 15

"$VICTIMS/victim-mknasty" log || exit 1

# commands FILE: what of it a terminal would obey, or show as something else.
commands() {
	{
		grep -n '[[:cntrl:]]' "$1"
		for bytes in '\302\233' '\233' '\342\200\256' '\342\201\246' \
			'\342\200\213' '\342\200\250' '\330\234'; do
			# shellcheck disable=SC2059 # bytes
			grep -n -F "$(printf "$bytes")" "$1"
		done
	} | cat -v
}

# clean NAME LINES OPTION...: so many lines, none of them a command.
clean() {
	name=$1
	lines=$2
	shift 2
	dump "$@" >out 2>err
	is "$(commands out)$(commands err)" "" "$name"
	is "$(wc -l <out)" "$lines" "... $lines lines"
}

clean "text" 5
clean "json" 5 -f json
clean "text with -v" 5 -v
clean "json of --info" 1 -f json --info
dump --info --types >out
is "$(commands out)" "" "--info"
is "$(grep -c '^1\.0\|^forged' out)" 0 "... nothing forged"

nasty=$(printf 'x\033[2J\n\302\233\342\200\256.log')
status "$PTRACE_DUMP" -f raw "$nasty" >st
is "$(cat st; commands err; wc -l <err)" "3
1" "a file's name in a message"
printf 'short' >"$nasty"
status "$PTRACE_DUMP" -f raw "$nasty" >st
is "$(cat st; commands err; wc -l <err)" "3
1" "... and of no log"
status "$PTRACE_RUN" -q -o "$nasty/x" true >st
is "$(cat st; commands err; wc -l <err)" "125
1" "ptrace-run: a log that cannot be"
status "$PTRACE_RUN" "./$nasty.no" >st
is "$(cat st; commands err; wc -l <err)" "127
1" "... a command that is not there"
status "$PTRACE_DUMP" -f raw --since "$nasty" log >st
is "$(cat st; commands err)" "2" "an argument in a usage error"
