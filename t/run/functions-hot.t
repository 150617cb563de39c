#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2094 # the log is read while it is written
# ptrace-run -f --hot: a function that is called more often within a second is
# not recorded any more; that is told everywhere, and all others are recorded.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 only"
CC=${CC:-cc}
need "${CC%% *}" awk
todo_coverage "counters of gcov within the functions"
plan 46

# is_told NAME...: the log says of each that it is hot, and where.
is_told() {
	"$PTRACE_DUMP" -n call:unhooked log 2>/dev/null >told
	for name; do
		grep -q "hot: more than 10k calls.* at $name " told || return 1
	done
}

# hot OPTION...: the victim, until it is told.  If it is not, the log becomes full.
hot() {
	rm -f log input
	mkfifo input
	"$PTRACE_RUN" -o log --log-policy until-full --log-size 200M "$@" \
		<input >out 2>err &
	runner=$!
	exec 5>input
	wait_for is_told often deep
	told=$?
	echo over >&5
	exec 5>&-
	wait "$runner"
	status=$?
}

# recorded NAME: how many calls of it the log has.
recorded() {
	"$PTRACE_DUMP" -f json log |
		grep -c '"name":"call:e[nx][^"]*".*"function":"'"$1"'"'
}

# each NAME: what holds of each of these.
each() {
	is "$told $status" "0 3" "$1: it is told, and the program ends as without"
	is "$(cut -d ' ' -f 2- out)" "5 0" "$1: it does what it does without"
	"$PTRACE_DUMP" -f json log |
		awk '/"hot: .*"/ { hot++ }
		/"name":"call:e.*"function":"often"/ { nr++ }
		END { print hot, (nr > 10000) }' >got
	is "$(cat got)" "2 1" "$1: each once, and more than 10k calls are there"
	is "$(awk -v nr="$(recorded often)" '{ print ($1 > nr / 2) }' out)" 1 \
		"$1: and not all calls"
	is "$(recorded seldom)" "$seldom" "$1: what is not hot is all there"
}

for flags in -O1 '-O2 -fcf-protection=full' '-O2 -no-pie -fno-pie' -Os; do
	# shellcheck disable=SC2086
	$CC $flags -g -pthread -o hot "$abs_top_srcdir/t/run/functions-hot.c"
	seldom=4
	hot -f '*' --hot 10k ./hot
	each "made with $flags"
done

# What is said of it.
like "$(cat err)" ' 0 lost, 2 hot functions, 1 process' "the last line"
is "$("$PTRACE_DUMP" --info log | grep hot)" "hot-functions:      2" "--info"
"$PTRACE_REPORT" --calls log >report
is "$(sed -n '/ often$/{n;s/^ *//p;};/ deep$/{n;s/^ *//p;}' report |
	sed 's/ [0-9.]*s / T /')" "recorded until T (--hot)
recorded until T (--hot)" "--calls marks them"
is "$(awk '/ (often|deep)$/ { nr += ($1 ~ /^(≥|>=)/) } / seldom$/ { nr += $1 == 2 }
	END { print nr }' report)" 3 "... and their numbers"
is "$(grep -c '^recorded in part: 2 functions that were called too often' report)" \
	1 "... and the report says so"
is "$("$PTRACE_REPORT" --processes log |
	grep -c '^recorded in part: 2 functions')" 1 "in other views, too"
"$PTRACE_REPORT" --calls --json log >json
is "$(grep -o '"recorded_until":[0-9]' json | grep -c .) \
$(grep -o '"recorded_until":null' json | grep -c . | awk '{ print ($1 > 2) }') \
$(grep -o '"recorded_in_part":[0-9]*' json)" '2 1 "recorded_in_part":2' "JSON"
# From there on none is.
is "$("$PTRACE_DUMP" -f json log | awk '
	/"name":"call:e.*"function":"often"/ { after += is_off }
	/"hot: .*"/ && /often/ { is_off = 1 }
	END { print is_off + 0, after + 0 }')" "1 0" "from there on it is not recorded"

# In other ways to record them.
seldom=2
hot -f '*' --entry-only --hot 10k ./hot
each "--entry-only"
seldom=4
hot -f '*' -a --hot 10k ./hot
each "-a"

# Threads; and a child has it off from the beginning.
hot -f '*' --hot 10k ./hot 4 child
is "$told $status $(cut -d ' ' -f 2- out)" "0 3 5 7" "threads, and a child"
is "$("$PTRACE_DUMP" -f json log | awk '
	/"name":"process:fork"/ { is_forked = 1 }
	is_forked && /"name":"call:e.*"function":"often"/ { nr++ }
	END { print is_forked + 0, nr + 0 }')" "1 0" "... where it is off, too"

# Without the option, or at a rate that nothing reaches, all are recorded.
for option in '' '--hot 1000M'; do
	# shellcheck disable=SC2086
	"$PTRACE_RUN" -o log -f '*' $option ./hot </dev/null >out 2>err
	is "$(cat out) $(recorded often) $(recorded deep)" "1000 5 0 2000 2000" \
		"all calls are there ${option:-without --hot}"
done
is "$("$PTRACE_DUMP" --info log | grep hot)" "hot-functions:      0" "--info: none"

# In a process that runs: another trace has it again.
[ "$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null || echo 0)" = 0 ] ||
	[ "$(id -u)" = 0 ] || {
	for name in 1 2 3; do skip "$name" "nothing is injected here"; done
	exit
}
# attach OPTION...: until the log has what $until says.
attach() {
	rm -f log
	"$PTRACE_RUN" -q -o log --log-policy until-full --log-size 200M "$@" \
		--inject -f often -p "$pid" 2>err &
	runner=$!
	# shellcheck disable=SC2086 # words
	wait_for $until
	told=$?
	kill -INT "$runner"
	wait "$runner"
}
is_recorded() {
	[ "$(recorded often)" -gt 0 ]
}
rm -f input
mkfifo input
LD_PRELOAD=$LIBPTRACE PTRACE_DISABLE=1 ./hot 0 <input >out &
pid=$!
exec 5>input
until='is_told often'
attach --hot 10k
is "$told" 0 "a process that runs"
until=is_recorded
attach
is "$told" 0 "... the next trace has what is hot, too"
is "$("$PTRACE_DUMP" --info log | grep hot)" "hot-functions:      0" \
	"... and says nothing of it"
echo over >&5
exec 5>&-
wait "$pid"
