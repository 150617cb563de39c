#!/bin/sh
# SPDX-License-Identifier: MIT
# Memcheck has nothing to say of a traced program that it would not say anyway:
# not of calls that fail, nor of arguments, nor of stacks; nor valgrind of what
# it reads of our library.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need valgrind
cc=${CC:-cc}
cat >"$T/program.c" <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void)
{
	/* Its pages begin with what nobody has written. */
	char *text = malloc(100000), *last = text + 50001;
	int bad = 0;

	strcpy(last, "/no/such/file");
	for (int i = 0; i < 3; i++) {
		struct stat st;

		bad += open(last, O_RDONLY) < 0;
		bad += stat(last, &st) < 0;
		bad += strcmp(last, "/no/such/file") == 0;
	}
	printf("%d\n", bad);
	free(text);
	return 3;
}
END
$cc -g -fno-builtin -o "$T/program" "$T/program.c" || skip_all "no compiler"

# check OPTION...
check() {
	"$PTRACE_RUN" -q -o "$T/log" "$@" -- valgrind -q --error-exitcode=9 \
		"$T/program" >"$T/out" 2>"$T/err"
	is "$? $(cat "$T/out" "$T/err")" "3 9" "$*"
}
valgrind -q --error-exitcode=9 "$T/program" >"$T/out" 2>&1
[ "$? $(cat "$T/out")" = "3 9" ] || skip_all "valgrind does not work here"
plan 3
check -e all
check -k -e all
check -r '*' -a
