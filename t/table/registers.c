/* SPDX-License-Identifier: MIT */
/*
 * Programs that look at what is kept, given and returned in registers: every
 * function called here is one of a library.
 */
#include "t/table/table.h"

#include <arpa/inet.h>
#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

static volatile int one = 1;

static int structures(void)
{
	div_t d = div(17 * one, 5);
	ldiv_t l = ldiv(-17L * one, 5);
	lldiv_t ll = lldiv(1LL << 40, 1000 * one);
	imaxdiv_t m = imaxdiv(100 * one, 7);
	struct in_addr a;

	say("%d %d, %ld %ld, %lld %lld, %jd %jd", d.quot, d.rem, l.quot, l.rem,
	    ll.quot, ll.rem, m.quot, m.rem);
	a = inet_makeaddr(10, 0x010203);
	say("%s", inet_ntoa(a));
	return 0;
}

static int floats(void)
{
	int exponent = 0;
	double whole;

	say("%.17g %.9g", strtod("1.1", NULL), (double)strtof("2.2", NULL));
	say("%.20Lg", strtold("3.3", NULL));
	say("%.17g", frexp(10.5 * one, &exponent));
	say("%.17g", modf(2.75 * one, &whole));
	say("%.17g %.17g", pow(1.5 * one, 2.5), ldexp(1.5 * one, 4));
	say("%.20Lg %.20Lg", powl(1.5L * one, 2.5L), fmal(2.0L, 3.0L, one));
	say("%.17g %.9g", fma(2.5, 3.5, one),
	    (double)powf(2.0f * (float)one, 0.5f));
	say("%.17g", atof("6.25"));
	return 0;
}

static int complexes(void)
{
	double complex c = csqrt(-4.0 * one + 3.0 * I);
	float complex f = cexpf(1.0f * (float)one + 2.0f * I);
	long double complex l = clogl(1.0L * one + 1.0L * I);

	say("%.12g %.12g", creal(c), cimag(c));
	say("%.6g %.6g", (double)crealf(f), (double)cimagf(f));
	say("%.15Lg %.15Lg", creall(l), cimagl(l));
	return 0;
}

static int wide(void)
{
#if defined(__HAVE_FLOAT128) && __HAVE_FLOAT128
	char text[64];

	strfromf128(text, sizeof(text), "%.30g", strtof128("1.1", NULL));
	say("%s", text);
#endif
	say("%" PRIdMAX " %lld", strtoimax("-9223372036854775808", NULL, 10),
	    strtoll("0x7fffffffffffffff", NULL, 16));
	return 0;
}

static int variadic(void)
{
	char text[512];

	snprintf(text, sizeof(text),
		 "%d %f %s %Lf %c %ld %f %f %f %f %f %f %f %f %d %f %Lf %x",
		 one, 1.5, "s", 2.5L, 'c', 3L, .1, .2, .3, .4, .5, .6, .7, .8,
		 9, .9, 10.5L, 255);
	say("%s", text);
	dprintf(1, "%.3f %.3f %d\n", 1.25, 2.25, 3);
	printf("%.3f %Lg %s\n", 1.125, 3.5L, "printf");
	fflush(stdout);
	sscanf("4 5.5 six", "%*d %*f %s", text);
	say("%s", text);
	wprintf(L"");
	return 0;
}

static void give(const char *format, ...)
{
	char text[128];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	say("%s", text);
}

static int forwarded(void)
{
	give("%g %d %Lg %s", .5, 2, 1.5L, "x");
	return 0;
}

static int six_arguments(void)
{
	struct stat st;
	void *page =
		mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *other = (void *)syscall(SYS_mmap, NULL, 4096, PROT_READ,
				      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = open("file", O_CREAT | O_RDWR, 0640);

	say("%d %d", page != MAP_FAILED, other != MAP_FAILED);
	fstat(fd, &st);
	say("mode: %o", st.st_mode);
	fd = openat(AT_FDCWD, "other", O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	fstat(fd, &st);
	say("mode: %o, flags %d", st.st_mode, fcntl(fd, F_GETFD));
	said("no such call", syscall(9999, 1, 2, 3, 4, 5, 6));
	said("pwrite", pwrite(fd, "x", 1, 10L * one));
	said("syscall",
	     syscall(SYS_copy_file_range, fd, NULL, fd, NULL, 0L, 0L));
	return 0;
}

/* Calls that succeed leave it alone, and so do those who watch. */
static int error_kept(void)
{
	errno = 77;
	getppid();
	kill(getpid(), 0);
	raise(0);
	free(malloc(10));
	strtol("5", NULL, 10);
	sigaction(SIGUSR1, NULL, NULL);
	write(1, "", 0);
	say("errno: %d", errno);
	errno = 78;
	waitpid(fork() ?: (_exit(errno), 0), NULL, 0);
	say("errno: %d", errno);
	errno = 79;
	if (vfork() == 0)
		_exit(0);
	say("errno: %d", errno);
	wait(NULL);
	free(NULL);
	say("errno: %d", errno);
	return 0;
}

static int rounding(void)
{
	fexcept_t flags = 0;

	fesetround(FE_UPWARD);
	feclearexcept(FE_ALL_EXCEPT);
	say("%.20g", 1.0 / (3.0 * one));
	getppid();
	kill(getpid(), 0);
	say("round: %d", fegetround() == FE_UPWARD);
	fesetround(FE_TOWARDZERO);
	waitpid(fork() ?: (_exit(fegetround() == FE_TOWARDZERO), 0), NULL, 0);
	say("round: %d", fegetround() == FE_TOWARDZERO);
	feclearexcept(FE_ALL_EXCEPT);
	feraiseexcept(FE_DIVBYZERO);
	raise(0);
	fegetexceptflag(&flags, FE_ALL_EXCEPT);
	say("raised: %d", fetestexcept(FE_ALL_EXCEPT) == FE_DIVBYZERO);
	return 0;
}

#ifdef __x86_64__
static void tick(int sig)
{
	(void)sig;
	getppid();
}

static int control_words(void)
{
	unsigned int mxcsr = 0x9fc0, got_mxcsr = 0;
	unsigned short x87 = 0x0f7f, got_x87 = 0;

	on_signal(SIGUSR1, tick);
	__asm__ volatile("ldmxcsr %0; fldcw %1" : : "m"(mxcsr), "m"(x87));
	getppid();
	raise(SIGUSR1);
	kill(getpid(), 0);
	__asm__ volatile("stmxcsr %0; fnstcw %1"
			 : "=m"(got_mxcsr), "=m"(got_x87));
	say("mxcsr %x, x87 %x", got_mxcsr & 0xffc0, got_x87);
	return 0;
}

/* Values on the x87 stack are the caller's while it calls nothing but this. */
static int callee_saved(void)
{
	/* Not on the stack, which changes meanwhile, and in no register. */
	static long rbx, r12, r13, r14, r15;
	static int (*volatile fn)(int) = raise;

	__asm__ volatile("movq $11, %%rbx; movq $12, %%r12; movq $13, %%r13\n\t"
			 "movq $14, %%r14; movq $15, %%r15\n\t"
			 "movq %%rsp, %%rax; subq $256, %%rsp\n\t"
			 "andq $-16, %%rsp; pushq %%rax; pushq %%rax\n\t"
			 "xorl %%edi, %%edi; call *%5\n\t"
			 "popq %%rsp\n\t"
			 "movq %%rbx, %0; movq %%r12, %1; movq %%r13, %2\n\t"
			 "movq %%r14, %3; movq %%r15, %4"
			 : "=m"(rbx), "=m"(r12), "=m"(r13), "=m"(r14), "=m"(r15)
			 : "m"(fn)
			 : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9",
			   "r10", "r11", "r12", "r13", "r14", "r15", "memory",
			   "cc");
	say("%ld %ld %ld %ld %ld", rbx, r12, r13, r14, r15);
	return 0;
}

/* What a handler interrupts goes on with all of its registers. */
static int interrupted(void)
{
	long low = 0, high = 0, rax = 0;
	double d = 0;

	on_signal(SIGUSR1, tick);
	__asm__ volatile("movl %5, %%edi; movl %6, %%esi; movl %7, %%eax\n\t"
			 "movq $1234, %%r8; movq %%r8, %%xmm15\n\t"
			 "movq $5678, %%r9; movq %%r9, %%xmm0\n\t"
			 "fld1; std; subq $128, %%rsp\n\t"
			 "syscall\n\t"
			 "pushfq; popq %2; cld; addq $128, %%rsp\n\t"
			 "movq %%xmm15, %0; movq %%xmm0, %1\n\t"
			 "fstpl %3"
			 : "=r"(low), "=r"(high), "=r"(rax), "=m"(d)
			 : "0"(0L), "r"(getpid()), "i"(SIGUSR1), "i"(SYS_kill)
			 : "rax", "rdi", "rsi", "rcx", "r8", "r9", "r11",
			   "xmm0", "xmm15", "memory", "cc");
	say("%ld %ld %d %g", low, high, (rax & 0x400) != 0, d);
	return 0;
}

#define WIDE __attribute__((target("avx")))
typedef double d4 __attribute__((vector_size(32)));

static d4 kept;

WIDE static void tick_wide(int sig)
{
	(void)sig;
	kept = kept * kept;
	getppid();
}

WIDE static int avx_kept(void)
{
	d4 d = {1.5, 2.5, 3.5, 4.5};

	on_signal(SIGUSR1, tick_wide);
	for (int i = 0; i < 10; i++) {
		__asm__ volatile("" : "+x"(d));
		syscall(SYS_getppid);
		__asm__ volatile("subq $128, %%rsp; movl %1, %%edi\n\t"
				 "movl %2, %%esi; movl %3, %%eax; syscall\n\t"
				 "addq $128, %%rsp"
				 : "+x"(d)
				 : "r"(getpid()), "i"(SIGUSR1), "i"(SYS_kill)
				 : "rax", "rdi", "rsi", "rcx", "r11", "memory",
				   "cc");
	}
	say("%g %g %g %g", d[0], d[1], d[2], d[3]);
	return 0;
}

static int avx(void)
{
	if (__builtin_cpu_supports("avx"))
		return avx_kept();
	say("no AVX");
	return 0;
}
#endif

static int byte_arguments(void)
{
	char text[32] = "a-b-c";

	say("%s", strchr(text, '-') + 1);
	say("%d %d", toupper('a' * one), isalpha('1' * one));
	say("%d", ffs(64 * one));
	say("%s", (char *)memchr(text, 'c', 5));
	say("%ld %d", labs(-5L * one), abs(INT_MIN + one));
	say("%lx", (long)htonl(0x01020304 * (unsigned int)one));
	return 0;
}

const struct program registers_programs[] = {
	{"structures", structures, false},
	{"floats", floats, false},
	{"complexes", complexes, false},
	{"wide", wide, false},
	{"variadic", variadic, false},
	{"forwarded", forwarded, false},
	{"six-arguments", six_arguments, false},
	{"errno-kept", error_kept, false},
	{"rounding", rounding, false},
	{"byte-arguments", byte_arguments, false},
#ifdef __x86_64__
	{"control-words", control_words, false},
	{"callee-saved", callee_saved, false},
	{"interrupted", interrupted, false},
	{"avx", avx, false},
#endif
	{NULL, NULL, false},
};
