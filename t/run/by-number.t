#!/bin/sh
# SPDX-License-Identifier: MIT
# A child that is waited for by syscall(2) is so in the trace, too.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
command -v cc >/dev/null || skip_all "no compiler"
plan 3

cat >wait.c <<'END'
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
	int status = 0;
	pid_t child = fork();
	long got;

	if (child == 0)
		_exit(7);
	got = syscall(SYS_wait4, child, &status, 0, 0);
	printf("%d %x\n", got == child, status);
	return (int)syscall(SYS_wait4, -1, 0, 0, 0) + 1;
}
END
cc -o wait wait.c || skip_all "the compiler fails"
is "$(run -e sync,process ./wait)" "1 700" "the program waits"
like "$("$PTRACE_DUMP" -n sync:waitpid log | head -n 1)" \
	'waitpid\([0-9]+, 0\) = [0-9]+ \{exited 7\}' "its child"
like "$("$PTRACE_DUMP" -n sync:waitpid log | tail -n 1)" \
	'waitpid\(-1, 0\) = -1 ECHILD' "and that there is no other"
