/* SPDX-License-Identifier: MIT */
/* Says which request and which job it is at, in events and in spans, which are
 * also ended elsewhere; the files that it looks for say what shall be known. */
#include <trace.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static trace_event_id_t request, user, job, strange;

static void *work(void *span)
{
	open("/none/of the thread", O_RDONLY);
	posix_trace_event(user, "bob", 4);
	open("/none/user bob", O_RDONLY);
	posix_trace_span_end_np(*(trace_span_np_t *)span);
	return NULL;
}

static trace_span_np_t begin_job(int64_t number)
{
	struct {
		int64_t number;
		char name[8];
	} data = {number, "build"};
	trace_span_np_t span;

	posix_trace_span_begin_np(job, &data, 8 + 6, &span);
	return span;
}

static void set_request(int64_t number)
{
	posix_trace_event(request, &number, sizeof(number));
}

static void open_types(void)
{
	posix_trace_eventid_open_fields_np("request", "request:i.context",
					   &request);
	posix_trace_eventid_open_fields_np("user", "user:s.context", &user);
	posix_trace_eventid_open_fields_np("job", "job:i.context name:s", &job);
	/* The test makes contexts of these. */
	posix_trace_eventid_open_fields_np("strange", "a:v.contexx", &strange);
}

/* So that the log has many packets behind the one that says it. */
static int record_many(void)
{
	set_request(20);
	for (int64_t i = 0; i < 100000; i++)
		posix_trace_event(strange, &i, sizeof(i));
	return 0;
}

int main(int argc, char **argv)
{
	trace_span_np_t outer, inner, third;
	pthread_t thread;

	if (argc > 1 && strcmp(argv[1], "again") == 0) {
		open("/none/of an exec", O_RDONLY);
		return 0;
	}
	open_types();
	if (argc > 1)
		return record_many();
	open("/none", O_RDONLY);
	posix_trace_event(strange, "x", 2);
	set_request(17);
	open("/none/request 17", O_RDONLY);
	outer = begin_job(5);
	open("/none/request 17 job 5", O_RDONLY);
	inner = begin_job(6);
	third = begin_job(7);
	open("/none/request 17 job 7", O_RDONLY);
	pthread_create(&thread, NULL, work, &third);
	pthread_join(thread, NULL);
	open("/none/request 17 job 6", O_RDONLY);
	if (fork() == 0) {
		open("/none/of a child", O_RDONLY);
		_exit(0);
	}
	wait(NULL);
	posix_trace_span_end_np(outer);
	open("/none/request 17 job 6", O_RDONLY);
	set_request(18);
	posix_trace_span_end_np(inner);
	open("/none/request 18", O_RDONLY);
	posix_trace_event(request, NULL, 0);
	open("/none", O_RDONLY);
	set_request(19);
	execl(argv[0], argv[0], "again", NULL);
	return 1;
}
