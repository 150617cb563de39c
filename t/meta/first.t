#!/bin/sh
# SPDX-License-Identifier: MIT
# preload/first names functions that there are, each once.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
plan 2

cd "$abs_top_srcdir" || exit
sed '/^#/d' preload/first | LC_ALL=C sort >"$T/names"
is "$(uniq -d "$T/names")" "" "each once"

find core preload -name '*.[chS]' -exec cat {} + |
	grep -oE '\b[a-z_A-Z0-9]+\(' | tr -d '(' | LC_ALL=C sort -u >"$T/known"
is "$(LC_ALL=C comm -23 "$T/names" "$T/known" | tr '\n' ' ')" "" \
	"each of a function in core/ or preload/"
