#!/bin/sh
# SPDX-License-Identifier: MIT
# What ptrace-dump -f otlp writes are requests of OpenTelemetry's protocol: programs
# and slow calls are spans, each in what it was begun by; nothing that may be a
# secret is in them, if it is not asked for.
# shellcheck disable=SC2016 # for another shell
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/export.sh"
need python3
plan 97

make_logs
ok $? "recorded"
# Programs that fail, are killed, and execute others; and one that is slow.
TRACEPARENT=00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01 \
	OTEL_SERVICE_NAME=shop \
	"$PTRACE_RUN" -q -o tree -e all --environment='*' sh -c '
		cat /none
		sh -c "kill -9 \$\$"
		sleep 0.01
		exec sh -c "exit 3" secret' 2>/dev/null
for log in calls short stacks user holed tree 'two.1 two.2'; do
	# shellcheck disable=SC2086 # several
	ends otlp $log
	check otlp 9 "$log"
done

"$PTRACE_DUMP" -f otlp tree >once
"$PTRACE_DUMP" -f otlp tree | cmp -s - once
ok $? "the same spans each time"
# ask EXPRESSION FILE: of the spans by their names.
ask() {
	python3 -c '
import json, sys
spans = [s for line in open(sys.argv[2])
         for r in json.loads(line)["resourceSpans"]
         for scope in r["scopeSpans"] for s in scope["spans"]]
services = {a["value"].get("stringValue") for line in open(sys.argv[2])
            for r in json.loads(line)["resourceSpans"]
            for a in r["resource"]["attributes"] if a["key"] == "service.name"}
by = {}
for span in spans:
    by.setdefault(span["name"], []).append(span)
print(eval(sys.argv[1]))' "$@"
}
is "$(ask '{s["traceId"] for s in spans}' once)" \
	"{'0af7651916cd43dd8448eb211c80319c'}" "part of the trace that it was given"
is "$(ask '[s["name"] for s in spans if s.get("parentSpanId") == "b7ad6b7169203331"]' \
	once)" "['sh', 'sh']" "below its span: the first shell, and what it executed"
is "$(ask 'services' once)" "{'shop'}" "the service has its name"
is "$(ask '[s["links"][0]["spanId"] in {o["spanId"] for o in by["sh"]}
	for s in spans if "links" in s]' once)" "[True]" "an exec is a link"
is "$(ask 'sorted(s["status"]["message"] for s in spans if "status" in s and
	":" not in s["name"])' once)" "['exit 1', 'exit 3', 'killed by SIGKILL']" \
	"what failed says how"
is "$(ask '[s["name"] for s in by["cat"][0]["events"]
	if {"key": "file.path", "value": {"stringValue": "/none"}}
	in s["attributes"]]' once)" "['file:open']" "a failed call is an event"
is "$(grep -c secret once)" 0 "no arguments"
is "$("$PTRACE_DUMP" -f otlp --argv tree | grep -c 'command_line.*secret')" 1 \
	"... if they are not asked for"
"$PTRACE_DUMP" -f otlp --slower 0 tree >all
[ "$(ask 'len(spans)' all)" -gt "$(ask 'len(spans)' once)" ]
ok $? "--slower says which calls are spans"
is "$(ask '[s["name"] for s in spans if s["name"] == "process:fork"]' all)" "[]" \
	"... of calls only"
is "$(ask 'sum(a["key"] == "db.seconds" or a["key"] == "seconds" for s in spans
	for e in s.get("events", []) for a in e["attributes"])' export)" 0 \
	"no other program's events"
"$PTRACE_DUMP" -f otlp user >once
is "$(ask '[[a["key"] for a in e["attributes"]] for s in spans
	for e in s.get("events", []) if e["name"] == "db:query"]' once)" \
	"[['thread.id', 'path', 'class', 'bytes', 'seconds']]" \
	"an event of the program's own has its fields"
is "$(ask '[a["value"] for s in spans for e in s.get("events", [])
	if e["name"] == "text" for a in e["attributes"] if a["key"] == "data"]' once)" \
	"[{'stringValue': 'hello \"world\"\\n'}, {'stringValue': 'a text'}]" \
	"... or its data"

# Spans of the program's own.
"$PTRACE_RUN" -q -o spans -e all sh -c '
	ptrace-event --span request user=7 -- sh -c "sleep 0.002; cat /none"
	"$0" kill' "$VICTIMS/victim-spans" 2>/dev/null
"$PTRACE_DUMP" -f otlp --slower 0 spans >once
json spans >events
is "$(ask 'len(by["request"])' once)" 1 "a span of the program's own is one"
is "$(ask '[[a["key"] for a in s["attributes"] if a["key"] != "thread.name"]
	for s in by["request"]]' once)" "[['thread.id', 'user']]" "with its data"
is "$(ask '[by["request"][0]["startTimeUnixNano"] <= s["startTimeUnixNano"]
	and s["endTimeUnixNano"] <= by["request"][0]["endTimeUnixNano"]
	for s in by["sleep"]]' once)" "[True]" "and its time"
is "$(ask '[s["name"] for s in spans if s.get("parentSpanId") ==
	by["request"][0]["spanId"] and ":" not in s["name"]]' once)" "['sh']" \
	"what is begun in it is below it"
is "$(grep -c '"name":"span:begin"' events)" \
	"$(ask 'sum("type" in str(s) or True for s in spans
	if ":" not in s["name"] and any(a["key"] == "thread.id"
	for a in s["attributes"]))' once)" "each of them, also one that is open"
