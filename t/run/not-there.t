#!/bin/sh
# SPDX-License-Identifier: MIT
# Where a program would not find the library, could not read it or not map it,
# it is not told to load it: by exec, vfork, posix_spawn, system() and popen() of
# a process that has it, and the reason is told.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
[ "$(id -u)" = 0 ] || skip_all "not root"
need setpriv unshare ldd
plan 12

# A root directory with a shell, but without the library.
for file in /bin/sh $(ldd /bin/sh | grep -o '/[^ :)]*'); do
	mkdir -p "root$(dirname "$file")"
	cp -L "$file" "root$file"
done
chroot root /bin/sh -c : 2>/dev/null || skip_all "no root directory"

# said: by whom, and what else.
said() {
	sed -n 's/^ptrace-run: not traced: //p' err
	grep -v '^ptrace-run: ' err
}

is "$(status "$PTRACE_RUN" -o log "$VICTIMS/victim-chroot" root)" 0 \
	"a process that changes its root directory: its status"
is "$(cat out)" "$("$VICTIMS/victim-chroot" root)" "its output"
like "$(said)" "^/bin/sh: libptrace.so is not there: /.*/libptrace.so[.0-9]*\$" \
	"its children are told"
is "$(count process:untraced)" 6 "each"
is "$(status "$PTRACE_RUN" -F -o log "$VICTIMS/victim-chroot" root)" 0 \
	"where they are not to be traced"
is "$(said)" "" "nothing is said"

# A library of which another user may not know.
mkdir secret
cp -L "$LIBPTRACE" secret/libptrace.so
chmod 700 secret
chmod 755 "$T"
# preloaded LIBRARY COMMAND...
preloaded() {
	library=$1
	shift
	rm -f log
	env LD_PRELOAD="$library" PTRACE_MONITOR=/none PTRACE_OUTPUT="$T/log" \
		"$@" >out 2>err
	echo $?
}
# reason: that of the one program that was not traced.
reason() {
	dump -f json -n process:untraced | sed 's/.*"reason":"\([^"]*\)".*/\1/'
}
other="setpriv --reuid 65534 --regid 65534 --clear-groups /bin/true; exit 3"
is "$(preloaded "$T/secret/libptrace.so" sh -c "$other")$(cat err)" 3 \
	"another user, who may not know of it"
is "$(reason)" "libptrace.so cannot be read" "is the reason"
chmod 755 secret
chmod 600 secret/libptrace.so
is "$(preloaded "$T/secret/libptrace.so" sh -c "$other")$(cat err)" 3 \
	"another user, who may not read it"
is "$(reason)" "libptrace.so cannot be read" "is the reason"

for mode in 644 755; do
	chmod $mode secret/libptrace.so
	is "$(preloaded "$T/secret/libptrace.so" unshare -m sh -c \
		'mount --bind secret secret &&
			mount -o remount,bind,noexec secret &&
			exec /bin/true')$(cat err) $(reason)" \
		"0 libptrace.so is on a noexec mount" \
		"a file system without programs, mode $mode"
done
