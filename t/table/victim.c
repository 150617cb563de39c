/* SPDX-License-Identifier: MIT */
/*
 * victim: prints the names of the families.  victim FAMILY: those of its
 * programs.  victim FAMILY PROGRAM: is that program.  victim = WORD...: what
 * the programs of t/table/exec.c execute.  Not linked with libptrace.
 */
#include "t/table/table.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "t/table/again.h"

char self[4096];

static const struct family families[] = {
	{"cancel", cancel_programs},
	{"clone", clone_programs},
	{"credentials", credentials_programs},
	{"dl", dl_programs},
	{"eintr", eintr_programs},
	{"exec", exec_programs},
	{"exit", exit_programs},
	{"fd", fd_programs},
	{"fork", fork_programs},
	{"ipc", ipc_programs},
	{"library", library_programs},
	{"limit", limit_programs},
	{"memory", memory_programs},
	{"namespace", namespace_programs},
	{"prctl", prctl_programs},
	{"process", process_programs},
	{"registers", registers_programs},
	{"signal", signal_programs},
	{"socket", socket_programs},
	{"stack", stack_programs},
	{"stdio", stdio_programs},
	{"sync", sync_programs},
	{"thread", thread_programs},
	{"time", time_programs},
	{"tls", tls_programs},
	{NULL, NULL},
};

void say(const char *format, ...)
{
	char line[1024];
	va_list args;
	int size;

	va_start(args, format);
	size = vsnprintf(line, sizeof(line) - 1, format, args);
	va_end(args);
	if (size > (int)sizeof(line) - 2)
		size = sizeof(line) - 2;
	line[size++] = '\n';
	if (write(1, line, (size_t)size) != size)
		_exit(99);
}

void say_error(const char *what, int error)
{
	const char *name = strerrorname_np(error);

	say("%s: %s", what, error == 0 ? "no error" : name ? name : "?");
}

void said(const char *what, long got)
{
	if (got == -1)
		say_error(what, errno);
	else
		say("%s: %ld", what, got);
}

void say_status(const char *what, int status)
{
	if (WIFEXITED(status))
		say("%s: exit %d", what, WEXITSTATUS(status));
	else if (WIFSIGNALED(status))
		say("%s: signal %d", what, WTERMSIG(status));
	else if (WIFSTOPPED(status))
		say("%s: stopped by %d", what, WSTOPSIG(status));
	else
		say("%s: status %x", what, (unsigned int)status);
}

void say_end(const char *what, pid_t pid)
{
	int status = 0;

	if (pid < 0) {
		said(what, -1);
		return;
	}
	while (waitpid(pid, &status, __WALL) < 0) {
		if (errno != EINTR) {
			said(what, -1);
			return;
		}
	}
	say_status(what, status);
}

pid_t start(int (*fn)(void))
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(fn());
	return pid;
}

void try_child(const char *what, int (*fn)(void))
{
	say_end(what, start(fn));
}

void on_signal(int sig, void (*handler)(int))
{
	struct sigaction action = {.sa_handler = handler};

	sigaction(sig, &action, NULL);
}

int count_entries(const char *path)
{
	DIR *dir = opendir(path);
	int nr = 0;

	if (!dir)
		return -1;
	for (struct dirent *entry; (entry = readdir(dir));)
		nr += entry->d_name[0] != '.';
	closedir(dir);
	return nr;
}

static const struct program *find(const char *family, const char *name)
{
	const struct family *f = families;
	const struct program *p;

	while (f->name && strcmp(f->name, family) != 0)
		f++;
	if (!f->name)
		return NULL;
	for (p = f->programs; p->name; p++) {
		if (!name)
			puts(p->name);
		else if (strcmp(p->name, name) == 0)
			return p;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	const struct program *program;

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		self[0] = '\0';
	if (argc > 0 && argc < 2) {
		for (const struct family *f = families; f->name; f++)
			puts(f->name);
		return 0;
	}
	if (argc == 0 || strcmp(argv[1], "=") == 0)
		return be_again(argc, argv);
	program = find(argv[1], argv[2]);
	if (!program)
		return argc == 2 ? 0 : 98;
	if (program->needs_root && geteuid() != 0) {
		say("needs root");
		return 0;
	}
	return program->run();
}
