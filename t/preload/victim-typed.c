/* SPDX-License-Identifier: MIT */
/*
 * victim-typed values|pointers|quiet: calls functions of libc and libm, and
 * prints of each what its events must say: NAME [ARGUMENTS] and NAME = RESULT.
 * Compiled without built-in functions, so that they are called.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <math.h>
#include <netdb.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096

#define SAY(...) dprintf(STDOUT_FILENO, __VA_ARGS__)

/* strncmp() of no bytes reads none. */
static void compare_none(const char *a, const char *b)
{
	static volatile size_t none;
	static volatile int result;

	result = strncmp(a, b, none);
	(void)result;
}

static void say_addresses(const char *name, const void *a, const void *b)
{
	SAY("%s [\"0x%lx\",\"0x%lx\",0]\n%s = 0\n", name, (unsigned long)a,
	    (unsigned long)b, name);
}

static void integers(void)
{
	char host[8];

	SAY("strcmp [\"\",\"D\"]\nstrcmp = %d\n", strcmp("", "D"));
	SAY("strlen [\"sixteen bytes ab\"]\nstrlen = %zu\n",
	    strlen("sixteen bytes ab"));
	SAY("abs [-5]\nabs = %d\n", abs(-5));
	SAY("labs [-5000000000]\nlabs = %ld\n", labs(-5000000000));
	SAY("strtol [\"-77\",\"0x0\",10]\nstrtol = %ld\n",
	    strtol("-77", NULL, 10));
	SAY("strtoul [\"-1\",\"0x0\",0]\nstrtoul = %lu\n",
	    strtoul("-1", NULL, 0));
	/* More than there are registers for, with bits that mean nothing. */
	SAY("getnameinfo [\"0x0\",0,\"0x%lx\",8,\"0x0\",4294967295,-7]\n"
	    "getnameinfo = %d\n",
	    (unsigned long)host,
	    getnameinfo(NULL, 0, host, sizeof(host), NULL, 0xffffffff, -7));
}

static void floats(void)
{
	SAY("sqrt [42]\nsqrt = %.15g\n", sqrt(42.0));
	SAY("sqrtf [2.25]\nsqrtf = %g\n", (double)sqrtf(2.25f));
	SAY("sqrtl [2.25]\nsqrtl = %Lg\n", sqrtl(2.25L));
	SAY("pow [2,0.5]\npow = %.17g\n", pow(2, 0.5));
	SAY("ldexp [-1.5,3]\nldexp = %g\n", ldexp(-1.5, 3));
	SAY("scalbln [1e-300,-4]\nscalbln = %.15g\n", scalbln(1e-300, -4));
	SAY("fma [2,3,4]\nfma = %g\n", fma(2, 3, 4));
	SAY("fmal [2,3,-4e+4000]\nfmal = %Lg\n", fmal(2, 3, -4e4000L));
	SAY("nexttowardf [1,2]\nnexttowardf = %.8g\n",
	    (double)nexttowardf(1, 2));
	SAY("log [0]\nlog = \"%g\"\n", log(0));
	SAY("fabs [\"nan\"]\nfabs = \"%g\"\n", fabs((double)NAN));
}

static void strings(void)
{
	char text[8] = "abc", *volatile found;

	found = strchr(text, 'b');
	SAY("strchr [\"abc\",98]\nstrchr = \"%s\"\n", found);
	found = getenv("NO_SUCH_VARIABLE");
	SAY("getenv [\"NO_SUCH_VARIABLE\"]\ngetenv = \"0x%lx\"\n",
	    (unsigned long)found);
	found = strcpy(text, "\"\xc3\xa4\"");
	SAY("strcpy [\"0x%lx\",\"\\\"\xc3\xa4\\\"\"]\nstrcpy = "
	    "\"\\\"\xc3\xa4\\\"\"\n",
	    (unsigned long)text);
}

/* Each with every number of bytes before it in its eight. */
static void alignments(void)
{
	static char text[] = "0123456789abcdefghijklmn";

	for (int i = 0; i < 9; i++)
		for (int size = 0; size < 10; size++) {
			char kept = text[i + size];

			text[i + size] = '\0';
			SAY("strlen [\"%s\"]\nstrlen = %zu\n", text + i,
			    strlen(text + i));
			text[i + size] = kept;
		}
}

static char *map_page(void)
{
	char *page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	mprotect(page + PAGE, PAGE, PROT_NONE);
	return page;
}

static void say_none(const char *a, const char *shown)
{
	compare_none(a, NULL);
	SAY("strncmp [\"%s\",\"0x0\",0]\nstrncmp = 0\n", shown);
}

static void pointers(void)
{
	char *page = map_page(), shown[200];
	const char *bad = (const char *)8, *worse = (const char *)(1ul << 63);

	compare_none(bad, worse);
	say_addresses("strncmp", bad, worse);
	compare_none(page + PAGE, page + 2 * PAGE - 1);
	say_addresses("strncmp", page + PAGE, page + 2 * PAGE - 1);
	/* To the last byte that can be read. */
	memset(page, 'x', PAGE);
	say_none(page + PAGE - 3, "xxx");
	say_none(page + PAGE - 19, "xxxxxxxxxxxxxxxxxxx");
	memset(shown, 'x', sizeof(shown));
	shown[128] = '\0';
	say_none(page, shown);
	page[PAGE - 1] = '\0';
	say_none(page + PAGE - 9, "xxxxxxxx");
	/* It was readable, and is no more. */
	mprotect(page, PAGE, PROT_NONE);
	compare_none(page, NULL);
	say_addresses("strncmp", page, NULL);
	mprotect(page, PAGE, PROT_READ | PROT_WRITE);
	memcpy(page, "here", sizeof("here"));
	say_none(page, "here");
	munmap(page, PAGE);
	compare_none(page, NULL);
	say_addresses("strncmp", page, NULL);
}

/* Pages that a child does not inherit. */
static void forks(void)
{
	char *page = map_page();
	int status = 1;

	memcpy(page, "here", sizeof("here"));
	madvise(page, PAGE, MADV_DONTFORK);
	say_none(page, "here");
	if (fork() == 0) {
		compare_none(page, NULL);
		_exit(0);
	}
	wait(&status);
	say_addresses("strncmp", page, NULL);
	SAY("%s", status == 0 ? "" : "the child died\n");
}

/* From here on rt_sigprocmask() is deadly. */
static void forbid(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigprocmask, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {sizeof(code) / sizeof(*code), code};

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

static void quiet(void)
{
	char *known = map_page(), *other = map_page();

	memcpy(known, "known", sizeof("known"));
	memcpy(other, "other", sizeof("other"));
	say_none(known, "known");
	forbid();
	say_none(known, "known");
	compare_none(other, NULL);
	say_addresses("strncmp", other, NULL);
	_exit(0);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	if (strcoll(argv[1], "values") == 0) {
		integers();
		floats();
		strings();
		alignments();
	} else if (strcoll(argv[1], "pointers") == 0) {
		pointers();
		forks();
	} else {
		quiet();
	}
	return 0;
}
