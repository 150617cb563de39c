# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For the tests of the wrappers: a program must not notice that it is traced,
# and the trace must show what it did.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"

# shellcheck disable=SC2034
VICTIMS=$abs_top_builddir/t/preload
[ -x "$PTRACE_RUN" ] || skip_all "no ptrace-run"

# run_plain COMMAND..., run_traced COMMAND...: leave $T/plain.out, .err and
# .status, or $T/traced.*.  The trace goes to $T/log, with the families
# $families, if set.
run_plain() {
	"$@" >"$T/plain.out" 2>"$T/plain.err" </dev/null
	echo $? >"$T/plain.status"
}
run_traced() {
	rm -f "$T/log"
	"$PTRACE_RUN" -q ${families:+-e "$families"} -o "$T/log" -- "$@" \
		>"$T/traced.out" 2>"$T/traced.err" </dev/null
	echo $? >"$T/traced.status"
}

# compare NAME: one test: $T/plain.* and $T/traced.* are the same.
compare() {
	for part in out err status; do
		cmp -s "$T/plain.$part" "$T/traced.$part" && continue
		fail "$1"
		diag "std$part differs:"
		diag "$(diff "$T/plain.$part" "$T/traced.$part" | head -n 20)"
		return 1
	done
	pass "$1"
}

# same NAME COMMAND...: output and status are the same, traced or not.
same() {
	name=$1
	shift
	run_plain "$@"
	run_traced "$@"
	compare "$name"
}

# events NAME [PATTERN...]: the number of events of this name, with lines that
# match each pattern, in the last trace.
events() {
	[ -f "$T/log" ] || { echo none; return; }
	"$PTRACE_DUMP" -f json "$T/log" >"$T/json" 2>"$T/dump.err"
	grep -F "\"name\":\"$1\"" "$T/json" >"$T/found"
	shift
	for pattern; do
		grep -E -e "$pattern" "$T/found" >"$T/fewer"
		mv "$T/fewer" "$T/found"
	done
	grep -c . "$T/found"
}
