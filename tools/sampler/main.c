/* SPDX-License-Identifier: MIT */
/*
 * ptrace-sampler: where processes compute, and when they do not.
 * ptrace-monitor starts it, before COMMAND runs, with a socket to tell
 * (tools/monitor/wire/sampled.h), COMMAND's number, how often in a second of
 * computing to look, at how many bytes of the stack, from how many ns on to
 * tell (0: of none), whether (1, 0) to look at what it forks, too, and whether
 * it runs already, or from its exec on, and whether to look into the kernel. It
 * reads files of others, and is a
 * process of its own for that: when it fails, the trace goes on.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <trace.h>
#include <unistd.h>

#include "core/format/sysevents.h"
#include "tools/lib/clock.h"
#include "tools/lib/say.h"
#include "tools/sampler/events.h"
#include "tools/sampler/follow.h"
#include "tools/sampler/process.h"
#include "tools/sampler/records.h"
#include "tools/sampler/running.h"
#include "tools/sampler/tell.h"
#include "tools/sampler/threads.h"

/* Without a full ring, look so often. */
#define LOOK_MS 100

static struct ptl_events events;
static struct ptl_records records;
static struct ptl_follow follow;

/* One for each CPU, or of each thread. */
static void allow_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static void begin(const struct ptl_events_wanted *wanted)
{
	bool of_memory;
	int error;

	allow_descriptors();
	error = wanted->is_running ?
			ptl_events_attach(&events, wanted, &of_memory) :
			ptl_events_open(&events, wanted, &of_memory);
	if (error == 0 && wanted->is_running)
		ptl_running_take(wanted->pid);
	ptl_tell(&(struct ptl_tell){
		.id = error == 0 ? PTL_SAMPLED_READY :
		      of_memory	 ? PTL_SAMPLED_NO_MEMORY :
				   PTL_SAMPLED_REFUSED,
		.error = error,
	});
	ptl_tell_all();
	if (error != 0)
		_exit(1);
}

/* A pass: what is older than the one before is in order. */
static void pass(uint64_t *before)
{
	uint64_t now = ptl_monotonic_ns();

	ptl_events_drain(&events, ptl_records_put, &records);
	ptl_records_take(&records, *before, ptl_follow_record, &follow);
	ptl_threads_settle(*before);
	ptl_tell_all();
	*before = now;
}

/* Up to now nothing is left to be told. */
static uint64_t catch_up(void)
{
	uint64_t now = ptl_monotonic_ns();

	ptl_events_drain(&events, ptl_records_put, &records);
	ptl_records_take(&records, now, ptl_follow_record, &follow);
	return now;
}

static void pause_or_resume(char said)
{
	uint64_t now = catch_up();

	follow.is_paused = said == PTL_SAMPLED_PAUSE;
	if (follow.is_paused) {
		ptl_threads_pause(now);
		ptl_tell(&(struct ptl_tell){.id = PTL_SAMPLED_PAUSED});
	} else {
		ptl_threads_resume(now);
	}
	ptl_tell_all();
}

/* False: the controller wants no more. */
static bool listen_to(int fd)
{
	char said;
	ssize_t got = recv(fd, &said, 1, MSG_DONTWAIT);

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (got <= 0)
		return false;
	pause_or_resume(said);
	return true;
}

static void run(int fd)
{
	static struct ptl_tell_data nr;
	struct pollfd *controller = &events.fds[events.nr];
	uint64_t before = 0;

	*controller = (struct pollfd){fd, POLLIN, 0};
	while (!ptl_events_are_over(&events)) {
		if (poll(events.fds, events.nr + 1, LOOK_MS) < 0 &&
		    errno != EINTR)
			break;
		pass(&before);
		if (controller->revents != 0 && !listen_to(fd))
			break;
		ptl_events_over(&events);
	}
	ptl_events_stop(&events);
	before = UINT64_MAX;
	pass(&before);
	ptl_follow_lost(&follow, ptl_events_lost(&events), before);
	ptl_threads_leave(before);
	ptl_process_tell_made();
	ptl_tell_int(&nr, 1 + follow.forks);
	ptl_tell(&(struct ptl_tell){
		.id = PTL_SAMPLED_END,
		.data = nr.bytes,
		.size = nr.size,
	});
	ptl_tell_all();
}

int main(int argc, char **argv)
{
	struct ptl_events_wanted wanted;
	unsigned long long off;
	int fd, hz, stack;

	ptl_say_as("ptrace-sampler");
	if (argc != 9)
		return 2;
	fd = atoi(argv[1]);
	hz = atoi(argv[3]);
	stack = atoi(argv[4]);
	off = strtoull(argv[5], NULL, 10);
	if (hz < 0 || hz > 1000000000 || (hz == 0 && off == 0) || stack < 0)
		return 2;
	wanted = (struct ptl_events_wanted){
		.pid = (pid_t)atoi(argv[2]),
		.hz = (unsigned int)hz,
		.stack = (unsigned int)stack,
		.wants_switches = off > 0,
		.follows = atoi(argv[6]) != 0,
		.is_running = atoi(argv[7]) != 0,
		.has_kernel = atoi(argv[8]) != 0,
	};
	follow = (struct ptl_follow){
		.events = &events,
		.target = wanted.pid,
		.hz = wanted.hz,
		.stack = wanted.stack,
		.has_kernel = wanted.has_kernel,
		.has_samples = hz > 0,
		.least = off,
		.has_children = wanted.follows,
	};
	ptl_threads_least(off);
	ptl_tell_to(fd);
	begin(&wanted);
	run(fd);
	return 0;
}
