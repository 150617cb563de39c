#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs end in every way and from everywhere, and that too is the same in every mode.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/table.sh"
family exit
