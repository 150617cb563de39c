#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run --reach static: threads of musl's with 2 KiB of stack, and those that
# unmap it before they end, run as without, and are recorded.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/reach.sh"
reach=static
need_seize
need musl-gcc grep
musl-gcc -O2 -D_GNU_SOURCE -static -o small \
	"$abs_top_srcdir/t/run/reach-static-musl.c" 2>err ||
	skip_all "musl-gcc makes no static programs"
plan 12

same "small threads" ./small
is "$(tail -n 1 plain.out)" 6 "... to the end"
has 2 '"path":"/in-small"' '"errno":"ENOENT"'
has 2 '"path":"/in-child"'
has 2 '"name":"process:fork"'
has 2 '"name":"process:exit"' '"status":4'
has 1 '"path":"/in-handler"'
has 1 '"path":"/after-handler"'
has 10 '"path":"/in-detached"'
has 1 '"path":"/at-the-end"'
is "$(info lost) $(info stacks-cut)" "0 0" "nothing is lost"
"$PTRACE_RUN" --reach-list ./small >list
is "$(grep -c 'refused: the thread has no stack any more$' list)" 3 \
	"two calls are left alone, which is told"
