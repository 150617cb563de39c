#!/bin/sh
# SPDX-License-Identifier: MIT
# The command's environment is changed as told, and no more.
# shellcheck disable=SC2016 # the command expands its variables
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 8

# Where it is installed, by the name of its interface.
lib=$(readlink -f "$LIBPTRACE" | sed 's/\.so\.0\..*/.so.0/')
unset LD_PRELOAD ASAN_OPTIONS
is "$(run sh -c 'echo "$LD_PRELOAD"')" "$lib" "LD_PRELOAD"
is "$(LD_PRELOAD=libm.so.6 run sh -c 'echo "$LD_PRELOAD"')" \
	"$lib:libm.so.6" "what was in it stays"
is "$(run sh -c 'echo "$ASAN_OPTIONS"')" verify_asan_link_order=0 \
	"ASAN_OPTIONS"
is "$(ASAN_OPTIONS=a=1 run sh -c 'echo "$ASAN_OPTIONS"')" \
	a=1:verify_asan_link_order=0 "what was in it stays"
is "$(run -E A=b -E HOME sh -c 'echo "$A ${HOME-none}"')" "b none" "-E"
is "$(run -E "PATH=$T:$PATH" sh -c 'echo "$PATH"')" "$T:$PATH" "-E PATH"

# Through a symbolic link, and from another directory.
ln -s "$PTRACE_RUN" linked
is "$(status ./linked -q -o log true)" 0 "by a symbolic link"
cd / || exit 1
is "$(PATH=$T:$PATH status linked -q -o "$T/log" true)" 0 "along PATH"
