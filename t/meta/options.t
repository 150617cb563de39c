#!/bin/sh
# SPDX-License-Identifier: MIT
# The table of a tool's options is what its man page describes: each option, and
# no other; and each setting of the library is one of ptrace-run's, and a variable.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"

cd "$abs_top_srcdir" || exit 1
set --
for completer in "$abs_top_builddir"/completions/*; do
	[ -d "$completer" ] || set -- "$@" "$completer"
done
[ -x "${1-}" ] || skip_all "no tables: not built"
plan $(($# + 3))

# told PAGE: the options that head a paragraph of it, a line for each name.
told() {
	awk '/^\.TP/ { getline; print }' "$1" |
		sed -e 's/^\.[A-Z]* *//' -e 's/\\f[A-Z]//g' -e 's/\\-/-/g' |
		grep '^"*-' |
		grep -oE -e '(^|[^A-Za-z-])(--[a-z][a-z-]*|-[A-Za-z]\b)' |
		sed 's/^[^-]*//' | sort -u
}

for completer; do
	name=ptrace-${completer##*/}
	"$completer" list | tr ' ' '\n' | sort -u >"$T/$name"
	is "$(told "man/$name.1")" "$(cat "$T/$name")" \
		"$name: the page has its options, and no others"
done

# --no-follow is the setting follow, 0; sdt: of --events the setting probes.
sed -n 's/^--no-follow$/follow/; s/^--probes-list$/probes/; s/^--//p
	/^follow$/p; /^probes$/p' "$T/ptrace-run" |
	sort >"$T/names"
sed -n 's/^	ROW("\([a-z-]*\)",.*/\1/p' preload/settings/settings.c |
	sort >"$T/settings"
is "$(comm -13 "$T/names" "$T/settings")" "" \
	"each setting is an option of ptrace-run"
for page in ptrace-run.1 libptrace.7; do
	tr 'a-z-' 'A-Z_' <"$T/settings" | while IFS= read -r name; do
		grep -q "PTRACE_$name\b" "man/$page" || echo "PTRACE_$name"
	done >"$T/unsaid"
	is "$(cat "$T/unsaid")" "" "and a variable of $page"
done
