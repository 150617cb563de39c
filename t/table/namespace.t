#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs in namespaces of their own are the same in every mode.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/table.sh"
# Without /proc and PTRACE_STREAMS system()'s shell does not find the trace, and
# starts a monitor, for which the loader finds no library: it says so.
known="no-proc"
family namespace
