/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create_logfile_np: what comes, goes or changes between any two of
 * its system calls is looked at as what was there before; what is refused is
 * neither opened nor changed.
 */
#include "t/lib/proc.h"
#include "t/lib/step.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <trace.h>
#include <unistd.h>

#define OTHER 65533
#define OPENED_TREASURE 200

static ino_t treasure;

static void put_file(const char *path)
{
	close(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644));
}

static int make(struct proc *self, void *arg)
{
	struct stat st;
	int fd, err;

	(void)self;
	(void)arg;
	step_here();
	err = posix_trace_create_logfile_np("log", 0, &fd);
	step_here();
	if (err)
		return err;
	return fstat(fd, &st) == 0 && st.st_ino == treasure ? OPENED_TREASURE :
							      0;
}

struct race {
	const char *what;
	void (*begin)(void);
	void (*swap)(void);
	int refused; /* else it is made, whenever it comes */
};

static int made, refused, wrong;

static void count(const struct race *race, int result)
{
	struct stat st;

	if (stat("treasure", &st) || (st.st_mode & 0777) != 0644 ||
	    (result && result != race->refused)) {
		wrong++;
		diag("%s: %d", race->what, result);
	}
	made += result == 0;
	refused += result != 0;
}

/* Is there such a moment? */
static int one_round(const struct race *race, int moment)
{
	struct proc p;
	int n = 0;

	unlink("log");
	unlink("trap");
	unlink("treasure");
	put_file("treasure");
	if (race->begin)
		race->begin();
	proc_start(&p, make, NULL);
	if (!step_await(&p))
		skip_all("no ptrace(2)");
	while (n < moment && step_on(&p, PTRACE_SYSCALL))
		n++;
	if (n == moment)
		race->swap();
	count(race, step_finish(&p));
	return n == moment;
}

static void test(const struct race *race)
{
	int moment = 1;

	made = refused = wrong = 0;
	while (one_round(race, moment))
		moment++;
	ok(moment > 8 && made && wrong == 0 && !refused == !race->refused,
	   "%s, at any of %d moments", race->what, moment - 1);
}

static void is_there(void)
{
	put_file("log");
}

static void goes(void)
{
	unlink("log");
}

/* A second name of something else. */
static void name_comes(void)
{
	(void)!link("treasure", "log");
}

static void becomes_name(void)
{
	if (link("treasure", "trap") || rename("trap", "log"))
		diag("no link");
}

static void others_link_comes(void)
{
	if (symlink("treasure", "log") == 0)
		(void)!lchown("log", OTHER, OTHER);
}

static void becomes_others_link(void)
{
	if (symlink("treasure", "trap") || lchown("trap", OTHER, OTHER) ||
	    rename("trap", "log"))
		diag("no link");
}

static void becomes_others_pipe(void)
{
	if (mkfifo("trap", 0666) || chown("trap", OTHER, OTHER) ||
	    rename("trap", "log"))
		diag("no pipe");
}

static void becomes_others_file(void)
{
	put_file("trap");
	if (chown("trap", OTHER, OTHER) || rename("trap", "log"))
		diag("no file");
}

static const struct race own[] = {
	{"a file comes", NULL, is_there, 0},
	{"one goes", is_there, goes, 0},
	{"a second name comes", NULL, name_comes, EMLINK},
	{"a file becomes one", is_there, becomes_name, EMLINK},
};
static const struct race others[] = {
	{"another's link comes", NULL, others_link_comes, EPERM},
	{"a file becomes another's link", is_there, becomes_others_link, EPERM},
	{"... another's pipe", is_there, becomes_others_pipe, EPERM},
	{"... another's file", is_there, becomes_others_file, EPERM},
};

int main(void)
{
	char dir[] = "/tmp/ptrace-logfile.XXXXXX";

	if (under_valgrind() || under_tsan())
		skip_all("their system calls, too");
	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	one_round(&own[0], 0);
	plan(8);
	for (int i = 0; i < 4; i++)
		test(&own[i]);
	for (int i = 0; i < 4; i++)
		if (geteuid() == 0)
			test(&others[i]);
		else
			skip(1, "not root");
	if (chdir("/") == 0 && fork() == 0)
		execlp("rm", "rm", "-rf", dir, (char *)NULL);
	wait(NULL);
	return done();
}
