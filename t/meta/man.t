#!/bin/sh
# SPDX-License-Identifier: MIT
# The man pages are clean roff; there is one for each program, each page of the
# library that we promise, and each function; those of functions say what they
# have to, in one order, and declare what the header declares.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"

need groff
# One without the files of its devices cannot say anything of our pages.
for device in utf8 ascii; do
	groff -man -T$device -z </dev/null 2>/dev/null ||
		skip_all "this groff has no device $device"
done
cd "$abs_top_srcdir" || exit 1
set --
for page in man/*.[1-8]; do
	[ -f "$page" ] && set -- "$@" "$page"
done
[ $# -gt 0 ] || skip_all "no man pages yet"
plan $(($# + 8))

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
for page in libptrace.7 libptrace-events.7 libptrace-security.7 \
	libptrace-format.5; do
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

# Comments, macros, attributes (_PTL_...) and the __ of arguments out: functions
# as they are called.
sed -e ':more' -e '/\\$/{N;s/\\\n/ /;b more' -e '}' include/trace.h |
	sed -e '/^#/d' -e 's|/\*.*\*/||' -e '/\/\*/,/\*\//d' \
		-e 's/_PTL_RESTRICT/restrict/g' -e 's/_PTL_[A-Z_]* *//g' \
		-e 's/\([ *(]\)__\([a-z]\)/\1\2/g' \
		>"$T/header"
grep -o 'posix_trace_[a-z_]*[[:space:]]*(' "$T/header" | tr -d '( \t' |
	sort -u >"$T/functions"
: >"$T/exported"
if [ -f "$LIBPTRACE" ] && command -v nm >/dev/null; then
	nm -D --defined-only "$LIBPTRACE" | awk '$2 ~ /[TWi]/ { print $NF }' |
		sed 's/@.*//' | grep '^posix_trace_' >"$T/exported"
fi
find man -name '*.3' | sed 's|man/\(.*\)\.3|\1|' | sort >"$T/pages"
is "$(sort -u "$T/functions" "$T/exported" | comm -23 - "$T/pages")" "" \
	"every function has a page of section 3"
is "$(comm -13 "$T/functions" "$T/pages")" "" \
	"pages of section 3 are of functions of <trace.h>"

# sections FILE: the headings every page of section 3 must have, as they come.
sections() {
	sed -n 's/^\.SH "*\([A-Z ]*\)"*$/\1/p' "$1" | grep -xE \
		'NAME|SYNOPSIS|DESCRIPTION|RETURN VALUE|ERRORS|ATTRIBUTES|STANDARDS|SEE ALSO' |
		tr '\n' ','
}

# declarations: those of C on standard input, one a line, each space one, and
# only between words.
declarations() {
	tr -s '[:space:]' ' ' | tr ';{}' '[\n*]' |
		sed 's/ *\([^A-Za-z0-9_ ]\) */\1/g; s/^ *//; s/ *$//' |
		grep '^[a-z_ ]*[ *]posix_trace_[a-z_]*('
}

# synopsis FILE: as one sees it.
synopsis() {
	groff -t -man -Tascii -rHY=0 -P-cbou "$1" | sed '1,/^SYNOPSIS$/d; /^[A-Z]/,$d' |
		grep -v '#include'
}

: >"$T/wrong"
: >"$T/declared"
declarations <"$T/header" | sort >"$T/prototypes"
for page in man/*.3; do
	target=$(sed -n '1s|^\.so man3/||p' "$page")
	name=$(basename "$page" .3)
	if [ -n "$target" ]; then
		sed '1,/^\.SH NAME/d; /^\.SH/,$d' "man/$target" |
			grep -qw "$name" ||
			echo "$page: not in NAME of $target" >>"$T/wrong"
		continue
	fi
	got=$(sections "$page")
	[ "$got" = 'NAME,SYNOPSIS,DESCRIPTION,RETURN VALUE,ERRORS,ATTRIBUTES,STANDARDS,SEE ALSO,' ] ||
		echo "$page: $got" >>"$T/wrong"
	synopsis "$page" | declarations >>"$T/declared"
	# What NAME lists, SYNOPSIS declares, and has a page or stub here.
	sed '1,/^\.SH NAME/d; /^\.SH/,$d; s/ \\-.*//' "$page" |
		tr ',' '\n' | tr -d ' ' | sort >"$T/names"
	synopsis "$page" | declarations | sed 's/(.*//; s/.*[ *]//' | sort |
		diff "$T/names" - >/dev/null ||
		echo "$page: NAME is not SYNOPSIS" >>"$T/wrong"
done
is "$(cat "$T/wrong")" "" "pages of section 3 have their sections and names"
sort "$T/declared" | diff "$T/prototypes" - >"$T/unlike"
is "$(cat "$T/unlike")" "" "their synopses are the prototypes of <trace.h>"

# What a page refers to is there, if it is one of ours.
cat man/*.[1-8] | sed 's/\\-/-/g; s/\\f[A-Z]//g; s/ *(/(/g' |
	grep -ohE '(posix_trace_[a-z_]+|libptrace[a-z-]*|ptrace-[a-z]+)\([1-8]\)' |
	sort -u | tr '()' '. ' | while read -r page; do
	[ -f "man/$page" ] || echo "$page"
done >"$T/dangling"
is "$(tr '\n' ' ' <"$T/dangling")" "" "pages refer to pages that are there"

sed -n 's/.*SYSEVENT(\([0-9]*\), [A-Z_]*, "\([^"]*\)".*/\1 \2/p' \
	core/format/sysevents.h | sort >"$T/types"
sed -n -e 's/^\([0-9][0-9]*\)	\(posix_trace_[a-z_]*\)	.*/\1 \2/p' \
	-e 's/^\.B \([a-z]*:[a-z_]*\) .fR(id \([0-9]*\)).*/\2 \1/p' \
	man/libptrace-events.7 | sort >"$T/told"
is "$(diff "$T/types" "$T/told")" "" \
	"libptrace-events.7 has the types of core/format/sysevents.h"

: >"$T/unlisted"
for page; do
	grep -q "$page\( \|\$\)" man/files.am || echo "$page" >>"$T/unlisted"
done
is "$(cat "$T/unlisted")" "" "man/files.am lists them all"
