#!/bin/sh
# SPDX-License-Identifier: MIT
# What is installed works wherever its prefix is moved to, and takes libraries
# and the monitor from there only: beside a prefix in a shared directory
# anybody may have put some.
# shellcheck disable=SC2016 # of RUNPATH, and of the planted scripts
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need make readelf realpath
plan 19

unset MAKEFLAGS MFLAGS MAKELEVEL
make -s -C "$abs_top_builddir" install DESTDIR="$T/root" >"$T/out" 2>&1
ok $? "make install DESTDIR=..." || diag <"$T/out"
bin=$(find "$T/root" -path '*/bin/ptrace-run')
bin=${bin%/*}
prefix=${bin%/*}
library=$(find "$T/root" -name libptrace.so)
monitor=$(find "$T/root" -name ptrace-monitor)

# What --live needs is there, too, and beside: not from elsewhere.
"$bin/ptrace-run" --live -q -o "$T/log" true 2>"$T/events"
like "$(cat "$T/events")" ' exit 0 ' "ptrace-run --live finds ptrace-dump"
mv "$bin/ptrace-dump" "$T/away-dump"
if [ -x "${bin#"$T/root"}/ptrace-dump" ]; then
	skip "and says if it is not there" "it is installed for all" 2
else
	"$bin/ptrace-run" --live -q -o "$T/log" touch "$T/ran" 2>"$T/events"
	is "$? $(cat "$T/events")" \
		"125 ptrace-run: --live: ptrace-dump is not where ptrace-run is" \
		"and says if it is not there"
	[ ! -e "$T/ran" ]
	ok $? "before anything is run"
fi
mv "$T/away-dump" "$bin/ptrace-dump"

# strangers PROGRAM...: the places of libraries outside of the prefix.
strangers() {
	for program; do
		readelf -d "$program" 2>/dev/null |
			sed -n 's/.*(R.*PATH).*\[\(.*\)\]/\1/p' | tr : '\n' |
			while IFS= read -r dir; do
			case $dir in
			'$ORIGIN'*) dir=${program%/*}${dir#?ORIGIN} ;;
			*) dir=$T/root$dir ;;
			esac
			case $(realpath -m "$dir") in
			"$prefix"/* | "${library%/*}") echo in >&3 ;;
			*) echo "$program: $dir" ;;
			esac
		done
	done
}
is "$(strangers "$bin"/* "$monitor" 3>"$T/in")" "" \
	"no program looks for libraries outside of its prefix"
[ -s "$T/in" ]
ok $? "and each knows a place inside of it"

"$bin/ptrace-run" -q -o "$T/log" cat /proc/self/maps >"$T/maps"
is "$?" 0 "ptrace-run runs there"
like "$(cat "$T/maps")" "$(realpath "$library")" "with its own library"
"$bin/ptrace-dump" -n process:exit "$T/log" >"$T/events"
like "$(cat "$T/events")" ' exit 0 ' "ptrace-dump runs there"

# Packages of the library alone lack the name that programs are linked by.
# shellcheck disable=SC2012 # names of ours
is "$(cd "${library%/*}" && ls -l libptrace.so* | awk '{ print $9 $10 $11 }' |
	tr '\n' ' ')" \
	"libptrace.so->libptrace.so.0.0.0 libptrace.so.0->libptrace.so.0.0.0 libptrace.so.0.0.0 " \
	"one file with three names"
cat >hello.c <<'END'
#include <libptrace/trace.h>
int main(void)
{
	trace_event_id_t id;

	if (posix_trace_eventid_open("hello", &id) != 0)
		return 1;
	posix_trace_event(id, "", 0);
	return 0;
}
END
${CC:-cc} -o hello hello.c -I"$(find "$T/root" -name include)" \
	-L"${library%/*}" -lptrace -Wl,-rpath,"${library%/*}"
ok $? "a program is linked, and finds <libptrace/trace.h>"
like "$(readelf -d hello)" 'NEEDED.*\[libptrace\.so\.0\]' "with its interface"
mv "$library" "$library.away"
is "$("$bin/ptrace-run" -q -o log sh -c 'echo "${LD_PRELOAD##*/}"; ./hello')" \
	libptrace.so.0 "it is preloaded by that name, too"
is "$("$bin/ptrace-dump" -n hello log | wc -l)" 1 "and is there once only"
mv "$library.away" "$library"
is "$("$bin/ptrace-run" -q -o log env LD_PRELOAD="$library" sh -c \
	'echo "$LD_PRELOAD"')" "$library" "it knows itself by its other names"

# plant DIR...: monitors of somebody else.
plant() {
	for dir; do
		mkdir -p "$dir"
		printf '#!/bin/sh\necho "$0" >>"%s/planted"\n' "$T" \
			>"$dir/ptrace-monitor"
		chmod +x "$dir/ptrace-monitor"
	done
}
# preload LIBRARY: what says that there was a monitor, or which.
preload() {
	rm -f "$T/piped"
	LD_PRELOAD=$1 PTRACE_OUTPUT="|cat >'$T/piped'" cat </dev/null
	wait_for test -s "$T/piped"
}
plant "$prefix/tools" "$prefix" "${prefix%/*}/tools" "${prefix%/*}" \
	"${prefix%/*}/libexec/libptrace"
preload "$library"
ok $? "LD_PRELOAD alone finds its monitor"
mv "$monitor" "$T/away"
LD_PRELOAD=$library PTRACE_OUTPUT=log cat </dev/null
"$bin/ptrace-run" -q -o "$T/log" true 2>/dev/null
is "$(cat "$T/planted" 2>/dev/null)" "" "and none beside it"

# A library alone, in a directory below one like /tmp.
mkdir -p "$T/shared/mine"
cp "$library" "$T/shared/mine"
plant "$T/shared/libexec/libptrace"
chmod 1777 "$T/shared"
LD_PRELOAD=$T/shared/mine/libptrace.so PTRACE_OUTPUT=log cat </dev/null
is "$(cat "$T/planted" 2>/dev/null)" "" \
	"a directory that is everybody's is no prefix"
chmod 755 "$T/shared"
LD_PRELOAD=$T/shared/mine/libptrace.so PTRACE_OUTPUT=log cat </dev/null
like "$(cat "$T/planted" 2>/dev/null)" shared "any other is"
