#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that execute others, or fail to, are the same in every mode.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/table.sh"
family exec
