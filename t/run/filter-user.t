#!/bin/sh
# SPDX-License-Identifier: MIT
# A user without privileges leaves calls out just so.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/user.sh"
again "$abs_top_srcdir/t/run/filter-calls.t"
