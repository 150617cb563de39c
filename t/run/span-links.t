#!/bin/sh
# SPDX-License-Identifier: MIT
# Links between spans (posix_trace_span_link_np): by C, C++, Python and
# ptrace-event, across threads and processes; in text, JSON, OTLP, chrome and
# perfetto, and on the page.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need gcc python3
plan 21

cat >links.c <<'END'
#include <pthread.h>
#include <sys/wait.h>
#include <trace.h>
#include <unistd.h>
static trace_event_id_t request, work, report;
static trace_span_np_t cause;
static void *worker(void *unused)
{
	trace_span_np_t span;

	posix_trace_span_begin_np(work, 0, 0, &span);
	posix_trace_span_link_np(span, cause, POSIX_TRACE_SPAN_CAUSE_NP);
	posix_trace_span_end_np(span);
	return unused;
}
int main(void)
{
	trace_span_np_t span;
	pthread_t thread;

	posix_trace_eventid_open("request", &request);
	posix_trace_eventid_open("work", &work);
	posix_trace_eventid_open("report", &report);
	posix_trace_span_begin_np(request, 0, 0, &cause);
	pthread_create(&thread, 0, worker, 0);
	pthread_join(thread, 0);
	posix_trace_span_end_np(cause);
	if (fork() == 0) {
		/* That one has ended, in another process. */
		posix_trace_span_begin_np(report, 0, 0, &span);
		posix_trace_span_link_np(span, cause,
					 POSIX_TRACE_SPAN_FOLLOWS_NP);
		posix_trace_span_link_np(span, 0, POSIX_TRACE_SPAN_CAUSE_NP);
		(posix_trace_span_link_np)(0, span, POSIX_TRACE_SPAN_CAUSE_NP);
		posix_trace_span_link_np(span, 12345, POSIX_TRACE_SPAN_CAUSE_NP);
		posix_trace_span_end_np(span);
		_exit(0);
	}
	wait(0);
	return 0;
}
END
gcc -O1 -Wall -Wextra -Werror -DTRACE_WEAK -I"$abs_top_srcdir/include" \
	-o links links.c -pthread
ok $? "with TRACE_WEAK"
./links
ok $? "without the library"
run -e process,thread ./links
is "$("$PTRACE_DUMP" -n span:link log | sed 's/.*\] *link/link/; s/ *at .*//')" \
	"link work caused by request
link report follows request
link report caused by span 0x3039" "text"
like "$("$PTRACE_DUMP" -v -n span:link log | head -n 1)" \
	'link work span=0x[0-9a-f]* caused by request span=0x[0-9a-f]*' \
	"with -v their numbers"
is "$(dump -f json -n span:link | python3 -c '
import json, sys
for line in sys.stdin:
    a = json.loads(line)["args"]
    print(a["kind"], a["type"], a.get("to_type"))')" "cause work request
follows report request
cause report None" "JSON"
is "$(dump -w 'name == "span:link" && to_type == request' | wc -l)" 2 "-w"

dump -f otlp >lines
dump -f json >events
python3 "$abs_top_srcdir/t/run/check-otlp" lines events | grep -v ^pass >wrong
is "$(grep -v 'events' wrong)" "" "OTLP is as its definition has it" ||
	diag "$(cat wrong)"
is "$(python3 -c '
import json
spans = [span for line in open("lines") for r in json.loads(line)["resourceSpans"]
         for s in r["scopeSpans"] for span in s["spans"]]
names = {span["spanId"]: span for span in spans}
for name in "work", "report":
    for span in spans:
        if span["name"] == name:
            for link in span.get("links", []):
                other = names[link["spanId"]]
                print(name, other["name"], other["traceId"] == link["traceId"],
                      link["attributes"][0]["value"]["stringValue"])')" \
	"work request True child_of
report request True follows_from" "links of its spans, also of another process"

# Arrows: from where a cause began, from where what is followed ended.
"$PTRACE_DUMP" -f chrome log >arrows
is "$(python3 -c '
import json
events = json.load(open("arrows"))["traceEvents"]
spans = {}
for e in events:
    if e["ph"] in "be" and e["cat"] == "user":
        spans.setdefault((e["tid"], e["ts"]), e["name"] + " " + e["ph"])
for e in events:
    if e.get("cat") == "link":
        print(e["id"] > 0, e["ph"], e["name"], spans.get((e["tid"], e["ts"])))
')" "True s cause request b
True f cause work b
True s follows request e
True f follows report b" "arrows in chrome"
"$PTRACE_DUMP" -f perfetto -o perfetto log
if command -v protoc >said; then
	protoc --decode=Trace -I "$abs_top_srcdir/t/run" perfetto.proto \
		<./perfetto >decoded
	is "$(python3 -c '
import re
names = {}
flows = []
for packet in open("decoded").read().split("\npacket {"):
    names.update(re.findall(r"event_names \{\s*iid: (\d+)\s*name: \"(.*)\"",
                            packet))
    name = re.search(r"  name_iid: (\d+)\n    track_uuid", packet)
    for way, flow in re.findall(r"(\w*flow_ids): (\d+)", packet):
        flows.append((name[1], way, flow))
for name, way, flow in flows:
    if names[name].split(" ")[0] in ("cause", "caused", "followed", "follows"):
        print(names[name], way)')" "cause of work flow_ids
caused by request terminating_flow_ids
followed by report flow_ids
follows request terminating_flow_ids" "arrows in perfetto"
else
	skip "arrows in perfetto" "no protoc" 1
fi

"$PTRACE_REPORT" --html page.html log
if command -v node >said; then
	is "$(node "$abs_top_srcdir/t/lib/page.js" --links page.html)" \
		"work <- request cause
report <- request follows
caused by request of links[N] go there
2 arrows" "the page has them, from span to span"
else
	skip "the page" "no node" 1
fi

# By a shell.
cat >shell.sh <<'END'
a=$(ptrace-event --begin first)
b=$(ptrace-event --begin second)
ptrace-event --link "$b" follows "$a"
ptrace-event --link "$b" cause "$a"
ptrace-event --end "$b"
ptrace-event --end "$a"
END
PATH=${PTRACE_EVENT%/*}:$PATH
sh shell.sh
ok $? "a shell, not traced"
run sh shell.sh
is "$("$PTRACE_DUMP" -n span:link log | sed 's/.*\] *link/link/; s/ *at .*//')" "link second follows first
link second caused by first" "a shell"
for wrong in '1' '1 cause' '1 likes 2' '1 cause 2 3' 'x cause 2'; do
	# shellcheck disable=SC2086 # words
	ptrace-event --link $wrong 2>said
	echo $?
done >ends
is "$(sort -u ends)" 2 "wrong words"
like "$(cat said)" 'not a NUMBER' "and why"

# By Python.
cat >links.py <<'END'
import ptrace
with ptrace.span("asked") as asked:
    pass
with ptrace.span("answered") as answered:
    answered.link(asked)
    answered.link(asked.number, "follows")
    answered.link(0)
END
PYTHONPATH=$abs_top_srcdir/scripts
export PYTHONPATH
python3 links.py
ok $? "Python, not traced"
run python3 links.py
is "$("$PTRACE_DUMP" -n span:link log | sed 's/.*\] *link/link/; s/ *at .*//')" \
	"link answered caused by asked
link answered follows asked" "Python"

# By C++.
cat >links.cc <<'END'
#include <libptrace/trace_span.hpp>
static const libptrace::span_type kind("kind");
int main()
{
	libptrace::span outer(kind), inner(kind);

	inner.link(outer.number());
	inner.link(outer.number(), POSIX_TRACE_SPAN_FOLLOWS_NP);
	return 0;
}
END
if command -v g++ >said; then
	for how in -std=c++98\ -Wno-long-long -std=c++17; do
		# shellcheck disable=SC2086 # words
		g++ $how -pedantic -Wall -Wextra -Werror -DTRACE_WEAK \
			-I"$abs_top_srcdir/include" -o cpp links.cc 2>why
		ok $? "$how: compiled" || diag "$(cat why)"
		run ./cpp
		is "$("$PTRACE_DUMP" -n span:link log | sed 's/.*\] *link/link/; s/ *at .*//')" \
			"link kind caused by kind
link kind follows kind" "$how"
	done
else
	skip "C++" "no g++" 4
fi
