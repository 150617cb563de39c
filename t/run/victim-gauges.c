/* SPDX-License-Identifier: MIT */
/* Records gauges and counters: several in one event, in a span, in a child,
 * values that are no numbers, and fields that a log could call such. */
#include <trace.h>

#include <math.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static trace_event_id_t pool, request, odd;

static void fill(long long busy, double share, long long grown)
{
	struct {
		long long busy;
		double share;
		long long grown;
		char name[8];
	} data = {busy, share, grown, "pool"};

	posix_trace_event(pool, &data, offsetof(typeof(data), name) + 5);
}

static void serve(long long bytes)
{
	trace_span_np_t span;

	posix_trace_span_begin_np(request, &bytes, sizeof(bytes), &span);
	posix_trace_span_end_np(span);
}

/* The test makes gauge and counter of these words. */
static void record_strange(void)
{
	static const char data[] = "text\0\2xy";
	trace_event_id_t strange;

	posix_trace_eventid_open_fields_np(
		"strange", "text:s.gaugx more:b.countex", &strange);
	posix_trace_event(strange, data, sizeof(data) - 1);
}

int main(void)
{
	static const double numbers[] = {NAN, 1.5, INFINITY};

	posix_trace_eventid_open_fields_np(
		"pool", "busy:i.gauge share:f.gauge grown:i.counter name:s",
		&pool);
	posix_trace_eventid_open_fields_np("request", "bytes:i.counter",
					   &request);
	posix_trace_eventid_open_fields_np("odd", "value:f.gauge", &odd);
	for (int i = 0; i < 40; i++)
		fill(i % 7, -0.5 * i, i % 3);
	serve(1000);
	serve(24);
	for (int i = 0; i < 3; i++)
		posix_trace_event(odd, &numbers[i], sizeof(*numbers));
	record_strange();
	if (fork() == 0) {
		fill(100, 0.25, 5);
		serve(6);
		_exit(0);
	}
	wait(NULL);
	return 0;
}
