#!/bin/sh
# SPDX-License-Identifier: MIT
# -r: a return is one event, with its value; functions that are left in another
# way than by returning have none, and nothing else comes of it.
. "${abs_top_srcdir:-.}/t/lib/hooked.sh"
plan 48

for how in now lazy no-pie; do
	build_linked "$how" || break
	run_calls -r called_leaf -- "./$how" loop 10000
	is "$(events call:enter)" 10000 "$how: an event for each call"
	is "$(events call:exit '"function":"called_leaf","library":"libcalled.so"')" \
		10000 "$how: and for each return, with its name"
	is "$(events call:exit '"sym":"loop\+')" 10000 "$how: and its caller"
	is "$(events call:exit '"duration":[0-9]+')" 10000 "$how: how long"
	is "$(grep -c '"ret":"0x2710"' "$T/json")" 1 "$how: what it returned"
	same_calls "$how: values are the same" -r '*' -- "./$how" values
done

run_calls -r called_leaf -- ./lazy threads 5000
is "$(events call:exit)" 40000 "eight threads: an event for each return"
run_calls -r 'libcalled.so:*' -- ./now tail
is "$(events call:exit '"function":"called_tail"')" 1 "a return"
is "$(events call:enter '"function":"called_leaf"')" 1 "a call by a jump"
is "$(events call:exit)" 1 "returns with the one that jumped"
same_calls "jumps to those that look at their caller" -e signal \
	-r 'libcalled.so:*' -- ./now tails
is "$(events call:exit '"function":"called_kill"')" 1 "a return"
is "$(events signal:send '"sym":"called_tails\+')" 1 "and who called"
run_calls -k -r called_leaf -- ./now loop 10
"$PTRACE_DUMP" -f raw -n call:exit log >text
is "$(grep -c '^    main+' text)" 10 "-k: a return has a whole stack"
run_calls -l called_leaf -r called_other -- ./now storm 20
is "$(events call:exit '"function":"called_other"')" "$(events call:exit)" \
	"-l and -r together"
run_calls -r libc:setjmp -r 'libc:_setjmp' -- ./now jumps 3
is "$(events call:exit):$(events call:unhooked '"reason":"entry only"')" 0:1 \
	"what must not be returned from is said"

for how in jumps:500 signal-jumps:200 storm:300 thread-ends:50 contexts:200 \
	vforks:100 forks:20 opens:30; do
	set -- "${how%:*}" "${how#*:}"
	case $1 in opens) set -- "$@" "$T/plugin.so" ;; esac
	same_calls "$1: as without" -r '*' -- ./lazy "$@"
	enters=$(events call:enter '"function":"called_callback"')
	exits=$(events call:exit '"function":"called_callback"')
	leaves=$(events call:exit '"function":"called_leaf"')
	case $1 in
	jumps | signal-jumps)
		is "$enters:$exits:$leaves" "$2:0:$2" "$1: those that return"
		;;
	contexts) is "$exits" $((2 * $2 - 1)) "$1: on both stacks" ;;
	forks) is "$exits:$leaves" 2:41 "$1: in both processes" ;;
	opens) is "$leaves" $((42 * $2)) "$1: each return" ;;
	thread-ends)
		is "$enters:$exits" $((2 * $2)):0 "$1: none of those left"
		;;
	esac
done

if command -v g++ >/dev/null 2>&1; then
	for how in now lazy; do
		g++ -O2 -Wl,-z,$how -o thrown "$source/thrown.cc" -L. \
			-lcalled -Wl,-rpath,"$T" >cc.out 2>&1 ||
			diag "$(cat cc.out)"
		same_calls "exceptions, $how" -r '*' -- ./thrown 100
		is "$(events call:exit '"function":"called_leaf"')" 700 \
			"$how: destructors"
		is "$(events call:exit '"function":"called_callback"')" 1 \
			"$how: the one that returns"
	done
else
	skip "exceptions" "no g++" 6
fi
