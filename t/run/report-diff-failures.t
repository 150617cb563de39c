#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-report --diff of a good and a bad run: the new failure first, by its
# error and path; and where the two part, by the tree of processes.
# shellcheck disable=SC2016 # of the shells that are traced
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
plan 16

# differ GOOD BAD EXPRESSION: what python says of the object, as d.
differ() {
	"$PTRACE_REPORT" --json --diff "$2" "$1" |
		python3 -c 'import json, sys
d = json.load(sys.stdin)
print(eval(sys.argv[1]))' "$3"
}

record() {
	record_log=$1
	shift
	"$PTRACE_RUN" -q -o "$record_log" -e process,file,io "$@" 2>/dev/null
}

# A file that is not there any more, which a child of a child looks at.
mkdir conf
echo good >conf/a
script='sh -c "sh -c :; cat conf/a; exit \$?" x; sh -c "exit $?"'
record good sh -c "$script"
mv conf/a conf/b
record bad sh -c "$script"
"$PTRACE_REPORT" --diff bad good >page
is "$(sed -n '7,8p' page)" "failed in B only:
  ENOENT  file:open  conf/a  by cat  (did not fail in A)" \
	"the new failure is the first"
like "$(cat page)" '^ended differently: sh > sh > cat  A: 0  B: 1$' \
	"which process ended differently"
is "$(sed -n '/^the runs part/,/^$/p' page | sed 's/after [0-9]*/after N/')" \
	"the runs part in sh > sh > cat, after N events that are the same
  A: file:open conf/a
  B: file:open conf/a ENOENT" "where they part"
is "$(differ good bad '[(f["in"], f["program"], f["call"], f["error"],
	f["path"], f["count"], f["is_done_in_other"]) for f in d["failures"]]')" \
	"[('b', 'cat', 'file:open', 'ENOENT', 'conf/a', 1, True)]" \
	"the failure in JSON"
is "$(differ good bad 'd["ended"]')" \
	"{'process': 'sh > sh > cat', 'a': '0', 'b': '1'}" "the end in JSON"
is "$(differ good bad '[d["parting"][k] for k in ("process", "a", "b")]')" \
	"['sh > sh > cat', 'file:open conf/a', 'file:open conf/a ENOENT']" \
	"the parting in JSON"
is "$(differ bad good '[(f["in"], f["path"]) for f in d["failures"]]')" \
	"[('a', 'conf/a')]" "the other way around"

# Runs that end the same part nowhere, whatever they did.
record same sh -c "$script"
is "$(differ bad same 'd["failures"], d["ended"], d["parting"]')" \
	"([], None, None)" "the same is not different"

# Files in /tmp are compared by their names, unless these were made up.
fold='test -e /tmp/$1; exit $2'
record one sh -c "$fold" x ptl.none.one 0
record two sh -c "$fold" x ptl.none.two 0
is "$(differ one two '[(f["in"], f["path"]) for f in d["failures"]]')" \
	"[('b', '/tmp/ptl.none.two'), ('a', '/tmp/ptl.none.one')]" \
	"names in /tmp are not folded"
record one sh -c "$fold" x ptl.none.aB3dE6gh 0
record two sh -c "$fold" x ptl.none.Zy7xW5vu 1
is "$(differ one two '[(f["in"], f["path"]) for f in d["failures"]]')" "[]" \
	"those that are made up are"
is "$(differ one two '[d["parting"][k] for k in ("a", "b")]')" \
	"['process:exit status=0', 'process:exit status=1']" \
	"nor do the runs part there"

# Parallel processes: not what came first differs, but what the tree has there.
parallel='sh -c "sleep $1; cat conf/b" & sh -c "sleep $2; cat $3" & wait'
record left sh -c "$parallel" x 0.2 0 conf/b
record right sh -c "$parallel" x 0 0.2 conf/b
is "$(differ left right 'd["ended"], d["parting"]')" "(None, None)" \
	"another order in time is no difference"
record right sh -c "$parallel" x 0.2 0 conf/c
is "$(differ left right '[d["own_parting"][k] for k in ("process", "b")]')" \
	"['sh > sh > cat', 'process:start $(command -v cat) conf/c']" \
	"which of two that run at once"

# The content of a file: as many bytes as are read say it.
read='v=$(cat conf/d); [ "$v" = good ]'
echo good >conf/d
record long sh -c "$read"
echo no >conf/d
record short sh -c "$read"
is "$(differ long short '[d["parting"][k] for k in
	("process", "a", "bytes_a", "bytes_b")]')" \
	"['sh > cat', 'io:read $T/conf/d', 5, 3]" "a file of another size"
is "$(differ long short '[d["ended"]["process"], d["own_parting"]["process"]]')" \
	"['sh', 'sh > cat']" \
	"and what that led to"

# A process that only one of the two has.
record with sh -c '/bin/sh -c "exit 0"; exit 0'
record without sh -c 'exit 1'
is "$(differ with without '[d["parting"][k] for k in ("process", "a", "pid_b")]')" \
	"['sh > sh', None, None]" "a process that is not there"
