# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For the tests of a family of small programs, after t/lib/tap.sh: each program
# is run untraced and in every mode, and the results must not differ.
. "${abs_top_srcdir:-.}/t/lib/run.sh"
VICTIM=$abs_top_builddir/t/table/victim
LD_LIBRARY_PATH=
export LD_LIBRARY_PATH

# Programs that are known to differ: the family's test says why.
known=
# Programs whose calls cannot all be recorded: what is missing is counted.
counted=

modes="run all calls returns stack everything preload"
# Functions inside them, and inside of all objects, libc, too.
[ "$(uname -m)" != x86_64 ] || modes="$modes functions inside"

# tracing MODE COMMAND...: runs it in this mode, in a new directory.
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
	functions) set -- -f '*' "$@" ;;
	static) set -- --reach static "$@" ;;
	inside) set -- -f '*' -f '*:*' -f 'libc:*' "$@" ;;
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
			exec "$@" </dev/null 3<&-
	) >"$T/out" 2>"$T/err"
	echo "status $?" >"$T/end"
	{
		cat "$T/out"
		echo "-- errors"
		grep -v '^ptrace-run: ' "$T/err"
		cat "$T/end"
	} >"$T/$mode"
}

# is_complete: a log whose processes have all ended.
is_complete() {
	"$PTRACE_DUMP" --info "$T/log" 2>/dev/null >"$T/info"
	grep -q '^log-state: *complete' "$T/info"
}

# lost: the number of lost events.  Where there is no summary, since ptrace-run
# did not wait or processes are still traced, the log has it once they have
# ended; if they are in another pid namespace, we cannot see that, and use the
# figure so far.
lost() {
	if grep -q '^ptrace-run: .* lost' "$T/err"; then
		sed -n 's/^ptrace-run: .* \([0-9]*\) lost.*/\1/p' "$T/err"
		return
	fi
	tries=0
	until is_complete || [ $tries = 50 ]; do
		tries=$((tries + 1))
		sleep 0.02
	done
	sed -n 's/^lost: *//p' "$T/info"
}

# differs MODE PROGRAM: how the last run differs, or nothing.
differs() {
	if ! cmp -s "$T/plain" "$T/$1"; then
		diff -a "$T/plain" "$T/$1" | head -n 20
	elif ! [ -s "$T/log" ]; then
		echo "not traced"
	elif [ "${counted#*"$2"}" = "$counted" ]; then
		lost=$(lost)
		[ "$lost" != 0 ] || return 1
		grep '^ptrace-run: ' "$T/err"
		echo "${lost:-unknown how many} lost"
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

# families NAME...: all of their programs.
families() {
	for family; do
		"$VICTIM" "$family" | sed "s/^/$family /"
	done >"$T/programs"
	plan "$(wc -l <"$T/programs")"
	todo_coverage "libgcov has files, memory and system calls of its own"
	while read -r family name <&3; do
		try "$family" "$name"
	done 3<"$T/programs"
}

# family NAME: all of its programs.
family() {
	families "$1"
}
