/* SPDX-License-Identifier: MIT */
/*
 * POSIX_TRACE_BLOCK_NP, our stream policy: a thread that finds no room waits
 * for some.  Nothing is lost, however slow the log is; and no thread waits for
 * a controller that is dead.
 */
#include "t/lib/proc.h"
#include "t/lib/story.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>

#define SIZE 32768
#define WRITERS 4
#define NR 20000UL
/* More than a stream, a flush and a pipe have room for. */
#define MANY 300000UL

static trace_event_id_t id;
static _Atomic pid_t recorder;

static trace_attr_t *block_attr(void)
{
	return story_attr(SIZE, POSIX_TRACE_BLOCK_NP, 0, POSIX_TRACE_APPEND);
}

static void *record(void *writer)
{
	for (unsigned long i = 0; i < NR; i++)
		story_put(id, (unsigned int)(size_t)writer, i);
	return NULL;
}

static void *record_many(void *done)
{
	recorder = gettid();
	for (unsigned long i = 0; i < MANY; i++)
		story_put(id, 0, i);
	*(_Atomic int *)done = 1;
	return NULL;
}

static void check_attributes(void)
{
	trace_attr_t *attr = stream_attr(0, 0, POSIX_TRACE_BLOCK_NP);
	trace_id_t trid;
	int policy = 0;

	posix_trace_attr_getstreamfullpolicy(attr, &policy);
	is_int(policy, POSIX_TRACE_BLOCK_NP, "it is set");
	is_int(posix_trace_create(0, attr, &trid), EINVAL,
	       "EINVAL without log");
}

static void check_many_threads(void)
{
	pthread_t thread[WRITERS];
	int fd = file_make(), policy = 0;
	struct story story;
	trace_attr_t attr;
	trace_id_t trid;
	long whole = 0;

	trid = stream_begin(stream_make_log(0, block_attr(), fd));
	for (size_t i = 0; i < WRITERS; i++)
		pthread_create(&thread[i], NULL, record, (void *)i);
	for (size_t i = 0; i < WRITERS; i++)
		pthread_join(thread[i], NULL);
	stream_end(trid);
	is_int(story_log(fd, id, &story), 0, "%d threads: the log", WRITERS);
	for (int i = 0; i < WRITERS; i++)
		whole += story.writer[i].nr == NR;
	is_int(whole, WRITERS, "has all of each");
	is_int(story_gaps(&story) + story_disorder(&story), 0, "in order");
	is_int(story.system[POSIX_TRACE_START], 1, "it never stopped");
	is_int(story.status.posix_stream_overrun_status, POSIX_TRACE_NO_OVERRUN,
	       "and has no overrun");
	trid = log_open(fd);
	posix_trace_get_attr(trid, &attr);
	posix_trace_attr_getstreamfullpolicy(&attr, &policy);
	is_int(policy, POSIX_TRACE_BLOCK_NP, "the log tells the policy");
	posix_trace_close(trid);
}

/* Copies what comes out of a pipe to a file, until nobody can write to it. */
struct drain {
	int from, to;
};

static void *drain(void *arg)
{
	const struct drain *way = arg;
	static char bytes[65536];
	ssize_t n;

	while ((n = read(way->from, bytes, sizeof(bytes))) != 0)
		if (n > 0 && write(way->to, bytes, (size_t)n) != n)
			break;
	return NULL;
}

static void check_slow_log(void)
{
	static _Atomic int done;
	pthread_t thread, reader;
	int pipes[2], fd = file_make();
	struct drain way;
	struct story story;
	trace_id_t trid;

	if (pipe(pipes))
		return;
	trid = stream_begin(stream_make_log(0, block_attr(), pipes[1]));
	pthread_create(&thread, NULL, record_many, (void *)&done);
	while (!recorder)
		sched_yield();
	thread_await_sleep(recorder);
	ok(!done, "a pipe nobody reads: who records waits");
	is_int(status_of(trid).posix_stream_status, POSIX_TRACE_RUNNING,
	       "the stream runs");
	way = (struct drain){pipes[0], fd};
	pthread_create(&reader, NULL, drain, &way);
	pthread_join(thread, NULL);
	posix_trace_shutdown(trid);
	close(pipes[1]);
	pthread_join(reader, NULL);
	is_int(story_log(fd, id, &story), 0, "read at last, it is a log");
	is_int(story.users, (long)MANY, "of all events");
	is_int(story_gaps(&story) + story_disorder(&story), 0, "in order");
}

static int traced(struct proc *self, void *arg)
{
	proc_await(self);
	record_many(arg);
	return 0;
}

/* Its log, a pipe that nobody reads, is full at once. */
static int controller(struct proc *self, void *arg)
{
	int pipes[2];

	if (pipe(pipes))
		return 1;
	stream_begin(stream_make_log(*(pid_t *)arg, block_attr(), pipes[1]));
	proc_tell(self);
	proc_await(self);
	return 0;
}

static void check_dead_controller(void)
{
	_Atomic int *done = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct proc target, p;

	proc_start(&target, traced, (void *)done);
	proc_start(&p, controller, &target.pid);
	proc_await(&p);
	proc_tell(&target);
	thread_await_sleep(target.pid);
	ok(!*done, "another process waits");
	kill(p.pid, SIGKILL);
	proc_wait(&p);
	is_int(proc_wait(&target), 0, "it goes on when its controller is dead");
	ok(*done, "to its end");
}

static _Atomic unsigned long in_handlers;

static void handler(int sig)
{
	(void)sig;
	for (int i = 0; i < 20; i++)
		story_put(id, 1, in_handlers++);
}

/* A handler that interrupts a recorder does not wait: what it loses counts. */
static void check_handlers(void)
{
	struct sigaction action = {.sa_handler = handler,
				   .sa_flags = SA_RESTART};
	struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
	struct posix_trace_info_np info;
	int fd = file_make();
	struct story story;
	trace_id_t trid;

	trid = stream_begin(stream_make_log(0, block_attr(), fd));
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	record(NULL);
	setitimer(ITIMER_REAL, &never, NULL);
	is_int(posix_trace_shutdown_np(trid, &info), 0, "under a timer: shut");
	signal(SIGALRM, SIG_DFL);
	proc_deadline(100);
	story_log(fd, id, &story);
	is_int(story.users + (long)info.lost, (long)(NR + in_handlers),
	       "each event is in the log or counted");
	is_int(story_disorder(&story), 0, "in order");
}

int main(void)
{
	plan(19);
	id = event_id("an event");
	check_attributes();
	check_many_threads();
	check_slow_log();
	check_dead_controller();
	check_handlers();
	return done();
}
