#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2086 # a compiler can be words
# With -k events have the callers of the program on any stack, however it was
# compiled, and none of the library's own functions.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 72
todo_coverage "code of other places"

cc=${CC:-cc}
cd "$T" || exit 1

# frames EVENT: the functions on its stack, up to main or the 12th; the dump is
# in $T/text.
frames() {
	awk -v event="$1" '
		!/^    / {
			is_in = $3 == event && !seen
			seen = seen || is_in
			next
		}
		is_in {
			sub(/^    /, "")
			sub(/\+0x.*/, "")
			if (nr++ < 12 && !is_over)
				print
			is_over = is_over || $0 == "main"
		}
		' text | tr '\n' ' '
}

# built NAME COMMAND...: makes $T/program, or skips the tests of NAME.
built() {
	what=$1
	shift
	compiler=$1
	shift
	command -v ${compiler%% *} >/dev/null 2>&1 && $compiler "$@" -g0 -pthread \
		-I"$abs_top_srcdir/include" -o program \
		-x "$language" "$abs_top_srcdir/t/preload/stacked.c" \
		>cc.out 2>&1 && return
	diag "$(head -n 5 cc.out)"
	for part in "as untraced" plain deep handler "alternate stack" thread coroutine \
		children exception "none of ours"; do
		skip "$what: $part" "cannot be built"
	done
	return 1
}

# check NAME COMMAND...
check() {
	built "$@" || return
	run_plain ./program
	"$PTRACE_RUN" -q -k -o log -- ./program >traced.out 2>traced.err
	is "$? $(cat traced.out traced.err)" "0 $(cat plain.out)" \
		"$what: as untraced"
	"$PTRACE_DUMP" -f raw log >text
	is "$(frames plain)" "inner middle outer main " "$what: plain"
	is "$(frames deep | tr ' ' '\n' | sort | uniq -c | tr -s ' ' | tr '\n' ' ')" \
		" 1 inner  11 recurse " "$what: deep"
	like "$(frames handler)" "^inner middle outer handler .*main $" \
		"$what: handler"
	like "$(frames alternate)" "^inner middle outer handler .*main $" \
		"$what: alternate stack"
	like "$(frames thread)" \
		"^inner middle outer thread ([a-z_]*thread|0x)" "$what: thread"
	like "$(frames coroutine)" "^inner middle outer coroutine " \
		"$what: coroutine"
	is "$(frames process:fork) $(frames process:exec_failed)" \
		"spawner main  spawner main " "$what: children"
	if [ "$language" = c ]; then
		skip "$what: exception" "C"
	else
		like "$(frames caught) $(frames unwound)" \
			"^inner middle outer catcher main  inner middle outer .*catcher main $" \
			"$what: exception"
	fi
	is "$(grep -c '^    .*(libptrace.so)' text)" 0 "$what: none of ours"
}

language=c
check "-O0" "$cc" -O0
check "-O2" "$cc" -O2 -fomit-frame-pointer
check "frame pointers alone" "$cc" -O2 -fno-omit-frame-pointer \
	-fno-asynchronous-unwind-tables -fno-unwind-tables -fno-exceptions
check "-O2 -no-pie" "$cc" -O2 -fno-pie -no-pie
check "clang -O2" clang -O2
language=c++
check "C++ -O2" "${CXX:-g++}" -O2
check "C++ -O0, frame pointers" "${CXX:-g++}" -O0 -fno-omit-frame-pointer

# Functions compiled to tell of their calls: at each entry who called, nothing
# of the hook; and no register changes though each event takes the slow path.
language=c
if built "-mfentry" "$cc" -O2 -pg -mfentry; then
	"$PTRACE_RUN" -q -k -e call -o log -- ./program >traced.out
	"$PTRACE_DUMP" -f raw log >text
	like "$(grep -A3 '^    recurse' text | sed 's/+.*//' | uniq | head -n 2 |
		tr -s ' \n' ' ')" '^ (middle|recurse) ' "-mfentry: callers"
	is "$(grep -c '^    .*(libptrace.so)' text)" 0 "-mfentry: none of ours"
fi
