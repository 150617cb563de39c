#!/bin/sh
# SPDX-License-Identifier: MIT
# With --enable-checks no state of a slot, a word, a pin or a chunk changes as it
# never should, after whatever instruction a handler comes, forks or leaves by
# siglongjmp(), or the thread dies; and who changes one wrongly is caught.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"

cc=${CC:-cc}
steps='api/signal-step api/fork-step api/event-streams-step api/thread-step
	unit/record/kill-step unit/record/slot-step unit/record/between-step
	unit/record/pin-step'
[ "$(uname -m)" = x86_64 ] || skip_all "single steps are made on x86_64 only"
! grep -q -e '^#define PTL_COVERAGE' -e '^#define PTL_SANITIZED' \
	"$abs_top_builddir/config.h" || skip_all "this is no plain build"
plan 13
cd "$T" || exit 1

{
	grep -v PTL_CHECKS "$abs_top_builddir/config.h"
	echo '#define PTL_CHECKS 1'
} >config.h
flags="-O2 -std=gnu11 -fPIC -fvisibility=hidden -ftls-model=initial-exec -Wall -Wextra
	-Werror -Wno-unused-result -pthread -include $T/config.h -D_GNU_SOURCE
	-I$T -I$abs_top_builddir -I$abs_top_srcdir -I$abs_top_srcdir/include"
# recorder: what has these states; the rest is as it was built.
recorder() {
	sed -n 's|^[[:space:]]*\(core/[a-z]*/[a-z_]*\.c\).*|\1|p' \
		"$abs_top_srcdir/core/files.am" | sort -u |
		grep -e ^core/buffer/ -e ^core/record/ -e ^core/sys/check
}
# compiled SOURCE OBJECT: each file once.
compiled() {
	# shellcheck disable=SC2086 # words
	(cd "$abs_top_srcdir" && $cc $flags -include core/guest.h -c \
		-o "$T/$2" "$1")
}
# joined OBJECT SOURCE [INSTEAD]: one object of the recorder's, that with
# INSTEAD in the place of SOURCE.
joined() {
	# shellcheck disable=SC2046 # words
	$cc -r -o "$1" ${3+"$3"} \
		$(recorder | grep -vxF "$2" | sed 's|/|-|g; s|$|.o|')
}
objects() {
	for file in $(recorder); do
		compiled "$file" "$(echo "$file" | tr / -).o" || return
	done
}
{ objects && joined checked.o none; } >cc.out 2>&1
ok $? "it compiles" || diag "$(head -n 20 cc.out)"

# library OBJECT: libptrace.so with that in the place of what was built.  (Of two
# definitions the first is taken.)
library() {
	# shellcheck disable=SC2046 # words
	$cc -shared -nostartfiles -o libptrace.so "$1" \
		$(find "$abs_top_builddir/preload" -name 'libptrace_la-*.o' \
			-path '*/.libs/*') \
		-Wl,-z,muldefs,--whole-archive \
		"$abs_top_builddir/.libs/libcore.a" \
		"$abs_top_builddir"/.libs/libpreload-*.a \
		-Wl,--no-whole-archive -Wl,-soname,libptrace.so,-z,defs,-z,now \
		"-Wl,--version-script=$abs_top_builddir/preload/versions.map" \
		-Wl,-z,initfirst,-Bsymbolic-functions
}

# tested TEST OBJECT: the test, with that in the place of what was built.
tested() {
	rm -f out && touch out
	case $1 in
	api/*) library "$2" && set -- "$1" libptrace.so -Wl,-rpath,. ;;
	*) set -- "$1" "$2" "$abs_top_builddir/.libs/libcore.a" ;;
	esac >cc.out 2>&1 || {
		cat cc.out
		return 1
	}
	test=$1
	shift
	# shellcheck disable=SC2086 # words
	$cc $flags -o step "$abs_top_srcdir/t/$test.c" \
		"$abs_top_builddir/t/lib/libtap.a" "$@" >cc.out 2>&1 || {
		cat cc.out
		return 1
	}
	./step >out 2>&1
}
for test in $steps; do
	tested "$test" checked.o
	ok $? "$test" || diag "$(grep -v '^ok' out | head -n 20)"
done

# caught WHAT FILE TEST SCRIPT: the test ends at a check if sed(1) changes the
# file so.
caught() {
	mkdir -p "${2%/*}"
	sed -e "$4" "$abs_top_srcdir/$2" >"$2"
	! cmp -s "$2" "$abs_top_srcdir/$2" || diag "nothing was changed"
	{
		compiled "$T/$2" changed.o && joined wrong.o "$2" changed.o
	} >cc.out 2>&1 || diag "$(head -n 20 cc.out)"
	tested "$3" wrong.o
	like "$(cat out)" 'core/.*: expected: ' "caught: $1"
}
caught "a chunk is left and still somebody's" core/buffer/chunk.c \
	unit/record/kill-step '/PTL_CHUNK_PARTIAL, ptl_own_gen(own), 0/s/0)/tid)/'
caught "a place is not bounded" core/record/emit.c \
	unit/record/kill-step '/ptl_record_bound(chunk + end/d'
if clock_is_counter; then
	caught "a base that is not the word's" core/record/owner.c \
		unit/record/between-step \
		'/^void ptl_owner_leave/,/^}/s/set_base(own);//'
else
	skip "caught: a base that is not the word's" "no fast path: no counter"
fi
caught "a pin that is not seen" core/record/pins.c \
	unit/record/pin-step 's/p = PTL_SLOT_PINS; p-- > 0;/p = 1; p-- > 0;/'
