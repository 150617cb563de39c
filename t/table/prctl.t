#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs under seccomp and prctl() are the same in every mode.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/table/table.sh"
# The counter is used though it faults, and the recorder makes system calls.
known="no-counter no-counter-bare strict strict-in-thread"
family prctl
