# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For the tests that kill, after t/lib/tap.sh.
. "${abs_top_srcdir:-.}/t/lib/alone.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3

victim=$VICTIMS/victim-kill

# begin, begin_with OPTION...: the victim is traced and records; $front is ptrace-run, $monitor
# the controller, $guardian its parent.
begin() {
	begin_with -b 16M
}
begin_with() {
	rm -f "$T/log" "$T/shared"
	"$PTRACE_RUN" -q -o "$T/log" "$@" -- "$victim" record "$T/shared" \
		2>"$T/err" &
	front=$!
	"$victim" kill "$T/shared" 3
	wait_for is_guarded
}

# is_guarded: the controller is known, and its guardian, who has its name a little
# later.  By its name, too: who looks has the log among its arguments himself.
is_guarded() {
	monitor=$(grep -lx ptrace-monitor /proc/[0-9]*/comm 2>/dev/null |
		cut -d / -f 3 | while read -r pid; do
		[ "$pid" != "$front" ] &&
			grep -qaF "$T/log" "/proc/$pid/cmdline" 2>/dev/null &&
			echo "$pid"
	done)
	case $monitor in
	'' | *[!0-9]*) return 1 ;;
	esac
	guardian=$(guardian_of "$monitor" 2>/dev/null)
	[ -n "$guardian" ]
}

# moment: a random number of events.
moment() {
	od -An -N2 -tu2 /dev/urandom | tr -d ' '
}

# ended PID...: waits until they and the victim have ended; $told is the status
# of ptrace-run.
ended() {
	# shellcheck disable=SC2046
	set -- "$@" $("$victim" pids "$T/shared")
	wait "$front" 2>/dev/null
	told=$?
	for pid; do
		wait_for is_ended "$pid"
	done
}

# all_there: everything that the victim reported is in the log; the dump is in
# $T/json.
all_there() {
	dump -f json >"$T/json" 2>"$T/dump.err"
	echo $? >"$T/dump.status"
	# shellcheck disable=SC2046
	"$abs_top_srcdir/t/run/check-numbers" $("$victim" show "$T/shared") \
		<"$T/json" >"$T/wrong"
}

# killed: the number of killed processes according to the log.
killed() {
	grep -c '"process:exit".*"args":{"signal":9[,}]' "$T/json"
}

# shellcheck disable=SC2034 # the tests use them
front='' monitor='' guardian='' told=''
rundir=/dev/shm/ptrace-$(id -u)

# is_clean: each file that came into the run directory since the test began
# belongs to a living process; others are listed in $T/left.  First a stream is
# created, which removes the files of dead processes.
: >"$T/begin"
is_clean() {
	run true
	"$abs_top_srcdir/t/run/check-rundir" "$rundir" "$T/begin" >"$T/left"
}
