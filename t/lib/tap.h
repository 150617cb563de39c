/* SPDX-License-Identifier: MIT */
/*
 * A TAP producer for the C tests.  Only the process that called plan() prints;
 * a forked child reports its result by its exit status (see t/lib/proc.h), and
 * its failures on stderr.
 */
#ifndef PTL_T_LIB_TAP_H
#define PTL_T_LIB_TAP_H

#define TAP_FORMAT(fmt, args) __attribute__((format(printf, fmt, args)))

/* First: how many tests there will be. */
void plan(int nr_tests);

/* Instead of plan(): the environment lacks something.  Does not return. */
void skip_all(const char *fmt, ...) TAP_FORMAT(1, 2) __attribute__((noreturn));

/* One test.  Each function returns whether it passed. */
int ok(int cond, const char *fmt, ...) TAP_FORMAT(2, 3);
int is_int(long long got, long long want, const char *fmt, ...)
	TAP_FORMAT(3, 4);
int is_str(const char *got, const char *want, const char *fmt, ...)
	TAP_FORMAT(3, 4);

/* Counts nr_tests tests as passed that cannot be run here. */
void skip(int nr_tests, const char *fmt, ...) TAP_FORMAT(2, 3);

/* Is the test built with that sanitizer?  Some things cannot be tested with
 * it. */
int under_tsan(void);
int under_asan(void);

/* Is the tested code built with --enable-coverage?  Counting takes time, files,
 * memory and system calls. */
int under_coverage(void);

/*
 * How often to do something that takes long: nr times, or less in a test that
 * is run by a slow tool (TAP_SLOW is set).
 */
int fewer(int nr);

/* A known bug: the tests from here to todo(0) are expected to fail. */
void todo(const char *reason);

void diag(const char *fmt, ...) TAP_FORMAT(1, 2);

/* Call it last; returns the exit status for main(). */
int done(void);

/* Is the program run by valgrind?  Signals and stacks are different there. */
int under_valgrind(void);

/* Where the build is; for tests that run programs.  Never a null pointer. */
const char *top_builddir(void);

#endif
