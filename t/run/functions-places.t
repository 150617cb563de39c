#!/bin/sh
# SPDX-License-Identifier: MIT
# What is planned for functions inside real programs is right, going by another
# disassembler: whole instructions, which nothing leads into, each byte once.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 only"
need objdump python3
victim=$abs_top_builddir/t/run/victim-plan
[ -x "$victim" ] || skip_all "no $victim"

sh=$(readlink -f "$(command -v sh)")
set -- "$sh" "$(command -v bash)" "$LIBPTRACE" "$victim"
for file in /lib*/x86_64-linux-gnu/libc.so.6 /lib64/libc.so.6; do
	[ ! -f "$file" ] || {
		set -- "$@" "$file"
		break
	}
done
plan $#
for file; do
	if ! "$victim" "$file" >plan 2>/dev/null; then
		skip "$file" "$(cat plan)"
		continue
	fi
	python3 "$abs_top_srcdir/t/lib/plan.py" "$file" <plan >out
	is "$?" 0 "$file: $(tail -n 1 out)"
	sed '$d; s/^/# /' out
done
