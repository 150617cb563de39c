/* SPDX-License-Identifier: MIT */
#include "t/lib/proc.h"
#include "t/lib/tap.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int nr_planned = -1;
static int nr_run;
static int nr_failed;
static pid_t owner;
static const char *todo_reason;

/* In a child nothing is written to stdout, so that the parent's TAP stays
 * valid. */
static FILE *out(void)
{
	return getpid() == owner || !owner ? stdout : stderr;
}

#ifdef PTL_SANITIZED
/*
 * The sanitizer asks before it looks for leaks at exit.  In a child it would
 * wait for locks that threads had which are in the parent only, and what those
 * threads had is no leak.
 */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
	return owner && getpid() != owner;
}
#endif

void plan(int nr_tests)
{
	/* Nothing may be buffered when a test forks. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	proc_deadline(100);
	owner = getpid();
	nr_planned = nr_tests;
	printf("1..%d\n", nr_tests);
}

void skip_all(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	printf("1..0 # SKIP ");
	vprintf(fmt, ap);
	printf("\n");
	va_end(ap);
	exit(0);
}

TAP_FORMAT(2, 0) static int result(int passed, const char *fmt, va_list ap)
{
	nr_run++;
	if (!passed && !todo_reason)
		nr_failed++;
	if (out() == stderr && passed)
		return 1;
	fprintf(out(), "%sok %d - ", passed ? "" : "not ", nr_run);
	vfprintf(out(), fmt, ap);
	if (todo_reason)
		fprintf(out(), " # TODO %s", todo_reason);
	fprintf(out(), "\n");
	return passed;
}

int ok(int cond, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	result(cond != 0, fmt, ap);
	va_end(ap);
	return cond != 0;
}

int is_int(long long got, long long want, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (!result(got == want, fmt, ap))
		diag("got %lld, want %lld", got, want);
	va_end(ap);
	return got == want;
}

int is_str(const char *got, const char *want, const char *fmt, ...)
{
	int same = got && want ? !strcmp(got, want) : got == want;
	va_list ap;

	va_start(ap, fmt);
	if (!result(same, fmt, ap))
		diag("got \"%s\", want \"%s\"", got ? got : "(null)",
		     want ? want : "(null)");
	va_end(ap);
	return same;
}

void skip(int nr_tests, const char *fmt, ...)
{
	va_list ap;

	while (nr_tests-- > 0) {
		fprintf(out(), "ok %d # SKIP ", ++nr_run);
		va_start(ap, fmt);
		vfprintf(out(), fmt, ap);
		va_end(ap);
		fprintf(out(), "\n");
	}
}

int under_coverage(void)
{
#ifdef PTL_COVERAGE
	return 1;
#else
	return 0;
#endif
}

int under_tsan(void)
{
#ifdef __SANITIZE_THREAD__
	return 1;
#else
	return 0;
#endif
}

int under_asan(void)
{
#ifdef __SANITIZE_ADDRESS__
	return 1;
#else
	return 0;
#endif
}

int fewer(int nr)
{
	return getenv("TAP_SLOW") && nr >= 10 ? nr / 10 : nr;
}

void todo(const char *reason)
{
	todo_reason = reason;
}

void diag(const char *fmt, ...)
{
	va_list ap;

	fprintf(out(), "# ");
	va_start(ap, fmt);
	vfprintf(out(), fmt, ap);
	va_end(ap);
	fprintf(out(), "\n");
}

int done(void)
{
	if (getpid() == owner && nr_run != nr_planned) {
		diag("planned %d tests, ran %d", nr_planned, nr_run);
		return 1;
	}
	return nr_failed > 0;
}

const char *top_builddir(void)
{
	const char *dir = getenv("abs_top_builddir");

	return dir ? dir : ".";
}

int under_valgrind(void)
{
	const char *preload = getenv("LD_PRELOAD");

	return preload && strstr(preload, "vgpreload");
}
