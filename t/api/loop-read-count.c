/* SPDX-License-Identifier: MIT */
/*
 * POSIX_TRACE_LOOP: a reader passes an event that a thread does not get done,
 * and reads those of a handler behind it.  When the rest of the chunk is
 * overwritten, what was read is not counted as lost, too: each event is one or
 * the other.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NR_ROUNDS 12
#define NR_NESTED 2
/* A few of them fill a chunk: one of the rounds has its event first in one. */
#define SIZE 3000
#define NR_FILL 200

static trace_id_t trid;
static trace_event_id_t id, nested_id;
static int to_reader[2], from_reader[2];
static unsigned char *data;
static size_t page;
static long nr_put, nr_read, nr_nested;

static void put(const void *from, size_t size)
{
	posix_trace_event(id, from, size);
	nr_put++;
}

/* The data of an event are not there: its record has a place by now. */
static void handler(int sig)
{
	char c = 0;

	(void)sig;
	for (int i = 0; i < NR_NESTED; i++)
		posix_trace_event(nested_id, &i, sizeof(i));
	nr_put += NR_NESTED;
	if (write(to_reader[1], &c, 1) != 1 || read(from_reader[0], &c, 1) != 1)
		_exit(1);
	mprotect(data, page, PROT_READ | PROT_WRITE);
}

/* OVERFLOW and RESUME are told by the reader; nobody recorded them. */
static int read_one(void)
{
	struct event ev;

	if (!event_next(trid, &ev))
		return 0;
	nr_nested += ev.info.posix_event_id == nested_id;
	nr_read += ev.info.posix_event_id != POSIX_TRACE_OVERFLOW &&
		   ev.info.posix_event_id != POSIX_TRACE_RESUME;
	return 1;
}

static void *reader(void *arg)
{
	char c;

	while (read(to_reader[0], &c, 1) == 1) {
		long until = nr_nested + NR_NESTED;

		while (nr_nested < until && read_one())
			;
		if (write(from_reader[1], &c, 1) != 1)
			_exit(1);
	}
	return arg;
}

static void one_round(int round)
{
	for (int i = 0; i < round; i++)
		put(data, SIZE);
	mprotect(data, page, PROT_NONE);
	put(data, SIZE);
	for (int i = 0; i < NR_FILL; i++)
		put(data, SIZE);
	while (read_one())
		;
}

int main(void)
{
	struct sigaction action = {.sa_handler = handler};
	struct posix_trace_info_np info;
	pthread_t thread;

	plan(3);
	page = (size_t)sysconf(_SC_PAGESIZE);
	data = mmap(NULL, page, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(data, 1, page);
	if (pipe(to_reader) || pipe(from_reader))
		return 1;
	sigaction(SIGSEGV, &action, NULL);
	id = event_id("an event");
	nested_id = event_id("of the handler");
	trid = stream_run(0, stream_attr(65536, SIZE, POSIX_TRACE_LOOP));
	pthread_create(&thread, NULL, reader, NULL);
	for (int i = 0; i < NR_ROUNDS; i++)
		one_round(i);
	close(to_reader[1]);
	pthread_join(thread, NULL);
	is_int(nr_nested, NR_ROUNDS * NR_NESTED,
	       "those behind an event that is not done are read");
	posix_trace_get_info_np(trid, &info);
	ok(info.lost > 0, "others are overwritten");
	/* And START. */
	is_int(nr_read + (long)info.lost, nr_put + 1,
	       "[streampolicy.1] each event is read or lost, not both");
	stream_end(trid);
	return done();
}
