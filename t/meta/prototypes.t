#!/bin/sh
# SPDX-License-Identifier: MIT
# The built-in table of prototypes has what libc and libm export, with the types
# that the compiler's debug information says; and its declarations, as the
# compiler writes them, are understood by --prototypes.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
need nm awk
table=$abs_top_builddir/tools/prototypes/builtin.c
generate=$abs_top_builddir/tools/prototypes/generate
[ -f "$table" ] || skip_all "no table in the build"
# As make has it: CC may be several words.
cc=${CC:-cc}
command -v "${cc%% *}" >/dev/null 2>&1 || cc=cc
need "${cc%% *}"
plan 6
cd "$T" || exit 1

# functions <TABLE: its lines "NAME CODE".
functions() {
	awk '/^const char/ { is_in = /functions/ }
		is_in && split($0, part, "\"") > 2 && part[2] != "" {
			sub(/\\n$/, "", part[2])
			print part[2]
		}' | sort
}
functions <"$table" >ours
[ "$(wc -l <ours)" -gt 2600 ]
ok $? "$(wc -l <ours) functions"
like "$(cat "$table")" '; 0 declarations were not understood' \
	"the headers are understood"

# public LIBRARY: its functions, but for those that no header declares.
public() {
	nm -D --defined-only "$(ldd "$abs_top_builddir/t/preload/victim-typed" |
		sed -n "s/.*$1\.so\.6 => \([^ ]*\) .*/\1/p")" |
		awk '$2 ~ /[TWi]/ && sub(/@@.*/, "", $3) { print $3 }' |
		grep -v '^_' | sort -u
}
for library in libc libm; do
	public $library >theirs
	sed 's/ .*//' ours | comm -13 - theirs >lacking
	[ "$(wc -l <theirs)" -gt 900 ] && [ "$(wc -l <lacking)" -lt 30 ]
	ok $? "$library: all but $(wc -l <lacking) of $(wc -l <theirs)" ||
		diag "$(tr '\n' ' ' <lacking)"
done

# How the compiler sees them.
# shellcheck disable=SC2086
preprocess() {
	$cc -D_GNU_SOURCE -O2 -w -x c "$@" \
		"$abs_top_builddir/tools/prototypes/headers.h"
}
preprocess -fsyntax-only -aux-info declared 2>/dev/null
if [ -s declared ]; then
	sed -e 's,^/\*[^*]*\*/ ,,' -e '/^static/d' declared >declared.h
	"$PTRACE_RUN" -q -o log --prototypes declared.h -l getppid true 2>err
	is "$? $(cat err)" "0 " "$(wc -l <declared.h) declarations as gcc has them"
else
	skip "declarations as gcc has them" "no -aux-info"
fi

if ! command -v gdb >/dev/null 2>&1; then
	skip "types as debug information has them" "no gdb"
	exit
fi
sed -n 's/^extern .*[ *]\([a-z0-9_]*\) (.*/\1/p' declared.h | sort -u |
	comm -12 - theirs >names
public libc | join - ours | sed 's/ .*//' >>names
{
	echo "#include \"$abs_top_builddir/tools/prototypes/headers.h\""
	echo "#undef basename" # a macro for another function
	sort -u names | sed 's/.*/__typeof__(\&&) p_&;/'
	awk '/^const char/ { is_in = /types/ }
		is_in && split($0, part, "\"") > 2 && part[2] != "" {
			sub(/ .*/, "", part[2])
			print part[2] " *t_" part[2] ";"
		}' "$table"
} >pointers.c
# Some exist without being declared under this name.
# shellcheck disable=SC2086
for _ in 1 2 3; do
	$cc -D_GNU_SOURCE -w -fmax-errors=0 -g -c -o pointers.o pointers.c \
		2>err && break
	sed -n 's/^pointers\.c:\([0-9]*\):.*error.*/\1d/p' err | sort -u >drop
	sed -i -f drop pointers.c
done
# The debugger leaves names of types in prototypes: first what they mean.
sed -n 's/.* \*t_\(.*\);/echo \1\\040\nptype *t_\1/p' pointers.c >commands
gdb -q -batch -nx -x commands pointers.o 2>/dev/null |
	awk '/^[^ ]+ type = (struct|union) .*[{]$/ { open = $1 }
		open != "" && !/^}/ { next }
		open != "" { $0 = open " type = struct s" substr($0, 2) }
		{ open = ""; print }' |
	sed -n -e 's/^\([^ ]*\) type = enum .*{.*/typedef enum s \1;/p;t' \
		-e 's/^\([^ ]*\) type = \([^(]*\)(\*)\(.*\)/typedef \2(*\1)\3;/p;t' \
		-e 's/^\([^ ]*\) type = \([^([]*\)\([([].*\)/typedef \2 \1\3;/p;t' \
		-e 's/^\([^ ]*\) type = \(.*\)/typedef \2 \1;/p' >typed.h
sed -n 's/.* p_\(.*\);/echo \1\\040\nptype p_\1/p' pointers.c >commands
gdb -q -batch -nx -x commands pointers.o 2>/dev/null |
	sed -n -e 's/^\([^ ]*\) type = \([^(]*\)(\*)\(.*\)/\2(\1)\3;/p;t' \
		-e 's/^\([^ ]*\) type = \([^(]*(\*\)(\*)\(.*\)/\2(\1)\3;/p' >>typed.h
# A union that is passed as the pointer that it holds.
sed -E '/^typedef/!s/__(CONST_)?SOCKADDR_ARG/struct sockaddr */g' typed.h |
	"$generate" | functions >debugged
join ours debugged | awk '$2 != $3' >differ
[ "$(wc -l <debugged)" -gt 1500 ] && [ ! -s differ ]
ok $? "$(wc -l <debugged) types as debug information has them" ||
	diag "$(head -n 20 differ)"
