/* SPDX-License-Identifier: MIT */
/*
 * A program that uses the API by itself: traces what it and its child do into
 * the file `log', reads it again, and says what it sees.  Where a call of the
 * API fails it says why, in one line, and goes on without a trace.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <trace.h>
#include <unistd.h>

static trace_event_id_t mine;

/* Returns whether all is well. */
static bool check(const char *call, int error)
{
	if (error != 0)
		dprintf(2, "libptrace: %s: %s\n", call, strerror(error));
	return error == 0;
}

static bool begin(trace_id_t *trid)
{
	int fd = open("log", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	trace_attr_t attr;
	bool is_well;

	is_well = check("attr_init", posix_trace_attr_init(&attr));
	if (!is_well)
		return false;
	posix_trace_attr_setinherited(&attr, POSIX_TRACE_INHERITED);
	is_well = check("create",
			posix_trace_create_withlog(0, &attr, fd, trid));
	posix_trace_attr_destroy(&attr);
	close(fd);
	if (!is_well)
		return false;
	is_well = check("eventid_open", posix_trace_eventid_open("mine", &mine)) &&
		  check("start", posix_trace_start(*trid));
	if (!is_well)
		posix_trace_shutdown(*trid);
	return is_well;
}

static void *thread(void *arg)
{
	posix_trace_event(mine, "thread", 6);
	return arg;
}

static void work(void)
{
	pthread_t id;
	int status = 0;
	pid_t pid;

	posix_trace_event(mine, "begin", 5);
	if (pthread_create(&id, NULL, thread, NULL) == 0)
		pthread_join(id, NULL);
	pid = fork();
	if (pid == 0) {
		posix_trace_event(mine, "child", 5);
		_exit(3);
	}
	waitpid(pid, &status, 0);
	dprintf(1, "the child: %d\n", WEXITSTATUS(status));
}

static void read_back(void)
{
	int fd = open("log", O_RDONLY | O_CLOEXEC), is_end = 0;
	struct posix_trace_event_info event;
	trace_id_t trid;
	char data[16];
	size_t size;

	if (!check("open", posix_trace_open(fd, &trid)))
		return;
	while (check("getnext", posix_trace_getnext_event(trid, &event, data,
							  sizeof(data), &size,
							  &is_end)) &&
	       !is_end)
		;
	posix_trace_close(trid);
	close(fd);
}

int main(void)
{
	trace_id_t trid;

	dprintf(1, "begin\n");
	dprintf(2, "an error\n");
	if (begin(&trid)) {
		work();
		check("flush", posix_trace_flush(trid));
		if (check("shutdown", posix_trace_shutdown(trid)))
			read_back();
	} else {
		work();
	}
	dprintf(1, "end\n");
	return 7;
}
