#!/bin/sh
# SPDX-License-Identifier: MIT
# A program gets the version of each function of libc that it was linked with,
# the oldest as well as today's, in every mode and however it is bound; what it
# does is recorded, and its children are traced.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
command -v "${CC%% *}" >/dev/null 2>&1 || CC=cc
need "${CC%% *}" awk
table=$abs_top_srcdir/preload/calls/versions
plan 34
cd "$T" || exit
echo 'exit 7' >script
chmod +x script

# asks WHICH: the text for those versions, oldest first; `none' for today's.
asks() {
	awk -v cpu="$(uname -m)" -v which="$1" '$1 == cpu {
		version = which > NF - 2 ? $NF : $(which + 2)
		print "__asm__(\".symver " $2 ", " $2 "@" version "\");"
	}' "$table"
}
for which in 1 2 3; do
	asks $which >versions.h
	[ -s versions.h ] || skip_all "no versions for this processor"
	for how in now lazy; do
		# shellcheck disable=SC2086 # words
		$CC -w -O1 -include versions.h -pthread -fno-builtin "-Wl,-z,$how" \
			-o "$how-$which" "$abs_top_srcdir/t/preload/versioned.c" \
			2>err || skip_all "these cannot be linked: $(head -n 1 err)"
	done
done

# traced NAME PROGRAM OPTION...: the same output and status as without.
traced() {
	name=$1
	program=$2
	shift 2
	rm -f log
	run_plain "$program" ./script
	"$PTRACE_RUN" -q --stream-policy block -o log "$@" "$program" ./script \
		>traced.out 2>traced.err </dev/null
	echo $? >traced.status
	compare "$name"
}
run_plain ./now-1 ./script
case $(uname -m) in
x86_64) first="Invalid argument" ;;
*) first=/ ;;
esac
is "$(sed -n 's/^realpath //p' plain.out)" "$first" "the oldest are what is asked for"
run_plain ./now-3 ./script
is "$(sed -n 's/^realpath //p' plain.out)" / "and so are today's"
for which in 1 2 3; do
	for how in now lazy; do
		program=./$how-$which
		traced "$how, $which: nothing recorded" "$program" -e none
		traced "$how, $which: everything" "$program" -e all -k
		traced "$how, $which: calls" "$program" -l '*'
		traced "$how, $which: returns" "$program" -r '*'
		is "$("$program" ./script "$LIBPTRACE" 2>&1; echo $?)" \
			"$("$program" ./script 2>&1; echo $?)" \
			"$how, $which: interposed late"
	done
done
traced "everything" ./now-1 -e all
is "$(events sync:timedwait) $(events sync:broadcast) $(events time:timer_create '"timer":"0x[0-9a-f]{1,8}"') $(events time:timer_delete)" \
	"1 1 1 1" "the oldest are recorded"
