#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run --environment: what each program found in its environment, if it is
# asked for, and of the variables that are asked for only.
# shellcheck disable=SC2016 # of the shells that are traced
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
plan 13

true=/bin/true
# found [LOG]: "PROGRAM'S NUMBER: VARIABLES", a line for each program.
found() {
	"$PTRACE_DUMP" -f json -n process:environment "${1:-log}" | python3 -c '
import json, sys
for line in sys.stdin:
    e = json.loads(line)
    print(e["trunc"], *[word for word in e["args"]["env"]
			if not word.startswith(("PTRACE_", "LD_PRELOAD=", "ASAN_"))])'
}

run env -i A=1 SECRET=x "$true"
is "$(found)" "" "not without being asked"
run --environment env -i A=1 SECRET='x y' EMPTY= "$true"
is "$(found | tail -n 1)" "none A=1 SECRET=x y EMPTY=" "all of it, in its order"
TAG=one run --environment='T[A-Z]G' sh -c "TAG=two B=2 $true"
is "$(found)" "none TAG=one
none TAG=two" "those that a pattern names, in each program"
run --environment=A,'B*' --environment=D env -i A=1 BX=2 C=3 D= AA=5 "$true"
is "$(found | tail -n 1)" "none A=1 BX=2 D=" "several patterns"
run --environment=NONE_OF_THEM "$true"
is "$(found)" "none" "none of them"
like "$("$PTRACE_DUMP" -n process:environment log)" 'process:environment' \
	"in text"
run --environment=X -e file "$true"
is "$(found)" "" "not without the family"

# More than an event may have.
run --environment=LONG env LONG="$(awk 'BEGIN { for (i = 0; i < 9000; i++) printf "x" }')" \
	"$true"
is "$(found | tail -n 1 | awk '{ print $1, length($2) }')" "record 4096" \
	"a long one is said to be cut"
run -s 32K --environment=LONG \
	env LONG="$(awk 'BEGIN { for (i = 0; i < 9000; i++) printf "x" }')" "$true"
is "$(found | tail -n 1 | awk '{ print $1, length($2) }')" "none 9005" \
	"... up to -s"

# More than fits into one event goes on in others.
many=$(awk 'BEGIN { for (i = 0; i < 3000; i++) printf "V%d=%d ", i, i }')
# shellcheck disable=SC2086 # each is a word
run --environment='V*' env -i $many "$true"
is "$(found | sed -n '/V0=0/,$p' | sed 's/^[a-z]* //' | tr ' \n' '  ')" "$many" \
	"many are all there, in their order"
[ "$(found | sed -n '/V0=0/,$p' | grep -c '^none')" -gt 5 ]
ok $? "... none of them cut"

# Without ptrace-run, and to the children of programs.
PTRACE_ENVIRONMENT=TAG PTRACE_OUTPUT=plain TAG=one LD_PRELOAD=$LIBPTRACE \
	sh -c "TAG=two $true" 2>/dev/null
is "$(found plain)" "none TAG=one
none TAG=two" "PTRACE_ENVIRONMENT"
is "$(status "$PTRACE_RUN" --environment= "$true") $(sed -n 1p err)" \
	"2 ptrace-run: --environment: '' is not a pattern of variables' names" \
	"an empty pattern"
