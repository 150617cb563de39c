#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-report --diff: what is more in one log than in another, what less, what
# is new and what gone, as the two say themselves.
# shellcheck disable=SC2016 # of the shells that are traced
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
plan 26

cat >check.py <<'END'
import collections, re, sys
from report import report, say

a, b = sys.argv[1:3]
def compare(column, identity, *options):
    rows = []
    for log in a, b:
        sums = collections.Counter()
        for row in report(*options, log)["rows"]:
            name = re.sub(r"\[\d+\]| 0x[0-9a-f]+", "",
                          "  ".join(row[key] for key in identity))
            if row[column] is not None:
                sums[name] += row[column]
        rows.append(sums)
    got = report(*options, "--diff", b, a)
    what = " ".join(options) or "default"
    say(what + ": what is compared", got["compared"], column)
    say(what + ": rows", {row["name"]: (row["a"], row["b"], row["diff"])
                          for row in got["rows"]
                          if row["a"] is not None or row["b"] is not None},
        {name: (rows[0].get(name), rows[1].get(name),
                rows[1][name] - rows[0][name])
         for name in list(rows[0]) + list(rows[1])})
    say(what + ": the largest change first",
        [abs(row["diff"]) for row in got["rows"]],
        sorted((abs(row["diff"]) for row in got["rows"]), reverse=True))
    return got

got = compare("self", ["program"])
say("both logs", [got[key]["events"] for key in "ab"],
    [report(log)["events"] for log in (a, b)])
states = {row["name"]: row["state"] for row in got["rows"]}
say("new and gone", states, {"sh": "", "sleep": "gone", "cat": "new"})
compare("self", ["library", "function"], "--calls")
compare("bytes", ["path"], "--files")
compare("count", ["event"], "--events")
compare("calls", ["call"], "--io", "--sort", "calls")
END
"$PTRACE_RUN" -q -o a -e process,file,io sh -c 'echo 1 >x; sleep 0.01; :'
"$PTRACE_RUN" -q -o b -e process,file,io sh -c 'echo 12345 >x; cat x >/dev/null; cat x >/dev/null; :'
checks diff check.py a b

# Processes are the same by what they ran below what, and with which arguments; of
# temporary files those are that have a name which was made up.
"$PTRACE_RUN" -q -o c sh -c 'sh -c ":;:" sub; sh -c ":" /tmp/cc8Ab2cD.o /tmp/one'
"$PTRACE_RUN" -q -o d sh -c 'sh -c ":" /tmp/ccQ9xY0z.o /tmp/one; sh -c ":;:" other; exit'
is "$("$PTRACE_REPORT" --json --processes --diff d c | python3 -c '
import json, sys
for row in sorted(json.load(sys.stdin)["rows"], key=lambda row: row["name"]):
    if ">" in row["name"]:
        print(row["name"], row["state"])')" "sh > sh -c ':;:' other new
sh > sh -c ':;:' sub gone
sh > sh -c : /tmp/*.o /tmp/one " "processes"
"$PTRACE_RUN" -q -o e sh -c '/bin/true; /bin/true; /bin/true; :'
"$PTRACE_REPORT" --json --processes e >json
is "$("$PTRACE_REPORT" --json --processes --diff c e | python3 -c '
import json, sys
rows = json.load(open("json"))["rows"]
for row in json.load(sys.stdin)["rows"]:
    if row["name"] == "sh > true ":
        print(row["a"] - sum(r["wall"] for r in rows if r["program"] == "true"))')" \
	0 "what is the same is added up"
"$PTRACE_REPORT" --diff b a >page
like "$(sed -n 1p page)" "^A: a   sh -c 'echo 1 >x; " "the page: which is A"
like "$(cat page)" '^wall [0-9.]+.?s -> [0-9.]+.?s \([+-][0-9]+%\)$' "how long"
like "$(cat page)" '^ *[1-9][0-9.]+ms +- +-[0-9.]+ms +- +sleep$' "what is gone"
like "$("$PTRACE_REPORT" --events --diff b a)" \
	' rows? with a change below 2%$' "what is not shown is counted"
like "$("$PTRACE_REPORT" --diff c a)" '^recorded in one of them only: file io$' \
	"what makes them hard to compare"
is "$(status "$PTRACE_REPORT" --diff none a) $(wc -l <err)" "3 1" \
	"the other log is not there"
is "$(status "$PTRACE_REPORT" --diff b --flame x a) $(wc -l <err)" "2 2" \
	"not with a picture"
