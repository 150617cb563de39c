#!/bin/sh
# SPDX-License-Identifier: MIT
# -l: a call of a library function is one event, however its caller is linked,
# and whatever the call does; arguments and results are what they would be.
. "${abs_top_srcdir:-.}/t/lib/hooked.sh"
plan 43

for how in now lazy no-pie; do
	build_linked "$how" || break
	run_calls -l called_leaf -- "./$how" loop 10000
	is "$(events call:enter)" 10000 "$how: an event for each call"
	is "$(events call:enter '"function":"called_leaf","library":"libcalled.so"')" \
		10000 "$how: each with its name"
	is "$(events call:enter '"sym":"loop\+')" 10000 "$how: and its caller"
	is "$(events call:symbol)" 1 "$how: the name is told once"
	is "$(events call:exit)" 0 "$how: no exits"
	same_calls "$how: values are the same" -l '*' -- "./$how" values
done

run_calls -l called_leaf -- ./lazy threads 5000
is "$(events call:enter)" 40000 "eight threads: an event for each call"
run_calls -l 'libcalled.so:*' -- ./now tail
is "$(events call:enter '"function":"called_tail"')" 1 "a call"
is "$(events call:enter '"function":"called_leaf"')" 1 "its call by a jump"
is "$(events call:enter)" 2 "and nothing else of that library"

for how in jumps:500 signal-jumps:200 storm:300 thread-ends:50 contexts:200 \
	vforks:100 forks:20 opens:30; do
	set -- "${how%:*}" "${how#*:}"
	case $1 in opens) set -- "$@" "$T/plugin.so" ;; esac
	same_calls "$1: as without" -l '*' -- ./lazy "$@"
	case $1 in
	jumps | signal-jumps)
		is "$(events call:enter '"function":"called_(callback|leaf)"')" \
			$((2 * $2)) "$1: an event for each call"
		;;
	opens)
		is "$(events call:enter '"function":"called_leaf","library":"libcalled.so"' '"sym":"plugin_run\+')" \
			$((42 * $2)) "opens: each call of what is loaded later"
		;;
	forks)
		is "$(events call:enter '"function":"called_leaf","library":"libcalled.so"')" \
			41 "forks: parent and child, with names"
		;;
	esac
done

# Without a PLT: hooked if slots are used for calls only.
if [ "$(uname -m)" = x86_64 ] && build no-plt -fno-plt -Wl,-z,now; then
	run_calls -l 'called_*' -- ./no-plt loop 10000
	is "$(events call:enter '"function":"called_leaf"')" 10000 \
		"-fno-plt: an event for each call"
	same_calls "-fno-plt: values are the same" -l '*' -- ./no-plt values
	build pointer -fno-plt -Wl,-z,now -DPOINTER
	same_calls "-fno-plt: pointers are the same" -l '*' -- ./pointer pointer
	is "$(events call:enter '"function":"called_leaf"')" 0 \
		"-fno-plt: a slot that is used as a pointer is not hooked"
	is "$(events call:enter '"function":"called_other"')" 1 \
		"-fno-plt: but others are"
	is "$(($(events call:unhooked '"reason":"no slot for calls alone"') > 0))" 1 \
		"-fno-plt: and that is counted"
else
	skip "-fno-plt" "not here" 6
fi

# Patterns.
run_calls -l 'called_o*' -l '*:called_[k-m]ea?' -- ./now storm 3
is "$(events call:enter '"function":"called_(other|leaf)"')" \
	"$(events call:enter)" "what patterns fit"
run_calls -l 'nothing:called_leaf' -- ./now loop 10
is "$(events call:enter)" 0 "another library"
LD_PRELOAD=$LIBPTRACE PTRACE_CALLS=called_leaf PTRACE_OUTPUT=$T/log \
	./lazy loop 100 >/dev/null
# Its controller is a process of its own, and may be behind.
tries=0
until [ "$(events process:exit)" = 1 ] || [ $tries -eq 500 ]; do
	tries=$((tries + 1))
	sleep 0.02
done
is "$(events call:enter)" 100 "LD_PRELOAD alone"
