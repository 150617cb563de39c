#!/bin/sh
# SPDX-License-Identifier: MIT
# A program into which the library cannot be loaded says what it says untraced,
# is not told of us by LD_PRELOAD, keeps what else is preloaded, and is told with
# the reason: 32-bit where the library for those is not installed (else: width.t),
# however it is started, and an older C library.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 19

cat >"$T/h.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	printf("preloaded: %s\n", getenv("LD_PRELOAD"));
	return 7;
}
END
cat >"$T/own.c" <<'END'
#include <stdio.h>
__attribute__((constructor)) static void start(void) { puts("own"); }
END

# told NAME REASON NUMBER: so many were, all for that reason.
told() {
	is "$(events process:untraced) $(events process:untraced \
		"\"reason\":\"$2\"")" "$3 $3" "$1: told"
}
# ends NAME: and when nothing traces the process that starts it.
ends() {
	"$PTRACE_RUN" -F -q -o "$T/log" sh -c "sh -c '$2; :'; :" \
		>"$T/traced.out" 2>"$T/traced.err"
	echo $? >"$T/traced.status"
	sh -c "sh -c '$2; :'; :" >"$T/plain.out" 2>"$T/plain.err"
	echo $? >"$T/plain.status"
	compare "$1"
}

cd "$T" || exit 1
# An installation of the library for 64 bits alone.
with=$PTRACE_RUN
mkdir -p alone/lib alone/libexec/libptrace
cp "$LIBPTRACE" alone/lib/libptrace.so
ln -s libptrace.so alone/lib/libptrace.so.0
for dir in libexec/libptrace libexec; do
	[ ! -f "$abs_top_builddir/$dir/ptrace-monitor" ] ||
		cp "$abs_top_builddir/$dir/ptrace-monitor" alone/libexec/libptrace
done
PTRACE_RUN=$T/alone/libexec/libptrace/ptrace-monitor
nor="32-bit .nor is what it starts."
if ${CC:-cc} -m32 -o h32 h.c 2>/dev/null && ./h32 >/dev/null 2>&1; [ $? = 7 ]; then
	${CC:-cc} -m32 -shared -fPIC -o own32.so own.c
	printf '#!%s\n' "$T/h32" >script
	printf '#!%s\n' "$T/script" >again
	chmod +x script again
	same "32-bit" ./h32
	told "32-bit" "$nor" 1
	same "by vfork and posix_spawn" "$VICTIMS/victim-untraced" ./h32
	told "by vfork and posix_spawn" "$nor" 2
	same "a script" ./script
	told "a script" "$nor" 1
	same "a script of a script" ./again
	told "a script of a script" "$nor" 1
	same "by a shell with another environment" env -i A=1 "$T/h32"
	run_plain env LD_PRELOAD=./own32.so ./h32
	"$PTRACE_RUN" -q -E LD_PRELOAD=./own32.so -o log ./h32 >traced.out
	is "$(cat traced.out)" "$(cat plain.out)" "another library is preloaded"
	is "$(grep -c -x own traced.out)" 1 "... which is there"
	ends "where nothing is traced any more" ./h32
	${CC:-cc} -m32 -static -o static32 h.c 2>/dev/null &&
		run_traced sh -c './static32; :'
	like "$(cat traced.out)" ptrace "one that has no loader hands it on"
else
	skip "32-bit programs" "they do not run here" 13
fi
PTRACE_RUN=$with

# A C library is made older by another name for a version that we need; the
# program itself needs few.
loader=$(readelf -l /bin/sh 2>/dev/null | sed -n 's/.*interpreter: \(.*\)]/\1/p')
libc=$(ldd /bin/sh 2>/dev/null | sed -n 's/.*libc\.so\.6 => \([^ ]*\).*/\1/p')
make_older() {
	mkdir -p own && cp "$loader" own/ld-linux.so && cp "$libc" own/libc.so.6 &&
		${CC:-cc} -o older h.c -Wl,-rpath,"$T/own" \
			-Wl,--dynamic-linker="$T/own/ld-linux.so" || return 1
	for version in $(readelf -V "$LIBPTRACE" |
		sed -n 's/.*Name: \(GLIBC_[0-9.]*\) .*/\1/p'); do
		new=$(echo "$version" | sed 's/GLIBC_[0-9]/GLIBC_9/')
		LC_ALL=C sed "s/$version\x00/$new\x00/g" "$libc" >own/libc.so.6
		./older >/dev/null 2>&1
		[ $? != 7 ] || return 0
	done
	return 1
}
if [ -n "$loader" ] && [ -n "$libc" ] && make_older; then
	same "an older C library" ./older
	told "an older C library" "older C library .nor is what it starts." 1
	cp "$libc" own/libc.so.6
	run_traced ./older
	is "$(cat traced.status) $(events process:start)" "7 1" \
		"the same, when it is not older"
	LC_ALL=C sed "s/$version\x00/$new\x00/g" "$libc" >own/libc.so.6
	same "its loader as a program" own/ld-linux.so ./older
	told "its loader as a program" "older C library .nor is what it starts." 1
	ends "where nothing is traced any more" ./older
else
	skip "an older C library" \
		"we need no more of it than any program does" 6
fi
