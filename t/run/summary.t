#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2094 # the log is no output of the pipeline that reads it
# ptrace-run -c: no event of each call, and yet as many calls as there were, of
# those that are left in all ways, of threads, handlers and children, and of what
# is killed; and times that fit each other.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 only"
CC=${CC:-cc} CXX=${CXX:-c++}
need "${CC%% *}" "${CXX%% *}" awk python3
todo_coverage "counters of gcov within the functions"
plan 57

names='catcher|even|handler|in_child|jumper|lander|leaf|odd|thrower'

# summed: "NAME calls" of the functions in the log, those that were events, too.
summed() {
	"$PTRACE_DUMP" -f json log >all.json
	python3 - "$names" <<'EOS'
import collections, json, re, sys
calls = collections.Counter()
for line in open("all.json"):
    event = json.loads(line)
    args = event.get("args", {})
    name = str(args.get("function")).split("(")[0]
    if event["name"] == "call:summary":
        calls[name] += args["calls"]
    elif event["name"] == "call:enter":
        calls[name] += 1
for name in sorted(calls):
    if re.fullmatch(sys.argv[1], name):
        print(name, calls[name])
EOS
}

# events WORD: how many are of that name.
events() {
	grep -c "\"name\":\"$1\"" all.json || :
}

# check_times NAME: do they fit?
check_times() {
	is "$(
		python3 - <<'EOS'
import json
for line in open("all.json"):
    event = json.loads(line)
    if event["name"] != "call:summary":
        continue
    a = event["args"]
    took = [pair.split(":") for pair in a["took"].split()]
    ended = sum(int(n) for _, n in took)
    tops = [1 << int(top[2:]) for top, _ in took]
    # One that began before an exec that failed ends with 0 calls.
    if ended > max(a["calls"], 1):
        print("more ended than began:", a)
    if not ended and (a["total"] or a["self"] or a["min"] or a["max"]):
        print("none has ended:", a)
    if ended and not (a["min"] <= a["max"] and a["min"] < tops[0] and
                      (a["max"] < tops[-1] or tops[-1] == 1 << 31) and
                      (a["max"] * 2 >= tops[-1] or tops[-1] == 1) and
                      a["min"] * ended <= a["self"] + a["total"] + ended * a["max"]):
        print("times do not fit:", a)
EOS
	)" "" "$1: times fit"
}

for flags in -O0 -O2; do
	# shellcheck disable=SC2086
	$CXX $flags -pthread -o victim "$abs_top_srcdir/t/run/summary.cc" ||
		exit 1
	for dies in '' dies; do
		name="$flags${dies:+, killed}"
		# shellcheck disable=SC2086
		expected=$( (./victim $dies >plain; echo $?) 2>/dev/null)
		# shellcheck disable=SC2086
		got=$( (run -c -f '*' ./victim $dies >out; echo $?) 2>/dev/null)
		is "$got" "$expected" "$name: status"
		is "$(diff plain out)" "" "$name: output"
		is "$(summed | diff - plain)" "" "$name: as many as there were"
		is "$(events call:enter) $(events call:exit)" "0 0" \
			"$name: no events of calls"
		check_times "$name"
	done
done

# Without a pattern: of what COMMAND has itself, however it was made.
for flags in -O2 '-O2 -pg' '-O2 -pg -mfentry' '-O2 -finstrument-functions'; do
	# shellcheck disable=SC2086
	if $CXX $flags -pthread -o alone "$abs_top_srcdir/t/run/summary.cc"; then
		./alone >plain
		run -c ./alone >out 2>err
		is "$(summed | diff - plain)$(cat err)" "" "-c alone, $flags"
	else
		skip "-c alone, $flags" "it cannot be made"
	fi
done

# Calls of libraries, with and without -r: counted, and timed.
for option in -r -l; do
	run $option 'str*' ./victim >/dev/null
	"$PTRACE_DUMP" -f json log | python3 -c "
import collections, json, sys
nr = collections.Counter(json.loads(line).get('args', {}).get('function')
    for line in sys.stdin if '\"name\":\"call:enter\"' in line)
for name in sorted(nr): print(name, nr[name])" >recorded
	run -c $option 'str*' ./victim >/dev/null
	names='.*'
	is "$(summed | diff - recorded)" "" "-c $option: as many as without -c"
	like "$(cat recorded)" . "-c $option: there are some"
	check_times "-c $option"
done

# Signals that come at each instruction of what sums up, of a thread's first
# calls and later, whose handler calls functions.
awk 'BEGIN {
	print "#define _GNU_SOURCE"
	print "#include <signal.h>\n#include <stdio.h>\n#include <string.h>"
	print "static volatile int sink;\nstatic volatile long traps, calls;"
	for (i = 0; i < 50; i++) {
		print "__attribute__((noinline)) void f" i "(void) { sink += " i "; }"
		print "__attribute__((noinline)) void g" i "(void) { sink -= " i "; }"
		all = all "g" i ", "
	}
	print "static void (*const g[])(void) = {" all "};"
	print "static void on_trap(int signo) { (void)signo;"
	print "if (traps++ % 7 == 0) g[calls++ % 50](); }"
	print "int main(void) { struct sigaction sa; memset(&sa, 0, sizeof(sa));"
	print "sa.sa_handler = on_trap; sa.sa_flags = SA_NODEFER;"
	print "sigaction(SIGTRAP, &sa, NULL);"
	print "__asm__ volatile(\"pushfq; orq $0x100, (%%rsp); popfq\" ::: \"cc\", \"memory\");"
	for (round = 0; round < 2; round++)
		for (i = 0; i < 50; i++)
			print "f" i "();"
	print "__asm__ volatile(\"pushfq; andq $~0x100, (%%rsp); popfq\" ::: \"cc\", \"memory\");"
	print "printf(\"100 %ld\\n\", calls); return 0; }"
}' >steps.c
if $CC -O1 -mno-red-zone -o steps steps.c; then
	run -c -f 'f*' -f 'g*' ./steps >out
	names='[fg][0-9]+'
	is "$(summed | awk '{ nr[substr($1, 1, 1)] += $2 }
		END { print nr["f"], nr["g"] }')" "$(cat out)" \
		"a handler at each instruction: as many as there were"
	ok "$([ "$(awk '{ print $2 }' out)" -gt 1000 ]; echo $?)" \
		"a handler at each instruction: it came"
else
	skip "a handler at each instruction" "it cannot be made"
	skip "a handler at each instruction" "it cannot be made"
fi

# No room: a small stream that does not grow, and more functions than fit.
awk 'BEGIN {
	print "static volatile int sink;"
	for (i = 0; i < 3000; i++)
		print "__attribute__((noinline)) void f" i "(void) { sink += " i "; }"
	print "int main(void) {"
	for (i = 0; i < 3000; i++)
		print "f" i "(); f" i "();"
	print "return 0; }"
}' >many.c
$CC -O1 -o many many.c || exit 1
run -c -b 64K --stream-policy until-full -f 'f*' ./many 2>err
names='f[0-9]+|None'
is "$(summed | awk '{ nr += $2 } END { print nr }')" 6000 \
	"no room: none is lost"
ok "$("$PTRACE_REPORT" --calls --top 9999 log | grep -q '\[other\]'; echo $?)" \
	"no room: the report says so"
run -c -f 'f*' ./many 2>err
is "$(summed | grep -vc ' 2$')" 0 "a stream that grows: each function"

# A flush in between takes nothing that is still changed.
cat >flushed.c <<'EOC'
#include <stdio.h>
static volatile int sink;
__attribute__((noinline)) void leaf(int i) { sink += i * 3; sink ^= i; }
__attribute__((noinline)) void leaves(void)
{
	for (int i = 0; i < 1000; i++)
		leaf(i);
}
int main(void)
{
	leaves();
	fclose(fopen("ready", "w"));
	getchar();
	leaves();
	return 0;
}
EOC
$CC -O1 -o flushed flushed.c || exit 1
mkfifo go
run -c -f leaf ./flushed <go &
exec 9>go
wait_for test -e ready
controller=$("$PTRACE_CTL" list | awk -v path="$T/log" '$NF == path { print $1 }')
"$PTRACE_CTL" flush "$controller"
echo >&9
wait
exec 9>&-
names=leaf
is "$(summed)" "leaf 2000" "a flush in between: as many"
is "$(events call:summary)" 1 "... in one sum"

# What is printed at the end; with -q nothing.
"$PTRACE_RUN" -o log -c -f '*' ./victim >/dev/null 2>err
ok "$(grep -q '^ptrace-run: [0-9]* events, 0 lost, ' err; echo $?)" \
	"the line of the end"
ok "$(grep -q ' FUNCTION$' err && grep -q ' leaf$' err; echo $?)" \
	"and the functions"
run -c -f '*' ./victim >/dev/null 2>err
is "$(cat err)" "" "with -q nothing"
"$PTRACE_RUN" -c -o '|cat >piped' -f '*' ./victim >/dev/null 2>err
is "$(grep -c FUNCTION err)" 0 "nor of a log that goes elsewhere"
is "$("$PTRACE_DUMP" piped 2>&1 >/dev/null)" "" "which is complete"

# By the environment alone; text; folded.
PTRACE_OUTPUT=$PWD/log PTRACE_RETURNS='str*' PTRACE_SUMMARY=1 \
	LD_PRELOAD=$LIBPTRACE ./victim >/dev/null
"$PTRACE_DUMP" -f json log >all.json
like "$(events call:summary)" '^[1-9]' "LD_PRELOAD alone"
run -c -f '*' ./victim >/dev/null
"$PTRACE_DUMP" log >text
like "$(grep ' leaf() ' text | head -1)" \
	' leaf\(\) [0-9]+ calls?, .* \(self .*\), each .* to ' "as text"

# Stopped: not counted; and then none is.
run -c --suspended -f '*' ./victim >/dev/null
is "$(summed)" "" "suspended: nothing"

# Filtered: neither that nor events in its place.
run -c -x call:summary -f '*' ./victim >/dev/null
is "$(summed)" "" "-x call:summary: nothing"

# Calls alone.
run -c --entry-only -f '*' ./victim >/dev/null
names=leaf
is "$(summed)" "$(grep leaf plain)" "--entry-only: as many"
is "$(grep -c '"took":"2' all.json)" 0 "--entry-only: no times"

# As a tree: by the callers of each, and of these.
cat >shop.c <<'END'
static volatile long sink;

__attribute__((noinline)) static void hash(int n)
{
	for (int i = 0; i < n; i++)
		sink += i;
}

__attribute__((noinline)) static void read_order(void)
{
	hash(50);
	sink++;
}

__attribute__((noinline)) static void price(int items)
{
	while (items-- > 0)
		hash(500);
	sink++;
}

int main(void)
{
	for (int i = 0; i < 50; i++) {
		read_order();
		price(20);
	}
	return 0;
}
END
${CC:-cc} -O1 -fno-inline -o shop shop.c
"$PTRACE_RUN" -q -o log -c -f '*' ./shop >/dev/null 2>&1
"$PTRACE_REPORT" --calls --tree log >tree
is "$(sed -n 's/.* \([0-9][0-9]*\) [^a-z]*\([a-z_]*\) (shop)$/\1 \2/p' tree |
	sort -k 2 | tr '\n' ' ')" "1000 hash 50 hash 1 main 50 price 50 read_order " \
	"--calls --tree: each below its caller"
like "$(grep -A 1 'price (shop)' tree)" ' 1000 .*hash' \
	"--calls --tree: with as many calls as that makes"
like "$(cat tree)" 'is shared among them' "--calls --tree: that it is shared is said"
"$PTRACE_REPORT" --flame flame.svg log
like "$(cat flame.svg)" 'price' "--flame: too"
"$PTRACE_DUMP" -f folded log >folded
is "$(grep '^shop;\(price\|read_order\|main\);' folded)" "shop;main;price 50
shop;main;read_order 50
shop;price;hash 1000
shop;read_order;hash 50" "-f folded: calls by their callers"
like "$("$PTRACE_DUMP" -f folded --weight=time log)" 'shop;main;price [1-9]' \
	"--weight=time: their times"

# Wrong usage.
for options in '-c -a -r *' '-c --min-duration 1ms -r *' \
	'-c --depth 2 -r *'; do
	set -f
	# shellcheck disable=SC2086
	"$PTRACE_RUN" $options ./victim >out 2>err
	is "$? $(wc -l <err)" "2 2" "$options: refused"
	set +f
done
