#!/bin/sh
# SPDX-License-Identifier: MIT
# Where a prefix is in a directory that all may write to, or is one, a user
# plants libraries and monitors in all the places around it: neither root nor
# another user who runs what is installed there runs any of them.
# shellcheck disable=SC2016 # the planted monitor's
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/hostile.sh"
need make readelf "${CC%% *}"
plan 16

unset MAKEFLAGS MFLAGS MAKELEVEL
make -s -C "$abs_top_builddir" install DESTDIR="$T/root" >out 2>&1
ok $? "make install DESTDIR=..." || {
	diag "$(cat out)"
	exit 1
}
bin=$(find "$T/root" -path '*/bin/ptrace-run')
# All of it is copied below: it shall not be the machine's root.
[ -x "$bin" ] || exit 1
prefix=$(realpath "${bin%/*}/..")

# What is planted says who runs it.
: >ran
chmod 666 ran
cat >planted.c <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
__attribute__((constructor)) static void run(void)
{
	int fd = open(RAN, O_WRONLY | O_APPEND);
	dprintf(fd, "library as %d\n", (int)getuid());
	close(fd);
}
END
# shellcheck disable=SC2086 # CC may have words
$CC -shared -fPIC -DRAN="\"$T/ran\"" -o planted.so planted.c >out 2>&1
ok $? "a library" || diag "$(cat out)"
printf '#!/bin/sh\necho "monitor as $(id -u)" >>%s/ran\n' "$T" >planted.sh
chmod 755 planted.so planted.sh
as_user ./planted.sh
as_user env LD_PRELOAD="$T/planted.so" true
is "$(cat ran)" "monitor as 65534
library as 65534" "both run where they are asked for"

# All that a tool is linked with, and what it looks for beside.
needed=$(readelf -d "$prefix"/bin/* "$prefix"/libexec/libptrace/* \
	"$LIBPTRACE" 2>/dev/null |
	sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u)

# plant DIRECTORY: by a user, wherever he may.
plant() {
	# shellcheck disable=SC2016,SC2086 # his
	as_user sh -c '
		from=$1 top=$2
		shift 2
		for dir in . lib lib64 bin tools scripts libexec \
			libexec/libptrace lib/x86_64-linux-gnu \
			glibc-hwcaps tls x86_64; do
			mkdir -p "$top/$dir"
			cp "$from/planted.sh" "$top/$dir/ptrace-monitor"
			cp "$from/planted.sh" "$top/$dir/ptrace-run"
			for name in libptrace.so "$@"; do
				cp "$from/planted.so" "$top/$dir/$name"
			done
		done 2>/dev/null
		test -f "$top/tools/ptrace-monitor" -a -f "$top/ptrace-monitor"
	' sh "$T" "$1" $needed
}

# tools WHOSE PREFIX DIRECTORY COMMAND...: COMMAND runs them there.  What was
# preloaded alone may be over before its log is: each has names of its own.
nr_logs=0
tools() {
	whose=$1 where=$2
	cd "$3" || exit 1
	shift 3
	: >"$T/ran"
	nr_logs=$((nr_logs + 1))
	log=$T/logs/$nr_logs.log
	"$@" "$where/bin/ptrace-run" -q -o "$log" true &&
		"$@" "$where/bin/ptrace-dump" -f raw "$log" >"$T/out" &&
		"$@" "$where/bin/ptrace-event" --help >/dev/null &&
		"$@" env LD_PRELOAD="$where/lib/libptrace.so" \
			PTRACE_OUTPUT="$log.preloaded" true
	is "$? $(grep -c process:exit "$T/out")" "0 1" "$whose: they work"
	is "$(cat "$T/ran")" "" "... and nothing else runs"
	cd "$T" || exit 1
}
mkdir -m 1777 logs

mkdir -m 1777 shared
cp -R "$prefix" shared/own
plant "$T/shared"
ok $? "planted around a prefix"
cp -R "$prefix" everybodys
chmod 1777 everybodys
plant "$T/everybodys"
ok $? "planted in a prefix"

other="setpriv --reuid=65533 --regid=65533 --clear-groups"
for dir in / "$T/shared"; do
	tools "root in $dir, beside" "$T/shared/own" "$dir" env
	# shellcheck disable=SC2086 # words
	tools "a user in $dir, beside" "$T/shared/own" "$dir" $other
done
tools "root, inside" "$T/everybodys" "$T/everybodys" env
! LD_LIBRARY_PATH=$T/shared/lib "$T/shared/own/bin/ptrace-dump" -V >out 2>&1
ok $? "one planted library, and they would not"
