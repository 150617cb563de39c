#!/bin/sh
# SPDX-License-Identifier: MIT
# Samples of code that a program makes at run time (ptrace-run --sample): its
# functions have the names that the program gives perf, in perf-PID.map or in a
# jitdump, however late.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/samples.sh"
CC=${CC:-cc}
need "${CC%% *}"
[ "$(uname -m)" = x86_64 ] || skip_all "the code is for x86-64"
need_samples

cat >maker.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Counts down, with a frame of its own. */
static const unsigned char loop[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0x89, 0xf9,
	0x48, 0xff, 0xc9, 0x75, 0xfb, 0x5d, 0xc3};
static void (*made[2])(unsigned long);

static void make(void)
{
	char *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (int i = 0; i < 2; i++)
		made[i] = (void (*)(unsigned long))memcpy(at + i * 64, loop,
							  sizeof(loop));
}

static void say_map(void)
{
	char path[64];
	FILE *map;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	map = fopen(path, "w");
	for (int i = 0; i < 2; i++)
		fprintf(map, "%lx 40 made::%s:a b.x\n", (long)made[i],
			i ? "often" : "once");
	fclose(map);
}

static void put(int fd, const void *bytes, size_t size)
{
	if (write(fd, bytes, size) != (ssize_t)size)
		_exit(9);
}

static void say_dump(void)
{
	const uint32_t head[] = {0x4a695444, 1, 40, 62, 0, getpid(), 0, 0, 0, 0};
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "%s/jit-%d.dump", getenv("T"), getpid());
	fd = open(path, O_CREAT | O_TRUNC | O_RDWR, 0600);
	put(fd, head, sizeof(head));
	mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	for (int i = 0; i < 2; i++) {
		char name[32];
		uint64_t load[] = {0, 0, (uint64_t)made[i], 64, (uint64_t)i};
		uint32_t size = snprintf(name, sizeof(name), "dumped::%s",
					 i ? "often" : "once") + 1;

		put(fd, (uint32_t[]){0, 16 + 40 + size + 64, 0, 0}, 16);
		put(fd, load, sizeof(load));
		put(fd, name, size);
		put(fd, (void *)made[i], 64);
	}
}

__attribute__((noinline)) static void use(void)
{
	made[0](100000000);
	made[1](300000000);
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	int is_dump = argc > 1 && strcmp(argv[1], "dump") == 0;

	make();
	if (is_dump)
		say_dump();
	if (argc > 1 && strcmp(argv[1], "exec") == 0) {
		use();
		say_map();
		execl(argv[0], argv[0], "dump", (char *)NULL);
	}
	if (argc > 1 && strcmp(argv[1], "child") == 0 && fork() > 0) {
		wait(NULL);
		return 0;
	}
	use();
	if (!is_dump)
		say_map();
	printf("%d\n", getpid());
	return 0;
}
END
$CC -O1 -g -w -o maker maker.c || skip_all "the program cannot be built"
plan 16
export T

# made: which functions of the code there are, in stacks; and the map goes.
made() {
	"$PTRACE_DUMP" -f folded log >stacks
	sed -n 's/^maker;.*;main;use;\([^;]*\) [0-9]*$/\1/p' stacks | sort -u | tr '\n' ' '
	rm -f "/tmp/perf-$(cat out).map" jit-*.dump
}

run --sample ./maker >out
is "$(made)" "made::often:a b.x made::once:a b.x " \
	"perf-PID.map, which is written at the end"
awk '{ n = $NF } /once/ { o += n } /often/ { f += n }
	END { print (f > 1.3 * o && f < 7 * o), f, o }' stacks >shares
like "$(cat shares)" '^1 ' "each has its share"
like "$("$PTRACE_REPORT" --cpu log)" 'made::often:a b\.x \(JIT\)' "in the report"
like "$("$PTRACE_DUMP" -n cpu:sample log)" 'at made::often:a b\.x' "in each event"
is "$("$PTRACE_DUMP" -f raw -n cpu:symbol log | grep -c 'made::')" 2 \
	"each name is told once"
is "$("$PTRACE_DUMP" log | grep -c cpu:symbol)" 0 "and not shown"

run --sample ./maker dump >out
is "$(made)" "dumped::often dumped::once " "a jitdump"
run --sample ./maker child >out
is "$(made)" "made::often:a b.x made::once:a b.x " "of a child"
run --sample ./maker exec >out
is "$(made)" "dumped::often dumped::once made::often:a b.x made::once:a b.x " \
	"before an exec, and behind it"

# Another's words: nothing of them is taken.
cat >forged.c <<'END'
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	symlink(argv[1], path);
	execv(argv[2], argv + 2);
	return 1;
}
END
$CC -O1 -w -o forged forged.c
echo "0 ffffffffffff forged" >theirs
run --sample ./forged "$T/theirs" ./maker dump >out
is "$(made)" "dumped::often dumped::once " "a link is not followed"
is "$(grep -c ';forged ' stacks)" 0 "at all"
run --sample sh -c 'echo "0 ffffffffffff forged" >/tmp/perf-$$.map
	exec ./maker dump' >out
is "$(made)" "dumped::often dumped::once " "the later one of two holds"

# In a container it has another number, and a /tmp of its own.
if unshare -m true 2>other; then
	mkdir own
	cp maker own
	# shellcheck disable=SC2016 # its own
	run --sample unshare -mpf --kill-child sh -c 'mount -t proc proc /proc &&
		mount --bind "$T/own" /tmp && exec /tmp/maker' >out
	made >other
	is "$(sed -n 's/^[^;]*;.*;\(made[^;]*\) [0-9]*$/\1/p' stacks | tr '\n' ' ')" \
		"made::often:a b.x made::once:a b.x " "in a container"
	is "$("$PTRACE_DUMP" -f raw -n cpu:symbol log | grep -c 'made::')" 2 \
		"each once"
	like "$("$PTRACE_DUMP" -f raw -n cpu:symbol log)" '^[0-9.]+ 1@[0-9]+/1 cpu:symbol' \
		"by the numbers of its namespace"
	is "$("$PTRACE_DUMP" -f raw log | sed -n '/cpu:sample.*made::/p' |
		grep -vc ' 1@[0-9]*/1 ')" 0 "as the library's"
else
	skip "a container" "there can be none" 4
fi
