/* SPDX-License-Identifier: MIT */
#include "t/lib/proc.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEADLINE 100
#define MAX_FDS 256

/* Our ends of the pipes, so that a later child does not keep them open. */
static int parent_fds[MAX_FDS];
static int nr_parent_fds;

static void give_up(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(1);
}

void proc_deadline(unsigned int seconds)
{
	const char *longer = getenv("TAP_DEADLINE");

	/* Discards a pending signal: valgrind may deliver it later. */
	signal(SIGALRM, SIG_IGN);
	signal(SIGALRM, SIG_DFL);
	/* By t/lib/patience, which knows slow from hanging. */
	if (getenv("TAP_WATCHED"))
		return;
	alarm(longer ? (unsigned int)atoi(longer) : seconds);
}

static void remember_fd(int fd)
{
	if (nr_parent_fds < MAX_FDS)
		parent_fds[nr_parent_fds++] = fd;
}

static void close_fd(int fd)
{
	for (int i = 0; i < nr_parent_fds; i++)
		if (parent_fds[i] == fd)
			parent_fds[i--] = parent_fds[--nr_parent_fds];
	close(fd);
}

static void make_pipe(int fds[2])
{
	if (pipe(fds))
		give_up("pipe");
}

void proc_start(struct proc *p, int (*fn)(struct proc *self, void *arg),
		void *arg)
{
	pid_t parent = getpid();
	int down[2], up[2];

	make_pipe(down);
	make_pipe(up);
	fflush(NULL);
	p->pid = fork();
	if (p->pid < 0)
		give_up("fork");
	if (p->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(125);
		proc_deadline(DEADLINE);
		while (nr_parent_fds)
			close(parent_fds[--nr_parent_fds]);
		close(down[1]);
		close(up[0]);
		p->read_fd = down[0];
		p->write_fd = up[1];
		exit(fn(p, arg));
	}
	close(down[0]);
	close(up[1]);
	p->read_fd = up[0];
	p->write_fd = down[1];
	remember_fd(p->read_fd);
	remember_fd(p->write_fd);
}

int proc_as_first(struct proc *self, int (*fn)(struct proc *self, void *arg),
		  void *arg)
{
	int status = 0;
	pid_t pid;

	if (unshare(CLONE_NEWPID))
		return 77;
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(fn(self, arg));
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

struct first {
	int (*fn)(struct proc *self, void *arg);
	void *arg;
};

static int run_first(struct proc *self, void *arg)
{
	const struct first *first = arg;

	_exit(proc_as_first(self, first->fn, first->arg));
}

void proc_start_first(struct proc *p, int (*fn)(struct proc *self, void *arg),
		      void *arg)
{
	struct first first = {fn, arg};

	proc_start(p, run_first, &first);
}

int proc_send(struct proc *p, const void *data, size_t size)
{
	const char *next = data;
	struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
	ssize_t n = 0;

	sigaction(SIGPIPE, &ignore, &old);
	for (; size; next += n, size -= (size_t)n) {
		n = write(p->write_fd, next, size);
		if (n < 0 && errno == EINTR)
			n = 0;
		if (n < 0)
			break;
	}
	sigaction(SIGPIPE, &old, NULL);
	return n >= 0;
}

int proc_receive(struct proc *p, void *data, size_t size)
{
	char *next = data;
	ssize_t n;

	for (; size; next += n, size -= (size_t)n) {
		n = read(p->read_fd, next, size);
		if (n < 0 && errno == EINTR)
			n = 0;
		else if (n <= 0)
			return 0;
	}
	return 1;
}

void proc_tell(struct proc *p)
{
	proc_send(p, "", 1);
}

int proc_await(struct proc *p)
{
	char byte;

	return proc_receive(p, &byte, 1);
}

int proc_turn(struct proc *p)
{
	proc_tell(p);
	return proc_await(p);
}

int proc_wait(struct proc *p)
{
	int status;

	close_fd(p->write_fd);
	close_fd(p->read_fd);
	while (waitpid(p->pid, &status, 0) < 0)
		if (errno != EINTR)
			give_up("waitpid");
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
				     WEXITSTATUS(status);
}

int proc_kill(struct proc *p, int sig)
{
	kill(p->pid, sig);
	return proc_wait(p);
}

int proc_kill_at(struct proc *p, const _Atomic unsigned long *count,
		 unsigned long until, unsigned int spin)
{
	while (*count < until)
		sched_yield();
	for (volatile unsigned int n = 0; n < spin; n++)
		;
	return proc_kill(p, SIGKILL);
}

int proc_entries(const char *name)
{
	char path[64];
	DIR *dir;
	int n = 0;

	snprintf(path, sizeof(path), "/proc/self/%s", name);
	dir = opendir(path);
	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

void *proc_shared(void)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		give_up("mmap");
	return page;
}

void proc_exec(const struct proc *self, const char *path, const char *what)
{
	char read_fd[16], write_fd[16];

	snprintf(read_fd, sizeof(read_fd), "%d", self->read_fd);
	snprintf(write_fd, sizeof(write_fd), "%d", self->write_fd);
	execl(path, path, what, read_fd, write_fd, (char *)NULL);
}

struct proc proc_again(char **argv)
{
	return (struct proc){.read_fd = atoi(argv[2]),
			     .write_fd = atoi(argv[3])};
}
