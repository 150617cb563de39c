/* SPDX-License-Identifier: MIT */
/*
 * victim-kill record FILE: two threads and a child record numbered events, and
 * write into the shared file how many calls have returned.
 * victim-kill kill FILE N PID...: when there are N, kills these at once; pid 0
 * is that of the recording process.
 * victim-kill show FILE: prints how many of each must be in the log.
 * victim-kill pids FILE: prints who records.
 */
#include <trace.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#define NR 3
/* So many fit into the stream of the test: nothing is lost by a policy. */
#define LIMIT 40000

struct shared {
	atomic_int pid;
	atomic_int child;
	atomic_int count[NR];
};

static struct shared *shared;
static trace_event_id_t id;

static int total(void)
{
	int sum = 0;

	for (int i = 0; i < NR; i++)
		sum += atomic_load(&shared->count[i]);
	return sum;
}

static void *record(void *arg)
{
	int who = *(int *)arg;

	for (int i = 0; i < LIMIT; i++) {
		int data[2] = {who, i};

		posix_trace_event(id, data, sizeof(data));
		atomic_store(&shared->count[who], i + 1);
		if (i % 64 == 0)
			sched_yield();
	}
	for (;;)
		pause();
	return NULL;
}

static int record_all(void)
{
	static int who[NR] = {0, 1, 2};
	pthread_t thread;
	pid_t child;

	if (posix_trace_eventid_open("numbered", &id) != 0)
		return 1;
	atomic_store(&shared->pid, getpid());
	child = fork();
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == atomic_load(&shared->pid))
			record(&who[2]);
		_exit(1);
	}
	atomic_store(&shared->child, child);
	if (pthread_create(&thread, NULL, record, &who[1]) != 0)
		return 1;
	record(&who[0]);
	return 0;
}

static void show(void)
{
	for (int i = 0; i < NR; i++)
		printf("%d\n", atomic_load(&shared->count[i]));
}

static int kill_all(int wanted, char *const *pids)
{
	while (total() < wanted)
		sched_yield();
	for (; *pids; pids++) {
		pid_t pid = atoi(*pids);

		if (**pids == '\0')
			return 2;
		if (pid == 0)
			pid = atomic_load(&shared->pid);
		if (kill(pid, SIGKILL) != 0)
			return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	int fd = argc > 2 ? open(argv[2], O_RDWR | O_CREAT, 0600) : -1;

	if (fd < 0 || ftruncate(fd, sizeof(*shared)) != 0)
		return 2;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED,
		      fd, 0);
	if (shared == MAP_FAILED)
		return 2;
	close(fd);
	if (strcmp(argv[1], "record") == 0)
		return record_all();
	if (strcmp(argv[1], "kill") == 0 && argc > 3)
		return kill_all(atoi(argv[3]), argv + 4);
	if (strcmp(argv[1], "pids") == 0)
		printf("%d\n%d\n", atomic_load(&shared->pid),
		       atomic_load(&shared->child));
	if (strcmp(argv[1], "show") == 0)
		show();
	return 0;
}
