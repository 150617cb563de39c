#!/bin/sh
# SPDX-License-Identifier: MIT
# --info in JSON: an object a log, which says what the text says.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
plan 22

# Prints the first log's member, as JSON, of each NAME; no NAME: how many
# objects there are.
cat >member.py <<'END'
import json, sys
logs = [json.loads(line) for line in open("out", encoding="utf-8")]
print(*[json.dumps(logs[0][name]) for name in sys.argv[1:]] or [len(logs)])
END
# What the text has is in the JSON, and nothing else.
cat >same.py <<'END'
import json, sys
text = open("text", encoding="utf-8").read().split("\n\n")
logs = [json.loads(line) for line in open("out", encoding="utf-8")]
numbers = {"bad-offset", "bad-size", "log-size", "events", "lost", "processes",
           "stacks-cut", "names-refused", "left-out", "hot-functions", "not-traced", "stream-min-size", "max-data-size",
           "stack-depth", "log-max-size",
           "symbols-kept"}

def said(block):
    info = {"not-traced-programs": [], "event-types": []}
    lines = info["not-traced-programs"]
    for line in block.rstrip("\n").split("\n"):
        if line.startswith("  "):
            lines.append(line[2:])
        elif line == "event-types:":
            lines = info["event-types"]
        else:
            key, value = line.split(":", 1)
            value = value.lstrip(" ")
            if value not in ("unknown", "none", "no limit"):
                info[key] = int(value) if key in numbers else value
    return info

def shown(log):
    info = {key: value for key, value in log.items() if value is not None}
    info["event-types"] = [
        "%d %s" % (t["id"], t["name"]) +
        (" " + t["fields"] if t["fields"] else "") for t in log["event-types"]]
    return info

want, got = [said(block) for block in text], [shown(log) for log in logs]
print(want == got and len({tuple(log) for log in logs}) == 1)
if want != got:
    print(want, got, file=sys.stderr)
END
# same NAME LOG...: the JSON says what the text says; it stays in out.
same() {
	name=$1
	shift
	"$PTRACE_DUMP" --info --types "$@" >text 2>/dev/null
	"$PTRACE_DUMP" --info -f json "$@" >out 2>err
	is "$(python3 same.py 2>&1)" True "$name"
}
# member NAME...
member() {
	python3 member.py "$@"
}

"$PTRACE_RUN" -q -o log -s 123 -k5 "$VICTIMS/victim-ticks" 2000
is "$(status dump --info -f json)" 0 "status"
same "the same as the text" log
is "$(member log log-state max-data-size stack-depth flush-error)" \
	'"log" "complete" 123 5 null' "words, numbers, and what there is not"
is "$(member bad-offset bad-size lost stacks-cut not-traced-programs)" \
	'null null 0 0 []' "nothing is damaged, lost, or not traced"
like "$(member creation-time)" '^"[0-9]+\.[0-9]{9}"$' "times are strings"
like "$(member event-types)" '{"id": [0-9]+, "name": "process:start", "fields": "ppid:i uid:i exe:s cwd:s argv:v"}' \
	"system event types"
like "$(member event-types)" '{"id": [0-9]+, "name": "tick", "fields": null}' \
	"user event types"
is "$("$PTRACE_DUMP" --info -f json - <log)" \
	"$("$PTRACE_DUMP" --info -f json log |
		sed 's/"log":"log"/"log":"standard input"/')" "standard input"

# What cannot be known is null, which is not 0.
size=$(wc -c <log)
head -c $((size / 2)) log >half
same "half a log" half
is "$(member log-state lost processes stacks-cut)" \
	'"incomplete" null null null' "... says what it does not know"
is "$(status "$PTRACE_DUMP" --info -f json half) $(wc -l <err)" "1 1" \
	"... status 1, one line says why"
cp log holed
tr '\0' '\377' </dev/zero |
	dd of=holed bs=1 seek=$((size / 2)) count=40000 conv=notrunc 2>/dev/null
same "a damaged log" holed
is "$(member log-state)" '"damaged"' "... says so"
[ "$(member bad-size)" -gt 0 ] && [ "$(member bad-offset)" -gt 0 ]
ok $? "... and where"

# Several: a line each.
same "several logs" log half holed
is "$(member)" 3 "... an object each"
"$PTRACE_DUMP" --info -f json log none >out 2>err
is "$? $(member) $(wc -l <err)" "1 1 1" "... one is missing"

# Hostile strings are strings.
"$VICTIMS/victim-mknasty" nasty || exit 1
"$PTRACE_DUMP" --info -f json nasty >out
is "$(member) $(wc -l <out)" "1 1" "any bytes: one line"
nasty=$(printf 'n\033]0;owned\a\033[2J\n1.000000000 7/7 forged\r\t\b\177')
for key in host trace-name generation-version; do
	python3 - "$key" "$nasty" <<-'END'
		import json, sys
		log = json.load(open("out", encoding="utf-8"))
		sys.exit(not log[sys.argv[1]].startswith(sys.argv[2]))
	END
	ok $? "... $key"
done
is "$(LC_ALL=C grep -c '[[:cntrl:]]' out)" 0 "... nothing a terminal obeys"
