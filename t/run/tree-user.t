#!/bin/sh
# SPDX-License-Identifier: MIT
# A user without privileges traces trees of processes just so.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/run/user.sh"

set --
for test in "$abs_top_srcdir"/t/run/tree-*.t; do
	[ "${test##*/}" = tree-user.t ] || set -- "$@" "$test"
done
again "$@"
