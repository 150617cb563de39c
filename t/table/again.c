/* SPDX-License-Identifier: MIT */
/* What a program that was executed can see of what it was given. */
#include "t/table/again.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "t/table/table.h"

/* What tracing adds, and what a shell does. */
static bool is_ours(const char *variable)
{
	return strncmp(variable, "PTRACE_", 7) == 0 ||
	       strncmp(variable, "ASAN_OPTIONS=", 13) == 0 ||
	       strncmp(variable, "LD_BIND_NOW=", 12) == 0 ||
	       strncmp(variable, "PWD=", 4) == 0 ||
	       strncmp(variable, "OLDPWD=", 7) == 0 ||
	       strncmp(variable, "_=", 2) == 0;
}

/* LD_PRELOAD without libptrace.so, if something is left of it. */
static void say_preload(const char *value)
{
	char line[256] = "";

	while (*value) {
		size_t size = strcspn(value, " :");

		if (!memmem(value, size, "libptrace", 9))
			snprintf(line + strlen(line),
				 sizeof(line) - strlen(line), " %.*s",
				 (int)size, value);
		value += size + (value[size] != '\0');
	}
	if (line[0])
		say("preload:%s", line);
}

static void say_environment(void)
{
	int nr = 0;

	for (char **p = environ; p && *p; p++) {
		if (strncmp(*p, "LD_PRELOAD=", 11) == 0)
			say_preload(*p + 11);
		else if (!is_ours(*p) && ++nr < 40)
			say("environment: %.60s, %zu bytes", *p, strlen(*p));
	}
	say("%d variables", nr);
}

static void say_signals(void)
{
	struct sigaction action;
	sigset_t mask, pending;

	sigprocmask(SIG_BLOCK, NULL, &mask);
	sigpending(&pending);
	for (int sig = 1; sig < 65; sig++) {
		if (sigaction(sig, NULL, &action) != 0)
			continue;
		if (sigismember(&mask, sig))
			say("blocked: %d", sig);
		if (sigismember(&pending, sig))
			say("pending: %d", sig);
		if (action.sa_handler == SIG_IGN)
			say("ignored: %d", sig);
		else if (action.sa_handler != SIG_DFL)
			say("caught: %d", sig);
	}
}

static void say_descriptors(void)
{
	for (int fd = 0; fd < 1024; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			say("open: %d", fd);
}

int be_again(int argc, char **argv)
{
	say("%d words", argc);
	for (int i = 2; i < argc && i < 20; i++) {
		if (strcmp(argv[i], "env") == 0)
			say_environment();
		else if (strcmp(argv[i], "signals") == 0)
			say_signals();
		else if (strcmp(argv[i], "fds") == 0)
			say_descriptors();
		else
			say("word: %s", argv[i]);
	}
	return argc;
}
