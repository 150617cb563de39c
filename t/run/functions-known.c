/* SPDX-License-Identifier: MIT */
/*
 * Functions that count themselves, for t/run/functions.t: prints "NAME CALLS"
 * of each, and how many of these return.  An argument: in which world to
 * execute itself. fork    behind a fork mdwe    where memory that was written
 * may not become code, nor code be written (PR_SET_MDWE, as systemd's
 * MemoryDenyWriteExecute) noproc  where /proc is empty Status 77: there is no
 * such world here.
 */
#define _GNU_SOURCE /* unshare */
#include <sched.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define SET_MDWE 65
#define MDWE_REFUSES 1

#define KEPT __attribute__((noinline, noclone))

enum { ADDS, FIB, EVEN, ODD, LOOPS, LEAVES, SWITCHES, BY_POINTER, TINY, NR };

static struct {
	const char *name;
	long calls, ends;
} known[NR] = {{"adds"},   {"fib"},	 {"even"},	 {"odd"}, {"loops"},
	       {"leaves"}, {"switches"}, {"by_pointer"}, {"tiny"}};

#define CALLED(which) known[which].calls++
#define ENDS(which) known[which].ends++

static jmp_buf place;

KEPT long adds(long a, long b)
{
	CALLED(ADDS), ENDS(ADDS);
	return a + b;
}

static KEPT long fib(long n)
{
	long sum;

	CALLED(FIB), ENDS(FIB);
	if (n < 2)
		return n;
	sum = fib(n - 1) + fib(n - 2);
	__asm__("" : "+r"(sum)); /* or the second call becomes a loop */
	return sum;
}

/* Each ends by a jump to the other. */
KEPT int odd(int n);
KEPT int even(int n)
{
	CALLED(EVEN), ENDS(EVEN);
	return n == 0 ? 1 : odd(n - 1);
}
KEPT int odd(int n)
{
	CALLED(ODD), ENDS(ODD);
	return n == 0 ? 0 : even(n - 1);
}

/* One call, however often it goes round. */
KEPT long loops(const char *s)
{
	long sum = 0;

	CALLED(LOOPS), ENDS(LOOPS);
	while (*s)
		sum += *s++;
	return sum;
}

/* It never returns. */
KEPT void leaves(int value)
{
	CALLED(LEAVES);
	longjmp(place, value);
}

KEPT int switches(int n)
{
	CALLED(SWITCHES), ENDS(SWITCHES);
	switch (n & 7) {
	case 0:
		return (int)adds(n, 1);
	case 1:
		return even(n) + 4;
	case 2:
		puts("two");
		return 3;
	case 3:
		return 9;
	case 4:
		return (int)loops("abc");
	case 5:
		return n * n;
	case 6:
		return -n;
	default:
		return 1000;
	}
}

KEPT int by_pointer(int n)
{
	CALLED(BY_POINTER), ENDS(BY_POINTER);
	return n ^ 5;
}

KEPT void tiny(void)
{
	CALLED(TINY), ENDS(TINY);
}

static void all(void)
{
	int (*volatile pointer)(int) = by_pointer;
	long sum = 0;
	int came = setjmp(place);

	if (came < 5)
		leaves(came + 1);
	for (int i = 0; i < 50; i++) {
		sum += adds(i, 2) + switches(i) + pointer(i);
		tiny();
	}
	sum += fib(12) + even(30) + odd(31) + loops("a longer text");
	printf("%ld\n", sum);
}

/* As the user that this is, who needs a namespace for it if it is not root. */
static int unshare_mounts(void)
{
	unsigned int uid = getuid();
	FILE *map;

	if (uid == 0)
		return unshare(CLONE_NEWNS);
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
		return -1;
	map = fopen("/proc/self/uid_map", "w");
	if (map == NULL)
		return -1;
	fprintf(map, "%u %u 1", uid, uid);
	return fclose(map);
}

static void enter(const char *world)
{
	if (strcmp(world, "fork") == 0) {
		if (fork() == 0) {
			all();
			_exit(0);
		}
		wait(NULL);
	} else if (strcmp(world, "mdwe") == 0) {
		if (prctl(SET_MDWE, MDWE_REFUSES, 0, 0, 0) != 0)
			exit(77);
	} else if (unshare_mounts() != 0 ||
		   mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
		   mount("none", "/proc", "tmpfs", 0, NULL) != 0) {
		exit(77);
	}
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		enter(argv[1]);
		fflush(stdout);
		execl(argv[0], argv[0], (char *)NULL);
		return 1;
	}
	all();
	for (int i = 0; i < NR; i++)
		printf("%s %ld %ld\n", known[i].name, known[i].calls,
		       known[i].ends);
	return 3;
}
