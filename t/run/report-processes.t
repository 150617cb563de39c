#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-report --processes: each process with its times, memory and end, as the
# events say; also where numbers are used again, and in containers.
# shellcheck disable=SC2016 # of the shells that are traced
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
need make cc
plan 39

cat >check.py <<'END'
import signal, sys
from report import Log, report, say

log = Log(sys.argv[1])
rows = report("--processes", sys.argv[1])["rows"]
by_pid = {row["pid"]: row for row in rows}
say("each once", sorted(row["pid"] for row in rows), sorted(log.processes))
def all_of(name, got, want):
    say(name, {row["pid"]: got(row) for row in rows},
        {p.pid: want(p) for p in log.processes.values()})
def exit_of(p):
    if "signal" in p.exit:
        return signal.Signals(p.exit["signal"]).name
    return str(p.exit.get("status", "?"))
def times(p, key, factor):
    return p.exit[key] * factor if key in p.exit else None
all_of("start and wall", lambda row: (row["start"], row["wall"]),
       lambda p: (p.begin, p.end - p.begin))
all_of("user, sys, maxrss",
       lambda row: (row["user"], row["sys"], row["maxrss"]),
       lambda p: (times(p, "user_us", 1000), times(p, "sys_us", 1000),
                  times(p, "maxrss_kib", 1024)))
all_of("exit", lambda row: row["exit"], exit_of)
all_of("threads", lambda row: row["threads"], lambda p: p.most)
all_of("events", lambda row: row["events"], lambda p: p.events)
all_of("parents", lambda row: row["ppid"] if row["ppid"] in by_pid else None,
       lambda p: p.parent.pid if p.parent else None)
all_of("programs", lambda row: [image["program"] for image in row["programs"]],
       lambda p: [image[0] for image in p.images])
say("sorted by start", [row["start"] for row in rows],
    sorted(p.begin for p in log.processes.values()))
END
# shellcheck disable=SC2119
record_make
checks make check.py log
cat >threads.py <<'END'
import os, signal, threading
wait = threading.Event()
threads = [threading.Thread(target=wait.wait) for i in range(5)]
for thread in threads:
    thread.start()
wait.set()
for thread in threads:
    thread.join()
os.kill(os.getpid(), signal.SIGKILL)
END
run sh -c 'python3 threads.py; exec sh -c "exit 7"' 2>err
checks threads check.py log
is "$(report --processes --sort threads --top 1 | sed -n '5s/.* 6  SIGKILL  \.\.python3\[.*/six/p')" \
	six "a row of text, sorted"

# mklog NAME: the log of the events on its input, with TIME PID TID IMAGE ID
# ADDRESS FIELD... on each line.
mklog() {
	"$VICTIMS/victim-mklog" "$1"
}
# rows LOG: of each process what tells it from the others.
rows() {
	"$PTRACE_REPORT" --json --processes "$1" | python3 -c '
import json, sys
for row in json.load(sys.stdin)["rows"]:
    print(row["pid"], row["ppid"], row["start"], row["wall"], row["exit"],
          row["program"], sep=" ", end=";")'
}
# 100 forks 101, which runs `one' and ends; then another 101, `two'.
mklog reused <<'END'
1000 100 100 0 27 0 i:1 i:0 s:/bin/all s:/ s:all
2000 100 100 0 17 0 i:101
2100 101 101 1 27 0 i:100 i:0 s:/bin/one s:/ s:one s:-x
3000 101 101 1 20 0 i:0 i:5 i:5 i:10
4000 100 100 0 17 0 i:101
4100 101 101 1 27 0 i:100 i:0 s:/bin/two s:/ s:two
5000 101 101 1 20 0 i:3
6000 100 100 0 21 0 i:9
END
is "$(rows reused)" \
	"100 1 0 5000 SIGKILL all;101 100 1000 1000 0 one;101 100 3000 1000 3 two;" \
	"a number that is used again"
# Nobody tells of the second 101; and a 101 that is not its child is another one
# than that which 100 forks.
"$VICTIMS/victim-mklog" untold <<'END'
1000 101 101 0 27 0 i:1 i:0 s:/bin/one s:/ s:one
2000 101 101 0 20 0 i:0
3000 101 101 0 27 0 i:1 i:0 s:/bin/two s:/ s:two
4000 101 101 0 20 0 i:3
5000 100 100 0 27 0 i:1 i:0 s:/bin/all s:/ s:all
6000 100 100 0 17 0 i:101
7000 101 101 0 20 0 i:4
END
is "$(rows untold)" \
	"101 1 0 1000 0 one;101 1 2000 1000 3 two;100 1 4000 2000 ? all;101 100 5000 1000 4 all;" \
	"numbers that are used again, and nobody says so"
# The child runs before its parent tells of it, and executes two programs.
mklog early <<'END'
1000 100 100 0 27 0 i:1 i:0 s:/bin/all s:/ s:all
1500 101 101 1 27 0 i:100 i:0 s:/bin/one s:/ s:one
2000 100 100 0 17 0 i:101
2500 101 101 2 27 0 i:100 i:0 s:/bin/two s:/ s:two
3000 101 101 2 20 0 i:0
END
is "$(rows early)" "100 1 0 2000 ? all;101 100 500 1500 0 two;" \
	"a child that comes before its fork; programs one after the other"
# programs LOG: of each process the programs, when and how long it ran them.
programs() {
	"$PTRACE_REPORT" --json --processes "$1" | python3 -c '
import json, sys
for row in json.load(sys.stdin)["rows"]:
    print(row["pid"], *(image[key] for image in row["programs"]
                        for key in ("program", "start", "wall")), end=";")'
}
# 100 executes `all', which is loaded until 1500; of what 101 tries the second is
# there; of the exec of `last' there is no event.
mklog loaded <<'END'
1000 100 100 0 18 0 s:/bin/all
1500 100 100 0 27 0 i:1 i:0 s:/bin/all s:/ s:all
2000 100 100 0 17 0 i:101
2100 101 101 0 18 0 s:/opt/one
2200 101 101 0 19 0 i:2 s:/opt/one
2300 101 101 0 18 0 s:/bin/one
2900 101 101 1 27 0 i:100 i:0 s:/bin/one s:/ s:one
3500 101 101 2 27 0 i:100 i:0 s:/bin/last s:/ s:last
4000 101 101 2 20 0 i:0
5000 100 100 0 20 0 i:0
END
is "$(programs loaded)" "100 all 0 4000;101 one 1300 1200 last 2500 500;" \
	"a program begins when it is executed, before it is loaded"
# `static' is run by 101, by a posix_spawn of 100 whose fork comes next, and at
# last by 100, which it has execute `all'; what 102 cannot execute it does not.
mklog untraced <<'END'
1000 100 100 0 27 0 i:1 i:0 s:/bin/all s:/ s:all
2000 100 100 0 17 0 i:101
2100 101 101 0 22 0 s:./static s:static
2200 101 101 0 18 0 s:./static
2900 101 101 0 20 0 i:0
3000 100 100 0 22 0 s:./static s:static
3100 100 100 0 17 0 i:102
3200 100 100 0 17 0 i:103
3300 103 103 0 22 0 s:./none s:static
3400 103 103 0 18 0 s:./none
3500 103 103 0 19 0 i:2 s:./none
3600 103 103 0 20 0 i:1
3800 102 102 0 20 0 i:0
4000 100 100 0 18 0 s:/opt/static
4100 100 100 0 22 0 s:/opt/static s:large
5000 100 100 1 27 0 i:1 i:0 s:/bin/all s:/ s:all
6000 100 100 1 20 0 i:0
END
is "$(programs untraced)" \
	"100 all 0 3000 static 3000 1000 all 4000 1000;101 static 1200 700;102 static 2100 700;103;" \
	"programs that are not traced are there"
is "$("$PTRACE_REPORT" --processes untraced | sed -n 's/.*  \.\.\([a-z]*\[\)/\1/p')" \
	"static[101] (not traced)
static[102] (not traced)
all[103] (forked, no program of its own)" "and say so"
is "$("$PTRACE_REPORT" --json untraced | python3 -c '
import json, sys
print(*((row["program"], row["wall"], row["runs"])
        for row in json.load(sys.stdin)["rows"]))')" \
	"('all', 4400, 3) ('static', 2400, 3)" "and their times are theirs"
is "$("$PTRACE_REPORT" --processes early | grep -c '2.00.s+ .* ?  *all\[100\]')" \
	1 "a process without an end goes on until the log's"
like "$("$PTRACE_REPORT" --processes early)" '^no end seen: 1 process$' \
	"which is said"
# Of 100 the beginning is lost, that of 101 is not; both end.
mklog begun <<'END'
1000 100 100 0 24 0 i:105
1500 100 100 0 17 0 i:101
2000 101 101 0 20 0 i:0
2500 100 100 1 18 0 s:/bin/all
2500 100 100 1 27 0 i:1 i:0 s:/bin/all s:/ s:all
3000 100 100 1 20 0 i:0
END
like "$("$PTRACE_REPORT" --processes begun)" \
	'^ *0\.[0-9]+ +2\.00.s\+ .* 0  +all\[100\]' \
	"it lasted longer if its beginning is lost"
like "$("$PTRACE_REPORT" --processes begun)" \
	'^ *0\.[0-9]+ +500ns .* 0  +\.\.' "not if there is a fork"
like "$("$PTRACE_REPORT" begun)" '^ *2\.00.s\+ .* 0 +all\[100\]' \
	"the same in the tree"
like "$("$PTRACE_REPORT" --processes loaded)" \
	'^ *0\.[0-9]+ +4\.00.s  .* 0  +all\[100\]' "not if there is an exec"
"$PTRACE_RUN" -q --suspended -o none true
is "$(rows none)" "" "no events"
is "$(status "$PTRACE_REPORT" none)" 0 "no events: status 0"
echo '1000 100 100 0 17 0 i:101' | mklog one
is "$(rows one)" "100 None 0 0 ? ?;101 100 0 0 ? ?;" "one event"
is "$(status "$PTRACE_REPORT" one)" 0 "one event: status 0"

# Several logs; the numbers of one are not those of another.
is "$("$PTRACE_REPORT" --json --processes early reused |
	python3 -c 'import json, sys; print(len(json.load(sys.stdin)["rows"]))')" \
	5 "two logs"
is "$("$PTRACE_REPORT" --processes - <early)" \
	"$("$PTRACE_REPORT" --processes early)" "standard input"

# Two containers have processes of equal numbers.
if [ "$(id -u)" = 0 ] && unshare -pf true 2>/dev/null; then
	# Both at once: the number of a namespace that is gone is used again.
	mkfifo go
	run sh -c 'unshare -pf sh -c "read -r x <go; exit 4" &
		unshare -pf sh -c "echo >go; exit 5"; wait'
	is "$("$PTRACE_REPORT" --json --processes log | python3 -c '
import json, sys
rows = json.load(sys.stdin)["rows"]
first = [row for row in rows if row["pidns"] is not None]
print(len(rows), sorted(row["exit"] for row in first),
      len({row["pidns"] for row in first}), {row["pid"] for row in first})')" \
		"5 ['4', '5'] 2 {1}" "containers"
else
	skip "containers" "no pid namespaces here"
fi
