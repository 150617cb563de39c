#!/bin/sh
# SPDX-License-Identifier: MIT
# --since and --until show what is of that time in the whole output, also where
# the log need not be read as a whole: of logs of all kinds, at random.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/export.sh"
need python3
plan 13

make_logs
ok $? "recorded"
run -b 16M -e all sh -c 'for i in 1 2 3; do
	(ls / | sort; uniq /etc/passwd) >/dev/null &
done; wait; ptrace-event last'
mv log tree
cat >windows.py <<'END'
import json, os, random, subprocess, sys
logs, seed = sys.argv[1:], os.getpid()
def dump(*options):
    return subprocess.run(
        [os.environ["PTRACE_DUMP"], "-f", "json", *options, *logs],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.splitlines()
all_lines = [(json.loads(line), line) for line in dump()]
all_lines = [(int(e["ts"].replace(".", "")), line) for e, line in all_lines]
begun, ended = all_lines[0][0], all_lines[-1][0]
random.seed(seed)
for i in range(8):
    since = random.choice(all_lines)[0]
    until = since + random.choice([0, 1, random.randint(0, ended - begun)])
    options = []
    if i != 6:
        options += ["--since", random.choice(
            ["%d.%09d" % divmod(since, 10 ** 9),
             "@%d.%09d" % divmod(since, 10 ** 9),
             "%d.%09d" % divmod(since - begun, 10 ** 9),
             "+%d.%09d" % divmod(since - begun, 10 ** 9)])]
    if i != 7:
        options += ["--until", "%d.%09d" % divmod(until, 10 ** 9)]
    wanted = [line for ns, line in all_lines
              if (i == 6 or ns >= since) and (i == 7 or ns <= until)]
    if dump(*options) != wanted:
        print("differs:", seed, options)
        sys.exit(1)
print("equal")
END
for logs in $LOGS tree 'two.1 two.2' 'lossy holed'; do
	# shellcheck disable=SC2086 # several
	is "$(python3 windows.py $logs 2>&1)" equal "$logs"
done
is "$("$PTRACE_DUMP" -f json --until +0.000001 - <tree)" \
	"$("$PTRACE_DUMP" -f json --until +0.000001 tree)" "of a pipe"
