#!/bin/sh
# SPDX-License-Identifier: MIT
# Of a program that brings a malloc() of its own --memory says why there is
# nothing; and what reallocarray() and valloc() are asked for is recorded so.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
command -v cc >/dev/null || skip_all "no compiler"
plan 7

cat >usual.c <<'END'
#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	void *none = reallocarray(0, SIZE_MAX / 2, 4 + (size_t)argc - 1);
	void *some = reallocarray(0, 3, 50);
	void *page = valloc(77);

	free(page);
	free(some);
	return none != 0;
}
END
cc -fno-builtin -o own "$abs_top_srcdir/t/run/own-malloc.c" ||
	skip_all "the compiler fails"
cc -fno-builtin -o usual usual.c || skip_all "the compiler fails"
run -e mem,process ./own
like "$("$PTRACE_REPORT" --memory log)" \
	'^own has a malloc of its own, which is not seen here' "the reason"
rm own
like "$("$PTRACE_REPORT" --memory log)" '^own has a malloc' \
	"also when the program is gone"
run -e mem,process ./usual
is "$("$PTRACE_REPORT" --memory log | grep -c 'malloc of its own')" 0 \
	"not of another program"
run -e process ./usual
is "$("$PTRACE_REPORT" --memory log 2>&1 | grep -c 'malloc of its own')" 0 \
	"nor where nothing was asked for"
run -e mem ./usual
like "$(dump -n mem:realloc)" "size=9223372036854775807 ret=0x0 errno=ENOMEM" \
	"a product that is too large"
like "$(dump -n mem:realloc)" "size=150 ret=0x" "one that is not"
like "$("$PTRACE_DUMP" -n mem:aligned log)" ' valloc\(77\) = 0x' "valloc()"
