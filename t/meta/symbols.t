#!/bin/sh
# SPDX-License-Identifier: MIT
# libptrace.so exports the POSIX names and the interposed ones, needs libc and
# nothing else, and leaves the marks of the process as they would be without it.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "$abs_top_srcdir/t/lib/versions.sh"

need nm readelf
[ -f "$LIBPTRACE" ] || skip_all "no libptrace.so"
plan 13
todo_coverage "exports of libgcov"

# Exported for programs compiled with -finstrument-functions, -pg, -mfentry:
# hooks of the compiler's, not wrappers of libc's; and for unwinders.
hooks='__cyg_profile_func_enter __cyg_profile_func_exit mcount _mcount __fentry__
_dl_find_object'

words() {
	tr -s '[:space:]' '\n' | sed '/^$/d' | sort -u
}

# empty FILE NAME: FILE holds no line.
empty() {
	is "$(tr '\n' ' ' <"$1")" "" "$2"
}

# Comments out first: they may name functions.
sed 's|/\*.*\*/||; /\/\*/,/\*\//d' "$abs_top_srcdir/include/trace.h" \
	>"$T/trace.h"
{
	grep -o 'posix_trace_[a-z_]*[[:space:]]*(' "$T/trace.h" | tr -d '('
	sed -n 's/^extern.*[ *]\(posix_trace_[a-z_]*\);/\1/p' "$T/trace.h"
} | words >"$T/posix"
# But for the names of versions, which are absolute.
nm -D --defined-only "$LIBPTRACE" | awk '$2 != "A" { print $NF }' >"$T/defined"
sed 's/@.*//' "$T/defined" | words >"$T/exported"
# What is intercepted.
awk -v make=names -f "$abs_top_srcdir/preload/calls/calls.awk" \
	"$abs_top_srcdir/core/format/sysevents.h" \
	"$abs_top_srcdir"/preload/calls/*.tbl | words >"$T/calls"
{ cat "$T/posix" "$T/calls"; echo "$hooks"; } | words >"$T/allowed"

comm -23 "$T/posix" "$T/exported" >"$T/out"
empty "$T/out" "all of trace.h is exported"
comm -23 "$T/calls" "$T/exported" >"$T/out"
empty "$T/out" "all of the tables in preload/calls/ is exported"
comm -13 "$T/allowed" "$T/exported" >"$T/out"
empty "$T/out" "nothing else is exported"

# A version on what is interposed would keep programs from finding it, unless it
# is what they ask for: t/meta/twins.t.
awk '$1 != "first" && /^[a-z]/ { print $2 }' \
	"$abs_top_srcdir/preload/calls/versions" | words >"$T/versioned"
sed '/^posix_trace_.*@@PTRACE_0\.1$/d' "$T/defined" |
	grep -e '^posix_trace_' -e @ | sed 's/@.*//' | words |
	comm -23 - "$T/versioned" >"$T/out"
empty "$T/out" "the API has a version, and what has several in libc"

# Weak ones are the start-up files'; a libc symbol has a version.
nm -D --undefined-only "$LIBPTRACE" |
	awk '$1 == "U" && $2 !~ /@GLIBC_/ { print $2 }' >"$T/out"
empty "$T/out" "what is undefined is in libc"

needed() {
	objdump -T "$LIBPTRACE" | sed -n 's/.*\*UND\*.*(\(GLIBC_[0-9.]*\)) .*/\1/p' |
		words | tr '\n' ' '
}
is "$(newer "$LIBPTRACE")" "" "no version of libc that 2.17 did not have: $(needed)"

readelf -dW "$LIBPTRACE" >"$T/dynamic"
needed=$(sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' "$T/dynamic" |
	grep -v '^ld-linux' | tr '\n' ' ')
is "$needed" "libc.so.6 " "libc is all that is needed"
like "$(grep -E 'FLAGS' "$T/dynamic" | tr '\n' ' ')" \
	'NOW.*NODELETE.*INITFIRST|NOW.*INITFIRST.*NODELETE' \
	"bound now, initialised first, never unloaded"

readelf -lW "$LIBPTRACE" >"$T/segments"
if grep GNU_STACK "$T/segments" | grep -q RWE; then
	fail "the stack is not executable"
else
	pass "the stack is not executable"
fi
if grep LOAD "$T/segments" | grep -q 'RWE'; then
	fail "what is executable cannot be written"
else
	pass "what is executable cannot be written"
fi
# Where the linker can do it: see LAYOUT_LDFLAGS in configure.ac.
if grep -q '^LAYOUT_LDFLAGS = .*noseparate-code' "$abs_top_builddir/Makefile"
then
	is "$(grep -c LOAD "$T/segments")" 2 "two mappings for what a file has"
else
	skip "two mappings for what a file has" "not with this linker"
fi
tls=$(awk '$1 == "TLS" { print $6 }' "$T/segments")
[ $((${tls:-0})) -le 64 ]
ok $? "at most 64 bytes of thread-local storage"

case $(uname -m) in
x86_64)
	like "$(readelf -nW "$LIBPTRACE")" 'IBT, SHSTK' \
		"marked fit for IBT and shadow stacks"
	;;
*)
	skip "marked fit for IBT and shadow stacks" "not x86-64"
	;;
esac
