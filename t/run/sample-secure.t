#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016 # for another shell
# Samples by a user (ptrace-run --sample) of programs that the kernel does not let
# him look into, set-user-ID ones or such that he may not read: there are none, and
# that is told; those before and after it have theirs.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/user.sh"
CC=${CC:-cc}
need "${CC%% *}"
cd "$T/home" || exit 1
as_user "$PTRACE_RUN" -q --sample -o log true 2>why ||
	skip_all "the kernel gives a user no samples: $(cat why)"
cat >burn.c <<'END'
#include <stdio.h>
#include <time.h>
#include <unistd.h>
static volatile long sum;
__attribute__((noinline)) static void burn(void)
{
	struct timespec at;

	do {
		for (int i = 0; i < 20000; i++)
			sum += i;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
	} while (at.tv_sec == 0 && at.tv_nsec < 60000000);
}
int main(void)
{
	burn();
	printf("%d\n", geteuid());
	return 0;
}
END
$CC -O1 -g -w -o plain burn.c || skip_all "the program cannot be built"
cp plain closed && chmod 711 closed && cp plain other && chmod 4755 other
plan 11

# sampled: the programs with samples, and those that are told to have none.
sampled() {
	"$PTRACE_DUMP" -f folded log | sed -n 's/^\([a-z]*\);.*;burn[; ].*/\1/p' |
		sort -u | tr '\n' ' '
	"$PTRACE_DUMP" -f raw -n cpu:sampling log |
		sed -n 's/.*reason="\([a-z]*\) is set-user-ID, or not readable".*/no \1/p' |
		tr '\n' ' '
}
as_user "$PTRACE_RUN" -q --sample -o log sh -c './plain; ./closed; ./plain' >out
is "$(sampled)" "plain no closed " "one that he may not read"
is "$(wc -l <out)" 3 "it runs as without"
like "$("$PTRACE_REPORT" --cpu log)" \
	'
not sampled: closed is set-user-ID, or not readable
' "in the report"
like "$("$PTRACE_REPORT" --cpu --json log)" '"not_sampled":1' "in JSON"
as_user "$PTRACE_RUN" -q --sample -o log sh -c './plain; ./other; exec ./closed' >out
if [ "$(sed -n 2p out)" = 0 ]; then
	is "$(sampled)" "plain no other no closed " "set-user-ID; and by exec"
	like "$("$PTRACE_REPORT" --cpu log)" \
		'not sampled: closed is set-user-ID, or not readable; and 1 more' \
		"more than one"
else
	skip "set-user-ID" "no such programs on this file system" 2
fi
# Times off the processor are told likewise, with samples and without.
off_sampled() {
	"$PTRACE_DUMP" -f raw -n sched:recording log |
		sed -n 's/.*reason="\([a-z]*\) is set-user-ID, or not readable".*/\1/p' |
		tr '\n' ' '
}
for how in --sched '--sched --sample'; do
	# shellcheck disable=SC2086 # words
	as_user "$PTRACE_RUN" -q $how -o log sh -c './plain; ./closed; (true); ./plain' >out
	is "$(off_sampled)" "closed " "$how"
	like "$("$PTRACE_REPORT" --off-cpu log)" \
		'
not looked at: closed is set-user-ID, or not readable$' "in the report"
done
rm -f log
"$PTRACE_RUN" -q --sample -o log sh -c './plain; ./closed; ./other; true' >out
is "$(sampled)" "closed other plain " "root looks into all"
