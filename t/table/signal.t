#!/bin/sh
# SPDX-License-Identifier: MIT
# Signals sent, caught, blocked and left are the same in every mode.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/table.sh"
# The bare system call shows what the kernel has, which is a function of ours:
# libptrace-events(7) says so.
known="bare-action"
family signal
