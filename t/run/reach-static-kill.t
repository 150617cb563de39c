#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run --reach static: whoever is killed, and whenever, while the recorder
# is put into a static program: it runs, and ends as without.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/reach.sh"
need_seize
CC=${CC:-cc}
need "${CC%% *}" grep readelf
# The sanitizers' libraries want to be first.
case "$CC $CFLAGS" in
*-fsanitize=*) skip_all "with a sanitizer" ;;
esac
source=$abs_top_srcdir/t/run
build_static rare "$source/reach-static-edges.c" ||
	skip_all "no static C library"
$CC -O2 -D_GNU_SOURCE -I"$abs_top_srcdir" -o dynamic \
	"$source/reach-static-edges.c" -lpthread || exit 1
$CC -O2 -D_GNU_SOURCE -shared -fPIC -o kill.so "$source/reach-static-kill.c" \
	-ldl || exit 1
plan 7

KILL_AT=$T/killed
export KILL_AT
# Until a helper is not killed: it has no step of that number.
cat >loop <<'END'
while :; do
	n=$(grep -c . killed)
	echo run >>runs
	"$@"
	echo "$?"
	[ "$(grep -c . killed)" -gt "$n" ] || break
done
END

# each NAME COMMAND...: what the program does, killed at each step.
each() {
	name=$1
	shift
	: >killed
	: >runs
	LD_PRELOAD=$T/kill.so "$PTRACE_RUN" -q --reach static -e process,file \
		-o log sh loop "$@" >traced.out 2>err
	killed=$(grep -c . killed)
	diag "$name: $killed steps"
	[ "$killed" -ge 8 ]
	ok $? "$name: its helper is killed at each step" || diag "$(cat err)"
	# In one run two helpers may be killed, if both get to that step.
	runs=$(grep -c . runs)
	is "$(sort traced.out | uniq -c | tr -s ' \n' ' ')" \
		" $runs 5 $runs looked " \
		"$name: it has run each time, to its end"
	"$PTRACE_DUMP" -f json log | grep -F '"path":"/seen"' >all
	[ "$(grep -c . all)" -ge 1 ]
	ok $? "$name: and is recorded where nobody is killed"
}
each "an exec" ./rare look
steps=$killed
each "posix_spawn()" ./dynamic spawn ./rare look

# How often it waits is not the same each time.
bad=
nr=0
step=1
while [ "$step" -le "$steps" ]; do
	: >killed
	rm -f log
	KILL_ALL=$step LD_PRELOAD=$T/kill.so "$PTRACE_RUN" -q --reach static \
		-e process -o log sh -c './rare look; echo $?' >traced.out \
		2>/dev/null
	[ "$(tr '\n' ' ' <traced.out)" = "looked 5 " ] || bad="$bad $step"
	nr=$((nr + $(grep -c . killed)))
	step=$((step + 1))
done
[ "$nr" -ge 8 ] || bad="$bad only $nr were killed"
is "$bad" "" "... with the controller and its guardian"
