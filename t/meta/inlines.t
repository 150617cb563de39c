#!/bin/sh
# SPDX-License-Identifier: MIT
# The headers give no body to what the library defines, however much a compiler
# optimizes: clang would not export the library's own.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"

# The compilers that are here.
compilers=
for cc in "${CC:-cc}" gcc clang; do
	if command -v "${cc##* }" >/dev/null; then
		compilers="$compilers ${cc##* }"
	fi
done
[ -n "$compilers" ] || skip_all "no compiler"
# shellcheck disable=SC2086 # words
set -- $compilers
plan $#

# All that the wrappers include, but for our own.
cd "$abs_top_srcdir" || exit 1
find core preload -name '*.[ch]' -exec sed -n 's/^#include </&/p' {} + |
	grep -vE 'config|trace|lib(elf|unwind)|gelf|stdatomic' | sort -u >"$T/all.h"
for cc in "$@"; do
	"$cc" -O2 -D_GNU_SOURCE -include core/guest.h -E -xc "$T/all.h" \
		>"$T/out" 2>"$T/err"
	is "$? $(grep -c '^extern.* getchar *(' "$T/out") $(
		grep -c 'gnu_inline' "$T/out")" "0 1 0" "$cc"
	[ ! -s "$T/err" ] || diag "$(cat "$T/err")"
done
