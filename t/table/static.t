#!/bin/sh
# SPDX-License-Identifier: MIT
# The programs of all families, linked statically, are the same when their own
# system calls are recorded.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/table.sh"
. "${abs_top_srcdir:-.}/t/lib/reach.sh"
need_seize
CC=${CC:-cc}
need "${CC%% *}"
has_static || skip_all "no static C library"
VICTIM=$T/victim
# What is wrong in them is on purpose; and the linker warns of what needs shared
# libraries at run time.
$CC -O1 -w -D_GNU_SOURCE -U_FORTIFY_SOURCE -fno-builtin -I"$abs_top_srcdir" \
	-static -o "$VICTIM" "$abs_top_srcdir"/t/table/*.c -lm -lpthread 2>why ||
	{ cat why && exit 1; }
modes=static
# shellcheck disable=SC2046 # names are words
families $("$VICTIM")
