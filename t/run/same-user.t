#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs of a user without privileges cannot tell either.
# For all of these tests together.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/user.sh"

again "$abs_top_srcdir/t/run/same-state.t" "$abs_top_srcdir/t/run/same-programs.t"
