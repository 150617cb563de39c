/* SPDX-License-Identifier: MIT */
/*
 * deaths SECONDS [SEED]: what `make stress' runs after stress.  Exit status 1
 * if anything was wrong, 77 if there are no namespaces.  In brief (-b): with no
 * wait for programs that do not come; their entries may be left.
 */
#include "t/stress/deaths/deaths.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NS_OF_S UINT64_C(1000000000)
/* What core/README says: a program that does not come is waited for. */
#define EXEC_NS (10 * NS_OF_S + NS_OF_S / 2)
#define ROUND_NS (15 * NS_OF_S)
#define NR_WORLDS 4
#define NR_ELDERS 3

static uint64_t main_random;
static pid_t elder[NR_ELDERS];
static uint32_t judged_to;

/* ---- the traces that live as long as the program ------------------- */

/* Its own controller, whose children are a guest and others. */
static pid_t elder_controller(uint32_t trace)
{
	struct dt_task task = {.random = dt_random(&main_random),
			       .world = DT_NONE,
			       .trace = {trace, DT_NONE}};
	trace_attr_t attr;
	trace_id_t trid;
	char path[96];
	pid_t pid = fork();
	int fd;

	if (pid)
		return pid;
	dt_trace_log(trace, path, sizeof(path));
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	posix_trace_attr_init(&attr);
	posix_trace_attr_setlogfullpolicy(&attr, POSIX_TRACE_APPEND);
	posix_trace_attr_setinherited(&attr, POSIX_TRACE_INHERITED);
	if (posix_trace_create_withlog(0, &attr, fd, &trid) ||
	    posix_trace_start(trid))
		dt_wrong("no elder");
	for (int i = 0; i < 2; i++)
		if (fork() == 0) {
			task.random += (uint64_t)i;
			if (i && dt->users &&
			    setresuid(DT_GUEST, DT_GUEST, DT_GUEST) == 0)
				dt_exec("elder", &task);
			dt_elder(task);
		}
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
	exit(posix_trace_shutdown(trid));
}

static void begin_elders(void)
{
	for (int i = 0; i < NR_ELDERS; i++) {
		uint32_t trace = dt_trace_new(DT_NONE);

		elder[i] = i == 0 ? dt_world_run(trace, "elder", 1) :
			   i == 1 ? dt_world_calm(2, trace) :
				    elder_controller(trace);
	}
	judged_to = NR_ELDERS;
}

/* ---- judging -------------------------------------------------------- */

/* In a process of its own, as the user whose log it is, or as root. */
static void judge(uint32_t trace)
{
	uint32_t uid = dt->trace[trace].uid;
	int as_user = dt->users && dt_below(&main_random, 2), status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		if (as_user && uid != geteuid() && setresuid(uid, uid, uid))
			_exit(0);
		_exit(dt_judge(trace) != 0);
	}
	waitpid(pid, &status, 0);
	if (WIFSIGNALED(status))
		dt_wrong("trace %u: judging it ends by signal %d", trace,
			 WTERMSIG(status));
	dt->trace[trace].judged = status ? DT_WRONG : DT_RIGHT;
}

/* Not before everything was looked through: a log that another user recovered
 * in a copy is still to be completed, and that of a stream whose log is gone is
 * kept for a while. */
static void remove_right(void)
{
	for (uint32_t i = 0; i < dt->nr_traces && i < DT_TRACES; i++) {
		char path[96];

		if (dt->trace[i].judged != DT_RIGHT)
			continue;
		dt->trace[i].judged = DT_REMOVED;
		dt_trace_log(i, path, sizeof(path));
		unlink(path);
	}
}

/* Can we see the streams of those who made it?  Those who call themselves root
 * in a user namespace have a directory that is nobody's to us. */
static int can_recover(uint32_t trace)
{
	return dt->users || dt->trace[trace].uid == geteuid();
}

/* Before a use, which recovers all, or after it. */
static void judge_some(int before)
{
	for (uint32_t i = judged_to; i < dt->nr_traces && i < DT_TRACES; i++)
		if (!dt->trace[i].judged &&
		    (!before || (can_recover(i) && dt_below(&main_random, 2))))
			judge(i);
}

/* ---- nothing is left ------------------------------------------------ */

static void use_as(uid_t uid, int elsewhere)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (elsewhere && unshare(CLONE_NEWPID) == 0) {
			pid = fork();
			if (pid) {
				waitpid(pid, &status, 0);
				_exit(WEXITSTATUS(status));
			}
		}
		if (uid != geteuid() &&
		    (uid ? setresuid(uid, uid, uid) : dt_world_be_root()))
			_exit(0);
		/* By exec: see libptrace(7). */
		execl(dt->self, dt->self, "use", NULL);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	if (status)
		dt_wrong("a use of user %u: %x", uid, (unsigned int)status);
}

static void check_left(void)
{
	int n, elsewhere = dt_below(&main_random, 2) != 0;
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	dt->used = (uint64_t)now.tv_sec * NS_OF_S + (uint64_t)now.tv_nsec;
	dt_left_age();
	if (dt->users)
		use_as(DT_GUEST, elsewhere);
	use_as(geteuid(), elsewhere);
	/* That of the worlds, who call themselves so. */
	if (!dt->users)
		use_as(0, elsewhere);
	n = dt_left();
	if (n)
		dt_wrong("%d things are left after a use from %s", n,
			 elsewhere ? "another pid namespace" : "ours");
}

/* ---- rounds --------------------------------------------------------- */

static void one_round(uint64_t until)
{
	pid_t world[NR_WORLDS] = {0};
	uint64_t patience = until + 60 * NS_OF_S;
	int live = 1;

	while (live || dt_now() < until) {
		pid_t pid = waitpid(-1, NULL, WNOHANG);

		live = 0;
		for (int i = 0; i < NR_WORLDS; i++) {
			if (world[i] && pid == world[i])
				world[i] = 0;
			if (!world[i] && dt_now() < until && !dt->failed)
				world[i] = dt_world_start(
					dt_random(&main_random), DT_NONE);
			live |= world[i] != 0;
		}
		for (int i = 0; i < NR_ELDERS; i++)
			if (pid == elder[i])
				dt_wrong("elder %d is gone", i);
		if (pid <= 0)
			dt_nap(&main_random, 20000);
		if (dt_now() > patience) {
			dt_wrong("a world does not end");
			return;
		}
	}
}

static void tell(const char *when)
{
	struct dt_count *n = &dt->count;

	fprintf(stderr,
		"# deaths: %s: %llu worlds (%llu killed whole), %llu traces "
		"(%llu in traces), %llu kills, %u writers, %llu guests, "
		"%llu uses, %llu pids again; judged %llu logs (%llu lossy, "
		"%llu doomed), %llu events\n",
		when, (unsigned long long)n->worlds,
		(unsigned long long)n->worlds_killed,
		(unsigned long long)n->traces, (unsigned long long)n->inner,
		(unsigned long long)n->kills, dt->nr_writers,
		(unsigned long long)n->guests, (unsigned long long)n->uses,
		(unsigned long long)n->reused, (unsigned long long)n->judged,
		(unsigned long long)n->lossy, (unsigned long long)n->doomed,
		(unsigned long long)n->sure);
}

static void end_elders(void)
{
	uint64_t zero = 0, patience = dt_now() + 30 * NS_OF_S;

	dt->stop = 1;
	for (int i = 0; i < NR_ELDERS; i++)
		waitpid(elder[i], NULL, 0);
	for (uint32_t i = 0; i < NR_ELDERS; i++) {
		while (!dt_judge_complete(i) && dt_now() < patience)
			dt_nap(&zero, 20000);
		if (!dt_judge_complete(i))
			dt_wrong("trace %u does not end", i);
		judge(i);
	}
}

static int run(unsigned int seconds)
{
	uint64_t end = dt_now() + seconds * NS_OF_S, until, died;

	begin_elders();
	do {
		until = dt_now() + ROUND_NS;
		one_round(until < end ? until : end);
		died = dt_now();
		judge_some(1);
		/* What execs is waited for. */
		while (!dt->brief && dt_now() < died + EXEC_NS)
			dt_nap(&main_random, 100000);
		check_left();
		judge_some(0);
		remove_right();
		judged_to = dt->nr_traces;
		tell("so far");
	} while (!dt->failed && dt_now() < end);
	end_elders();
	check_left();
	remove_right();
	tell("all");
	if (dt->failed)
		fprintf(stderr,
			"# deaths: FAILED; again with SEED=%llu; logs "
			"are in %s\n",
			(unsigned long long)dt->seed, dt->dir);
	return dt->failed != 0;
}

/* ---- a machine of its own ------------------------------------------- */

static int write_map(const char *path, unsigned int id)
{
	char text[40];
	int fd = open(path, O_WRONLY | O_CLOEXEC), n, err;

	n = snprintf(text, sizeof(text), "%u %u 1", id, id);
	err = fd < 0 || write(fd, text, (size_t)n) != n;
	close(fd);
	return err;
}

static int make_machine(void)
{
	unsigned int uid = geteuid(), gid = getegid();
	int flags = CLONE_NEWNS | CLONE_NEWIPC;

	if (unshare(uid ? flags | CLONE_NEWUSER | CLONE_NEWPID : flags))
		return -1;
	if (uid) {
		int fd = open("/proc/self/setgroups", O_WRONLY | O_CLOEXEC);

		if (fd < 0 || write(fd, "deny", 4) != 4)
			return -1;
		close(fd);
		if (write_map("/proc/self/uid_map", uid) ||
		    write_map("/proc/self/gid_map", gid))
			return -1;
	}
	if (mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/dev/shm", "tmpfs", 0, "mode=1777,size=90%") ||
	    (access("/run/ptrace", F_OK) == 0 &&
	     mount("none", "/run", "tmpfs", 0, "mode=755")))
		return -1;
	return 0;
}

static void fill_ledger(uint64_t seed)
{
	const char *build = getenv("abs_top_builddir");

	main_random = dt->seed = seed;
	dt->users = geteuid() == 0;
	(void)!readlink("/proc/self/exe", dt->self, sizeof(dt->self) - 1);
	snprintf(dt->run, sizeof(dt->run), "%s/scripts/ptrace-run",
		 build ? build : ".");
	strcpy(dt->dir, "/tmp/deaths.XXXXXX");
	if (!mkdtemp(dt->dir) || chmod(dt->dir, 0777))
		dt_wrong("%s: %s", dt->dir, strerror(errno));
}

/* Starts again in the new place, as its first process if need be. */
static int enter(char **argv)
{
	struct rlimit none = {0, 0};
	int status;
	pid_t pid;

	if (make_machine()) {
		fprintf(stderr, "# deaths: SKIP: no namespaces\n");
		return 77;
	}
	setrlimit(RLIMIT_CORE, &none);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (geteuid() && mount("proc", "/proc", "proc", 0, NULL))
			fprintf(stderr, "# deaths: no /proc of its own\n");
		setenv("DEATHS_MACHINE", "1", 1);
		execv("/proc/self/exe", argv);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static struct dt_task read_task(const char *text)
{
	struct dt_task task = {0};
	unsigned long long number;

	if (dt_ledger_open() || sscanf(text, "%llu,%u,%u,%u,%u,%d", &number,
				       &task.depth, &task.world, &task.trace[0],
				       &task.trace[1], &task.left) != 6)
		_exit(126);
	task.random = number;
	return task;
}

int main(int argc, char **argv)
{
	int brief = argc > 1 && strcmp(argv[1], "-b") == 0;
	const char *seed = argc > 2 + brief ? argv[2 + brief] : "";

	if (argc == 3 && strcmp(argv[1], "work") == 0)
		dt_work(read_task(argv[2]));
	if (argc == 3 && strcmp(argv[1], "elder") == 0)
		dt_elder(read_task(argv[2]));
	if (argc == 2 && strcmp(argv[1], "use") == 0)
		return dt_ledger_open() || dt_use();
	if (argc < 2 + brief || atoi(argv[1 + brief]) <= 0) {
		fprintf(stderr, "usage: deaths [-b] SECONDS [SEED]\n");
		return 2;
	}
	if (!getenv("DEATHS_MACHINE"))
		return enter(argv);
	if (dt_ledger_make()) {
		perror("deaths");
		return 1;
	}
	dup2(STDERR_FILENO, DT_STDERR);
	dt->brief = (uint32_t)brief;
	fill_ledger(*seed ? strtoull(seed, NULL, 0) : dt_now());
	fprintf(stderr, "# deaths: seed %llu\n", (unsigned long long)dt->seed);
	return run((unsigned int)atoi(argv[1 + brief]));
}
