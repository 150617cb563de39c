# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Servers under load that ptrace-run --inject is used on, after t/lib/tap.sh.
. "${abs_top_srcdir:-.}/t/lib/run.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "not x86-64"
[ "$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null || echo 0)" = 0 ] ||
	[ "$(id -u)" = 0 ] || skip_all "ptrace is for parents only"
unset LD_PRELOAD
nr_killed=0

# inject PID: traces it into $T/log.PID until it ends.
inject() {
	"$PTRACE_RUN" -v --inject -e process,io,net -o "log.$1" -p "$1" \
		2>"err.$1" &
	eval "runner_$1=$!"
	wait_for grep '^ptrace-run: tracing' "err.$1" || diag "$(cat "err.$1")"
}

# is_recorded PID EVENT: when it has ended, are there such events?
is_recorded() {
	eval "wait \$runner_$1"
	"$PTRACE_DUMP" -f raw -n "$2" "log.$1" | grep -q .
}

# inject_killed PID STEP...: injects, each time killed at that step.
inject_killed() {
	killed_in=$1
	shift
	for step; do
		"$VICTIMS/victim-inject" kill "$step" \
			"$TAP_MONITOR" \
			--inject -q -o killed -p "$killed_in" 2>/dev/null &&
			nr_killed=$((nr_killed + 1))
	done
}

# begin_load COMMAND...: in the background, it has output and errors in $T/load.
begin_load() {
	"$@" >load 2>&1 &
	load=$!
}

# end_load SIGNAL: its status is in $?.
end_load() {
	kill -s "$1" $load
	wait $load
}

# await_load PID: until that process has worked for some more.
await_load() {
	work=$(cpu_time "$1")
	wait_for has_worked "$1"
}
has_worked() {
	[ "$(cpu_time "$1")" -gt "$work" ]
}
cpu_time() {
	awk '{ print $14 + $15 }' "/proc/$1/stat"
}
