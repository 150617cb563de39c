#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that were linked with a library whose functions had no versions run
# with this one, as those that ask for its version do.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
need "${CC%% *}" readelf
plan 7

cat >"$T/old.c" <<'END'
#include <trace.h>
int posix_trace_eventid_open(const char *restrict name,
			     trace_event_id_t *restrict id)
{
	(void)name, (void)id;
	return 0;
}
void (posix_trace_event)(trace_event_id_t id, const void *restrict data,
			 size_t size)
{
	(void)id, (void)data, (void)size;
}
END
cat >"$T/user.c" <<'END'
#include <trace.h>
int main(void)
{
	trace_event_id_t id;
	if (posix_trace_eventid_open("user:event", &id) != 0)
		return 1;
	(posix_trace_event)(id, "", 0);
	return 0;
}
END
mkdir "$T/old"
include="-I$abs_top_srcdir/include"
$CC "$include" -shared -fPIC -o "$T/old/libptrace.so" -Wl,-soname,libptrace.so \
	"$T/old.c" &&
	$CC "$include" -o "$T/user-old" "$T/user.c" -L"$T/old" -lptrace &&
	$CC "$include" -o "$T/user-new" "$T/user.c" -L"${LIBPTRACE%/*}" -lptrace
ok $? "programs linked with either"
like "$(readelf -VW "$T/user-new")" 'Name: PTRACE_0\.1' \
	"one of them asks for the version"
# recorded PROGRAM: how many events of its own, and what it said.
recorded() {
	"$PTRACE_RUN" -q -o "$T/log" env \
		LD_LIBRARY_PATH="${LIBPTRACE%/*}" "$1" 2>&1
	"$PTRACE_DUMP" -f raw -n user:event "$T/log" | wc -l
}
is "$(recorded "$T/user-old")" 1 "the other one records all the same"
is "$(recorded "$T/user-new")" 1 "and so does the first"

# A program asks for the version of libc that it was linked with, and for one
# that only old programs ask for.
libc=$(ldd "$T/user-new" | sed -n 's/.*libc\.so\.6 => \([^ ]*\).*/\1/p')
oldest=$(readelf -W --dyn-syms "${libc:-/none}" |
	sed -n 's/.* open@*\(GLIBC_[0-9.]*\).*/\1/p' | head -n 1)
cat >"$T/asks.c" <<END
#include <fcntl.h>
int opened(const char *path, int flags);
__asm__(".symver opened, open@$oldest");
int main(int argc, char **argv)
{
	return opened(argv[argc - 1], O_RDONLY) < 0 ||
	       open(argv[argc - 1], O_RDONLY) < 0;
}
END
$CC -o "$T/asks" "$T/asks.c"
ok $? "a program linked with libc"
like "$(readelf -W --dyn-syms "$T/asks")" "UND open@$oldest" "asks for a version"
"$PTRACE_RUN" -q -e file -o "$T/log" "$T/asks" /dev/null
is "$("$PTRACE_DUMP" -f json -n file:open "$T/log" | grep -c '"/dev/null"')" 2 \
	"and finds the wrapper, which has none"
