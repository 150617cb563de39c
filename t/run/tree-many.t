#!/bin/sh
# SPDX-License-Identifier: MIT
# Many processes, short and at once.
# shellcheck disable=SC2016 # what is run expands it
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/tree.sh"
need xargs
plan 3

tree "one after the other" sh -c \
	'i=0; while [ $i -lt 300 ]; do i=$((i + 1)); /bin/true; done'
tree "at once" sh -c 'seq 300 | xargs -n 1 -P 8 sh -c "/bin/true; :"'
tree "nested" sh -c 'n() { [ $1 -eq 0 ] || (/bin/true; n $(($1 - 1)); :); }
	n 40 & n 40 & n 40 & wait'
