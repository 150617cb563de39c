/* SPDX-License-Identifier: MIT */
/*
 * called HOW [N]: calls functions of a library (-DLIBRARY), and says if they
 * return what they should; -DPLUGIN is a library that is loaded and unloaded.
 * Each is called often, so that its first call is among them, and one for which
 * a recorder needs room.
 */
#define _GNU_SOURCE
#include <complex.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

typedef void called_fn(void *arg);

struct called_small {
	double d;
	long l;
};
struct called_large {
	long l[9];
};

/* One more than it was. */
int called_leaf(int n);
int called_other(int n);

/* Digits of a decimal number: the first argument is the last digit. */
long called_longs(long a, long b, long c, long d, long e, long f, long g,
		  long h, long i);
double called_doubles(double a, double b, double c, double d, double e,
		      double f, double g, double h, double i);
long double called_long_double(int n, long double x);
double called_varargs(int nr, ...);
struct called_small called_small(struct called_small s, double x);
struct called_large called_large(struct called_large l, long x);
_Complex double called_complex(_Complex double z);
_Complex long double called_complex_long(_Complex long double z);

/* Calls it, and returns 1. */
int called_callback(called_fn *fn, void *arg);

/* As its last act calls called_leaf() through its own table. */
int called_tail(int n);

/* The same with functions that look where they were called: 1, if all is
 * well. */
int called_kill(pid_t pid);
void *called_next(const char *name);
int called_tails(void);

#ifdef __x86_64__
#include <immintrin.h>

__m256d called_m256(__m256d a, __m256d b);
__m512d called_m512(__m512d a, __m512d b);
#endif

int plugin_run(void);

#if defined(LIBRARY)

int called_leaf(int n)
{
	return n + 1;
}

int called_other(int n)
{
	return n + 1;
}

long called_longs(long a, long b, long c, long d, long e, long f, long g,
		  long h, long i)
{
	return a +
	       10 * (b +
		     10 * (c +
			   10 * (d +
				 10 * (e +
				       10 * (f +
					     10 * (g + 10 * (h + 10 * i)))))));
}

double called_doubles(double a, double b, double c, double d, double e,
		      double f, double g, double h, double i)
{
	return a +
	       10 * (b +
		     10 * (c +
			   10 * (d +
				 10 * (e +
				       10 * (f +
					     10 * (g + 10 * (h + 10 * i)))))));
}

long double called_long_double(int n, long double x)
{
	return x * n;
}

double called_varargs(int nr, ...)
{
	double sum = 0;
	va_list ap;

	va_start(ap, nr);
	while (nr-- > 0)
		sum = sum * 10 + va_arg(ap, double);
	va_end(ap);
	return sum;
}

struct called_small called_small(struct called_small s, double x)
{
	s.d += x;
	s.l += (long)x;
	return s;
}

struct called_large called_large(struct called_large l, long x)
{
	for (int i = 0; i < 9; i++)
		l.l[i] += x;
	return l;
}

_Complex double called_complex(_Complex double z)
{
	return z * z;
}

_Complex long double called_complex_long(_Complex long double z)
{
	return z * z;
}

int called_callback(called_fn *fn, void *arg)
{
	fn(arg);
	return 1;
}

int called_tail(int n)
{
	return called_leaf(n);
}

int called_kill(pid_t pid)
{
	return kill(pid, 0);
}

void *called_next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

int called_tails(void)
{
	return called_kill(getpid()) == 0 &&
	       called_next("called_tails") == NULL;
}

#ifdef __x86_64__
__attribute__((target("avx"))) __m256d called_m256(__m256d a, __m256d b)
{
	return _mm256_sub_pd(a, b);
}

__attribute__((target("avx512f"))) __m512d called_m512(__m512d a, __m512d b)
{
	return _mm512_sub_pd(a, b);
}
#endif

#elif defined(PLUGIN)

int plugin_run(void)
{
	int n = 0;

	while (n < 42)
		n = called_leaf(n);
	return n;
}

#else

#define THREADS 8
#define MANY 5000

static int nr;
static volatile int sink;

static int failed(const char *what)
{
	printf("%s is wrong\n", what);
	return 1;
}

static void loop(void)
{
	int n = 0;

	while (n < nr)
		n = called_leaf(n);
}

static void *thread(void *arg)
{
	loop();
	return arg;
}

static int threads(void)
{
	pthread_t id[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&id[i], NULL, thread, NULL) != 0)
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(id[i], NULL);
	return 0;
}

/* ---- values -------------------------------------------------------- */

#ifdef __x86_64__
__attribute__((target("avx"))) static int check_avx(void)
{
	const double expected[4] = {3, 5, 7, 9};
	double result[4];

	for (int i = 0; i < MANY; i++) {
		__m256d a = _mm256_set_pd(11, 9, 7, 5);
		__m256d b = _mm256_set_pd(2, 2, 2, 2);

		_mm256_storeu_pd(result, called_m256(a, b));
		if (memcmp(result, expected, sizeof(result)) != 0)
			return 1;
	}
	return 0;
}

__attribute__((target("avx512f"))) static int check_avx512(void)
{
	const double expected[8] = {3, 5, 7, 9, 11, 13, 15, 17};
	double result[8];

	for (int i = 0; i < MANY; i++) {
		__m512d a = _mm512_set_pd(19, 17, 15, 13, 11, 9, 7, 5);
		__m512d b = _mm512_set1_pd(2);

		_mm512_storeu_pd(result, called_m512(a, b));
		if (memcmp(result, expected, sizeof(result)) != 0)
			return 1;
	}
	return 0;
}

static int check_vectors(void)
{
	if (__builtin_cpu_supports("avx") && check_avx() != 0)
		return failed("avx");
	if (__builtin_cpu_supports("avx512f") && check_avx512() != 0)
		return failed("avx512");
	return 0;
}
#else
static int check_vectors(void)
{
	return 0;
}
#endif

static int check_structs(void)
{
	struct called_small s = {1.5, 7};
	struct called_large l = {{0, 1, 2, 3, 4, 5, 6, 7, 8}};

	for (int i = 0; i < MANY; i++) {
		struct called_small t = called_small(s, 2);
		struct called_large m = called_large(l, i);

		if (t.d != 3.5 || t.l != 9)
			return failed("small struct");
		for (int j = 0; j < 9; j++)
			if (m.l[j] != j + i)
				return failed("large struct");
	}
	return 0;
}

static int values(void)
{
	for (int i = 0; i < MANY; i++) {
		errno = 4711;
		if (called_longs(1, 2, 3, 4, 5, 6, 7, 8, 9) != 987654321)
			return failed("long");
		if (called_doubles(1, 2, 3, 4, 5, 6, 7, 8, 9) != 987654321)
			return failed("double");
		if (called_long_double(3, 1.25L) != 3.75L)
			return failed("long double");
		if (called_varargs(9, 1., 2., 3., 4., 5., 6., 7., 8., 9.) !=
		    123456789)
			return failed("varargs");
		if (called_complex(1 + 2 * I) != -3 + 4 * I)
			return failed("complex");
		if (called_complex_long(1 + 2 * I) != -3 + 4 * I)
			return failed("complex long");
		if (errno != 4711)
			return failed("errno");
	}
	return check_structs() != 0 || check_vectors() != 0;
}

/* ---- ways to leave a call ------------------------------------------ */

static jmp_buf back;
static sigjmp_buf sig_back;

static void jump(void *arg)
{
	longjmp(*(jmp_buf *)arg, 1);
}

static int jumps(void)
{
	for (volatile int i = 0; i < nr; i++)
		if (setjmp(back) == 0)
			called_callback(jump, &back);
	loop();
	return 0;
}

static volatile sig_atomic_t nr_signals;

static void count(int signo)
{
	(void)signo;
	nr_signals++;
	sink = called_other(1);
}

static void handler_jumps(int signo)
{
	(void)signo;
	siglongjmp(sig_back, 1);
}

static void raise_it(void *arg)
{
	(void)arg;
	raise(SIGUSR1);
}

static int signal_jumps(void)
{
	signal(SIGUSR1, handler_jumps);
	for (volatile int i = 0; i < nr; i++)
		if (sigsetjmp(sig_back, 1) == 0)
			called_callback(raise_it, NULL);
	loop();
	return 0;
}

/* Handlers everywhere, until a number of them have run. */
static int storm(void)
{
	const struct itimerval often = {{0, 50}, {0, 50}}, never = {{0}};
	int n = 0;

	signal(SIGALRM, count);
	setitimer(ITIMER_REAL, &often, NULL);
	while (nr_signals < nr) {
		for (int i = 0; i < 1000; i++)
			n = called_leaf(n) - 1;
		if (n != 0)
			return failed("leaf");
	}
	setitimer(ITIMER_REAL, &never, NULL);
	return 0;
}

static int pipe_fd[2];

static void sleep_long(void *arg)
{
	char byte = 1;

	if (write(pipe_fd[1], &byte, 1) == 1)
		for (;;)
			pause();
	(void)arg;
}

static void leave_thread(void *arg)
{
	pthread_exit(arg);
}

static void clean_up(void *arg)
{
	*(int *)arg += called_other(0);
}

static void *cancelled(void *arg)
{
	pthread_cleanup_push(clean_up, arg);
	called_callback(sleep_long, NULL);
	pthread_cleanup_pop(0);
	return NULL;
}

static void *spin(void *arg)
{
	char byte = 1;

	pthread_cleanup_push(clean_up, arg);
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	if (write(pipe_fd[1], &byte, 1) == 1)
		for (;;)
			sink = called_leaf(sink);
	pthread_cleanup_pop(0);
	return NULL;
}

static void *leaves(void *arg)
{
	pthread_cleanup_push(clean_up, arg);
	called_callback(leave_thread, arg);
	pthread_cleanup_pop(0);
	return NULL;
}

static int ends(void *(*start)(void *), int cancels)
{
	int cleaned = 0;
	void *result;
	pthread_t id;
	char byte;

	if (pthread_create(&id, NULL, start, &cleaned) != 0)
		return 1;
	if (cancels &&
	    (read(pipe_fd[0], &byte, 1) != 1 || pthread_cancel(id) != 0))
		return 1;
	pthread_join(id, &result);
	if (result != (cancels ? PTHREAD_CANCELED : &cleaned) || cleaned != 1)
		return failed("end of a thread");
	return 0;
}

static int thread_ends(void)
{
	if (pipe(pipe_fd) != 0)
		return 1;
	for (int i = 0; i < nr; i++)
		if (ends(cancelled, 1) || ends(leaves, 0) || ends(spin, 1))
			return 1;
	return 0;
}

static ucontext_t main_context, other_context;
static char other_stack[64 * 1024];

static void swap(void *arg)
{
	(void)arg;
	swapcontext(&other_context, &main_context);
}

static void other_main(void)
{
	for (;;)
		called_callback(swap, NULL);
}

static void swap_there(void *arg)
{
	(void)arg;
	swapcontext(&main_context, &other_context);
}

/* Two stacks, each left and entered again within a call. */
static int contexts(void)
{
	getcontext(&other_context);
	other_context.uc_stack.ss_sp = other_stack;
	other_context.uc_stack.ss_size = sizeof(other_stack);
	makecontext(&other_context, other_main, 0);
	for (int i = 0; i < nr; i++)
		if (called_callback(swap_there, NULL) != 1)
			return failed("callback");
	return 0;
}

static int vforks(void)
{
	for (int i = 0; i < nr; i++) {
		int status;
		pid_t pid = vfork();

		if (pid == 0)
			_exit(called_leaf(i) & 0x7f);
		if (waitpid(pid, &status, 0) != pid ||
		    WEXITSTATUS(status) != ((i + 1) & 0x7f))
			return failed("vfork");
	}
	return 0;
}

static void fork_it(void *arg)
{
	*(pid_t *)arg = fork();
}

/* Both return through frames that were there before. */
static int forks(void)
{
	int status;
	pid_t pid;

	if (called_callback(fork_it, &pid) != 1)
		return failed("callback");
	loop();
	if (pid == 0)
		_exit(called_leaf(6));
	return waitpid(pid, &status, 0) != pid || WEXITSTATUS(status) != 7;
}

static int opens(const char *path)
{
	int (*leaf)(void);
	void *handle;

	for (int i = 0; i < nr; i++) {
		handle = dlopen(path, RTLD_LAZY);
		if (!handle)
			return failed(dlerror());
		leaf = (int (*)(void))dlsym(handle, "plugin_run");
		if (!leaf || leaf() != 42)
			return failed("plugin");
		dlclose(handle);
	}
	return 0;
}

/* A function has one address, whoever asks.  Not in other programs: the linker
 * gives calls and pointers one slot. */
#ifdef POINTER
static int pointer(void)
{
	int (*volatile here)(int) = called_leaf;
	void *there = dlsym(RTLD_DEFAULT, "called_leaf");

	return called_other(0) != 1 || called_leaf(0) != 1 ||
	       (void *)here != there;
}
#else
#define pointer() 2
#endif

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	int status = 2;

	nr = argc > 2 ? atoi(argv[2]) : 0;
	if (strcmp(how, "loop") == 0)
		loop(), status = 0;
	else if (strcmp(how, "tail") == 0)
		status = called_tail(0) != 1;
	else if (strcmp(how, "tails") == 0)
		status = called_tails() != 1;
	else if (strcmp(how, "threads") == 0)
		status = threads();
	else if (strcmp(how, "values") == 0)
		status = values();
	else if (strcmp(how, "jumps") == 0)
		status = jumps();
	else if (strcmp(how, "signal-jumps") == 0)
		status = signal_jumps();
	else if (strcmp(how, "storm") == 0)
		status = storm();
	else if (strcmp(how, "thread-ends") == 0)
		status = thread_ends();
	else if (strcmp(how, "contexts") == 0)
		status = contexts();
	else if (strcmp(how, "vforks") == 0)
		status = vforks();
	else if (strcmp(how, "forks") == 0)
		status = forks();
	else if (strcmp(how, "pointer") == 0)
		status = pointer();
	else if (strcmp(how, "opens") == 0)
		status = opens(argv[3]);
	printf("%s: %d\n", how, status);
	return status;
}

#endif
