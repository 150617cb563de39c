/* SPDX-License-Identifier: MIT */
/* Programs with streams, commands and their own kinds of files. */
#include "t/table/table.h"

#include <errno.h>
#include <error.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <printf.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

static int commands(void)
{
	sigset_t set;

	say("shell: %d", system(NULL) != 0);
	say_status("true", system("true"));
	say_status("exit 7", system("exit 7"));
	say_status("killed", system("kill -TERM $$"));
	say_status("not found", system("no-such-command-here 2>/dev/null"));
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	say_status("ignoring", system("kill -INT $$; exit 3"));
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	say_status("blocked", system("kill -TERM $$; exit 4"));
	say("ignored: %d", signal(SIGINT, SIG_DFL) == SIG_IGN);
	return 0;
}

static int pipes(void)
{
	char line[64] = "";
	FILE *in = popen("echo line; exit 3", "r"), *out, *other;

	say("%s", fgets(line, sizeof(line), in) ? line : "none");
	say_status("pclose", pclose(in));
	out = popen("cat; exit 4", "w");
	other = popen("cat >/dev/null", "we");
	fputs("written\n", out);
	say_status("pclose", pclose(out));
	say_status("pclose", pclose(other));
	in = popen("kill -KILL $$", "r");
	say_status("killed", pclose(in));
	said("bad", popen("true", "x") ? 0 : -1);
	in = popen("exit 5", "r");
	wait(NULL);
	said("stolen", pclose(in));
	return 0;
}

static int memory(void)
{
	char *text = NULL, buf[16];
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);

	fprintf(file, "%d %s %.2f", 5, "five", 5.0);
	fclose(file);
	say("%s (%zu)", text, size);
	file = fmemopen(text, size, "r");
	say("%d", fscanf(file, "%*d %15s", buf));
	say("%s, end: %d", buf, fgetc(file) != EOF);
	fclose(file);
	free(text);
	return 0;
}

static ssize_t give(void *cookie, char *buf, size_t size)
{
	int *left = cookie;

	raise(0);
	if (*left == 0 || size == 0)
		return 0;
	--*left;
	buf[0] = 'x';
	return 1;
}

static ssize_t take(void *cookie, const char *buf, size_t size)
{
	(void)cookie;
	say("taken: %.*s", (int)size, buf);
	errno = EIO;
	return size > 3 ? 0 : (ssize_t)size;
}

static int done(void *cookie)
{
	(void)cookie;
	say("closed");
	return 0;
}

static int own_kind(void)
{
	cookie_io_functions_t functions = {give, take, NULL, done};
	int left = 3;
	char text[16] = "";
	FILE *file = fopencookie(&left, "r+", functions);

	say("read: %zu", fread(text, 1, 16, file));
	say("%s", text);
	clearerr(file);
	fputs("abc", file);
	said("flush", fflush(file));
	fputs("long text", file);
	said("flush", fflush(file));
	said("close", fclose(file));
	return 0;
}

static int closed(void)
{
	FILE *file = fopen("file", "w");

	fputs("text", file);
	close(fileno(file));
	said("flush", fflush(file));
	said("close", fclose(file));
	said("read", fgetc(fdopen(dup(1), "w")));
	said("fopen", fopen("/no/such", "r") ? 0 : -1);
	said("mode", fopen("file", "x") ? 0 : -1);
	said("fdopen", fdopen(99, "r") ? 0 : -1);
	close(0);
	said("getchar", getchar());
	file = freopen("/dev/null", "r", stdin);
	said("reopened", fileno(file));
	return 0;
}

static void *hold(void *arg)
{
	flockfile(stdout);
	pthread_barrier_wait(arg);
	pthread_barrier_wait(arg);
	funlockfile(stdout);
	return NULL;
}

/* The child of a process in which another thread holds the stream. */
static int locked(void)
{
	static pthread_barrier_t barrier;
	pthread_t thread;
	pid_t pid;

	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, hold, &barrier);
	pthread_barrier_wait(&barrier);
	say("held: %d", ftrylockfile(stdout) != 0);
	pid = fork();
	if (pid == 0) {
		/* fork() makes them anew. */
		printf("from the child\n");
		fflush(stdout);
		_exit(0);
	}
	say_end("child", pid);
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
	printf("from the parent\n");
	return 0;
}

static int lines(void)
{
	char *line = NULL;
	size_t size = 0;
	FILE *file = fopen("file", "w+");

	fputs("one\n\nthree", file);
	rewind(file);
	said("getline", getline(&line, &size, file));
	said("getline", getline(&line, &size, file));
	said("getdelim", getdelim(&line, &size, 'r', file));
	say("ungetc: %d", ungetc('z', file));
	say("%c", fgetc(file));
	said("seek", fseeko(file, -2, SEEK_END));
	said("tell", ftello(file));
	say("pending: %zu", __fpending(file));
	free(line);
	fclose(file);
	file = tmpfile();
	say("wide: %d", fwide(file, 1) > 0);
	fputwc(L'x', file);
	rewind(file);
	say("%d", fgetwc(file) == L'x');
	return 0;
}

static int errors(void)
{
	fflush(stdout);
	program_invocation_name = (char *)"table";
	error(0, ENOENT, "what %s", "happened");
	errno = EACCES;
	perror("perror");
	fprintf(stderr, "%m\n");
	psignal(SIGTERM, "psignal");
	say("%s", strerror(99999));
	say("%s", strsignal(SIGUSR1));
	return 0;
}

static int positions(void)
{
	char text[64];
	int n = 0;

	/* The format is not one that the compiler can see. */
	const char *volatile format = "%2$s %1$d%3$n";
	/* No %n in formats that may be written to. */
	snprintf(text, sizeof(text), format, 5, "five", &n);
	say("%s, %d", text, n);
	say("%*d|%-*s|%.*f", 5, 42, 6, "ab", 2, 3.14159);
	say("%a %e %G %Lf", 1.0, 12345.678, 1e-10, 1.5L);
	say("%hhd %hd %lld %zu %jd %td", 300 & 127, 1, 1LL << 40, (size_t)5,
	    (intmax_t)-1, (ptrdiff_t)3);
	say("%ls %lc", L"wide", L'w');
	return 0;
}

static int marked(FILE *stream, const struct printf_info *info,
		  const void *const *args)
{
	(void)info;
	return fprintf(stream, "<%d>", **(const int *const *)args[0]);
}

static int takes_pointer(const struct printf_info *info, size_t n, int *types,
			 int *size)
{
	(void)info;
	if (n > 0)
		types[0] = PA_POINTER;
	*size = sizeof(void *);
	return 1;
}

/* Whatever follows a format reaches libc as it was given. */
static int forms(void)
{
	char text[32] = "";
	int n = 0, ret, number = 7;
	FILE *wide;

	errno = ENOENT;
	ret = fprintf(stdout, "%m, %d%n, %s|%5.1f|%Lg\n", 1, &n, "two", 3.25,
		      4.5L);
	printf("%d %d %d\n", ret, n, errno);
	printf("%2$s %1$*3$d\n", 5, "five", 4);
	printf("%g %g %g %g %g %g %g %g %g %g %g %g %g %g %g %g %g\n", 1., 2.,
	       3., 4., 5., 6., 7., 8., 9., 10., 11., 12., 13., 14., 15., 16.,
	       17.);
	fflush(stdout);
	printf("%d\n", dprintf(1, "%s %d\n", "dprintf", 6));
	register_printf_specifier('Y', marked, takes_pointer);
	printf("%Y\n", &number);
	wide = fopen("wide", "w+");
	printf("%d\n", fwprintf(wide, L"%ls %d", L"wide", 8));
	rewind(wide);
	printf("%d", fwscanf(wide, L"%31s %d", text, &n));
	printf(" %s %d\n", text, n);
	errno = 0;
	printf("%d %d\n", fwscanf(wide, L"%d", &n), errno);
	fclose(wide);
	errno = 0;
	printf("%d", dprintf(-1, "nowhere"));
	printf(" %d\n", errno);
	return 0;
}

static int buffering(void)
{
	static char buf[64];

	setvbuf(stdout, buf, _IOFBF, sizeof(buf));
	printf("a");
	say("b");
	fflush(stdout);
	setvbuf(stdout, NULL, _IONBF, 0);
	printf("c");
	say("d");
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("e\nf");
	say("g");
	return 0;
}

const struct program stdio_programs[] = {
	{"commands", commands, false},
	{"pipes", pipes, false},
	{"memory", memory, false},
	{"own-kind", own_kind, false},
	{"closed", closed, false},
	{"locked", locked, false},
	{"lines", lines, false},
	{"errors", errors, false},
	{"positions", positions, false},
	{"forms", forms, false},
	{"buffering", buffering, false},
	{NULL, NULL, false},
};
