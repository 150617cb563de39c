#!/bin/sh
# SPDX-License-Identifier: MIT
# Functions of a program that count as malloc() and its like (--allocator): each
# call is an event of that kind, once, with what was asked for; --memory says
# where they are and what is not freed; malloc() itself is left out, unless it is
# asked for; and what cannot be seen is told.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "no functions inside programs here"
command -v cc >/dev/null || skip_all "no compiler"
plan 31

cat >pool.c <<'END'
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#define ASIDE __attribute__((noinline, noclone))
static char room[1 << 20];
static size_t at;
static jmp_buf away;
ASIDE void *pool_get(void *pool, size_t size)
{
	void *block = room + at;

	if (size == 13)
		longjmp(away, 1);
	at += (size + 31) / 16 * 16;
	__asm__ volatile("" : : "r"(pool) : "memory");
	return block;
}
ASIDE void *pool_zero(void *pool, size_t count, size_t size)
{
	void *block = pool_get(pool, count * size);

	memset(block, 0, count * size);
	__asm__ volatile("" : : : "memory");
	return block;
}
ASIDE void pool_put(void *pool, void *block)
{
	__asm__ volatile("" : : "r"(pool), "r"(block) : "memory");
}
ASIDE void *pool_grow(void *pool, void *block, size_t size)
{
	void *larger = pool_get(pool, size);

	pool_put(pool, block);
	__asm__ volatile("" : : : "memory");
	return larger;
}
ASIDE void *pool_also(void *pool, size_t size)
{
	return pool_get(pool, size);
}
ASIDE void keep(int i)
{
	void *block = pool_zero(room, 3, 7);

	if (i % 3 == 0)
		pool_put(room, block);
	__asm__ volatile("" : : : "memory");
}
ASIDE void deep(int left)
{
	volatile char frame[256];

	frame[0] = (char)left;
	if (left > 0)
		deep(left - 1);
	else
		pool_put(room, pool_get(room, 99));
	frame[1] = 0;
}
int main(void)
{
	void *block = pool_get(room, 10);

	for (int i = 0; i < 9; i++)
		keep(i);
	block = pool_grow(room, block, 500);
	pool_put(room, block);
	/* Left by a jump it is over. */
	if (!setjmp(away))
		pool_get(room, 13);
	deep(3);
	block = malloc(77);
	__asm__ volatile("" : : "r"(block) : "memory");
	free(block);
	pool_also(room, 5);
	return 0;
}
END
cc -g -O2 -o pool pool.c || skip_all "the compiler fails"
all=malloc/2=pool_get,calloc/2/3=pool_zero,free/2=pool_put,realloc/2/3=pool_grow

# count NAME: events of that name in the log.
count() {
	"$PTRACE_DUMP" -f raw -n "$1" log | wc -l
}

run --allocator "$all" ./pool
is "$(count mem:malloc)" 3 "malloc(): none by others of the list, none of libc"
is "$(count mem:calloc)" 9 "calloc()"
is "$(count mem:realloc)" 1 "realloc()"
is "$(count mem:free)" 5 "free(): not what realloc() frees"
like "$(dump -n mem:calloc)" 'count=3 size=7 ret=0x' "its arguments"
like "$(dump -n mem:realloc)" 'ptr=0x[0-9a-f]* size=500 ret=0x' "and result"
like "$("$PTRACE_DUMP" -n mem:calloc log)" \
	' calloc\(3, 7\) = 0x[0-9a-f]* +at keep \(pool.c' "where"
is "$(count call:enter) $(count call:symbol)" "0 0" "and no calls beside them"
like "$("$PTRACE_REPORT" --memory log)" '126 +6 +189 +pool +keep' \
	"--memory: what is not freed"
is "$("$PTRACE_REPORT" --memory log | grep -c "not recorded")" 0 \
	"and nothing is missing"
dump -f folded --weight=leaked >stacks 2>&1
like "$(cat stacks)" 'mem:calloc 126' "--weight=leaked"

run -e mem --allocator malloc/2=pool_get ./pool
like "$(dump -n mem:malloc)" 'size=77 ' "with -e mem malloc() itself, too"
like "$(dump -n mem:malloc)" 'size=10 ' "beside the others"
run -e file --allocator malloc/2=pool_get ./pool
is "$(dump -n mem:malloc | grep -c size=77)" 0 "not with other families"

run -k --allocator "$all" ./pool
like "$("$PTRACE_REPORT" --memory log)" '<- main \(pool.c' "with call stacks"

run --allocator "$all" sh -c './pool; ./pool'
is "$(count mem:calloc)" 18 "in what COMMAND starts"

# A malloc of its own, as of programs linked with jemalloc.
cc -g -O1 -fno-builtin -o own "$abs_top_srcdir/t/run/own-malloc.c"
run --allocator malloc,free ./own
is "$(count mem:malloc) $(count mem:free)" "10 10" \
	"names that end so: what they count as is known"
run -e mem ./own
like "$("$PTRACE_REPORT" --memory log)" \
	'own has a malloc.*ptrace-run --allocator malloc,calloc,realloc,free' \
	"--memory says how"

# What ends by a jump to another function: its own, libc's, one that is found in
# a register, on a condition; and what is behind that may throw.
run --allocator malloc/2=pool_also ./pool
like "$(dump -n mem:malloc)" 'size=5 ret=0x[1-9a-f]' "a jump to another function"
cat >jumps.cc <<'END'
#include <cstdio>
#include <cstdlib>
#define ASIDE __attribute__((noinline, noclone))
static void *(*volatile through)(size_t) = malloc;
extern "C" {
ASIDE void *thrower(size_t size)
{
	if (size > 50)
		throw 1;
	return malloc(size);
}
ASIDE void *by_plt(size_t size) { return malloc(size); }
ASIDE void *by_register(size_t size) { return through(size); }
ASIDE void *if_large(size_t size)
{
	static char room[64];

	if (size > 40)
		return thrower(size);
	return room;
}
}
int main()
{
	int caught = 0;

	by_plt(11);
	by_register(12);
	if_large(13);
	if_large(44);
	try {
		if_large(55);
	} catch (int) {
		caught = 1;
	}
	by_plt(14);
	std::printf("%d\n", caught);
	return 0;
}
END
if command -v g++ >said && g++ -g -O2 -o jumps jumps.cc; then
	run -k -e process,mem --allocator \
		malloc=by_plt,malloc=by_register,malloc=if_large ./jumps >said
	is "$(cat said)" 1 "an exception comes through"
	"$PTRACE_DUMP" -n mem:malloc log >text
	"$PTRACE_DUMP" -f json -n mem:malloc log >events
	# What libstdc++ takes before main().
	is "$(grep -c '"stack":.*"main' events)" \
		"$(grep -c -v '"size":7[0-9]\{4\},' events)" \
		"each has main() in its stack, malloc() itself, too"
	is "$(grep -c ' malloc(1[1-4]) = 0x[1-9a-f]' text)" 7 "their results"
	is "$(grep -c ' malloc(44) = 0x[1-9a-f]' text)" 2 "on a condition"
	is "$(grep -c 'malloc(55)' text)" 0 "not what threw"
else
	skip "jumps" "no g++" 5
fi

# What is not seen is told.
"$PTRACE_RUN" --allocator free=none -o log ./pool >said 2>&1
like "$(cat said)" "--allocator: no function fits 'free=none'" "a wrong name"
is "$("$PTRACE_RUN" --allocator c++ -o log ./pool 2>&1 | grep -c 'no function')" \
	0 "of a group some may be missing"
for wrong in pool_get free/7=x malloc/1/2=x =x malloc= '' 'malloc=a;free=b'; do
	"$PTRACE_RUN" --allocator "$wrong" ./pool >said 2>&1
	echo "$wrong $?"
done >ends
is "$(grep -c ' 125$\| 2$' ends)" 7 "wrong words"
"$PTRACE_RUN" --allocator pool_get ./pool >said 2>&1
like "$(cat said)" "'pool_get' is not malloc=NAME.* with commas between" \
	"and what is allowed"
for other in -c --entry-only; do
	"$PTRACE_RUN" --allocator malloc -f x "$other" ./pool >said 2>&1
	like "$(cat said)" '--allocator' "not with $other"
done
is "$("$PTRACE_RUN" -q --allocator "$all" -f main --min-duration 100s -o log ./pool; \
	count mem:calloc)" 9 "allocations are of any duration"
