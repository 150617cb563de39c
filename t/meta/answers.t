#!/bin/sh
# SPDX-License-Identifier: MIT
# What a stranger asks is answered by the READMEs: twelve questions, with at most
# three files each, which are there.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
plan 5
cd "$abs_top_srcdir" || exit 1

# answers README: "QUESTION<tab>FILE FILE ..." of its section.
answers() {
	awk '
		/^A stranger asks$/ { is_there = 1; next }
		is_there && /^How to add|^From a / { exit }
		is_there && /^  [^ ].*\?$/ {
			if (question != "")
				print question "\t" files
			question = substr($0, 3)
			files = ""
			next
		}
		/^[^ ]/ {
			if (is_there && question != "")
				print question "\t" files
			question = ""
		}
		is_there && question != "" {
			while (match($0, /(core|preload|tools|man|include)\/[a-z0-9_\/.-]*[a-z0-9]/)) {
				files = files " " substr($0, RSTART, RLENGTH)
				$0 = substr($0, RSTART + RLENGTH)
			}
		}
		END {
			if (question != "")
				print question "\t" files
		}' "$1"
}

# wrong: of lines as answers() has them those without an answer, with too long a
# one, or with files that are not there.
wrong() {
	while IFS="$(printf '\t')" read -r question files; do
		# shellcheck disable=SC2086 # words
		set -- $files
		[ $# -gt 0 ] && [ $# -le 3 ] || echo "$question $# files"
		for file; do
			[ -f "$file" ] || echo "$question $file"
		done
	done
}

for readme in core/README tools/README; do
	answers $readme
done >"$T/answers"
is "$(wc -l <"$T/answers")" 12 "twelve questions"
is "$(wrong <"$T/answers")" "" "each is answered by at most three files"

# Every file that READMEs name by its whole path; a test may be a program, and
# NAME and AREA stand for others.
grep -oE '\b(core|preload|tools|include|man|t|scripts)/[A-Za-z0-9_/-]+\.([chS1-8]|awk|def|js|css|xml|t|py|sh|map|am)\b' \
	README core/README preload/README tools/README t/README |
	sort -u | while IFS=: read -r readme file; do
	case $file in
	*[A-Z]*) continue ;;
	esac
	[ -f "$file" ] || [ -f "${file%.t}.c" ] || echo "$readme: $file"
done >"$T/missing"
is "$(cat "$T/missing")" "" "files that READMEs name are there"

# The test of the test.
is "$({
	printf 'How?\t core/README tools/README t/README README\n'
	printf 'Why?\t\nWhere?\t core/none.c\n'
} | wrong)" "How? 4 files
Why? 0 files
Where? core/none.c" "what is no answer is found"
printf 'A stranger asks\n---\n\n  Who?\n    tools/a.h, by\n    core/b.c\n  What?\n    t\n\nHow to add ...\n' >"$T/README"
is "$(answers "$T/README")" "$(printf 'Who?\t tools/a.h core/b.c\nWhat?\t')" \
	"a section is taken apart"
