#!/bin/sh
# SPDX-License-Identifier: MIT
# Where nobody takes the kernel's records of switches in time, so many are lost:
# that is said, and what is not known of threads then is not made up.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
CC=${CC:-cc}
need "${CC%% *}" python3
"$PTRACE_RUN" -q --sched -o log true 2>why ||
	skip_all "the kernel does not tell of switches: $(cat why)"

# Two processes that wake each other, so often that no ring has room for it.
cat >pong.c <<'EOF'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 60000;
	int to[2], from[2];
	char byte = 0;

	if (pipe(to) != 0 || pipe(from) != 0)
		return 1;
	if (fork() == 0) {
		close(to[1]);
		while (read(to[0], &byte, 1) == 1)
			write(from[1], &byte, 1);
		_exit(0);
	}
	for (int i = 0; i < rounds; i++)
		if (write(to[1], &byte, 1) != 1 || read(from[0], &byte, 1) != 1)
			return 1;
	close(to[1]);
	wait(NULL);
	return 4;
}
EOF
$CC -O1 -w -o pong pong.c || skip_all "the program cannot be built"
plan 10

# outer.sh SIGNAL: without its sampler, which goes on in the end.
cat >outer.sh <<'EOF'
LC_ALL=C grep -alE "/ptrace-sampler[^0-9][0-9]+[^0-9]$$[^0-9]" \
	/proc/[0-9]*/cmdline >found 2>/dev/null
read -r sampler <found
sampler=${sampler#/proc/}
sampler=${sampler%/cmdline}
kill "-$1" "$sampler"
while [ -e "/proc/$sampler/stat" ] && ! grep -q '^State:[[:space:]]*[TZ]' \
	"/proc/$sampler/status" 2>/dev/null; do :; done
./pong
status=$?
kill -CONT "$sampler" 2>/dev/null
exit $status
EOF

is "$(status "$PTRACE_RUN" --sched=1s -o log sh outer.sh STOP)" 4 \
	"the program runs to its end"
like "$(cat err)" ' [1-9][0-9.,]* switches of threads lost$' "the summary counts them"
like "$("$PTRACE_DUMP" -f raw -n sched:lost log)" 'count=[1-9]' "and the log"
"$PTRACE_REPORT" --off-cpu --json log >report
python3 - >sums <<'EOF'
import json
report = json.load(open("report"))
threads = report["threads"]
print(report["switches_lost"] > 0, any(t["unknown"] > 0 for t in threads),
      all(t["on"] + t["off"] + t["unknown"] == t["wall"] for t in threads))
EOF
is "$(cat sums)" "True True True" "the report has what is not known"
like "$("$PTRACE_REPORT" --off-cpu log)" 'switches were lost' "in words, too"
is "$(status "$PTRACE_RUN" --strict -q --sched=1s -o log sh outer.sh STOP):$(
	grep -c 'switches of threads lost' err)" "125:1" "with --strict it is a failure"

is "$(status "$PTRACE_RUN" --sched=1s -o log sh outer.sh KILL):$(
	grep -c 'ptrace-sampler ended' err)" "4:1" "the sampler is killed"
like "$("$PTRACE_DUMP" -n sched:recording log)" 'ptrace-sampler ended' \
	"which the trace says"
is "$(status "$PTRACE_RUN" --sched=1s -o log ./pong 2000):$(grep -c 'switches of' err)" \
	"4:0" "what the rings have room for is not lost"
"$PTRACE_REPORT" --off-cpu --json log | python3 -c '
import json, sys
report = json.load(sys.stdin)
print(report["switches_lost"], sum(t["unknown"] for t in report["threads"]),
      sum(t["times"] for t in report["threads"]) >= 2000)' >sums
is "$(cat sums)" "0 0 True" "and known"
