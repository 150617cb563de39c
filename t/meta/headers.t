#!/bin/sh
# SPDX-License-Identifier: MIT
# Every header compiles alone; the public one also as plain C99 and as C++.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"

cd "$abs_top_srcdir" || exit 1
cc=${CC:-cc}
cxx=${CXX:-g++}
strict='-fsyntax-only -pedantic -Wall -Wextra -Werror -Iinclude'

private=$(find core preload tools t/lib -name '*.h' | sort)
# shellcheck disable=SC2086 # a word for each header
set -- $private
plan $((8 + $#))

# compiles NAME COMMAND...
compiles() {
	name=$1
	shift
	if "$@" >"$T/out" 2>&1; then
		pass "$name"
	else
		fail "$name"
		diag "$*"
		diag "$(head -n 20 "$T/out")"
	fi
}

echo '#include <libptrace/trace.h>' >"$T/trace.c"
echo '#include <trace.h>' >>"$T/trace.c"
cp "$T/trace.c" "$T/trace.cc"
for how in '-std=c99' '-std=c99 -D_POSIX_C_SOURCE=200809L' '-std=gnu11' \
	'-std=c11 -D_XOPEN_SOURCE=700' '-std=c99 -DTRACE_WEAK'; do
	# shellcheck disable=SC2086 # words
	compiles "trace.h: $how" $cc $how $strict "$T/trace.c"
done
for how in '-std=c++98 -Wno-long-long' '-std=c++11' \
	'-std=c++11 -DTRACE_WEAK'; do
	if command -v "$cxx" >/dev/null 2>&1; then
		# shellcheck disable=SC2086 # words
		compiles "trace.h: $how" $cxx $how $strict "$T/trace.cc"
	else
		skip "trace.h: $how" "no $cxx"
	fi
done

for header in $private; do
	echo "#include \"$header\"" >"$T/private.c"
	# shellcheck disable=SC2086 # words
	compiles "$header" $cc -std=gnu11 -D_GNU_SOURCE -U_FORTIFY_SOURCE \
		-include "$abs_top_builddir/config.h" -I. -Iinclude \
		-I"$abs_top_builddir" \
		-fsyntax-only -Wall -Wextra -Werror "$T/private.c"
done
