/* SPDX-License-Identifier: MIT */
/* Programs that execute others, or fail to. */
#include "t/table/table.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char word_victim[] = "victim", word_again[] = "=", word_env[] = "env";
static char word_signals[] = "signals", word_fds[] = "fds";
static char *const argv_env[] = {word_victim, word_again, word_env, NULL};
static char *const argv_signals[] = {word_victim, word_again, word_signals,
				     NULL};
static char *const argv_fds[] = {word_victim, word_again, word_fds, NULL};
static char variable[] = "A=1", variable_b[] = "B=two words";
static char *const some_environment[] = {variable, variable_b, NULL};
static char *const no_environment[] = {NULL};

static int failed(const char *what)
{
	said(what, -1);
	return 9;
}

static int do_execv(void)
{
	execv(self, argv_env);
	return failed("execv");
}

static int do_execve(void)
{
	execve(self, argv_env, some_environment);
	return failed("execve");
}

static int do_execve_empty(void)
{
	execve(self, argv_env, no_environment);
	return failed("execve");
}

static int do_execve_null(void)
{
	execve(self, argv_env, NULL);
	return failed("execve");
}

static int do_execl(void)
{
	execl(self, "victim", "=", "one", "", "three words", (char *)NULL);
	return failed("execl");
}

static int do_execle(void)
{
	execle(self, "victim", "=", "env", "x", (char *)NULL, some_environment);
	return failed("execle");
}

static int do_execlp(void)
{
	execlp("sh", "sh", "-c", "exit 21", (char *)NULL);
	return failed("execlp");
}

static int do_execvpe(void)
{
	execvpe(self, argv_env, some_environment);
	return failed("execvpe");
}

static int do_fexecve(void)
{
	fexecve(open(self, O_RDONLY | O_CLOEXEC), argv_env, some_environment);
	return failed("fexecve");
}

static int do_execveat(void)
{
	execveat(open(self, O_PATH), "", argv_env, some_environment,
		 AT_EMPTY_PATH);
	return failed("execveat");
}

static int do_bare(void)
{
	syscall(SYS_execve, self, argv_env, some_environment);
	return failed("syscall");
}

static int do_proc(void)
{
	execve("/proc/self/exe", argv_env, environ);
	return failed("/proc/self/exe");
}

static int do_vfork(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		execve(self, argv_env, some_environment);
		_exit(9);
	}
	say_end("grandchild", pid);
	return 0;
}

static int environments(void)
{
	clearenv();
	setenv("ONLY", "this", 1);
	try_child("execv", do_execv);
	try_child("execve", do_execve);
	try_child("execve, empty", do_execve_empty);
	try_child("execve, null", do_execve_null);
	try_child("execle", do_execle);
	try_child("execvpe", do_execvpe);
	try_child("vfork", do_vfork);
	return 0;
}

static int ways(void)
{
	try_child("execl", do_execl);
	try_child("execlp", do_execlp);
	try_child("fexecve", do_fexecve);
	try_child("execveat", do_execveat);
	try_child("syscall", do_bare);
	try_child("/proc/self/exe", do_proc);
	return 0;
}

static int do_no_arguments(void)
{
	execve(self, NULL, no_environment);
	return failed("execve");
}

static int do_no_words(void)
{
	execve(self, (char *const[]){NULL}, NULL);
	return failed("execve");
}

static int no_arguments(void)
{
	try_child("null", do_no_arguments);
	try_child("empty", do_no_words);
	return 0;
}

static void make(const char *path, const char *text, mode_t mode)
{
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0700);

	if (write(fd, text, strlen(text)) < 0)
		exit(1);
	fchmod(fd, mode);
	close(fd);
}

static void fails(const char *path)
{
	char *const argv[] = {word_victim, NULL};

	said(path, execv(path, argv));
	said(path, execvp(path, argv));
	said(path, execve(path, argv, some_environment));
	said(path, syscall(SYS_execve, path, argv, some_environment));
}

static int errors(void)
{
	char *const argv[] = {word_victim, NULL};
	char name[300];

	memset(name, 'x', sizeof(name));
	name[299] = '\0';
	make("plain", "text", 0600);
	make("no-interpreter", "#!/no/such/thing\n", 0700);
	make("empty-interpreter", "#!\n", 0600);
	symlink("loop", "loop");
	fails("/no/such/program");
	fails("./plain");
	fails("./plain/x");
	fails("./loop");
	fails("./no-interpreter");
	fails("/");
	fails("");
	fails(name);
	said("execve(NULL)", execve(NULL, argv, some_environment));
	said("fexecve", fexecve(-1, argv, some_environment));
	said("fexecve", fexecve(0, argv, some_environment));
	said("execveat", execveat(-1, "x", argv, some_environment, 0));
	said("execveat", execveat(AT_FDCWD, "x", argv, some_environment, 99));
	said("no match", execvp("no-such-program", argv));
	setenv("PATH", "/no:/such", 1);
	said("no place", execvp("sh", argv));
	setenv("PATH", "", 1);
	said("plain", execvp("plain", argv));
	unsetenv("PATH");
	said("unset", execvp("no-such-program", argv));
	try_child("still here", do_execlp);
	return 0;
}

static int busy(void)
{
	char *const argv[] = {word_victim, NULL};
	int fd;

	make("busy", "#!/bin/sh\nexit 3\n", 0700);
	fd = open("busy", O_WRONLY);
	said("written to", execv("./busy", argv));
	close(fd);
	make("directory-in-path", "exit 5\n", 0700);
	/* No "#!": execvp() gives it to a shell, execv() does not. */
	said("execv", execv("./directory-in-path", argv));
	setenv("PATH", ".:/bin", 1);
	execvp("directory-in-path", argv);
	return failed("execvp");
}

static int scripts(void)
{
	char text[5000];

	snprintf(text, sizeof(text), "#!%s =\n", self);
	make("script", text, 0700);
	make("script2", "#!./script option words\n", 0700);
	say_status("script", system("./script a b"));
	say_status("script2", system("./script2 a b"));
	execl("./script2", "x", "y", (char *)NULL);
	return failed("execl");
}

static int do_large_variable(void)
{
	size_t size = 100000;
	char *text = malloc(size + 1);

	memset(text, 'x', size);
	memcpy(text, "LARGE=", 6);
	text[size] = '\0';
	execve(self, argv_env, (char *const[]){text, variable, NULL});
	return failed("large");
}

static int do_many_variables(void)
{
	static char *many[5001], names[5000][16];

	for (int i = 0; i < 5000; i++) {
		snprintf(names[i], sizeof(names[i]), "V%d=%d", i, i);
		many[i] = names[i];
	}
	execve(self, argv_env, many);
	return failed("many");
}

static int do_many_words(void)
{
	static char *many[6001];

	many[0] = word_victim;
	many[1] = word_again;
	for (int i = 2; i < 6000; i++)
		many[i] = variable;
	execve(self, many, some_environment);
	return failed("many words");
}

static int do_too_many(void)
{
	static char large[131072];
	static char *many[101];

	memset(large, 'x', sizeof(large) - 1);
	for (int i = 0; i < 100; i++)
		many[i] = large;
	execve(self, many, some_environment);
	said("words", -1);
	execve(self, argv_env, many);
	return failed("variables");
}

static int sizes(void)
{
	try_child("large variable", do_large_variable);
	try_child("many variables", do_many_variables);
	try_child("many words", do_many_words);
	try_child("too many", do_too_many);
	return 0;
}

static void handle(int sig)
{
	(void)sig;
}

/* What survives, and what does not. */
static int inherited(void)
{
	sigset_t set;

	on_signal(SIGUSR1, handle);
	signal(SIGUSR2, SIG_IGN);
	signal(SIGCHLD, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGRTMIN + 1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGHUP);
	execv(self, argv_signals);
	return failed("execv");
}

static int descriptors(void)
{
	dup2(open("/dev/null", O_RDONLY), 10);
	dup3(0, 11, O_CLOEXEC);
	fcntl(0, F_DUPFD, 500);
	execv(self, argv_fds);
	return failed("execv");
}

static int do_closed(void)
{
	/* Its words go nowhere. */
	execl("/bin/sh", "sh", "-c", "exec <&- >&- 2>&-; exec \"$0\" = x", self,
	      (char *)NULL);
	return failed("execl");
}

static int closed(void)
{
	try_child("all closed", do_closed);
	close(0);
	close(2);
	execv(self, argv_fds);
	return failed("execv");
}

static void *execute(void *arg)
{
	execv(self, argv_signals);
	return arg;
}

static void *wait_long(void *arg)
{
	pause();
	return arg;
}

static int thread(void)
{
	pthread_t thread;

	for (int i = 0; i < 3; i++)
		pthread_create(&thread, NULL, wait_long, NULL);
	pthread_create(&thread, NULL, execute, NULL);
	pthread_join(thread, NULL);
	return failed("execv");
}

static void execute_here(int sig)
{
	(void)sig;
	execv(self, argv_signals);
}

static int handler(void)
{
	on_signal(SIGUSR1, execute_here);
	raise(SIGUSR1);
	return failed("execv");
}

static int preloads(void)
{
	char text[4096];
	const char *old = getenv("LD_PRELOAD");

	setenv("LD_PRELOAD", "libm.so.6", 1);
	try_child("replaced", do_execv);
	snprintf(text, sizeof(text), "%s%slibm.so.6", old ? old : "",
		 old ? ":" : "");
	setenv("LD_PRELOAD", text, 1);
	try_child("appended", do_execv);
	unsetenv("LD_PRELOAD");
	try_child("unset", do_execv);
	putenv(strcpy(text, "LD_PRELOAD="));
	try_child("empty", do_execv);
	return 0;
}

static int no_environ(void)
{
	environ = NULL;
	try_child("execv", do_execv);
	try_child("execlp", do_execlp);
	say_status("system", system("exit 3"));
	say("getenv: %d", getenv("PATH") != NULL);
	clearenv();
	say_status("system", system("exit 4"));
	say_status("popen", pclose(popen("exit 5", "r")));
	say("variables: %d", environ && environ[0]);
	return 0;
}

static int spawn(const char *what, const posix_spawn_file_actions_t *actions,
		 const posix_spawnattr_t *attr, char *const env[])
{
	pid_t pid = -1;
	int error = posix_spawn(&pid, self, actions, attr, argv_env, env);

	if (error == 0)
		say_end(what, pid);
	say_error(what, error);
	return error;
}

static int spawns(void)
{
	char *const argv[] = {word_victim, NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t set;
	pid_t pid;

	spawn("no environment", NULL, NULL, NULL);
	spawn("some", NULL, NULL, some_environment);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 5, "/no/such", O_RDONLY, 0);
	spawn("bad action", &actions, NULL, some_environment);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK |
						POSIX_SPAWN_SETSIGDEF |
						POSIX_SPAWN_SETPGROUP);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	posix_spawnattr_setsigmask(&attr, &set);
	posix_spawnattr_setsigdefault(&attr, &set);
	if (posix_spawn(&pid, self, NULL, &attr, argv_signals, environ) == 0)
		say_end("signals", pid);
	say_error("not there",
		  posix_spawn(&pid, "/no/such", NULL, NULL, argv, environ));
	say_error("not there",
		  posix_spawnp(&pid, "no-such", NULL, NULL, argv, environ));
	said("no more", wait(NULL));
	return 0;
}

static int limited(void)
{
	struct rlimit limit = {1 << 20, 1 << 20};

	setrlimit(RLIMIT_STACK, &limit);
	try_child("small stack", do_many_words);
	try_child("small stack", do_execv);
	return 0;
}

const struct program exec_programs[] = {
	{"ways", ways, false},
	{"environments", environments, false},
	{"no-arguments", no_arguments, false},
	{"errors", errors, false},
	{"busy", busy, false},
	{"scripts", scripts, false},
	{"sizes", sizes, false},
	{"inherited", inherited, false},
	{"descriptors", descriptors, false},
	{"closed", closed, false},
	{"thread", thread, false},
	{"handler", handler, false},
	{"preloads", preloads, false},
	{"no-environ", no_environ, false},
	{"spawns", spawns, false},
	{"limited", limited, false},
	{NULL, NULL, false},
};
