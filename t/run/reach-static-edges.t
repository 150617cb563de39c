#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run --reach static: programs that do what is rare run as without, and
# nobody stays seized.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/reach.sh"
reach=static
need_seize
CC=${CC:-cc}
need "${CC%% *}" grep readelf
source=$abs_top_srcdir/t/run/reach-static-edges.c
build_static rare "$source" || skip_all "no static C library"
$CC -O2 -D_GNU_SOURCE -I"$abs_top_srcdir" -o dynamic "$source" -lpthread || exit 1
plan 42

same "one that sets %gs" ./rare gs
has 1 '"path":"/before"'
has 0 '"path":"/after"'
has 1 '"name":"process:untraced"' 'it uses %gs itself"'
CC="$CC -DBY_INSTRUCTION" build_static based "$source"
same "one that sets %gs by an instruction" ./based gs
has 0 '"path":"/before"'
has 1 '"name":"process:untraced"' 'it uses %gs itself"'
"$PTRACE_RUN" -q --reach static -e process,file,io -o log ./rare strict >strict.out
is "$? $(wc -l <strict.out)" "6 2" "one in strict mode of seccomp: as without"
same "one that asks whether there is that mode" ./rare ask-strict
has 1 '"path":"/asked"'
# What its addresses are in: of samples, too, which nothing else names.
same "one that is there from its beginning" ./rare look
has 1 '"name":"dl:map"' '/rare"'
has 1 '"path":"/seen"' '"module":"rare"'
if ./rare crowd >plain.out; [ $? = 8 ]; then
	same "a crowd of threads" ./rare crowd
	has 2500 '"path":"/in-crowd"'
else
	skip "a crowd of threads" "there cannot be so many" 2
fi
same "handlers that jump out of calls of a thread" ./rare jumps
has 1 '"path":"/jumped"'
same "children of vfork that are killed" ./rare killed
has 1 '"path":"/behind-them"'
same "threads of many children" ./rare forks
has 2000 '"path":"/in-thread"'
has 100 '"name":"process:exit"' '"status":3'
"$PTRACE_RUN" -q --reach static -e process -o log ./dynamic ask ./rare
is "$?" 7 "one that asks, and does not execute it, is let go of"

# Without the functions of static programs, of which the stream may have some.
./rare forks >plain.out
"$PTRACE_RUN" -q --reach static -f 'run*' -e process,file -o log ./rare forks \
	>traced.out
is "$?" 6 "functions are asked for, too: as without"
dump -f json >all
has 0 '"name":"call:enter"'
has 1 '"name":"call:unhooked"' '"reason":"rare: static: '
has 2000 '"path":"/in-thread"'

same "spawned by a static program" ./rare spawn ./rare gs
has 1 '"path":"/before"'
same "system() of a static program" ./rare system './rare gs; exit $?'
has 1 '"path":"/before"'
same "executed on a small stack" ./rare cramp ./rare gs
has 1 '"path":"/in-cramped"'
has 1 '"path":"/before"'
same "spawned by a dynamic program" ./dynamic spawn ./rare gs
has 1 '"path":"/before"'
same "what is not there is spawned" ./dynamic spawn ./none
has 0 '"name":"process:untraced"'

# Below another root directory, in which there is nothing of ours.
mkdir inner
cp rare inner
if chroot inner /rare gs >plain.out 2>&1 || [ $? -lt 120 ]; then
	same "one in a chroot" chroot inner /rare gs
	has 1 '"name":"process:untraced"' 'is outside of this root directory"'
else
	skip "one in a chroot" "it is refused" 2
fi
used=$(link_static full "$source" 0)
used=$(link_static full "$source" $(((4064 + 4048 - used) % 4096 / 16 * 16)))
diag "$used bytes are used in the last page"
same "one without room behind its code" ./full look
has 1 '"name":"process:untraced"' '"reason":"static: no room behind its code"'
