#!/bin/sh
# SPDX-License-Identifier: MIT
# posix_trace_set_name_np, posix_trace_set_tag_np: what threads and processes say
# of themselves is shown wherever they are; by C, Python and the shell, also
# without the library.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need gcc python3
plan 38

cat >names.c <<'EOF'
#include <pthread.h>
#include <sys/wait.h>
#include <trace.h>
#include <unistd.h>
static void *worker(void *unused)
{
	posix_trace_set_name_np(POSIX_TRACE_NAME_THREAD_NP,
				"reader of \"a/b\", longer than 15");
	return unused;
}
int main(void)
{
	pthread_t thread;

	pthread_create(&thread, 0, worker, 0);
	pthread_join(thread, 0);
	posix_trace_set_name_np(POSIX_TRACE_NAME_PROCESS_NP, 0);
	posix_trace_set_name_np(POSIX_TRACE_NAME_PROCESS_NP, "");
	(posix_trace_set_name_np)(POSIX_TRACE_NAME_PROCESS_NP, "shop/worker 7");
	if (fork() == 0) {
		execlp("true", "true", (char *)0);
		_exit(1);
	}
	wait(0);
	return 0;
}
EOF
gcc -O1 -Wall -Wextra -Werror -DTRACE_WEAK -I"$abs_top_srcdir/include" \
	-o names names.c -pthread
ok $? "with TRACE_WEAK"
sed 's/(posix_trace_set_name_np)/posix_trace_set_name_np/' names.c >weak.c
gcc -O1 -Wall -Wextra -Werror -DTRACE_WEAK -I"$abs_top_srcdir/include" \
	-o weak weak.c -pthread
./weak
ok $? "without the library"
run -e process,thread ./weak
is "$("$PTRACE_DUMP" -n thread:name log | sed 's/^ *[0-9.]* *//; s/\[[0-9/]*\]//; s/  */ /g; s/ *at .*//')" \
	'weak named "reader of \"a/b\", longer than 15"
shop/worker 7 process named "shop/worker 7"' "text"
is "$("$PTRACE_DUMP" -n process:exit log | sed 's/^ *[0-9.]* *//; s/\[.*//')" \
	"true
shop/worker 7" "... and who exits"
is "$(dump -f json -n thread:name | python3 -c '
import json, sys
for line in sys.stdin:
    e = json.loads(line)
    print(e["args"]["tid"] == e["tid"], e["args"]["tid"] == -1,
          e["args"]["name"], "|", e["program"])')" \
	'True False reader of "a/b", longer than 15 | weak
False True shop/worker 7 | shop/worker 7' "JSON"
is "$(dump -f json -n process:exit | python3 -c '
import json, sys
print([json.loads(line)["program"] for line in sys.stdin])')" \
	"['true', 'shop/worker 7']" "... the program of each event"
like "$("$PTRACE_REPORT" log)" 'shop/worker 7\[[0-9]+\]' "the report"
like "$("$PTRACE_REPORT" --json --processes log)" '"shop/worker 7' "... in JSON"
is "$(dump -w 'program == "shop/worker 7"' -n process:fork | wc -l)" 1 "-w"
dump -f chrome | python3 -c '
import json, sys
for e in json.load(sys.stdin)["traceEvents"]:
    if e["ph"] == "M":
        print(e["name"], e["args"].get("name"))' | sort -u >named
is "$(grep -c -e '^process_name shop/worker 7$' \
	-e '^thread_name reader of "a/b", longer than 15' named)" 2 "chrome" ||
	diag "$(cat named)"
"$PTRACE_DUMP" -f perfetto -o perfetto log
is "$(grep -o -a -e 'shop/worker 7' -e 'reader of "a/b", longer' perfetto |
	sort -u | wc -l)" 2 "perfetto"
"$PTRACE_REPORT" --html page.html log
ok $? "a page"

# Cut.
cat >long.c <<'EOF'
#include <string.h>
#include <trace.h>
int main(void)
{
	char name[1000] = "";

	memset(name, 'x', sizeof(name) - 1);
	posix_trace_set_name_np(POSIX_TRACE_NAME_THREAD_NP, name);
	return 0;
}
EOF
gcc -DTRACE_WEAK -I"$abs_top_srcdir/include" -o long long.c
run ./long
is "$(dump -f json -n thread:name | python3 -c '
import json, sys
print(len(json.loads(sys.stdin.readline())["args"]["name"]))')" 127 "127 bytes"

# By Python.
cat >names.py <<'EOF'
import ptrace
ptrace.set_name(thread="main loop", process="the shop")
EOF
PYTHONPATH=$abs_top_srcdir/scripts
export PYTHONPATH
python3 names.py
ok $? "Python, not traced"
run python3 names.py
is "$("$PTRACE_DUMP" -n thread:name log | sed 's/.*\] *//; s/ *at .*//')" \
	'named "main loop"
process named "the shop"' "Python"

# Tags.
cat >tags.c <<'EOF'
#include <sys/wait.h>
#include <trace.h>
#include <unistd.h>
int main(void)
{
	posix_trace_set_tag_np(0, "x");
	posix_trace_set_tag_np("", "x");
	posix_trace_set_tag_np("region", "us");
	posix_trace_set_tag_np("gone", "1");
	posix_trace_set_tag_np("who", "a \"b\"");
	(posix_trace_set_tag_np)("region", "eu");
	posix_trace_set_tag_np("gone", 0);
	posix_trace_set_tag_np("none", "");
	if (fork() == 0)
		_exit(0);
	wait(0);
	execlp("true", "true", (char *)0);
	return 1;
}
EOF
gcc -O1 -Wall -Wextra -Werror -DTRACE_WEAK -I"$abs_top_srcdir/include" \
	-o has_tags tags.c
ok $? "tags: with TRACE_WEAK"
sed 's/(posix_trace_set_tag_np)/posix_trace_set_tag_np/' tags.c >weak_tags.c
gcc -O1 -Wall -Wextra -Werror -DTRACE_WEAK -I"$abs_top_srcdir/include" \
	-o weak_tags weak_tags.c
./weak_tags
ok $? "... without the library"
run -e process ./weak_tags
is "$("$PTRACE_DUMP" -n process:tag log | sed 's/.*\] *//; s/ *at .*//')" \
	'tag region="us"
tag gone="1"
tag who="a \"b\""
tag region="eu"
tag gone=""
tag none=""' "text"
is "$(dump -f json -n process:tag | python3 -c '
import json, sys
print([tuple(json.loads(line)["args"].values()) for line in sys.stdin][2:4])')" \
	"[('who', 'a \"b\"'), ('region', 'eu')]" "JSON"
like "$("$PTRACE_REPORT" log)" 'true\[[0-9]+\] [{]region=eu who="a ."b.""[}]$' "the report: also of the next program"
like "$("$PTRACE_REPORT" --processes log)" \
	'weak_tags\[[0-9]+\] [(]forked' "... not of a child"
is "$("$PTRACE_REPORT" --json --processes log | python3 -c '
import json, sys
for line in sys.stdin:
    print([row["tags"] for row in json.loads(line)["rows"]])')" \
	"[{'region': 'eu', 'who': 'a \"b\"'}, {}]" "... in JSON"
dump -f chrome | python3 -c '
import json, sys
for e in json.load(sys.stdin)["traceEvents"]:
    if e["name"] == "process_labels":
        print(e["args"]["labels"])' >labels
is "$(tail -n 1 labels)" 'region=eu who="a \"b\""' "chrome"
"$PTRACE_DUMP" -f perfetto -o perfetto log
is "$(grep -c -a 'region=eu who="a .*b' perfetto)" 1 "perfetto"
like "$(dump -f otlp)" '"key":"region","value":[{]"stringValue":"eu"' "OTLP"
"$PTRACE_REPORT" --html page.html log
ok $? "a page"
if "$PTRACE_REPORT" --sql 'SELECT 1' log >/dev/null 2>&1; then
	is "$("$PTRACE_REPORT" --sql 'SELECT program, tags FROM process' log |
		tail -n 2 | sed 's/  */ /g')" "true {region=eu who=\"a \\\"b\\\"\"}
weak_tags " "SQL"
else
	skip "SQL" "no SQLite"
fi
PATH=${PTRACE_EVENT%/*}:$PATH
run -q sh -c 'ptrace-event --tag job=7 stage=a; (ptrace-event --tag sub=1; true); exec true'
like "$("$PTRACE_REPORT" log)" 'true\[[0-9]+\] [{]job=7 stage=a sub=1[}]$' "a shell script"
run -q sh -c 'ptrace-event --name "deploy eu"; true; :'
like "$("$PTRACE_REPORT" log)" 'deploy eu\[[0-9]+\] -c' "... its name"
is "$(status ptrace-event --name) $(status ptrace-event --name a b) $(status \
	ptrace-event --name '')" "2 2 2" "... wrong usage"
is "$(status ptrace-event --tag x) $(status ptrace-event --tag =x) $(status \
	ptrace-event --tag)" "2 2 2" "... wrong usage"
echo 'import ptrace
ptrace.set_tag(region="eu", shard=7, other="x")
ptrace.set_tag(other=None)' >tags.py
run python3 tags.py
like "$("$PTRACE_REPORT" log)" 'python3\[[0-9]+\] [{]region=eu shard=7[}] tags.py' \
	"Python"

# What was done by those that have a tag.
echo 'import os, ptrace
def look(name):
    if os.access(name, 0): raise SystemExit(1)
look("none-a")
ptrace.set_tag(region="eu", shard=7)
look("none-b")
ptrace.set_tag(shard=12)
look("none-c")
ptrace.set_tag(region=None)
look("none-d")' >tagged.py
run -e process,file python3 tagged.py
looked() {
	"$PTRACE_DUMP" -f json -n file:access -w "path ~ 'none-*' && $1" log |
		sed 's/.*"none-\(.\)".*/\1/' | tr -d '\n'
}
is "$(looked 'tag.region == eu')" bc "-w tag.KEY: from when it was given until it is taken"
is "$(looked 'tag.shard > 7')" cd "... as a number"
is "$(looked '!tag.region')" ad "... is it there?"
is "$(looked 'tag.shard ~ "1*"')" cd "... a pattern"
like "$("$PTRACE_DUMP" -w 'tag.regoin == eu' log 2>&1)" 'regoin' "... that nobody has"
"$PTRACE_REPORT" --json --contexts log >contexts.json
is "$(python3 -c '
import json
rows = json.load(open("contexts.json"))["rows"]
print(sorted((r["context"], r["failed"]) for r in rows))')" \
	"[('tag.region=eu', 2), ('tag.shard=12', 2), ('tag.shard=7', 1)]" \
	"--contexts: by tag" || diag "$(cat contexts.json)"
