# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For the tests of whole trees of processes, after t/lib/tap.sh.
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
strace -o "$T/strace" true 2>/dev/null
[ -s "$T/strace" ] || skip_all "strace does not work here"

# Called before each run of the command; a test that needs it defines its own.
prepare() {
	:
}

# nr_execs COMMAND...: the number of images that the command and its descendants
# start.  Waits for all of them.
nr_execs() {
	prepare
	strace -f -qq -e trace=execve,execveat -e signal=none -o "$T/strace" \
		"$@" >/dev/null 2>&1 </dev/null
	grep -c ' = 0$' "$T/strace"
}

# is_complete: is the log complete?  Its dump goes to $T/json.
is_complete() {
	dump -f json >"$T/json" 2>"$T/dump.err"
}

# check OPTION...: checks the log by check-tree, when its last process has
# ended.
check() {
	: >"$T/wrong"
	[ -f "$T/log" ] && wait_for is_complete &&
		"$abs_top_srcdir/t/run/check-tree" "$@" <"$T/json" >"$T/wrong"
}

# trace COMMAND...: into $T/log, by ptrace-run; tree-ways.t has other ways.
trace() {
	case ${TREE_WAY-} in
	preload)
		rm -f "$T/log"
		env LD_PRELOAD="$LIBPTRACE" PTRACE_OUTPUT="$T/log" "$@"
		;;
	detach) run -D -- "$@" ;;
	*) run -- "$@" ;;
	esac
}

# tree NAME COMMAND...: one test: the log of the command is complete, and shows
# as many images as strace does. $unseen of them are programs that cannot be
# traced.
unseen=0
tree() {
	name=$1
	shift
	execs=$(nr_execs "$@")
	prepare
	trace "$@" >"$T/out" 2>"$T/err" </dev/null
	check --execs $((execs - unseen)) --untraced $unseen
	ok $? "$name: $execs images" || tree_diag
}

tree_diag() {
	diag "$(head -n 20 "$T/wrong" "$T/dump.err" "$T/err")"
	if [ -n "${TREE_KEEP-}" ]; then
		cp "$T/log" "$T/json" "$T/strace" "$TREE_KEEP"
	fi
}
