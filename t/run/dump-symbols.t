#!/bin/sh
# SPDX-License-Identifier: MIT
# Addresses get the names of functions: the right one of several, from the file
# itself or from what was split off it, never from another file.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/symbols.sh"
need objcopy strip
plan 44

define() {
	printf '.globl %s\n.type %s,%%function\n%s:' "$1" "$1" "$1"
	printf '.space 16\n.size %s,16\n' "$1"
}
{
	echo .text
	define before
	define after
	define _IO_shown
	printf '.weak shown\n.set shown,_IO_shown\n'
	printf '.set a,_IO_shown\n.type a,%%function\n'
	define __both
	printf '.globl both\n.set both,__both\n'
	# A version that nobody is linked with any more.
	define now
	printf '.globl old_now\n.set old_now,now\n.symver old_now,o@V1\n'
	printf '.globl outer\n.type outer,%%function\nouter:.space 4\n'
	printf '.type inner,%%function\ninner:.space 4\n.size inner,4\n'
	printf '.space 4\nlabel:.space 4\n.size outer,16\n'
	printf '.globl unsized\n.type unsized,%%function\nunsized:.space 64\n'
	define behind
	printf '.section .text.far,"ax",%%progbits\n.balign 4096\n'
	define far
	printf '.type hidden,%%function\nhidden:.space 16\n.size hidden,16\n'
	printf '.section .note.GNU-stack,"",%%progbits\n'
} >lib.s
echo 'V1 { global: *; };' >lib.map
build lib.so lib.s -shared -nostdlib -Wl,--version-script=lib.map
ok $? "a library" || exit

is "$(name_behind lib.so before 4)" "before+0x4 (lib.so)" "inside a function"
is "$(name_behind lib.so before 16)" "before+0x10 (lib.so)" \
	"a call at its end returns behind it"
is "$(name_behind lib.so after 1)" "after+0x1 (lib.so)" "the next one"
is "$(name_behind lib.so _IO_shown)" "shown+0x1 (lib.so)" \
	"of several names the public one without underscores, not a local one"
is "$(name_behind lib.so __both)" "both+0x1 (lib.so)" "... without two"
is "$(name_behind lib.so now)" "now+0x1 (lib.so)" \
	"... in the default version, without it"
is "$(name_behind lib.so inner 2)" "inner+0x2 (lib.so)" "a function inside one"
is "$(name_behind lib.so outer 10)" "outer+0xa (lib.so)" "... and behind it"
is "$(name_behind lib.so outer 14)" "outer+0xe (lib.so)" \
	"a label in a function is none"
is "$(name_behind lib.so unsized 60)" "unsized+0x3c (lib.so)" \
	"one without a size reaches to the next"
is "$(name_behind lib.so behind 1)" "behind+0x1 (lib.so)" "the next one"
at=$(($(address_of lib.so behind) + 200))
is "$(name_at lib.so $at)" "$(printf '+0x%x (lib.so)' $at)" \
	"no function: the address in the file"
is "$(name_behind lib.so hidden)" "hidden+0x1 (lib.so)" "a local function"

# Stripped, and the rest of it apart.
cp lib.so full.so
hidden=$(address_of lib.so hidden)
hidden=$((hidden + 1))
anywhere=$(printf '+0x%x (lib.so)' $hidden)
strip lib.so
is "$(name_behind lib.so before 4 full.so)" "before+0x4 (lib.so)" \
	"stripped: public names are there"
is "$(name_behind lib.so now 1 full.so)" "now+0x1 (lib.so)" \
	"... in the default version"
is "$(name_at lib.so $hidden)" "$anywhere" "... others are not"
id=$(id_of lib.so)
objcopy --only-keep-debug --compress-debug-sections full.so lib.debug
options="--symfs $T/root"
debug=root/usr/lib/debug/.build-id/$(echo "$id" | cut -c 1-2)
mkdir -p "$debug"
debug=$debug/$(echo "$id" | cut -c 3-).debug
cp lib.debug "$debug"
is "$(name_at lib.so $hidden)" "hidden+0x1 (lib.so)" "split off, by build id"
build other.so lib.s -shared -nostdlib -Wl,--version-script=lib.map
cp other.so "$debug"
is "$(name_at lib.so $hidden)" "$anywhere" "... not that of another build"
rm -r root
options=
objcopy --add-gnu-debuglink=lib.debug lib.so
is "$(name_at lib.so $hidden)" "hidden+0x1 (lib.so)" \
	"by debug link, beside the file"
is "$(name_at "$T/lib.so" $hidden)" "hidden+0x1 (lib.so)" "... by its path"
mkdir .debug
mv lib.debug .debug
is "$(name_at lib.so $hidden)" "hidden+0x1 (lib.so)" "in .debug"
mkdir -p "root/usr/lib/debug$T"
mv .debug/lib.debug "root/usr/lib/debug$T"
mkdir -p "root$T"
cp lib.so "root$T"
is "$(name_at "$T/lib.so" $hidden)" "$anywhere" "... not anywhere"
options="--symfs $T/root"
is "$(name_at "$T/lib.so" $hidden)" "hidden+0x1 (lib.so)" \
	"in /usr/lib/debug, by path"
options=
printf x >>"root/usr/lib/debug$T/lib.debug"
mv "root/usr/lib/debug$T/lib.debug" .
is "$(name_at lib.so $hidden)" "$anywhere" "... not if its check is wrong"
rm lib.debug

# Packed into the file itself.
if grep -q 'define HAVE_LZMA 1' "$abs_top_builddir/config.h" &&
	command -v xz >/dev/null; then
	cp full.so packed.so
	objcopy -S --keep-symbol=hidden full.so packed
	xz packed
	strip packed.so
	objcopy --add-section .gnu_debugdata=packed.xz packed.so
	is "$(name_at packed.so $hidden)" "hidden+0x1 (packed.so)" \
		"in .gnu_debugdata"
	head -c 100 packed.xz >cut.xz
	objcopy --update-section .gnu_debugdata=cut.xz packed.so
	is "$(name_at packed.so $hidden)" "$(printf '+0x%x (packed.so)' \
		$hidden)" "... not if it is damaged"
else
	skip "in .gnu_debugdata" "no liblzma, or no xz"
	skip "damaged .gnu_debugdata" "no liblzma, or no xz"
fi

# Another file of that name.
cp full.so lib.so
is "$(name_behind lib.so after)" "after+0x1 (lib.so)" "the file as it was"
is "$(cat err)" "" "nothing to say"
cp other.so lib.so
"$PTRACE_DUMP" -f raw -n thread:exit at.log >out 2>err
is "$? $(sed 's/.* @ //' out)" "0 $(printf '+0x%x (lib.so)' \
	$(($(address_of full.so after) + 1)))" "another build of it: no name"
is "$(wc -l <err)" 1 "... said in one line"
like "$(cat err)" '1 file has changed since' "... how many"
"$PTRACE_DUMP" -f raw -v at.log >out 2>err
like "$(cat err)" '^ptrace-dump: lib.so: not the file that was traced' \
	"-v: which"
rm lib.so
"$PTRACE_DUMP" -f raw at.log >out 2>err
is "$? $(cat err)" "0 " "gone: nothing to say"
"$PTRACE_DUMP" -f raw -v at.log >out 2>err
like "$(cat err)" '^ptrace-dump: lib.so: not there' "-v: which"

# Without a build id, by its size.
# shellcheck disable=SC2086 # words
$cc -shared -nostdlib -Wl,--build-id=none -Wl,--version-script=lib.map \
	-o lib.so lib.s
size=$(readelf -lW lib.so | awk '$1 == "LOAD" { print $3, $6 }' |
	while read -r at size; do
		echo $((at + size))
	done | sort -n | tail -n 1)
no_id() {
	{
		echo "1000 10 10 0 32 0 x:$BASE x:$1 s:lib.so b:"
		echo "2000 10 10 0 25 $((BASE + $(address_of lib.so after) + 1))"
	} | "$VICTIMS/victim-mklog" at.log
	"$PTRACE_DUMP" -f raw -n thread:exit at.log 2>err | sed 's/.* @ //'
}
is "$(no_id "$size")" "after+0x1 (lib.so)" "no build id: the same size will do"
like "$(no_id $((size + 100000)))" '^\+0x' "... another one will not"

# Not position-independent, and not at 0.
echo 'int main(void) { return 0; }' >main.c
build main main.c -no-pie -fno-pie || skip_all "no -no-pie"
main=$(address_of main main)
{
	echo "1000 10 10 0 32 0 x:0 x:0x4000 s:main b:$(id_of main)"
	echo "2000 10 10 0 25 $((main + 1))"
} | "$VICTIMS/victim-mklog" at.log
is "$("$PTRACE_DUMP" -f raw -n thread:exit at.log | sed 's/.* @ //')" \
	"main+0x1 (main)" "a program with fixed addresses"
build high.so lib.s -shared -nostdlib -Wl,--version-script=lib.map \
	-Wl,-Ttext-segment=0x200000
is "$(name_behind high.so after)" "after+0x1 (high.so)" \
	"a library whose addresses do not begin at 0"

# The kernel's own code in the process is no file.
if command -v python3 >/dev/null && python3 - 2>err <<-'END'
	for line in open("/proc/self/maps"):
	    if line.rstrip().endswith("[vdso]"):
	        start, end = (int(n, 16) for n in line.split()[0].split("-"))
	        with open("/proc/self/mem", "rb") as mem:
	            mem.seek(start)
	            open("vdso", "wb").write(mem.read(end - start))
END
then
	nm -D vdso | sed -n 's/@.*//; s/ W / /p' | head -n 1 >weak
	read -r at name <weak
	{
		echo "1 10 10 0 32 0 x:$BASE x:0x2000 s:linux-vdso.so.1" \
			"b:$(id_of vdso)"
		echo "2 10 10 0 25 $((BASE + 0x$at + 1))"
	} | "$VICTIMS/victim-mklog" at.log
	is "$("$PTRACE_DUMP" -f raw -n thread:exit at.log | sed 's/.* @ //')" \
		"$name+0x1 (linux-vdso.so.1)" "the vdso"
else
	skip "the vdso" "cannot be read"
fi

# C++
cxx=
for try in "${CXX:-g++}" c++ clang++; do
	[ "$cxx" ] || ! command -v "${try%% *}" >/dev/null || cxx=$try
done
if [ "$cxx" ]; then
	cat >plus.cc <<-'END'
	namespace ns { struct S { int f(const char *, int); }; }
	int ns::S::f(const char *s, int i) { return s[i]; }
	END
	# shellcheck disable=SC2086 # words
	$cxx -shared -fPIC -o plus.so plus.cc
	mangled=_ZN2ns1S1fEPKci
	is "$(name_behind plus.so $mangled)" \
		"ns::S::f(char const*, int)+0x1 (plus.so)" "C++: as written"
	options=--no-demangle
	is "$(name_behind plus.so $mangled)" "$mangled+0x1 (plus.so)" \
		"--no-demangle: as in the table"
	options=
	{
		printf '.text\n.globl _Z\n'
		define _Z
		define _ZN2ns1S1fE99999999999
		define "$(awk 'BEGIN { printf "_Z1fI"
			for (i = 0; i < 200; i++) printf "1AIS%sS%sE",
				i ? i - 1 "_" : "_", i ? i - 1 "_" : "_"
			print "EvT_" }')"
	} >bad.s
	build bad.so bad.s -shared -nostdlib
	is "$(name_behind bad.so _Z) $(name_behind bad.so \
		_ZN2ns1S1fE99999999999)" \
		"_Z+0x1 (bad.so) _ZN2ns1S1fE99999999999+0x1 (bad.so)" \
		"bad names stay"
	like "$(name_at bad.so $(($(address_of bad.so _Z) + 33)))" \
		'^_Z1fI.*\+0x1 \(bad.so\)$' "so do those that explode"
else
	for name in "C++" "--no-demangle" "bad names" "exploding names"; do
		skip "$name" "no C++ compiler"
	done
fi
