#!/bin/sh
# SPDX-License-Identifier: MIT
# t/unit/record/model finds what is wrong in the recorder: with a fault planted
# in one of its files it fails.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"

cc=${CC:-cc}
! grep -q -e '^#define PTL_COVERAGE' -e '^#define PTL_SANITIZED' \
	"$abs_top_builddir/config.h" || skip_all "this is no plain build"
plan 11
cd "$T" || exit 1

flags="-O1 -w -std=gnu11 -pthread -include $abs_top_builddir/config.h -D_GNU_SOURCE
	-I$abs_top_builddir -I$abs_top_srcdir -I$abs_top_srcdir/include
	-include $abs_top_srcdir/t/unit/record/model/points.h"
# compile FILE OBJECT
compile() {
	# shellcheck disable=SC2086 # words
	$cc $flags -c -o "$2" "$1"
}
# linked OBJECT...: the model, made of these.
linked() {
	$cc -pthread -o model "$@" "$abs_top_builddir/t/lib/libtap.a" \
		"$abs_top_builddir/.libs/libcore.a" -lm
}
objects=
for file in t/unit/record/model.c t/unit/record/model/explore.c \
	$(sed -n 's|^[[:space:]]*\(core/[a-z]*/[a-z_]*\.c\).*|\1|p' \
		"$abs_top_srcdir/core/files.am" | sort -u |
		grep -e ^core/buffer/ -e ^core/record/); do
	object=$(echo "$file" | tr / -).o
	compile "$abs_top_srcdir/$file" "$object" || exit 1
	objects="$objects $object"
done
# shellcheck disable=SC2086 # words
linked $objects
ok $? "it compiles"

# found SCENARIO WHAT FILE SCRIPT: it fails there if sed(1) changes the file so.
found() {
	scenario=$1
	shift
	mkdir -p "${2%/*}"
	sed -e "$3" "$abs_top_srcdir/$2" >"$2"
	! cmp -s "$2" "$abs_top_srcdir/$2" || diag "nothing was changed"
	object=$(echo "$2" | tr / -).o
	compile "$2" planted.o || diag "it does not compile"
	# shellcheck disable=SC2046 # words
	linked planted.o $(echo "$objects" | tr ' ' '\n' |
		grep -vxF "$object") || rm -f model
	./model "$scenario" >out 2>&1
	like "$(cat out)" '
not ok ' "found: $1"
}
found "handlers" \
	"a word is changed by a store" core/record/emit.c \
	's/!ptl_word_change(&own->word, word, word + (bytes >> 3))/(__atomic_store_n(\&own->word, word + (bytes >> 3), __ATOMIC_RELAXED), false)/'
found "one is taken over, and one dies" \
	"a place is not bounded" core/record/emit.c \
	'/ptl_record_bound(chunk + end/d'
found "forks" \
	"a chunk is closed before the word has left it" core/record/owner.c \
	's/	if (!ptl_word_change(&own->word, old, word)) {/if (ptl_word_holds(old)) close_chunk(slot, i, map, old, events, nested); &/'
found "calls are left" \
	"a pin is set after its chunk is closed" core/record/owner.c \
	'/if (pinned)/,/ptl_pins_set/d
	s/if (ptl_slots_may_call())/if (pinned) ptl_pins_set(slot, i, word, is == PTL_RESERVED); &/'
found "handlers" \
	"a pin is done while its chunk is open" core/record/pins.c \
	's/return ptl_own_state(own) != PTL_CHUNK_OPEN;/return true;/'
found "one is taken over, and one reads" \
	"a pinned chunk is taken over" core/buffer/chunk.c \
	's/^\([[:space:]]*\)ptl_own_pinned(own))$/\1false)/'
found "deaths" \
	"what is pinned by the dead stays" core/buffer/leftover.c \
	's/if (state != PTL_CHUNK_OPEN && !ptl_own_pinned(own))/if (state != PTL_CHUNK_OPEN)/'
found "one is taken over, and one reads" \
	"what is lost is counted twice" core/buffer/chunk_change.c \
	's/if (events)$/if (events) ptl_loss_add(map, events, since); &/'
found "one is taken over, and one dies" \
	"what is taken over can still be read" core/buffer/chunk_change.c \
	's/&chunk->read, PTL_READ_TAKEN,/\&chunk->read, 0,/'
found "one is taken over, and one dies" \
	"an event behind a span that was a hole" core/buffer/cursor.c \
	'/^		if (cursor->hole && rec->committed/,/span_behind(/d'
