#!/bin/sh
# SPDX-License-Identifier: MIT
# Contexts: later events of a thread have what it has said of itself, until it says
# otherwise, the span is over, or the thread; threads, children and the next program
# have nothing of it.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
plan 24

cat >check.py <<'END'
import os, sys
from report import Log, ns, report, say

log = Log(sys.argv[1])
wrong = []
opened = [e for e in log.events if e["name"] == "file:open" and
          e["args"]["path"].startswith("/none")]
for e in opened:
    words = e["args"]["path"][6:].split()
    wants = {} if words[:1] == ["of"] else dict(zip(words[::2], words[1::2]))
    got = {k: str(v) for k, v in e.get("context", {}).items()}
    if got != wants:
        wrong.append((e["args"]["path"], got))
say("all files were looked for", len(opened), 12)
say("each with what the thread has said", wrong, [])
say("numbers are numbers", sorted({
    type(v).__name__ for e in opened for v in e.get("context", {}).values()}),
    ["int", "str"])
say("what an event says itself is not said again", [
    e for e in log.events if set(e.get("context", {})) & set(e["args"])], [])
say("the event that ends one is whole", [
    e["trunc"] for e in log.events if e["name"] == "request" and not e["args"]],
    ["none"])

rows = {r["context"]: r for r in report("--contexts", sys.argv[1])["rows"]}
say("the report's rows", sorted(rows), ["job=5", "job=6", "job=7", "request=17",
                                        "request=18", "request=19", "user=bob"])
for name, key, value in (("request=17", "request", 17), ("user=bob", "user", "bob")):
    those = [e for e in log.events if
             {**e.get("context", {}), **{k: v for k, v in e["args"].items()
              if e["name"] in ("request", "user")}}.get(key) == value]
    calls = [e for e in those if e["name"].split(":")[0] in ("file", "sync")]
    say(name, [rows[name][k] for k in ("events", "failed", "in_calls", "wall")],
        [len(those), sum(e.get("failed", False) for e in those),
         sum(e.get("dur", 0) for e in calls),
         max(ns(e["ts"]) + (e.get("dur", 0) if e in calls else 0)
             for e in those) - ns(those[0]["ts"])])
END

run -e process,thread,file "$VICTIMS/victim-contexts"
checks contexts check.py log
is "$(dump -w 'request == 17 && job == 6' -n file:open | wc -l)" 2 "-w asks for them"
is "$(dump -w 'user ~ "b*"' | cut -d ' ' -f 3)" "user
file:open
span:end
thread:exit" "also where the thread says it itself"
is "$(dump -w 'request >= 18' -n file:open | grep -c 'request 18')" 1 \
	"also by order"
is "$("$PTRACE_DUMP" log | grep -c '{request=17}$')" \
	"$("$PTRACE_DUMP" -f json log | grep -c '"context":{"request":17}}$')" "text has them"
like "$("$PTRACE_DUMP" log | grep 'job 7')" 'O_RDONLY\) = -1 .*  \{job=7 request=17\}$' \
	"behind the place"
is "$("$PTRACE_DUMP" -f json --no-symbols log | grep -c '"context"')" \
	"$("$PTRACE_DUMP" -f json log | grep -c '"context"')" "whatever the options"
# Also in what viewers read.
"$PTRACE_DUMP" -f chrome log | grep -o '"request":17[,}]' | wc -l >in.chrome
is "$(cat in.chrome)" "$(dump -w 'request == 17' -f json | wc -l)" "chrome has them"
if lacks protoc protoc "perfetto has them"; then :; else
	"$PTRACE_DUMP" -f perfetto log | protoc --decode=Trace \
		-I "$abs_top_srcdir/t/run" perfetto.proto | tr -d ' \n' |
		grep -o 'int_value:17}' | wc -l >in.perfetto
	is "$(cat in.perfetto)" "$(cat in.chrome)" "perfetto has them"
fi
is "$("$PTRACE_DUMP" -f otlp --slower 1ns log | tr '{' '\n' | grep -A1 '"key":"request"' |
	grep -c '"intValue":"17"')" 7 "otlp has them"
if grep -q 'define HAVE_SQLITE 1' "$abs_top_builddir/config.h"; then
	cat >sql.py <<'END'
import json, os, sqlite3, subprocess, sys
from report import Log, say
query = "SELECT coalesce(context, '{}') AS context, args FROM "
def ask(table):
    return [[json.loads(word) for word in json.loads(line).values()]
            for line in subprocess.run(
                [os.environ["PTRACE_REPORT"], "--json", "--sql",
                 query + table, sys.argv[1]],
                stdout=subprocess.PIPE).stdout.splitlines()]
wants = [[e.get("context", {}), e["args"]] for e in Log(sys.argv[1]).events]
say("events have them, beside the arguments", ask("event"), wants)
say("so have calls", len([c for c, _ in ask("call") if c]) > 0, True)
subprocess.run([os.environ["PTRACE_DUMP"], "-f", "sqlite", "-o", "x.db", sys.argv[1]])
say("so has a database", [[json.loads(word) for word in row] for row in
                          sqlite3.connect("x.db").execute(query + "event")], wants)
END
	checks SQL sql.py log
else
	skip "SQL has them" "built without SQLite" 3
fi
LC_ALL=C sed 's/contexx/context/' log >foreign
is "$("$PTRACE_DUMP" --info --types foreign | grep -c 'a:v.context') \
$("$PTRACE_DUMP" -f json foreign | grep -c '"context".*"a"')" "1 0" \
	"a log may say that of any field"
is "$("$PTRACE_DUMP" -f json foreign | sed 's/"t":.*//')" \
	"$("$PTRACE_DUMP" -f json log | sed 's/"t":.*//')" "which is none"

# What was said long ago.
run --stream-policy block "$VICTIMS/victim-contexts" many
end=$(dump -f json -n process:exit | sed 's/.*"t":\([0-9]*\),.*/\1/')
since=$(awk -v end="$end" 'BEGIN { printf "%.9f", end / 1e9 }')
is "$("$PTRACE_DUMP" -f json --since "$since" -n process:exit log |
	grep -c '"context":{"request":20}')" 1 "--since: as without it"
is "$("$PTRACE_DUMP" -f json --since "$since" log | wc -l)" 2 "and what it leaves out"
