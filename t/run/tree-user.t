#!/bin/sh
# SPDX-License-Identifier: MIT
# A user without privileges traces trees of processes just so.
# For all of these tests together.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/user.sh"

set --
for test in "$abs_top_srcdir"/t/run/tree-*.t; do
	[ "${test##*/}" = tree-user.t ] || set -- "$@" "$test"
done
again "$@"
