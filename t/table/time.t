#!/bin/sh
# SPDX-License-Identifier: MIT
# Timers and clocks are the same in every mode.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/table.sh"
family time
