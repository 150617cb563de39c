# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For the tests of a family of small programs, after t/lib/tap.sh: each is run
# untraced and in every mode, and must not differ.
. "${abs_top_srcdir:-.}/t/run/lib.sh"
VICTIM=$abs_top_builddir/t/table/victim
LD_LIBRARY_PATH=
export LD_LIBRARY_PATH

# Programs that are known to differ: the family's test says why.
known=
# Those of which not all can be recorded: it is counted.
counted=

modes="run all calls returns stack everything preload"

# tracing MODE COMMAND...: runs it so, in a new directory.
tracing() {
	mode=$1
	shift
	set -- -- "$@"
	case $mode in
	all) set -- -e all "$@" ;;
	calls) set -- -l '*' "$@" ;;
	returns) set -- -r '*' "$@" ;;
	stack) set -- -k "$@" ;;
	everything) set -- -e all -r '*' -k "$@" ;;
	esac
	case $mode in
	plain)
		shift
		;;
	preload)
		shift
		set -- env LD_PRELOAD="$LIBPTRACE" PTRACE_OUTPUT="$T/log" "$@"
		;;
	*) set -- "$PTRACE_RUN" -b 4M -o "$T/log" "$@" ;;
	esac
	rm -rf "$T/log" "$T/dir"
	mkdir "$T/dir"
	(
		# shellcheck disable=SC3045 # dash has it
		cd "$T/dir" && ulimit -c 0 &&
			exec timeout -s KILL 30 "$@" </dev/null 3<&-
	) >"$T/out" 2>"$T/err"
	echo "status $?" >"$T/end"
	{
		cat "$T/out"
		echo "-- errors"
		grep -v '^ptrace-run: ' "$T/err"
		cat "$T/end"
	} >"$T/$mode"
}

# differs MODE PROGRAM: says how the last run did, unless it did not.
differs() {
	if ! cmp -s "$T/plain" "$T/$1"; then
		diff -a "$T/plain" "$T/$1" | head -n 20
	elif ! [ -s "$T/log" ]; then
		echo "not traced"
	elif grep -q '^ptrace-run: .*[1-9]0* lost' "$T/err" &&
		[ "${counted#*"$2"}" = "$counted" ]; then
		grep '^ptrace-run: ' "$T/err"
	else
		return 1
	fi
}

# try FAMILY PROGRAM: one test.
try() {
	tracing plain "$VICTIM" "$1" "$2"
	wrong=
	for mode in $modes; do
		tracing "$mode" "$VICTIM" "$1" "$2"
		differs "$mode" "$2" >"$T/differs" || continue
		wrong="$wrong $mode"
		diag "$mode:"
		diag "$(cat "$T/differs")"
	done
	case "${wrong:+wrong }${known:+ $known }" in
	wrong*" $2 "*) todo "$1 $2" ;;
	wrong*) fail "$1 $2: differs:$wrong" ;;
	*) pass "$1 $2" ;;
	esac
}

# family NAME: all of its programs.
family() {
	"$VICTIM" "$1" >"$T/programs" || exit 1
	plan "$(wc -l <"$T/programs")"
	todo_coverage "libgcov has files, memory and system calls of its own"
	while read -r name <&3; do
		try "$1" "$name"
	done 3<"$T/programs"
}
