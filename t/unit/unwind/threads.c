/* SPDX-License-Identifier: MIT */
/*
 * Of switches in any order, with some of them lost, each moment of a thread is
 * counted once: on the processor, off it, or as not known.
 */
#include "t/lib/tap.h"
#include "core/format/sysevents.h"
#include "tools/sampler/process.h"
#include "tools/sampler/tell.h"
#include "tools/sampler/threads.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What was told, as text. */
static char told[1024];
static struct ptl_sampled_process process = {.threads = 1, .image = 3};

struct ptl_sampled_process *ptl_process_get(pid_t pid)
{
	process.pid = pid;
	return &process;
}

void ptl_tell_int(struct ptl_tell_data *data, uint64_t value)
{
	memcpy(data->bytes + data->size, &value, sizeof(value));
	data->size += sizeof(value);
}

void ptl_tell(const struct ptl_tell *what)
{
	const unsigned char *data = what->data;
	size_t used = strlen(told);

	used += (size_t)snprintf(told + used, sizeof(told) - used,
				 "%s%s%d@%" PRIu64,
				 what->addr == 0x1001 ? "page " : "",
				 what->id == PTL_EV_SCHED_OFF ? "off " : "sum ",
				 (int)what->tid, what->when);
	for (size_t i = 0; i < what->size; i += sizeof(uint64_t)) {
		uint64_t value;

		memcpy(&value, data + i, sizeof(value));
		used += (size_t)snprintf(told + used, sizeof(told) - used,
					 " %" PRIu64, value);
	}
	snprintf(told + used, sizeof(told) - used, "; ");
}

static struct ptl_threads_at at(pid_t tid, uint64_t when)
{
	return (struct ptl_threads_at){
		.pid = 1, .tid = tid, .when = when, .cpu = 7};
}

static void exec(pid_t tid, uint64_t when)
{
	const struct ptl_threads_at it = at(tid, when);

	ptl_threads_exec(&it);
}

static void begin(pid_t tid, uint64_t when)
{
	const struct ptl_threads_at it = at(tid, when);

	ptl_threads_begin(&it);
}

static void on(pid_t tid, uint64_t when)
{
	const struct ptl_threads_at it = at(tid, when);

	ptl_threads_on(&it);
}

static void off(pid_t tid, uint64_t when, bool is_preempted)
{
	const struct ptl_threads_at it = at(tid, when);

	ptl_threads_off(&it, is_preempted);
}

static void end(pid_t tid, uint64_t when)
{
	const struct ptl_threads_at it = at(tid, when);

	ptl_threads_end(&it);
}

static void page(pid_t tid, uint64_t when)
{
	const struct ptl_threads_at it = at(tid, when);

	ptl_threads_page(&it, 0x1001);
}

static void tells(const char *what, const char *name)
{
	is_str(told, what, "%s", name);
	told[0] = '\0';
}

/* Of a sum: on, off, times, preempted, times, short, times, unknown. */

static void test_states(void)
{
	exec(1, 10);
	off(1, 20, false);
	on(1, 50);
	off(1, 60, true);
	on(1, 80);
	end(1, 85);
	tells("off 1@20 30 0 7; off 1@60 20 1 7; sum 1@85 25 50 2 20 1 0 0 0; ",
	      "on and off");
	exec(1, 10);
	off(1, 20, false);
	on(1, 29);
	end(1, 30);
	tells("sum 1@30 11 9 1 0 0 9 1 0; ", "a short time is in the sums");
	begin(2, 100);
	on(2, 140);
	end(2, 150);
	tells("off 2@100 40 1 7; sum 2@150 10 40 1 40 1 0 0 0; ",
	      "a new thread could run");
	exec(1, 10);
	off(1, 20, false);
	ptl_threads_leave(120);
	tells("off 1@20 100 0 0; sum 1@120 10 100 1 0 0 0 0 0; ",
	      "one that has not ended");
	end(3, 10);
	tells("", "one of which nothing is known");
}

static void test_losses(void)
{
	exec(1, 10);
	off(1, 20, false);
	off(1, 70, false);
	on(1, 90);
	end(1, 100);
	tells("off 1@70 20 0 7; sum 1@100 20 20 1 0 0 0 0 50; ",
	      "when it came back is lost");
	exec(1, 10);
	on(1, 50);
	end(1, 60);
	tells("sum 1@60 10 0 0 0 0 0 0 40; ", "when it left is lost");
	exec(1, 10);
	off(1, 20, false);
	ptl_threads_lose();
	on(1, 50);
	end(1, 60);
	tells("sum 1@60 20 0 0 0 0 0 0 30; ", "any may be lost");
	exec(1, 10);
	ptl_threads_lose();
	end(1, 60);
	tells("sum 1@60 0 0 0 0 0 0 0 50; ", "until it ends");
	off(4, 30, false);
	on(4, 50);
	end(4, 60);
	tells("off 4@30 20 0 7; sum 4@60 10 20 1 0 0 0 0 0; ",
	      "its beginning is lost");
	begin(5, 10);
	begin(5, 40);
	on(5, 41);
	end(5, 50);
	tells("sum 5@40 0 0 0 0 0 0 0 30; "
	      "sum 5@50 9 1 1 1 1 1 1 0; ",
	      "an end is lost, and the number is another's");
	exec(1, 10);
	off(1, 20, false);
	end(1, 60);
	tells("sum 1@60 10 0 0 0 0 0 0 40; ", "nobody ends off the processor");
	exec(1, 50);
	off(1, 40, false);
	on(1, 70);
	end(1, 80);
	tells("off 1@40 30 0 7; sum 1@80 10 30 1 0 0 0 0 0; ",
	      "no time is below 0");
}

#define MS UINT64_C(1000000)

static void test_pages(void)
{
	exec(1, 10);
	off(1, 20, false);
	on(1, 50);
	page(1, 55);
	page(1, 57);
	off(1, 60, false);
	on(1, 80);
	tells("page off 1@20 30 0 7; ", "it waited for a page, and then not");
	off(1, 90, true);
	on(1, 110);
	page(1, 111);
	tells("off 1@60 20 0 7; off 1@90 20 1 7; ",
	      "it could run: that was not for a page");
	off(1, 120, false);
	on(1, 140);
	ptl_threads_settle(MS);
	page(1, 150);
	tells("page off 1@120 20 0 7; ", "of a moment ago it may come yet");
	off(1, 160, false);
	on(1, 200);
	ptl_threads_settle(MS + 200);
	page(1, MS + 190);
	tells("off 1@160 40 0 7; ", "later it is of something else");
	off(1, 2 * MS, false);
	on(1, 2 * MS + 50);
	page(1, 3 * MS + 50);
	end(1, 3 * MS + 60);
	tells("off 1@2000000 50 0 7; "
	      "sum 1@3000060 2999870 180 6 20 1 0 0 0; ",
	      "and so it is when nobody looked");
	page(9, 10);
	tells("", "a page of a thread that nothing is known of");
}

static void test_exec(void)
{
	process.threads = 3;
	exec(1, 10);
	on(2, 20);
	on(3, 30);
	exec(1, 40);
	tells("sum 2@40 20 0 0 0 0 0 0 0; sum 3@40 10 0 0 0 0 0 0 0; ",
	      "the other threads are gone");
	end(1, 50);
	tells("sum 1@50 40 0 0 0 0 0 0 0; ", "the thread goes on");
	process.threads = 1;
}

static void test_pause(void)
{
	exec(1, 10);
	off(1, 20, false);
	ptl_threads_pause(50);
	on(1, 60);
	off(1, 70, true);
	begin(2, 75);
	ptl_threads_resume(80);
	on(1, 100);
	on(2, 100);
	end(1, 110);
	end(2, 110);
	tells("off 1@80 20 1 7; off 2@80 20 1 7; "
	      "sum 1@110 20 50 2 20 1 30 1 0; sum 2@110 10 20 1 20 1 0 0 0; ",
	      "what is between is not counted, but the state is known");
	ptl_threads_pause(10);
	begin(2, 20);
	on(2, 30);
	end(2, 40);
	tells("", "nothing of one that lived between");
	ptl_threads_resume(50);
}

int main(void)
{
	plan(24);
	exec(1, 1);
	end(1, 2);
	tells("", "nobody asked");
	ptl_threads_least(10);
	test_states();
	test_losses();
	test_pages();
	test_exec();
	test_pause();
	return done();
}
