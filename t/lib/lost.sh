# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For the tests that count lost events, after t/lib/tap.sh.
. "${abs_top_srcdir:-.}/t/lib/alone.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"

# More events than any of the limits below can hold, of some 24 bytes each.
OFFERED=120000

# Nothing else is recorded.
options='-e none -b 64K'
for type in start stop filter overflow resume error; do
	options="$options -x posix_trace_$type"
done

# offer LOG OPTION...: traces with these options; $T/said has the summary.
offer() {
	file=$1
	shift
	# shellcheck disable=SC2086 # options, one a word
	"$PTRACE_RUN" $options -o "$file" "$@" \
		"$VICTIMS/victim-offer" $OFFERED >"$T/out" 2>"$T/err"
	sed -n -E 's/^ptrace-run: ([0-9 ]+) events, ([0-9 ]+) lost/\1:\2:/
		s/^([0-9 :]+)( \((.*)\))?, .*/\1\3/p' "$T/err" >"$T/said"
}

# number TEXT: without the separators of thousands.
number() {
	printf '%s' "$1" | tr -d ' '
}

# info LOG KEY: its value.
info() {
	"$PTRACE_DUMP" --info "$1" 2>/dev/null | sed -n "s/^$2: *//p"
}

# sums NAME CAUSE: the summary adds up, and names the cause.
sums() {
	IFS=: read -r logged lost cause <"$T/said"
	is "$(($(number "$logged") + $(number "$lost"))) $cause" "$OFFERED $2" \
		"$1: the summary adds up" || diag "$(cat "$T/err")"
}

# holds LOG NAME: the figures of the log add up, and match its events.
holds() {
	logged=$(info "$1" events)
	shown=$("$PTRACE_DUMP" -f raw "$1" 2>/dev/null | grep -c ' offer')
	is "$logged $((logged + $(info "$1" lost)))" "$shown $OFFERED" \
		"$2: --info adds up" ||
		diag "$("$PTRACE_DUMP" --info "$1" | head -n 12)"
}

# kill_controller LOG OPTION...: and its guardian, after all events were recorded.
kill_controller() {
	file=$1
	shift
	rm -f "$T/go" && mkfifo "$T/go"
	# shellcheck disable=SC2086,SC2016
	"$PTRACE_RUN" $options -o "$file" "$@" \
		sh -c '"$0" "$1" && : >"$2.done" && read -r _ <"$2"' \
		"$VICTIMS/victim-offer" $OFFERED "$T/go" >"$T/out" 2>"$T/err" &
	front=$!
	wait_for test -e "$T/go.done"
	rm -f "$T/go.done"
	# shellcheck disable=SC2046 # two processes
	kill -9 $(guarded "$(monitor_of "$file" $front)")
	echo >"$T/go"
	wait $front 2>/dev/null
}

# monitor_of LOG FRONT: the controller, which has the front's name.
monitor_of() {
	grep -lx ptrace-monitor /proc/[0-9]*/comm 2>/dev/null |
		cut -d / -f 3 | while read -r pid; do
		[ "$pid" != "$2" ] &&
			grep -qaF "$1" "/proc/$pid/cmdline" 2>/dev/null &&
			echo "$pid"
	done
}
