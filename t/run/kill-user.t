#!/bin/sh
# SPDX-License-Identifier: MIT
# A user without privileges loses no more to SIGKILL, and may do what the
# standard's scenarios do.
# For all of these tests together.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/user.sh"

set -- "$abs_top_builddir"/t/run/scenario-*.t
for how in victim monitor all; do
	set -- "$@" "$abs_top_srcdir/t/run/kill-$how.t"
done
again "$@"
