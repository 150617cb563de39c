#!/bin/sh
# SPDX-License-Identifier: MIT
# In whatever way a process reaps a child that was killed: it is told what it is
# untraced, and the signal is in the trace, once.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 4

same "in each way" "$VICTIMS/victim-reaped"
is "$(grep -c ' right$' "$T/traced.out")" 8 "each is right"
is "$(events process:exit '"signal":9')" 6 "each signal is told"
is "$(events process:exit '"signal":')" 6 "once"
