#!/bin/sh
# SPDX-License-Identifier: MIT
# What does not mind a misaligned stack does not when it is traced: neither
# libc's functions, nor handlers of an emulator that delivers signals so.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
victim=$VICTIMS/victim-misaligned
called=$("$victim")
[ -n "$called" ] || skip_all "stacks are made so on x86_64 only"
plan $((2 * $(echo "$called" | wc -l) + 1))

for families in "" all; do
	for name in $called; do
		run_plain "$victim" "$name"
		if [ "$(cat "$T/plain.status")" -ge 128 ]; then
			skip "$name" "libc's own does mind"
		else
			same "$name${families:+, $families events}" "$victim" "$name"
		fi
	done
done
if command -v qemu-x86_64 >/dev/null && qemu-x86_64 "$victim" raise \
	>"$T/out" 2>&1; then
	families=signal
	same "a handler under qemu-user" qemu-x86_64 "$victim" raise
else
	skip "a handler under qemu-user" "no qemu-x86_64"
fi
