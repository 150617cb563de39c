#!/bin/sh
# SPDX-License-Identifier: MIT
# --symfs: programs and libraries that are elsewhere, and another machine's.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/symbols.sh"
need strip
plan 25

# A real run, then the program moves away.
mkdir bin
cat >ticks.c <<'END'
#include <trace.h>
void tick(trace_event_id_t id);
void tick(trace_event_id_t id)
{
	posix_trace_event(id, "x", 1);
	__asm__ volatile("");
}
int main(void)
{
	trace_event_id_t id;

	if (posix_trace_eventid_open("tick", &id) == 0)
		tick(id);
	return 0;
}
END
build bin/ticks ticks.c -I"$abs_top_srcdir/include" "$LIBPTRACE" \
	-Wl,-rpath,"$(dirname "$LIBPTRACE")"
ok $? "a program" || exit
run --symbols=none "$T/bin/ticks"
name() {
	dump -n tick "$@" 2>err | sed 's/.* @ //'
}
like "$(name)" '^tick\+0x[0-9a-f]+ \(ticks\)$' "where it was"
mkdir -p "root$T/bin" ids/.build-id/ab debug/usr/lib/debug/.build-id/ab flat
mv bin/ticks "root$T/bin"
like "$(name)" '^\+0x[0-9a-f]+ \(ticks\)$' "moved: no name"
like "$(name --symfs root)" '^tick\+0x' "--symfs: by path"
like "$(name --symfs "$T/root/")" '^tick\+0x' "... with a blank path"
id=$(id_of "root$T/bin/ticks" | cut -c 3-)
cp "root$T/bin/ticks" "ids/.build-id/ab/$id"
like "$(name --symfs ids)" '^tick\+0x' "by build id"
cp "root$T/bin/ticks" "debug/usr/lib/debug/.build-id/ab/$id.debug"
like "$(name --symfs debug)" '^tick\+0x' "by build id, what was split off only"
cp "root$T/bin/ticks" flat
like "$(name --symfs flat)" '^tick\+0x' "by its name alone"
like "$(name --symfs nowhere)" '^\+0x' "no such directory: no name"
is "$(status "$PTRACE_DUMP" -f raw --symfs nowhere log)" 0 "... and no error"
# Another one is in its place, there or here.
sed 's/tick(/other(/' ticks.c >other.c
build bin/other other.c -I"$abs_top_srcdir/include" "$LIBPTRACE"
mv bin/other bin/ticks
like "$(name)" '^\+0x' "another program in its place: no name"
like "$(cat err)" '1 file has changed since' "... said"
like "$(name --symfs root)" '^tick\+0x' "--symfs comes first"
is "$(cat err)" "" "... nothing to say"
cp bin/ticks "root$T/bin"
mv flat/ticks bin
like "$(name --symfs root)" '^\+0x' "the right one here, not there: no name"
like "$(name)" '^tick\+0x' "... without --symfs there is"
like "$(name --no-symbols)" '^\+0x[0-9a-f]+ \(ticks\)$' "--no-symbols"
# What the log names leads out of the directory, or is nothing to be opened.
rm "root$T/bin/ticks"
ln -s "$T/bin/ticks" "root$T/bin/ticks"
like "$(name --symfs root)" '^\+0x' "a link leads nowhere out of --symfs"
mkdir -p "root/away$T"
ln -s "../../../../../../../..$T/bin" "root$T/bin2"
rm -rf "root$T/bin"
mv "root$T/bin2" "root$T/bin"
like "$(name --symfs root)" '^\+0x' "nor do dots"
mv bin/ticks ticks
mkfifo bin/ticks
like "$(name)" '^\+0x' "a pipe is not waited for"
rm bin/ticks
mv ticks bin

# foreign NAME COMPILER OPTION...
foreign() {
	name=$1
	compiler=$2
	shift 2
	rm -rf root
	mkdir -p root/usr/lib
	printf '.text\n.space 64\n.globl f\n.type f,%%function\nf:.space 16\n' >f.s
	printf '.size f,16\n.section .note.GNU-stack,"",%%progbits\n' >>f.s
	if ! command -v "$compiler" >/dev/null ||
		! $compiler -shared -nostdlib -o root/usr/lib/f.so f.s \
			-Wl,--build-id "$@" >out 2>&1; then
		skip "$name" "cannot be built here"
		return
	fi
	f=0x$(readelf -sW root/usr/lib/f.so | awk '$8 == "f" { print $2; exit }')
	{
		echo "1000 10 10 0 32 0 x:$BASE x:0x100000 s:/usr/lib/f.so" \
			"b:$(id_of root/usr/lib/f.so)"
		echo "2000 10 10 0 25 $((BASE + f + 4))"
	} | "$VICTIMS/victim-mklog" at.log
	is "$("$PTRACE_DUMP" -f raw --symfs root -n thread:exit at.log |
		sed 's/.* @ //')" "f+0x4 (f.so)" "$name"
}
foreign "a library for aarch64" aarch64-linux-gnu-gcc
foreign "... of the other byte order" aarch64-linux-gnu-gcc -mbig-endian
foreign "a library of 32 bits" "${cc##* }" -m32
foreign "a library of this machine" "${cc##* }"

# Without a build id only what is below the directory is that machine's.
# shellcheck disable=SC2086 # words
$cc -shared -nostdlib -o "$T/f.so" f.s -Wl,--build-id=none
size=$(readelf -lW f.so | awk '$1 == "LOAD" { print $3, $6 }' |
	while read -r at size; do
		echo $((at + size))
	done | sort -n | tail -n 1)
{
	echo "1000 10 10 0 32 0 x:$BASE x:$size s:$T/f.so b:"
	echo "2000 10 10 0 25 $((BASE + $(address_of f.so f) + 4))"
} | "$VICTIMS/victim-mklog" log
is "$(dump -n thread:exit | sed 's/.* @ //; s/^+.*/none/') $(
	dump -n thread:exit --symfs root | sed 's/.* @ //; s/^+.*/none/')" \
	"f+0x4 (f.so) none" "no build id: not the file of this machine"
