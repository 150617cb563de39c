/* SPDX-License-Identifier: MIT */
/* See run.h. */
#include "tools/monitor/trigger/run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/lib/fds.h"

static void set_number(const char *name, long long number)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", number);
	setenv(name, text, 1);
}

static void set_environment(const struct ptl_run_subject *subject)
{
	const struct ptl_looked *cause = subject->cause;

	setenv("PTRACE_LOG", subject->log, 1);
	setenv("PTRACE_WHEN", subject->when, 1);
	setenv("PTRACE_EVENT", cause->event, 1);
	set_number("PTRACE_PID", cause->pid);
	set_number("PTRACE_TID", cause->tid);
	set_number("PTRACE_TRIGGER", cause->trigger + 1);
	if (subject->snapshot != NULL)
		setenv("PTRACE_SNAPSHOT", subject->snapshot, 1);
}

static void __attribute__((noreturn))
be_command(const struct ptl_triggers *triggers,
	   const struct ptl_run_subject *subject, const char *command)
{
	sigset_t none;

	setsid();
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	ptl_fds_keep(NULL, 0);
	if (triggers->directory != NULL && chdir(triggers->directory) != 0)
		_exit(126);
	environ = (char **)(uintptr_t)triggers->env;
	set_environment(subject);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* The command is init's child, as what helps the controller. */
void ptl_run_command(const struct ptl_triggers *triggers,
		     const struct ptl_run_subject *subject, const char *command)
{
	pid_t middle = fork();

	if (middle == 0) {
		if (fork() == 0)
			be_command(triggers, subject, command);
		_exit(0);
	}
	while (middle > 0 && waitpid(middle, NULL, 0) < 0 && errno == EINTR)
		;
}

/* Of a.ptlog the a. */
static int stem_of(const char *log)
{
	static const char suffix[] = ".ptlog";
	size_t size = strlen(log), own = sizeof(suffix) - 1;

	return (int)(size > own && strcmp(log + size - own, suffix) == 0 ?
			     size - own :
			     size);
}

char *ptl_run_path(const char *name, const char *log, const char *directory,
		   unsigned int number)
{
	const char *mark = name != NULL ? strstr(name, "%n") : NULL;
	bool is_relative = name != NULL && *name != '/' && directory != NULL;
	const char *from = is_relative ? directory : "";
	const char *slash = is_relative ? "/" : "";
	char *path;
	int size;

	if (name == NULL)
		size = asprintf(&path, "%.*s.%u.ptlog", stem_of(log), log,
				number);
	else if (mark == NULL)
		size = asprintf(&path, "%s%s%s", from, slash, name);
	else
		size = asprintf(&path, "%s%s%.*s%u%s", from, slash,
				(int)(mark - name), name, number, mark + 2);
	return size < 0 ? NULL : path;
}
