#!/bin/sh
# SPDX-License-Identifier: MIT
# Whatever function starts a program, and whatever environment it is given, it
# gets that environment, and is traced.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 56

cd "$T" || exit 1
for env in keep empty null many other twice clear; do
	for way in fork vfork thread spawn; do
		rm -f show-traced
		same "$env, $way" "$VICTIMS/victim-exec" "$env" "$way"
		: >show-traced
		run_traced "$VICTIMS/victim-exec" "$env" "$way"
		# fexecve() refuses an environment that is NULL.
		case $env,$way in
		*,spawn) want=2 ;;
		null,* | clear,*) want=8 ;;
		*) want=9 ;;
		esac
		is "$(grep -cx traced "$T/traced.err")" $want \
			"$env, $way: all are traced"
	done
done
