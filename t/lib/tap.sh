# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# A TAP producer for the shell tests, which begin with
#
#	#!/bin/sh
#	# One sentence: what this test proves.
#	. "${abs_top_srcdir:-.}/t/lib/tap.sh"
#	plan 2
#
# Gives them a private directory $T, removed at the end, whatever the end is;
# an end if they hang; and the paths of what they test.

if [ -z "${TAP_WATCHED-}" ]; then
	exec "${abs_top_srcdir:-.}/t/lib/patience" "$0" "$@"
fi

: "${abs_top_srcdir:=$(pwd)}"
if [ -z "${abs_top_builddir-}" ]; then
	abs_top_builddir=$abs_top_srcdir
	if [ -f "$abs_top_srcdir/build/Makefile" ]; then
		abs_top_builddir=$abs_top_srcdir/build
	fi
fi
PTRACE_RUN=$abs_top_builddir/scripts/ptrace-run
tap_tools=$abs_top_builddir/tools
TAP_MONITOR=$abs_top_builddir/libexec/libptrace/ptrace-monitor
LIBPTRACE=$abs_top_builddir/lib/libptrace.so
# A tree of links to what is installed: t/lib/installed.  Not by the links, for
# what is installed has to find the rest by itself.
if [ -L "$abs_top_builddir/bin" ]; then
	tap_tools=$(readlink -f "$abs_top_builddir/bin")
	PTRACE_RUN=$tap_tools/ptrace-run
	TAP_MONITOR=$(readlink -f "$TAP_MONITOR")
	LIBPTRACE=$(readlink -f "$abs_top_builddir/lib")/libptrace.so
fi
PTRACE_DUMP=$tap_tools/ptrace-dump
PTRACE_REPORT=$tap_tools/ptrace-report
PTRACE_EVENT=$tap_tools/ptrace-event
PTRACE_CTL=$tap_tools/ptrace-ctl
export abs_top_srcdir abs_top_builddir
export PTRACE_RUN PTRACE_DUMP PTRACE_REPORT PTRACE_EVENT PTRACE_CTL LIBPTRACE
# The sorting order and the language of messages must not depend on the user.
LC_ALL=C
export LC_ALL

T=$(mktemp -d "${TMPDIR:-/tmp}/ptrace-test.XXXXXX") || exit 1
# What ptrace-run -f keeps from run to run.
PTRACE_PLAN_CACHE=$T/plans
export PTRACE_PLAN_CACHE
trap 'tap_end $?' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 141' PIPE
trap 'exit 143' TERM

tap_planned=
tap_run=0
tap_failed=0
tap_todo=

# Removes $T.  What a test has mounted below it is another place's, perhaps the
# machine's own /etc, on the same file system: it is unmounted first, and if that
# fails nothing is removed.
tap_remove() {
	while tap_mount=$(tap_mounted); [ -n "$tap_mount" ]; do
		if ! umount "$tap_mount" 2>/dev/null; then
			echo "# left: $T, for $tap_mount is mounted there" >&2
			return
		fi
	done
	rm -rf "$T"
}

# The last mount below $T.
tap_mounted() {
	awk -v t="$T/" 'index($5, t) == 1 { last = $5 } END { print last }' \
		/proc/self/mountinfo 2>/dev/null || echo unknown
}

tap_end() {
	trap - EXIT
	tap_status=$1
	tap_remove
	if [ "$tap_status" = 0 ] && [ -n "$tap_planned" ]; then
		if [ "$tap_run" != "$tap_planned" ]; then
			diag "planned $tap_planned tests, ran $tap_run"
			tap_status=1
		elif [ "$tap_failed" != 0 ]; then
			tap_status=1
		fi
	fi
	exit "$tap_status"
}

# plan COUNT
plan() {
	tap_planned=$1
	echo "1..$1"
}

# skip_all REASON: instead of plan, when the environment lacks something.
skip_all() {
	echo "1..0 # SKIP $*"
	exit 0
}

# clock_is_counter: does the kernel trust the CPU's counter?  Else no event goes
# the fast path, and its time is made by the kernel's code: t/lib/clock.h.
clock_is_counter() {
	grep -q -x -e tsc -e arch_sys_counter \
		/sys/devices/system/clocksource/clocksource0/current_clocksource
}

# need COMMAND...: skip_all unless each is there.
need() {
	for tap_command; do
		command -v "$tap_command" >/dev/null 2>&1 ||
			skip_all "no $tap_command"
	done
}

# lacks COMMAND WHAT PART...: is there no such command?  Then it skips the tests
# whose names are "WHAT: PART".
lacks() {
	! command -v "$1" >/dev/null 2>&1 || return 1
	tap_command=$1 tap_what=$2
	shift 2
	for tap_part; do
		skip "$tap_what: $tap_part" "no $tap_command"
	done
}

diag() {
	printf '%s\n' "$*" | sed 's/^/# /'
}

# pass NAME, fail NAME
pass() {
	tap_run=$((tap_run + 1))
	printf 'ok %d - %s\n' "$tap_run" "$*"
}
fail() {
	tap_run=$((tap_run + 1))
	[ -n "$tap_todo" ] || tap_failed=$((tap_failed + 1))
	printf 'not ok %d - %s%s\n' "$tap_run" "$*" "$tap_todo"
}

# todo_coverage REASON: with --enable-coverage, failures from here on are
# expected, because of the counting, for that reason.
todo_coverage() {
	if grep -q '^#define PTL_COVERAGE' "$abs_top_builddir/config.h"; then
		tap_todo=" # TODO coverage: $*"
	fi
}

# todo NAME: a known bug, seen again.
todo() {
	tap_run=$((tap_run + 1))
	printf 'not ok %d - %s # TODO known bug\n' "$tap_run" "$*"
}

# skip NAME REASON [N]: this test, or N tests, cannot be run here.
skip() {
	for _ in $(seq "${3:-1}"); do
		tap_run=$((tap_run + 1))
		printf 'ok %d - %s # SKIP %s\n' "$tap_run" "$1" "$2"
	done
}

# Like the next two it fails where the test does and was not expected to: the
# script's own status may be that of its last test.
# ok STATUS NAME: STATUS is usually $?.
ok() {
	if [ "$1" -eq 0 ]; then
		pass "$2"
	else
		fail "$2"
		diag "status $1"
		[ -n "$tap_todo" ]
	fi
}

# is GOT WANT NAME
is() {
	if [ "$1" = "$2" ]; then
		pass "$3"
	else
		fail "$3"
		diag "got:  $1"
		diag "want: $2"
		[ -n "$tap_todo" ]
	fi
}

# tap_matches PATTERN: of the text that is read.  To grep a newline in it would be
# an "or", and an empty part of that is in every text.
tap_matches() {
	case $1 in
	*'
'*)
		TAP_PATTERN=$1 perl -0777 -ne 'exit !/$ENV{TAP_PATTERN}/m'
		;;
	*)
		grep -Eq -e "$1"
		;;
	esac
}

# like TEXT PATTERN NAME: PATTERN is an extended regular expression; one with a
# newline is of as many lines.
like() {
	if printf '%s\n' "$1" | tap_matches "$2"; then
		pass "$3"
	else
		fail "$3"
		diag "got: $1"
		diag "no match for: $2"
		[ -n "$tap_todo" ]
	fi
}
