#!/bin/sh
# SPDX-License-Identifier: MIT
# 8000 vfork children whose exec fails leave nothing in their parent.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 2

run_traced "$VICTIMS/victim-memory" 8000
is "$(cat "$T/traced.out")" "0 pages" "the parent does not grow"
# Few enough for none to be lost.
run_traced "$VICTIMS/victim-memory" 500
is "$(events process:exec_failed)" 501 "each failure is recorded"
