/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create: a user may trace a process that the user may send a
 * signal to, except a program that is root by set-user-ID; otherwise EPERM.
 * Runs only as root.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define A 65534
#define B 65533

struct ids {
	uid_t real, effective;
};

static char *path;

/* Real and effective ids; exec makes the saved one the effective one. */
static void become(const struct ids *ids)
{
	if (setgroups(0, NULL) || setresgid(A, A, A) ||
	    setresuid(ids->real, ids->effective, ids->effective))
		_exit(125);
}

static int victim(char **argv)
{
	struct proc p = proc_again(argv);

	proc_turn(&p);
	return 0;
}

static int start_victim(struct proc *self, void *arg)
{
	become(arg);
	proc_exec(self, path, "victim");
	return 126;
}

struct attempt {
	struct ids ids;
	pid_t pid;
	int new_image;
};

/* 0 if create says as kill() does, and 100 + what it says if not. */
static int attempt(pid_t pid)
{
	int want = kill(pid, 0) ? errno : 0;
	trace_id_t trid;
	int err = posix_trace_create(pid, NULL, &trid);

	if (!err && (posix_trace_start(trid) || posix_trace_shutdown(trid)))
		return 99;
	return err == want ? 0 : 100 + err;
}

static int start_attempt(struct proc *self, void *arg)
{
	struct attempt *a = arg;
	char pid[16];

	(void)self;
	become(&a->ids);
	if (!a->new_image)
		return attempt(a->pid);
	snprintf(pid, sizeof(pid), "%d", (int)a->pid);
	execl(path, path, "attempt", pid, (char *)NULL);
	return 126;
}

static int try(struct ids ids, pid_t pid, int new_image)
{
	struct attempt a = {ids, pid, new_image};
	struct proc p;

	proc_start(&p, start_attempt, &a);
	return proc_wait(&p);
}

static const struct {
	struct ids caller, target;
	const char *what;
} cases[] = {
	{{A, A}, {A, A}, "[privilege.6] his own"},
	{{A, A}, {B, B}, "[privilege.1] another's"},
	{{A, A}, {0, 0}, "[privilege.1] root's"},
	{{0, 0}, {A, A}, "[privilege.4] root a user's"},
	{{0, 0}, {0, 0}, "[privilege.4] root root's"},
};

static void check_case(unsigned int i)
{
	struct ids target = cases[i].target;
	struct proc p;

	proc_start(&p, start_victim, &target);
	if (!proc_await(&p)) {
		skip(2, "the tree is closed to others");
		proc_wait(&p);
		return;
	}
	is_int(try(cases[i].caller, p.pid, 1), 0, "%s", cases[i].what);
	is_int(try(cases[i].caller, p.pid, 0), 0, "%s, the image forked",
	       cases[i].what);
	proc_tell(&p);
	proc_wait(&p);
}

/*
 * A program without the library: exec of one with two ids would not find it.
 * It reads until *fd is closed.
 */
static pid_t start_cat(const char *name, const struct ids *ids, int *fd)
{
	int pipes[2], until_exec[2];
	char none;
	pid_t pid;

	pipe(pipes);
	pipe2(until_exec, O_CLOEXEC);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		become(ids);
		dup2(pipes[0], 0);
		close(pipes[0]);
		close(pipes[1]);
		execl(name, name, (char *)NULL);
		_exit(127);
	}
	close(pipes[0]);
	*fd = pipes[1];
	/* Not in become(), where threads of a sanitizer are waited for. */
	close(until_exec[1]);
	read(until_exec[0], &none, 1);
	close(until_exec[0]);
	thread_await_sleep(pid);
	return pid;
}

/* What belongs to root and is set-user-ID, run by a user. */
static pid_t start_setuid(int *fd)
{
	char name[] = "/tmp/ptl-suid-XXXXXX", buf[65536];
	int from = open("/bin/cat", O_RDONLY), to = mkstemp(name);
	const struct ids ids = {A, A};
	ssize_t n;
	pid_t pid;

	while ((n = read(from, buf, sizeof(buf))) > 0)
		if (write(to, buf, (size_t)n) != n)
			break;
	fchmod(to, 04755);
	close(from);
	close(to);
	pid = start_cat(name, &ids, fd);
	unlink(name);
	return pid;
}

static const struct {
	struct ids caller, target;
	const char *what;
} two_ids[] = {
	{{A, B}, {A, A}, "the caller's real id"},
	{{B, A}, {A, A}, "the caller's effective id"},
	{{A, A}, {B, A}, "the target's saved id"},
	{{A, B}, {B, B}, "the caller's effective id, once more"},
};

static void check_two_ids(unsigned int i)
{
	int fd = -1;
	pid_t pid = start_cat("/bin/cat", &two_ids[i].target, &fd);
	int got;

	/* What is asked for beyond kill() is ours to say: EPERM is no fault,
	 * where neither effective id is the other's. */
	got = try(two_ids[i].caller, pid, 0);
	ok(got == 0 ||
		   (got == 100 + EPERM &&
		    two_ids[i].caller.effective != two_ids[i].target.effective),
	   "[privilege.3] %s: %d", two_ids[i].what, got);
	close(fd);
	waitpid(pid, NULL, 0);
}

static int effective_uid(pid_t pid)
{
	char name[64], line[256];
	int real, effective = -1;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/status", (int)pid);
	file = fopen(name, "r");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "Uid: %d %d", &real, &effective) == 2)
			break;
	if (file)
		fclose(file);
	return effective;
}

static void check_setuid(void)
{
	int fd = -1;
	pid_t pid = start_setuid(&fd);

	if (effective_uid(pid) != 0) {
		skip(2, "no set-user-ID there");
	} else {
		/* kill() says yes to these. */
		is_int(try((struct ids){A, A}, pid, 1), 100 + EPERM,
		       "[privilege.2] root by set-user-ID");
		is_int(try((struct ids){A, A}, pid, 0), 100 + EPERM,
		       "[privilege.2] the same, the image forked");
	}
	close(fd);
	waitpid(pid, NULL, 0);
}

int main(int argc, char **argv)
{
	path = argv[0];
	if (argc > 3 && strcmp(argv[1], "victim") == 0)
		return victim(argv);
	if (argc > 2 && strcmp(argv[1], "attempt") == 0)
		return attempt(atoi(argv[2]));
	no_sanitizer();
	if (geteuid() != 0)
		skip_all("not root: nobody to change into");
	private_shm(argv);
	plan(2 * sizeof(cases) / sizeof(cases[0]) +
	     sizeof(two_ids) / sizeof(two_ids[0]) + 2);
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_case(i);
	for (unsigned int i = 0; i < sizeof(two_ids) / sizeof(two_ids[0]); i++)
		check_two_ids(i);
	check_setuid();
	return done();
}
