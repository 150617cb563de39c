#!/bin/sh
# SPDX-License-Identifier: MIT
# A program that installs a seccomp filter past our wrappers is not killed for
# calls of ours: whatever it does then, what that is is recorded.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 57
todo_coverage "libgcov makes system calls"

unseen=$VICTIMS/victim-unseen
for how in own handle; do
	for what in exit return thread vfork signal fork spawn forkexec \
		vforkexec exec; do
		same "$how: $what" "$unseen" $how $what
		case $what in
		fork) is "$(events process:exit '"status":3')" 1 \
			"the end of the child is recorded" ;;
		thread) is "$(events thread:exit)" 1 "so is a thread's" ;;
		*exec | spawn) is "$(events process:exit '"status":0')" 1 \
			"what it starts is traced" ;;
		esac
	done
done

# Nor where nothing of it is recorded.
for what in exit return thread vfork signal fork spawn forkexec vforkexec exec; do
	run_plain "$unseen" own $what
	PTRACE_DISABLE=1 run_traced "$unseen" own $what
	compare "disabled: $what"
	PTRACE_SKIP=victim-unseen run_traced "$unseen" own $what
	compare "skipped: $what"
done

# Others make room for what it records.
families="file"
for how in own handle; do
	same "$how: many events" "$unseen" $how events
	is "$("$PTRACE_DUMP" --info "$T/log" | sed -n 's/^lost: *//p')" 0 \
		"none is lost"
done
unset families
run_traced "$VICTIMS/victim-seccomp" prctl
is "$(events process:exit '"status":6')" 1 "by the wrappers it is as it was"
