#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2086 # a compiler can be words
# A program with TRACE_WEAK links without the library, whichever way it is
# linked, runs untraced, and is traced when the library is preloaded.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 49

cat >"$T/event.c" <<'END'
#define TRACE_WEAK
#include <trace.h>
#include <stdio.h>
#include <sys/wait.h>
#ifdef __cplusplus
extern "C"
#endif
int event(void);
int event(void)
{
	trace_event_id_t id = 0;
	int n, err = posix_trace_eventid_open("weak:event", &id);
	for (n = 0; n < 3; n++)
		posix_trace_event(id, &n, sizeof(n));
	if (fork() == 0) {
		posix_trace_event(id, &n, sizeof(n));
		_exit(0);
	}
	wait(0);
	return printf("%s, %s\n", err ? "error" : "no error",
		      id == POSIX_TRACE_UNNAMED_USEREVENT ? "unnamed" : "named");
}
END
cat >"$T/main.c" <<'END'
int event(void);
int main(void) { return event() < 0; }
END
cat >"$T/plugin.c" <<'END'
#include <dlfcn.h>
int main(int argc, char **argv)
{
	void *lib = dlopen(argv[argc - 1], RTLD_NOW);
	int (*event)(void) = lib ? (int (*)(void))dlsym(lib, "event") : 0;
	return !event || event() < 0;
}
END
cd "$T" || exit 1

# check NAME COUNT COMMAND...: it runs, and when traced records COUNT events.
check() {
	what=$1
	count=$2
	word=named
	[ "$count" != 0 ] || word=unnamed
	shift 2
	run_plain "$@"
	is "$(cat "$T/plain.out" "$T/plain.err")" "no error, unnamed" \
		"$what: not traced"
	run_traced "$@"
	is "$(cat "$T/traced.out" "$T/traced.err")" "no error, $word" \
		"$what: traced"
	is "$(events weak:event)" "$count" "$what: events"
}

# built NAME COMPILER WORD...: makes $T/program, or skips or fails the tests of
# NAME, which are $parts.
parts='not-traced traced events'
built() {
	what=$1
	compiler=$2
	shift 2
	rm -f "$T/program"
	! lacks "${compiler%% *}" "$what" $parts || return 1
	$compiler "$@" -Wall -Wextra -Werror -I"$abs_top_srcdir/include" \
		-o "$T/program" >"$T/cc" 2>&1 && return
	for part in $parts; do
		fail "$what: $part"
	done
	diag "$(cat "$T/cc")"
	return 1
}

for cc in "${CC:-cc}" clang; do
	for how in -O0 -O2 '-O2 -fno-pie -no-pie' '-fPIE -pie -Wl,-z,now' \
		'-O2 -flto'; do
		built "$cc $how" "$cc" $how event.c main.c &&
			check "$cc $how" 4 "$T/program"
	done
done
built "C++" "${CXX:-g++}" -O2 -x c++ event.c -x c main.c &&
	check "C++" 4 "$T/program"
for how in -static -static-pie; do
	if ${CC:-cc} $how main.c -x c - -o "$T/program" >"$T/cc" 2>&1 <<-'END'
		int event(void);
		int event(void) { return 0; }
	END
	then
		built "$how" "${CC:-cc}" $how event.c main.c &&
			check "$how" 0 "$T/program"
	else
		for part in $parts; do
			skip "$how: $part" "cannot link so"
		done
	fi
done
built "shared object" "${CC:-cc}" -O2 -fPIC -shared event.c &&
	mv "$T/program" "$T/libevent.so"
built "shared object" "${CC:-cc}" main.c "$T/libevent.so" &&
	check "shared object" 4 "$T/program"
built "plugin" "${CC:-cc}" plugin.c &&
	check "plugin" 4 "$T/program" "$T/libevent.so"

# Linked with the library after all.
parts=not-traced
for how in '' '-fno-pie -no-pie'; do
	what="linked with it${how:+ $how}"
	built "$what" "${CC:-cc}" $how event.c main.c -Wl,--no-as-needed \
		"$LIBPTRACE" || continue
	is "$(LD_LIBRARY_PATH=${LIBPTRACE%/*} "$T/program")" "no error, named" "$what: not traced"
done

# No function of <trace.h> is left out.
{
	echo '#define TRACE_WEAK'
	echo '#include <trace.h>'
	echo 'void *all[] = {'
	sed 's|/\*.*\*/||; /\/\*/,/\*\//d' "$abs_top_srcdir/include/trace.h" |
		grep -o 'posix_trace_[a-z_]*(' | tr -d '(' | sort -u |
		sed 's/.*/(void *)&,/'
	echo '};'
} >"$T/all.c"
${CC:-cc} -c -I"$abs_top_srcdir/include" -o "$T/all.o" "$T/all.c"
nm -u "$T/all.o" >"$T/undefined"
is "$(grep -c posix_trace_ "$T/undefined")" "$(grep -c '^(void' "$T/all.c")" \
	"all are used"
is "$(awk '$1 != "w" && $1 != "v"' "$T/undefined")" "" "all are weak"
