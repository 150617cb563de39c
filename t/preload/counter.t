#!/bin/sh
# SPDX-License-Identifier: MIT
# Who may not read the CPU's counter is not killed for our reading it: what it
# does then is lost, and counted; when it may again it is recorded.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
victim=$VICTIMS/victim-counter
"$victim" prctl >/dev/null
[ $? = 4 ] || skip_all "no PR_SET_TSC"
plan 27

# lost: how many events the last traced run lost.
lost() {
	"$PTRACE_DUMP" --info "$T/log" | sed -n 's/^lost[^0-9]*//p'
}

families=all
for how in prctl syscall end thread fork vfork strict; do
	same "$how" "$victim" $how
done
for how in prctl syscall vfork; do
	run_traced "$victim" $how
	is "$(events file:open /before)" 3 "$how: what was before"
	is "$(events file:open /after)" 3 "$how: and what comes after"
	is "$(($(events file:open /while) + $(lost) > 0))" 1 "$how: the rest counts"
done
for how in end thread; do
	run_traced "$victim" $how
	is "$(($(events file:open /while) + $(lost) >= 3))" 1 "$how: lost, counted"
	is "$(events process:exit '"status":4')" 1 "$how: its end is told"
done
run_traced "$victim" fork
is "$(events process:fork) $(events process:exit)" "1 2" "fork: the child is told of"
run_traced "$victim" strict
is "$(($(lost) >= 3))" 1 "strict: lost, counted"

# Where calls are summed up there is no event that looks first.
for how in prctl syscall thread fork vfork; do
	run_plain "$victim" $how
	"$PTRACE_RUN" -q -c -l '*' -o "$T/log" -- "$victim" $how \
		>"$T/traced.out" 2>"$T/traced.err" </dev/null
	echo $? >"$T/traced.status"
	compare "$how: calls are summed up"
done
