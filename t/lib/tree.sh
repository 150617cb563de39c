# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For the tests of whole trees of processes, after t/lib/tap.sh.
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
strace -o "$T/strace" true 2>/dev/null
[ -s "$T/strace" ] || skip_all "strace does not work here"

# Before each run of the command: a test that needs it has its own.
prepare() {
	:
}

# nr_execs COMMAND...: how many images the command and its descendants start.
# Waits for all of them.
nr_execs() {
	prepare
	strace -f -qq -e trace=execve,execveat -e signal=none -o "$T/strace" \
		"$@" >/dev/null 2>&1 </dev/null
	grep -c ' = 0$' "$T/strace"
}

# is_complete: and all of it is in $T/json.
is_complete() {
	dump -f json >"$T/json" 2>"$T/dump.err"
}

# check OPTION...: the log, by check-tree, when its last process has ended.
check() {
	: >"$T/wrong"
	[ -f "$T/log" ] && wait_for is_complete &&
		"$abs_top_srcdir/t/run/check-tree" "$@" <"$T/json" >"$T/wrong"
}

# trace COMMAND...: into $T/log, by ptrace-run; or otherwise, see tree-ways.t.
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

# tree NAME COMMAND...: a test: the log of the command is whole, and shows as
# many images as strace does.  $unseen of them are programs that cannot be
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
