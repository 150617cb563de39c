#!/bin/sh
# SPDX-License-Identifier: MIT
# Libraries loaded by the program are found where they are found untraced,
# whoever loads them, and the trace tells what is where, and when.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 32

mkdir "$T/sub" "$T/dep"
cd "$T" || exit 1
cat >tell.h <<'END'
#define TRACE_WEAK
#include <trace.h>
static inline __attribute__((always_inline)) void tell(void)
{
	trace_event_id_t id;
	if (posix_trace_eventid_open("told", &id) == 0)
		posix_trace_event(id, "", 0);
}
END
cat >a.c <<'END'
#include "tell.h"
int a_answer(void) { tell(); return 11; }
END
cat >b.c <<'END'
#include "tell.h"
int b_padding(int x) { return x; }
int b_answer(void) { tell(); return 22; }
END
# Its constructor loads another, and its destructor closes that.
cat >c.c <<'END'
#include <dlfcn.h>
static void *a;
__attribute__((constructor)) static void begin(void)
{
	a = dlopen(DIR "/liba.so", RTLD_NOW);
}
__attribute__((destructor)) static void end(void)
{
	if (a)
		dlclose(a);
}
int c_answer(void)
{
	int (*fn)(void) = a ? dlsym(a, "a_answer") : 0;
	return fn ? fn() + 100 : -1;
}
END
cat >d.c <<'END'
int answer(void) { return 2; }
int d_answer(void) { return answer(); }
END
cat >n.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
int n_answer(void)
{
	int (*fn)(void) = dlsym(RTLD_NEXT, "dep_answer");
	return fn ? fn() : -1;
}
int dep_answer(void) { return -2; }
END
echo 'int dep_answer(void) { return 33; }' >dep.c
# What a library loads by name is searched for where the library says.
cat >r.c <<'END'
#include <dlfcn.h>
int n_answer(void)
{
	void *dep = dlopen("libdep.so", RTLD_NOW);
	int (*fn)(void) = dep ? dlsym(dep, "dep_answer") : 0;
	return fn ? fn() : -1;
}
END
build() {
	out=$1
	shift
	${CC:-cc} -g -shared -fPIC -DDIR="\"$T\"" \
		-I"$abs_top_srcdir/include" -o "$out" "$@"
}
{ build liba.so a.c && build libb.so b.c && build libc1.so c.c &&
	build libd.so d.c && build libd2.so d.c && build dep/libdep.so dep.c &&
	build libn.so n.c -Ldep -Wl,--no-as-needed -ldep -Wl,-rpath,"$T/dep" &&
	build libr.so r.c -Wl,--enable-new-dtags,-rpath,"$T/dep" &&
	cp liba.so libb.so sub/; } || skip_all "no compiler"

# The victim, as programs that say in two ways where to search, or do not.
for dtags in enable disable; do
	${CC:-cc} -D_GNU_SOURCE -rdynamic -o "search-$dtags" \
		"$abs_top_srcdir/t/preload/victim-dl.c" \
		-Wl,--$dtags-new-dtags,-rpath,"\$ORIGIN/sub"
done
${CC:-cc} -D_GNU_SOURCE -rdynamic -o plain \
	"$abs_top_srcdir/t/preload/victim-dl.c"
families=dl

# maps: each dl:map and dl:unmap of a lib?.so is about what is not, or is,
# mapped there; how many of the one, and the other.
maps() {
	"$PTRACE_DUMP" -f raw -n 'dl:*map' "$T/log" | awk '
		{ base = $4; sub(/.*path="/, ""); sub(/".*/, "") }
		!/\/lib[a-z0-9]*\.so$/ || /\/libptrace\.so$/ { next }
		/./ && name[base] == "" { name[base] = $0; nr[1]++; next }
		name[base] == $0 { name[base] = ""; nr[2]++; next }
		{ print "bad:", base, $0, name[base] }
		END { print nr[1] + 0, nr[2] + 0 }'
}

same "by path" ./plain paths "$T"
is "$(events dl:open '"ret":"0x[1-9a-f]')" 2 "two could be opened"
is "$(events dl:open '"ret":"0x0","path":"(/nowhere/liba|no-such-library).so"')" \
	2 "and two could not"
is "$(events dl:open '"flags":"RTLD_NOW"')" 3 "how"
is "$(events dl:open '"sym":"open_it\+')" 4 "where the program did so"
is "$(events dl:map '"path":"'"$T"'/liba.so","build_id":"[0-9a-f]+"')" 1 \
	"what it brought"

for dtags in enable disable; do
	same "by name, --$dtags-new-dtags" "./search-$dtags" search "$T"
	is "$(tr '\n' ' ' <traced.out)" "11 22 " "the library is found"
	# shellcheck disable=SC2016 # a pattern
	is "$(events dl:open '"path":"(liba.so|\$ORIGIN/sub/libb.so)"')" 2 \
		"opening is told"
	is "$(maps)" "2 0" "and what came"
	is "$(events told '"sym":"[ab]_answer')" 2 "in time to be named"
done
same "in a library that says where to search" ./plain next "$T"
is "$(cat traced.out)" 33 "RTLD_NEXT is the next one"
cp libr.so libn.so
same "a library that searches" ./plain next "$T"
is "$(cat traced.out)" 33 "it finds what it says"
same "from a constructor" ./plain constructor "$T"
is "$(cat traced.out)" 111 "it is there"
is "$(maps)" "2 0" "both are told"
same "RTLD_DEEPBIND" ./plain deep "$T"
is "$(tr '\n' ' ' <traced.out)" "1 2 " "counts as untraced"
same "in a namespace of its own" ./plain space "$T"
same "at one address by turns" ./plain turns "$T"
is "$(maps)" "20 20" "each comes and goes"
is "$(events told '"sym":"a_answer.*liba.so') $(events told \
	'"sym":"b_answer.*libb.so')" "10 10" "an address has the name it had"
same "from several threads" ./plain threads "$T"
is "$(maps | grep bad)" "" "in an order that is possible"
is "$(events dl:open '"sym":"open_it\+') $(events dl:close '"sym":"load_often')" \
	"400 400" "each call is told"
