#!/bin/sh
# SPDX-License-Identifier: MIT
# What the READMEs name is there: files, functions, structs and constants of ours,
# functions of the API, targets of make; and of what comments in the sources name,
# files and functions.  A comment names what it is about, and does not open with
# "It" or "The same".  One name stands for one struct.  The tests that t/README
# shows pass.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"

cc=${CC:-cc}
need "${cc%% *}"
cd "$abs_top_srcdir" || exit 1
readmes='README core/README preload/README tools/README t/README'
folders='core preload tools t man include scripts'
plan 15

# words PATTERN FILE: what of the file matches, each once.
words() {
	sed 's/<[^>]*>//g' "$2" | grep -oE -e "$1" | sort -u
}

# is_there PATH: a path or pattern, as it is, or made of a source of its name; or
# what others begin with.
is_there() {
	for found in $1 "${abs_top_builddir:?}/$1" "$1"-*; do
		[ -e "$found" ] && return
	done
	[ "${1%.t}" != "$1" ] && [ -e "${1%.t}.c" ]
}

# What is there at all.
# shellcheck disable=SC2086 # a word for each
find $folders -type f | sed 's|.*/||' | sort -u >"$T/files"
# shellcheck disable=SC2086
find $folders -name '*.[chS]' -exec cat {} + >"$T/sources"
# Definitions and declarations begin a line: comments and calls do not.
grep -E '^(#define |[A-Za-z].*[^a-z_]|)ptl_[a-z0-9_]+\(' "$T/sources" |
	grep -oE '\bptl_[a-z0-9_]+\(' | sort -u >"$T/functions"
{
	find t -type f ! -path 't/fuzz/corpus/*' -exec cat {} + |
		grep -oE '^[a-z_]+\(\)'
	grep -oE '[A-Za-z_][A-Za-z0-9_]*\(' "$T/sources"
} | tr -d '()' | sort -u >"$T/called"
grep -oE '^struct ptl_[a-z0-9_]+ \{' "$T/sources" | tr -d '{' |
	sed 's/ $//' | sort -u >"$T/structs"
grep -oE '\b(PTL|TAP)_[A-Z0-9_]+' "$T/sources" | sort -u >"$T/constants"
sed -n 's/.*SYSEVENT([0-9]*, \([A-Z_]*\),.*/PTL_EV_\1/p' "$T/sources" |
	sort -u >>"$T/constants"
grep -oE '\bposix_trace_[a-z_]+' include/trace.h | sort -u >"$T/api"
grep -oE '^[a-z][a-z-]*:' "$abs_top_builddir/Makefile" | sort -u >"$T/targets"

# Each of the following: what of the files is not there.  Words in capitals stand
# for something: format_NAME.c.

no_paths() {
	words "(^|[^A-Za-z0-9_./-])($(echo "$folders" | tr ' ' '|'))/[][A-Za-z0-9_./*-]+" "$1" |
		sed -E 's/^[^a-z]//; s/[.]+$//' | grep -vE '/[^.]*[A-Z]{4}' |
		while IFS= read -r path; do
		is_there "$path" || echo "$path"
	done
	words '(core|preload|tools|t)/README' "$1" | while IFS= read -r path; do
		is_there "$path" || echo "$path"
	done
}

no_files() {
	words '[a-z][A-Za-z0-9_-]*[.]([chtS]|sh|awk|tbl|def|inc|am|map)\b' "$1" |
		while IFS= read -r name; do
		grep -qxF -e "$name" -e "${name%.t}.c" "$T/files" ||
			echo "$name"
	done | grep -vxE 'hello.c|control.c|weak.c|(.*-)?x.[ct]|.*[A-Z]{4}.*'
}

no_functions() {
	words '\bptl_[a-z0-9_]+\(' "$1" | comm -23 - "$T/functions"
}

# Those of one file, and of others: called or defined anywhere.
no_calls() {
	words '\b[a-z_][a-z0-9_]*\(\)' "$1" | sed 's/()$//' |
		grep -vxF -f "$T/called"
}

no_structs() {
	words '\bstruct ptl_[a-z0-9_]+' "$1" | comm -23 - "$T/structs"
}

no_constants() {
	words '\b(PTL|TAP)_[A-Z0-9_]+' "$1" | grep -vxF PTL_EV_NAME |
		grep -vxF -f "$T/constants"
}

no_api() {
	words '\bposix_trace_[a-z_]+' "$1" | comm -23 - "$T/api"
}

no_targets() {
	words "(\`|^ *)make [a-z][a-z-]+" "$1" |
		sed -n 's/.*make \([a-z-]*\)$/\1:/p' |
		sort -u | comm -23 - "$T/targets"
}

missing() {
	no_paths "$1"
	no_files "$1"
	no_functions "$1"
	no_calls "$1"
	no_structs "$1"
	no_constants "$1"
	no_api "$1"
	no_targets "$1"
}

for readme in $readmes; do
	is "$(missing "$readme")" "" "$readme names what is there"
done

# in_comments PATTERN: what of our comments matches, each once.
in_comments() {
	sed -n 's/<[^>]*>//g; s/"[^"]*"//g; s|.*/\*|/*|; s|^[[:space:]]*/*\*||p' \
		"$T/sources" | grep -oE -e "$1" | sort -u
}
grep -vE '^[[:space:]]*/?\*' "$T/sources" | grep -oE '\bptl_[a-z0-9_]+' |
	sort -u >"$T/names"
in_comments '\bptl_[a-z0-9_]+\(\)' | tr -d '()' | comm -23 - "$T/names" >"$T/none"
in_comments '\b[a-z][a-z0-9_-]*[.]([chS]|def|inc)\b' |
	comm -23 - "$T/files" >>"$T/none"
is "$(cat "$T/none")" "" "comments name what is there"

# twice DIR...: structs of ours that two files below them define.
twice() {
	grep -rHoE --include='*.[ch]' '^struct ptl_[a-z0-9_]+ \{' "$@" | sort -u |
		sed 's/^[^:]*:struct //; s/ {$//' | sort | uniq -d
}
# shellcheck disable=SC2086 # a word for each
is "$(twice $folders | tr '\n' ' ')" "" "no struct is another somewhere else"
mkdir "$T/planted"
echo 'struct ptl_map {' >"$T/planted/map.h"
# shellcheck disable=SC2086
is "$(twice $folders "$T/planted")" "ptl_map" "... and one that is, is found"

# The command for tests is the one that continuous integration calls.
if [ -f .ci/run ]; then
	grep -q '^exec scripts/test$' .ci/run && grep -q '^ *scripts/test ' README
	ok $? "scripts/test is what .ci/run calls"
else
	skip "scripts/test is what .ci/run calls" "a release"
fi

# block FIRST: that block of t/README, which begins with such a line.
block() {
	awk -v first="$1" '
		/^[^ ]/ { shown = 0 }
		index($0, first) == 5 { shown = 1 }
		shown { print substr($0, 5) }' t/README
}

block '/* SPDX' >"$T/shown.c"
# shellcheck disable=SC2086 # words
$cc -D_GNU_SOURCE -I. -Iinclude -o "$T/shown" "$T/shown.c" \
	"$abs_top_builddir/t/lib/libtap.a" "$LIBPTRACE" \
	-Wl,-rpath,"${LIBPTRACE%/*}" -pthread >"$T/out" 2>&1 &&
	"$T/shown" >>"$T/out" 2>&1
is "$? $(tail -n 1 "$T/out")" "0 ok 1 - one event" "the test in C passes" ||
	diag "$(cat "$T/out")"
block '#!/bin/sh' >"$T/shown.t"
chmod +x "$T/shown.t"
"$T/shown.t" >"$T/out" 2>&1
is "$? $(grep -c '^ok' "$T/out")" "0 2" "the test in shell passes" ||
	diag "$(cat "$T/out")"

# riddles FILE...: comments, on lines of their own, that can only be read with
# what was before them.
riddles() {
	awk '
		/^[ \t]*\/\*/ {
			line = FNR
			text = $0
			sub(/^[ \t]*\/\*[ \t]*/, "", text)
			if (text == "" && (getline text) > 0)
				sub(/^[ \t]*\*[ \t]*/, "", text)
			if (text ~ /^(Its?|They|Their|Those|These|The same|Instead|Or|That one|This (is|one))([^A-Za-z]|$)/)
				print FILENAME ":" line ": " text
		}' "$@"
}
# shellcheck disable=SC2046 # a word for each
riddles $(find core preload tools -name '*.[ch]') >"$T/riddles"
is "$(cat "$T/riddles")" "" "comments open with what they are about"

# The test of the test.
printf '%s\n' '/* The same, of a copy. */' '	/*' '	 * It is dead.' '	 */' \
	'/* Items, of any kind. Orders */' '/* That a call is over. */' \
	'/* Those. */' >"$T/riddle.c"
is "$(riddles "$T/riddle.c" | cut -d: -f2 | tr '\n' ' ')" "1 2 7 " \
	"what is planted is found: riddles"
cat >"$T/README" <<'END'
core/record/none.c and core/nowhere/; preload/README, t/unit/no*.t
t/api/log-events.t; none.h and emit.c; `make nothing' and `make lint'
ptl_none( and ptl_emit(); struct ptl_none and struct ptl_map; reserve(), non();
PTL_NONE and PTL_ENTRY; posix_trace_none() and posix_trace_event().
END
is "$(missing "$T/README" | sort -u | tr '\n' ' ')" "PTL_NONE core/nowhere/ core/record/none.c non none.c none.h nothing: posix_trace_none ptl_none( struct ptl_none t/unit/no*.t " \
	"what is planted is found"
is "$(echo 'As ptl_emit_lose() does, in core/record/emit.c.' >"$T/good" &&
	missing "$T/good")" "" "and nothing else"
