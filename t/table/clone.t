#!/bin/sh
# SPDX-License-Identifier: MIT
# Processes that share memory, files or signals are the same in every mode.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/table.sh"
family clone
