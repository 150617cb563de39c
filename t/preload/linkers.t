#!/bin/sh
# SPDX-License-Identifier: MIT
# Library calls are recorded, and do what they do, in programs of all linkers:
# each has a procedure linkage table of its own, with registers of its own.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
linkers="bfd gold lld mold"
plan 24

cat >"$T/m.c" <<'END'
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char text[100];

	for (int i = 0; i < 3; i++)
		if (getppid() <= 0)
			return 1;
	snprintf(text, sizeof(text), "%d %s %.2f %s", argc, "a", 1.5, argv[1]);
	puts(strchr(text, 'a'));
	return 7;
}
END

# linked LINKER HOW: makes $T/m.
linked() {
	${CC:-cc} -O1 -fno-builtin -o "$T/m" "$T/m.c" -fuse-ld="$1" \
		-Wl,-z,"$2" 2>"$T/why"
}

for linker in $linkers; do
	for how in lazy now; do
		name="$linker, $how"
		if ! linked "$linker" $how; then
			skip "$name" "no such linker" 3
			continue
		fi
		run_plain "$T/m" b
		for option in "-l *" "-r *"; do
			rm -f "$T/log"
			"$PTRACE_RUN" -q "${option%% *}" "${option#* }" \
				-o "$T/log" "$T/m" b >"$T/traced.out" \
				2>"$T/traced.err"
			echo $? >"$T/traced.status"
			compare "$name: $option"
		done
		is "$(events call:exit '"function":"getppid"') $(events call:exit \
			'"function":"snprintf"')" "3 1" "$name: its calls"
	done
done
