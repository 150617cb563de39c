#!/bin/sh
# SPDX-License-Identifier: MIT
# What an event of a dump costs, in instructions, is no more than it was.
# Callgrind counts them; time is for benchmarks.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
valgrind --version >/dev/null 2>&1 || skip_all "no valgrind"
[ -z "$TAP_SLOW" ] || skip_all "under valgrind already"
if ! grep -q '^CFLAGS = .*-O2' "$abs_top_builddir/Makefile" ||
	grep -q -e '^SANITIZE_CFLAGS = .' -e '^COVERAGE_CFLAGS = .' \
		"$abs_top_builddir/Makefile"; then
	skip_all "not what is shipped"
fi
plan 7

# calls NR: a log of so many calls of libc, of two places.
calls() {
	awk -v nr="$1" -v exe="$VICTIMS/victim-ticks" 'BEGIN {
		print 1, 10, 10, 0, 27, 0, "i:1 i:0 s:" exe " s:/ s:a"
		print 2, 10, 10, 0, 32, 0, "x:0x100000 x:0x9000 s:" exe " b:00"
		for (i = 0; i < nr; i += 2) {
			print 100 + 10 * i, 10, 10, 0, 144, "0x101234", \
				"i:24 x:0x55aeb115d460 i:0"
			print 105 + 10 * i, 10, 11, 0, 160, "0x101298", \
				"x:0x55aeb115b520 i:0 i:0"
		}
	}' | "$VICTIMS/victim-mklog" "calls$1"
}

# left NR: so many times a function calls one that does not return to it, in a
# thread where calls of two stacks were seen.
left() {
	awk -v nr="$1" 'BEGIN {
		print 1, 1, 1, 0, 27, 0, "i:1 i:0 s:/x s:/ s:a"
		print 2, 1, 1, 0, 241, "0x10 x:0x1000"
		print 3, 1, 1, 0, 241, "0x10 x:0x2000"
		print 4, 1, 1, 0, 242, "0x10 x:0x1000 x:0"
		print 5, 1, 1, 0, 242, "0x10 x:0x2000 x:0"
		for (i = 0; i < nr; i++) {
			print 10 + 4 * i, 1, 1, 0, 241, "0x10 x:0x3000"
			print 11 + 4 * i, 1, 1, 0, 241, "0x10 x:0x4000"
			print 12 + 4 * i, 1, 1, 0, 242, "0x10 x:0x3000 x:0"
		}
	}' | "$VICTIMS/victim-mklog" "left$1"
}

# instructions FORMAT LOG
instructions() {
	valgrind -q --tool=callgrind --callgrind-out-file="$2.cg" \
		"$PTRACE_DUMP" --no-symbols -f "$1" -o /dev/null "$2" \
		>/dev/null 2>&1
	sed -n 's/^summary: \([0-9]*\).*/\1/p' "$2.cg"
}

# cost WHAT FORMAT MOST: of an event of the logs WHAT2000 and WHAT4000.
cost() {
	few=$(instructions "$2" "${1}2000")
	more=$(instructions "$2" "${1}4000")
	each=$(((more - few) / 2000))
	[ "$each" -gt 0 ] && [ "$each" -le "$3" ]
	ok $? "$1 as $2: $each instructions, at most $3"
}

for nr in 2000 4000; do
	"$PTRACE_RUN" -q -e process -o ticks$nr -b 4M \
		"$VICTIMS/victim-ticks" $nr
	calls $nr
	left $nr
done
# What was recorded takes a few more where the machine was slower: the numbers
# have more digits.
cost ticks text 2780
cost ticks json 2520
cost ticks raw 2500
cost calls text 5060
cost calls json 4920
cost calls raw 4760
cost left raw 37000
