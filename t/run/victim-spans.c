/* SPDX-License-Identifier: MIT */
/*
 * A victim that records spans: nested, ended in another thread, in its child,
 * and in another order than they began.  With an argument it is killed in the
 * midst of one.
 */
#include <trace.h>

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static trace_event_id_t plain, typed;

static trace_span_np_t begin_typed(long long number, const char *path)
{
	trace_span_np_t span;
	char data[64];

	memcpy(data, &number, sizeof(number));
	strcpy(data + sizeof(number), path);
	posix_trace_span_begin_np(typed, data,
				  sizeof(number) + strlen(path) + 1, &span);
	return span;
}

static trace_span_np_t begin(const char *data)
{
	trace_span_np_t span;

	posix_trace_span_begin_np(plain, data, strlen(data), &span);
	return span;
}

static void *end_there(void *span)
{
	posix_trace_span_end_np(*(trace_span_np_t *)span);
	return NULL;
}

static void end_elsewhere(trace_span_np_t in_thread, trace_span_np_t in_child)
{
	pthread_t thread;
	pid_t pid;

	pthread_create(&thread, NULL, end_there, &in_thread);
	pthread_join(thread, NULL);
	pid = fork();
	if (pid == 0) {
		posix_trace_span_end_np(in_child);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

int main(int argc, char **argv)
{
	trace_span_np_t outer, inner, first, second;

	(void)argv;
	posix_trace_eventid_open("phase", &plain);
	posix_trace_eventid_open_fields_np("request", "number:i path:s",
					   &typed);
	outer = begin("outer");
	inner = begin_typed(1, "/inner");
	posix_trace_span_end_np(inner);
	end_elsewhere(begin_typed(2, "/thread"), begin_typed(3, "/child"));
	first = begin("first");
	second = begin("second");
	posix_trace_span_end_np(first);
	posix_trace_span_end_np(second);
	if (argc > 1) {
		begin("last");
		raise(SIGKILL);
	}
	posix_trace_span_end_np(outer);
	/* Neither ends anything. */
	posix_trace_span_end_np(outer);
	posix_trace_span_end_np(1);
	return 0;
}
