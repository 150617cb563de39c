#!/bin/sh
# SPDX-License-Identifier: MIT
# The arguments of a program are recorded as a whole, up to 16 times -s, in as
# many records; what is cut is marked as cut in everything that shows it.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
plan 24

true=$(command -v true)
objects=$(awk 'BEGIN { for (i = 1; i <= 300; i++) printf "dir/object-%03d.o ", i }')

# look EXPRESSION: of the start of the program that was traced.
look() {
	"$PTRACE_DUMP" -f json -n process:start log | python3 -c '
import json, sys
e = json.loads(sys.stdin.readline())
argv = e["args"]["argv"]
print('"$1"')'
}

# shellcheck disable=SC2086 # several words
run "$true" $objects
is "$(look 'e["trunc"]')" none "300 objects, more than an event has: not cut"
is "$(look '" ".join(argv[1:])') " "$objects" "... and all of it is there"
is "$("$PTRACE_DUMP" log | grep -c ' start ')" 1 "... it starts once, in text"
like "$("$PTRACE_DUMP" -n process:start log)" ' dir/object-300\.o  ' "... whole"
is "$("$PTRACE_DUMP" log | grep -c '\[cut\]')" 0 "... not marked"
like "$("$PTRACE_REPORT" --json --processes log)" ' dir/object-300\.o"' \
	"in the report's JSON"
# 32 KiB and some, by a shell that has as many.
run sh -c 'exec "$@"' sh "$true" "$(printf '%034000d' 7)" end
is "$("$PTRACE_DUMP" -f json -n process:start log | python3 -c '
import json, sys
for line in sys.stdin:
    e = json.loads(line)
    print(e["trunc"], [len(word) for word in e["args"]["argv"][-2:]])')" \
	"none [34000, 3]
none [34000, 3]" "34 KB, of two programs of one process"
# Compressed, and of many logs.
for i in 1 2 3; do
	# shellcheck disable=SC2086
	run -o "log$i" --compress "$true" $objects
done
is "$("$PTRACE_DUMP" log1 log2 log3 | grep -c ' dir/object-300\.o ')" 3 \
	"three logs, compressed"

# shellcheck disable=SC2086
run -s 256 "$true" $objects
is "$(look 'e["trunc"]')" record "more than an event may have: said to be cut"
is "$(look '16 * 256 - 15 * 18 == e["len"]')" True \
	"... and there is as much as 16 have"
is "$(look 'all("dir/object-%03d.o".__mod__(i + 1).startswith(word)
	for i, word in enumerate(argv[1:])) and 200 < len(argv) < 300')" True \
	"... which is the beginning"
like "$("$PTRACE_DUMP" -n process:start log)" ' dir/object-001\.o .*\[cut\]' \
	"in text, too"
like "$("$PTRACE_REPORT" log)" ' dir/object-001\.o .*\.\.\.$' "in the report"
like "$("$PTRACE_REPORT" --json --processes log)" ' dir[a-z0-9./-]*\.\.\."' \
	"in its JSON"
# shellcheck disable=SC2086
run -s 32K "$true" $objects
is "$(look 'e["trunc"]')" none "-s 32K: not cut"
is "$(look '" ".join(argv[1:])') " "$objects" "... and all of it is there"
# More than a record without extension has.
run -s 256K sh -c 'exec "$@"' sh "$true" \
	"$(awk 'BEGIN { for (i = 0; i < 100000; i++) printf "x" }')" end
is "$("$PTRACE_DUMP" -f json -n process:start log | python3 -c '
import json, sys
for line in sys.stdin:
    e = json.loads(line)
print(e["trunc"], [len(word) for word in e["args"]["argv"][-2:]])')" \
	"none [100000, 3]" "100 KB"

# What claims to be more of a start that is whole, or never comes.
{
	echo 1 10 10 0 27 0 i:-100 i:50 s: s: s:left
	echo 2 10 10 0 27 0 i:1 i:0 s:/x s:/ s:x
	echo 3 11 11 0 27 0 i:-9223372036854775808 i:-1 s: s: s:y
	echo 4 10 10 0 27 0 i:-100 i:9223372036854775807 s: s: s:left
} | "$VICTIMS/victim-mklog" log
is "$("$PTRACE_DUMP" -f json -n process:start log | python3 -c '
import json, sys
print([json.loads(line)["args"]["argv"] for line in sys.stdin])')" \
	"[['x'], ['y']]" "parts of nothing"

# Nothing is marked that is whole.
run "$true" a 'b c' ''
is "$(look 'e["trunc"], argv[1:]')" "none ['a', 'b c', '']" "short ones"
is "$("$PTRACE_DUMP" -n process:start log | grep -c cut)" 0 "... are not marked"
# The program has them as they were.
# shellcheck disable=SC2086
python3 -c 'import sys; print(len(sys.argv))' $objects >plain
# shellcheck disable=SC2086
run python3 -c 'import sys; print(len(sys.argv))' $objects >traced
is "$(cat traced)" "$(cat plain)" "the program has all of them"

# Paths that are longer than the library takes of them.
run -e file cat "$(awk 'BEGIN { for (i = 0; i < 1500; i++) printf "/./" }')none" \
	2>/dev/null
is "$("$PTRACE_DUMP" -f json -n file:open log | python3 -c '
import json, sys
for line in sys.stdin:
    e = json.loads(line)
print(e["trunc"], len(e["args"]["path"]) < 4500)')" "record True" \
	"a long path is said to be cut"
is "$("$PTRACE_REPORT" --json --events log | python3 -c '
import json, sys
print([row["trunc"] for row in json.load(sys.stdin)["rows"]
       if row["event"] == "file:open"][0] > 0)')" True "in the report"
like "$("$PTRACE_DUMP" -n file:open log)" '/"(…|\.{3}), O_RDONLY' "in text"
