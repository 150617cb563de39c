#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-dump -f json --flat: the arguments are members of the event, each once,
# whatever they are called; all else is as without it.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/export.sh"
need python3
plan 10

make_logs
"$PTRACE_EVENT" --help >/dev/null 2>&1
"$PTRACE_RUN" -q -o odd ptrace-event clash pid=1 arg_pid=2 ts=3 args=4 name=x
ok $? "recorded"
cat >same.py <<'END2'
import json, os, subprocess, sys
def once(pairs):
    assert len({k for k, _ in pairs}) == len(pairs), pairs
    return dict(pairs)
def dump(*options):
    return [json.loads(line, object_pairs_hook=once)
            for line in subprocess.run(
                [os.environ["PTRACE_DUMP"], "-f", "json", *options, sys.argv[1]],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            ).stdout.splitlines()]
nested, flat = dump(), dump("--flat")
assert len(nested) == len(flat) > 0
for a, b in zip(nested, flat):
    args = a.pop("args", {})
    for key, value in args.items():
        key = key if key in ("params", "data_cut") or key in b and \
            key not in a and not key.startswith("arg_") else "arg_" + key
        assert b.pop(key) == value, (key, value, b)
    assert a == b, (a, b)
print("equal")
END2
for log in $LOGS odd; do
	is "$(python3 same.py "$log" 2>&1)" equal "$log"
done
