#!/bin/sh
# SPDX-License-Identifier: MIT
# The man pages are clean roff; there is one for each program and each page of
# the library that we promise, and those of functions are of functions.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"

need groff
cd "$abs_top_srcdir" || exit 1
set --
for page in man/*.[1-8]; do
	[ -f "$page" ] && set -- "$@" "$page"
done
[ $# -gt 0 ] || skip_all "no man pages yet"
plan $(($# + 4))

for page; do
	target=$(sed -n '1s|^\.so man./||p' "$page")
	if [ -n "$target" ]; then
		[ -f "man/$target" ]
		ok $? "$page points at a page"
		continue
	fi
	groff -t -ww -man -Tutf8 -Kutf8 -rHY=0 -z "$page" >"$T/out" 2>&1
	is "$(cat "$T/out")" "" "$page"
done

missing=
for page in libptrace.7 libptrace-events.7 libptrace-format.5; do
	[ -f "man/$page" ] || missing="$missing $page"
done
for program in "$abs_top_builddir"/tools/ptrace-* scripts/*.in; do
	name=$(basename "$program" .in)
	case $name in
	*.* | '*' | 'ptrace-*' | ptrace-monitor) ;;
	*) [ -f "man/$name.1" ] || missing="$missing $name.1" ;;
	esac
done
is "$missing" "" "the library and every program have their pages"

grep -ho 'posix_trace_[a-z_]*(' include/trace.h | tr -d '(' | sort -u \
	>"$T/functions"
strange=
for page in man/*.3; do
	[ -f "$page" ] || continue
	grep -qx "$(basename "$page" .3)" "$T/functions" ||
		strange="$strange $page"
done
is "$strange" "" "pages of section 3 are of functions of <trace.h>"

sed -n 's/.*SYSEVENT(\([0-9]*\), [A-Z_]*, "\([^"]*\)".*/\1 \2/p' \
	core/sysevents.h | sort >"$T/types"
sed -n -e 's/^\([0-9][0-9]*\)	\(posix_trace_[a-z_]*\)	.*/\1 \2/p' \
	-e 's/^\.B \([a-z]*:[a-z_]*\) .fR(id \([0-9]*\)).*/\2 \1/p' \
	man/libptrace-events.7 | sort >"$T/told"
is "$(diff "$T/types" "$T/told")" "" \
	"libptrace-events.7 has the types of core/sysevents.h"

: >"$T/unlisted"
for page; do
	grep -q "$page\( \|\$\)" man/files.am || echo "$page" >>"$T/unlisted"
done
is "$(cat "$T/unlisted")" "" "man/files.am lists them all"
