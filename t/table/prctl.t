#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs under seccomp and prctl() are the same in every mode.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/table.sh"
# Without the counter, and with no system call but the program's own.
counted="no-counter no-counter-bare strict strict-in-thread"
family prctl
