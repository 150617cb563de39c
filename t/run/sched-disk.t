#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016 # for another shell
# Threads that wait for a disk (ptrace-run --sched): in a call, or for a page of a
# file that they have mapped, which no call shows; each is named, with its line.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/samples.sh"
CC=${CC:-cc}
need "${CC%% *}" python3
"$PTRACE_RUN" -q --sched -o log true 2>why ||
	skip_all "the kernel does not tell of switches: $(cat why)"

# Says how often it waited: of pages that are read each alone, or in fsync().
cat >disk.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define BLOCK 65536
#define BLOCKS 400
static char block[BLOCK];
static volatile long sum;

static long waits(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw;
}

__attribute__((noinline)) static void want_pages(const char *page)
{
	for (long at = 0; at < (long)BLOCK * BLOCKS; at += BLOCK)
		sum += page[at];
}

__attribute__((noinline)) static void want_disk(int fd)
{
	for (int i = 0; i < 50; i++) {
		pwrite(fd, block, BLOCK, 0);
		fsync(fd);
	}
}

int main(int argc, char **argv)
{
	int fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0600);
	char *page;
	long before;

	for (int i = 0; i < BLOCKS; i++)
		write(fd, block, BLOCK);
	fsync(fd);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	page = mmap(NULL, (long)BLOCK * BLOCKS, PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		return 1;
	madvise(page, (long)BLOCK * BLOCKS, MADV_RANDOM);
	if (argc > 1 && strcmp(argv[1], "later") == 0) {
		printf("%d\n", getpid());
		fflush(stdout);
		while (access("go", F_OK) != 0)
			sched_yield();
	}
	before = waits();
	if (argc > 1 && strcmp(argv[1], "disk") == 0)
		want_disk(fd);
	else
		want_pages(page);
	printf("%ld\n", waits() - before);
	return 0;
}
END
$CC -O1 -g -w -o disk disk.c || skip_all "the program cannot be built"
run_disk() {
	waited=$("$@") && [ "$waited" -ge 20 ]
}
{ run_disk ./disk && run_disk ./disk disk; } ||
	skip_all "no disk is waited for here: $waited times"
plan 11

# waits WHY WHERE: is that a row of the report, and of how many of the times, of so
# many that the program waited?
waits() {
	"$PTRACE_REPORT" --off-cpu --json log | python3 -c '
import json, re, sys
why, where, waited = sys.argv[1], sys.argv[2], int(sys.argv[3])
rows = [row for row in json.load(sys.stdin)["rows"] if row["why"] == why]
good = [row for row in rows if re.match(where, row["where"] or "")]
# What comes later than the kernel says at most is not told of.
print(len(good) == 1 or rows, good and good[0]["program"],
      good and (good[0]["times"] >= waited / 4 or [good[0]["times"], waited]))' \
		"$1" "$2" "$waited"
}

families=process,thread,sync,io,time,file
for options in "" --sample; do
	# shellcheck disable=SC2086 # words
	waited=$("$PTRACE_RUN" -q --sched=1ns $options -e "$families" -o log ./disk)
	is "$(waits 'page fault' 'want_pages \(disk\.c:[0-9]+\)$')" \
		"True disk True" "pages${options:+, }$options: which line wants them"
done
is "$("$PTRACE_DUMP" -n sched:off log |
	sed -n 's/.*\(off the processor, for a page\) *\(at want_pages\).*/\1 \2/p' |
	sort -u)" "off the processor, for a page at want_pages" "as text"
"$PTRACE_DUMP" -f json -n sched:off log | python3 -c '
import json, sys
events = [json.loads(line) for line in sys.stdin]
pages = [e for e in events if "addr" in e and e["addr"] != "0x0"]
print(len(pages) > 0, {e.get("sym", "?").split("+")[0] for e in pages if
      not e["args"]["preempted"]} >= {"want_pages"},
      any(e["args"]["preempted"] for e in pages))' >said
is "$(cat said)" "True True False" "in JSON: an address"
is "$("$PTRACE_DUMP" -f chrome log | grep -c '"page fault"' |
	sed 's/^[1-9][0-9]*$/some/')" some "chrome: a name"
waited=$("$PTRACE_RUN" -q --sched -e none -o log ./disk)
is "$("$PTRACE_REPORT" --off-cpu --json log | python3 -c '
import json, sys
print(any(row["why"] == "page fault" for row in json.load(sys.stdin)["rows"]))')" \
	True "without a family, too"

waited=$("$PTRACE_RUN" -q --sched=1ns -e "$families" -o log ./disk disk)
is "$(waits 'in io:fsync' 'want_disk \(disk\.c:[0-9]+\)$')" "True disk True" \
	"a call: which, and where"

# Of one that runs already.
PTRACE_DISABLE=1 ./disk later >out &
victim=$!
wait_for grep -q . out
"$PTRACE_RUN" -q -p "$victim" --sched=1ns --sample -o log 2>err &
run=$!
wait_for sh -c '"$PTRACE_CTL" list | grep -q log || grep -q cannot err'
touch go
wait "$victim"
wait "$run"
waited=$(tail -n 1 out)
is "$(waits 'page fault' 'want_pages ')" "True disk True" "-p, with samples, too"

# Samples of the kernel are time in it; of the user's they are not.
if "$PTRACE_RUN" -q --sched --sample --sample-kernel -e "$families" -o log dd \
	if=/dev/zero of=/dev/null bs=256k count=20000 2>why; then
	"$PTRACE_REPORT" --off-cpu --json log | python3 -c '
import json, sys
thread = json.load(sys.stdin)["threads"][0]
print(thread["kernel"] > thread["user"] >= 0 or thread)' >said
	is "$(cat said)" True "samples of the kernel are time in it"
else
	skip "samples of the kernel" "refused"
fi

# A log that somebody wrote: an address means a page, unless the thread could run.
"$VICTIMS/victim-mklog" log <<END
1 7 7 1 52 0x1001 i:5000 i:0 i:1
9000 7 7 1 52 0x1001 i:6000 i:1 i:1
20000 7 7 1 52 0 i:7000 i:0 i:1
END
is "$("$PTRACE_REPORT" --off-cpu --json log | python3 -c '
import json, sys
print(*sorted((row["off"], row["why"]) for row in json.load(sys.stdin)["rows"]))')" \
	"(5000, 'page fault') (6000, 'no CPU was free') (7000, 'in no recorded call')" \
	"of a log that is made up"
is "$("$PTRACE_REPORT" --off-cpu log | grep -c 'page fault')" 1 "in the table"
