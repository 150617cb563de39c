/* SPDX-License-Identifier: MIT */
/* The streams: who controls them, who reads them live, and their logs. */
#include "t/stress/stress.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

struct slot {
	/* Protects the checker; held while an event is judged. */
	pthread_mutex_t lock;
	struct checker *checker;
	_Atomic trace_id_t trid; /* NO_TRID: there is none */
	_Atomic int may_block;	 /* the reader: until the stream ends */
	_Atomic int polls;	 /* that found nothing, since an event */
	_Atomic int64_t empty;	 /* since when */
	size_t size, max_data;
	int of_worker; /* traces one process, not all */
	int inherited; /* whoever is forked now may be traced */
	int policy;
	int fd;
	uint64_t log_base;
	uint64_t random; /* the reader's */
};

#define NO_TRID 0

static struct slot slots[NR_STREAMS];
static uint64_t control_random;
/* A process is made, or a stream, but never both: else who is traced? */
static pthread_mutex_t birth = PTHREAD_MUTEX_INITIALIZER;
static pthread_t reader_thread[NR_STREAMS];
static uint64_t all_events, all_missing;
static unsigned long nr_ops, nr_streams, nr_settled;

static void nap(long ns)
{
	struct timespec time = {0, ns};

	nanosleep(&time, NULL);
}

/* ---- reading ------------------------------------------------------ */

static int read_one(struct slot *slot, trace_id_t trid,
		    struct posix_trace_event_info *info, unsigned char *data,
		    size_t room, size_t *size, int *unavailable)
{
	struct timespec until;
	int64_t ns;

	if (slot->may_block)
		return posix_trace_getnext_event(trid, info, data, room, size,
						 unavailable);
	if (st_below(&slot->random, 4))
		return posix_trace_trygetnext_event(trid, info, data, room,
						    size, unavailable);
	ns = st_now(CLOCK_REALTIME) + 1000 * st_below(&slot->random, 8000);
	until = (struct timespec){ns / 1000000000, ns % 1000000000};
	return posix_trace_timedgetnext_event(trid, info, data, room, size,
					      unavailable, &until);
}

static void found(struct slot *slot, trace_id_t trid,
		  const struct posix_trace_event_info *info,
		  const unsigned char *data, size_t size)
{
	slot->polls = 0;
	pthread_mutex_lock(&slot->lock);
	if (slot->trid == trid) {
		st_check(slot->checker, info, data, size);
		/* Ours, not what the library tells. */
		if (info->posix_event_id >= st_id[0])
			st->read[slot - slots]++;
	}
	pthread_mutex_unlock(&slot->lock);
}

static void found_nothing(struct slot *slot)
{
	if (slot->polls++ == 0)
		slot->empty = st_now(CLOCK_MONOTONIC);
	if (slot->polls > 1)
		nap(500000);
}

static void *reader(void *arg)
{
	static __thread unsigned char data[4608];
	struct slot *slot = arg;

	while (st->phase != QUIT) {
		struct posix_trace_event_info info;
		trace_id_t trid = slot->trid;
		int unavailable = 0, err;
		size_t size = 0;

		if (trid == NO_TRID) {
			nap(500000);
			continue;
		}
		err = read_one(slot, trid, &info, data, sizeof(data), &size,
			       &unavailable);
		if (err == 0 && !unavailable)
			found(slot, trid, &info, data, size);
		else if (err == 0 || err == ETIMEDOUT)
			found_nothing(slot);
		else if (err != EINVAL || slot->trid == trid)
			st_fail("stream %d: getnext: %s", (int)(slot - slots),
				strerror(err));
	}
	return NULL;
}

/* ---- making and ending -------------------------------------------- */

static void must(int err, const char *what, const struct slot *slot)
{
	if (err)
		st_fail("stream %d: %s: %s", (int)(slot - slots), what,
			strerror(err));
}

/* Not more than the stream holds, with all that may come on top. */
static void set_limit(struct slot *slot, const trace_attr_t *attr)
{
	size_t event;

	posix_trace_attr_getmaxusereventsize(attr, slot->max_data, &event);
	st->limit[slot - slots] =
		slot->size / event / 2 - NR_PROCESSES * NR_THREADS * NR_LEVELS;
}

static void choose(struct slot *slot, trace_attr_t *attr)
{
	static const size_t sizes[] = {256 << 10, 512 << 10, 1 << 20};
	static const size_t cuts[] = {64, 200, 256, 300, 1000};
	static const int policies[] = {
		[LOOP] = POSIX_TRACE_LOOP,
		[UNTIL_FULL] = POSIX_TRACE_UNTIL_FULL,
		[LOGGED] = POSIX_TRACE_FLUSH,
	};

	slot->policy = policies[slot - slots];
	if (slot - slots == LOGGED && st_below(&control_random, 2))
		slot->policy = POSIX_TRACE_LOOP;
	slot->size = sizes[st_below(&control_random, 3)];
	slot->max_data = cuts[st_below(&control_random, 5)];
	slot->of_worker = st->worker[0].pid &&
			  (!WITH_FORK || st_below(&control_random, 5) == 0);
	posix_trace_attr_init(attr);
	posix_trace_attr_setstreamsize(attr, slot->size);
	posix_trace_attr_setmaxdatasize(attr, slot->max_data);
	posix_trace_attr_setstreamfullpolicy(attr, slot->policy);
	posix_trace_attr_setlogfullpolicy(attr, POSIX_TRACE_APPEND);
	posix_trace_attr_setinherited(attr, POSIX_TRACE_INHERITED);
	set_limit(slot, attr);
}

static void make(struct slot *slot)
{
	unsigned int s = (unsigned int)(slot - slots);
	trace_attr_t attr;
	trace_id_t trid;
	pid_t pid;
	int err;

	choose(slot, &attr);
	slot->checker = st_checker_new(s, slot->policy == POSIX_TRACE_LOOP,
				       slot->max_data);
	pthread_mutex_lock(&birth);
	pid = slot->of_worker ? st->worker[0].pid : 0;
	err = s == LOGGED ?
		      posix_trace_create_withlog(pid, &attr, slot->fd, &trid) :
		      posix_trace_create(pid, &attr, &trid);
	if (!err && slot->of_worker)
		st->worker[0].members |= 1u << s;
	if (!err)
		slot->trid = trid;
	slot->inherited = !slot->of_worker;
	pthread_mutex_unlock(&birth);
	must(err, "create", slot);
	if (!err)
		must(posix_trace_start(trid), "start", slot);
	nr_streams++;
}

static void forget(struct slot *slot)
{
	unsigned int s = (unsigned int)(slot - slots);

	all_events += st_checker_events(slot->checker);
	all_missing += st_checker_missing(slot->checker);
	st_checker_free(slot->checker);
	slot->checker = NULL;
	pthread_mutex_lock(&birth);
	slot->inherited = 0;
	for (int i = 0; i < NR_WORKERS; i++)
		st->worker[i].members &= ~(1u << s);
	pthread_mutex_unlock(&birth);
}

/* The whole log must be there, and in it what a reader would have seen. */
static void check_log(struct slot *slot, int settled)
{
	struct posix_trace_info_np info;
	struct posix_trace_event_info event;
	unsigned char data[4608];
	trace_id_t log;
	int unavailable = 0, err = posix_trace_open(slot->fd, &log);
	size_t size;

	must(err, "open of the log", slot);
	if (err)
		return;
	posix_trace_get_info_np(log, &info);
	if (info.log_state != POSIX_TRACE_LOG_COMPLETE_NP)
		st_fail("log: state %d, bad %llu at %llu", info.log_state,
			info.bad_size, info.bad_offset);
	while (!st->failed) {
		err = posix_trace_getnext_event(log, &event, data, sizeof(data),
						&size, &unavailable);
		must(err, "getnext of the log", slot);
		if (err || unavailable)
			break;
		st_check(slot->checker, &event, data, size);
	}
	posix_trace_close(log);
	if (settled)
		st_check_tails(slot->checker);
}

static void end(struct slot *slot, int settled)
{
	trace_id_t trid = slot->trid;
	int err;

	if (trid == NO_TRID)
		return;
	if (!settled && st_below(&control_random, 2)) {
		slot->may_block = 1;
		nap(3000000);
	}
	slot->trid = NO_TRID;
	err = posix_trace_shutdown(trid);
	must(err, "shutdown", slot);
	slot->may_block = 0;
	if (!err && slot - slots == LOGGED)
		check_log(slot, settled);
	/* Wait for the reader to judge what it has. */
	pthread_mutex_lock(&slot->lock);
	forget(slot);
	pthread_mutex_unlock(&slot->lock);
}

static void remake(struct slot *slot, int settled)
{
	end(slot, settled);
	if (slot->fd >= 0 && (ftruncate(slot->fd, 0) || lseek(slot->fd, 0, 0)))
		st_fail("log: %s", strerror(errno));
	make(slot);
}

/* ---- controlling -------------------------------------------------- */

static void change_filter(struct slot *slot)
{
	static const int hows[] = {POSIX_TRACE_SET_EVENTSET,
				   POSIX_TRACE_ADD_EVENTSET,
				   POSIX_TRACE_SUB_EVENTSET};
	trace_event_set_t set;

	posix_trace_eventset_empty(&set);
	for (int level = 0; level < NR_LEVELS; level++)
		if (st_below(&control_random, 3) == 0)
			posix_trace_eventset_add(st_id[level], &set);
	must(posix_trace_set_filter(slot->trid, &set,
				    hows[st_below(&control_random, 3)]),
	     "set_filter", slot);
}

static void clear(struct slot *slot)
{
	int err;

	pthread_mutex_lock(&slot->lock);
	err = posix_trace_clear(slot->trid);
	if (!err)
		st_checker_cleared(slot->checker);
	pthread_mutex_unlock(&slot->lock);
	must(err == ENOTSUP ? 0 : err, "clear", slot);
}

static void status(struct slot *slot)
{
	struct posix_trace_status_info info;

	must(posix_trace_get_status(slot->trid, &info), "get_status", slot);
	if (info.posix_stream_status != POSIX_TRACE_RUNNING &&
	    info.posix_stream_status != POSIX_TRACE_SUSPENDED)
		st_fail("stream status %d", info.posix_stream_status);
	if (info.posix_stream_flush_error)
		st_fail("flush error: %s",
			strerror(info.posix_stream_flush_error));
}

void st_control_step(void)
{
	struct slot *slot = &slots[st_below(&control_random, NR_STREAMS)];

	nr_ops++;
	switch (st_below(&control_random, 24)) {
	case 0 ... 5:
		must(posix_trace_start(slot->trid), "start", slot);
		break;
	case 6 ... 8:
		must(posix_trace_stop(slot->trid), "stop", slot);
		break;
	case 9 ... 12:
		change_filter(slot);
		break;
	case 13:
		clear(slot);
		break;
	case 14 ... 16:
		if (slot - slots == LOGGED)
			must(posix_trace_flush(slot->trid), "flush", slot);
		break;
	case 17 ... 19:
		status(slot);
		break;
	case 20:
		remake(slot, 0);
		break;
	default:
		nap(2000000);
	}
}

void st_control_calm_step(void)
{
	struct slot *slot = &slots[LOGGED];
	struct posix_trace_info_np info;

	posix_trace_get_info_np(slot->trid, &info);
	st->read[LOGGED] = info.events - slot->log_base;
	if (st_below(&control_random, 20) == 0)
		must(posix_trace_flush(slot->trid), "flush", slot);
	nap(1000000);
}

static void *worker_thread(void *w)
{
	st_worker(w);
	return NULL;
}

/* A child, or without any a thread of our own; returns its pid. */
static pid_t start_worker(struct worker *w)
{
	pthread_t thread;
	pid_t pid;

	if (!WITH_FORK) {
		w->pid = getpid();
		if (pthread_create(&thread, NULL, worker_thread, w) == 0)
			pthread_detach(thread);
		return w->pid;
	}
	pid = fork();
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	w->pid = getpid();
	st_worker(w);
	if (w->pid & 1)
		_exit(0);
	exit(0);
}

void st_control_fork(struct worker *w)
{
	unsigned int members = 0;
	pid_t pid;

	pthread_mutex_lock(&birth);
	for (unsigned int s = 0; s < NR_STREAMS; s++)
		if (slots[s].inherited)
			members |= 1u << s;
	w->members = members;
	w->born = st_now(CLOCK_REALTIME);
	pid = start_worker(w);
	if (pid < 0)
		st_fail("fork: %s", strerror(errno));
	/* What it inherits it takes itself, once it runs. */
	while (pid > 0 && !w->pid)
		nap(100000);
	pthread_mutex_unlock(&birth);
}

/* ---- when all is quiet -------------------------------------------- */

/* Until the reader has found nothing for as long as any hole is looked
 * behind. */
static void drain(struct slot *slot)
{
	slot->polls = 0;
	while (!st->failed &&
	       !(slot->polls > 8 &&
		 st_now(CLOCK_MONOTONIC) - slot->empty > 150000000))
		nap(1000000);
}

/* What is in the stream has been read: all there, and true? */
static void sync_checker(struct slot *slot, int calm)
{
	struct posix_trace_status_info info;
	trace_event_set_t filter;

	must(posix_trace_get_status(slot->trid, &info), "get_status", slot);
	must(posix_trace_get_filter(slot->trid, &filter), "get_filter", slot);
	pthread_mutex_lock(&slot->lock);
	st_checker_sync(slot->checker,
			info.posix_stream_status == POSIX_TRACE_RUNNING,
			&filter, calm);
	pthread_mutex_unlock(&slot->lock);
}

void st_control_settle(void)
{
	nr_settled++;
	for (int s = 0; s < LOGGED; s++) {
		drain(&slots[s]);
		sync_checker(&slots[s], 0);
	}
	if (st_below(&control_random, 2))
		remake(&slots[LOGGED], 1);
}

static void begin_calm(struct slot *slot)
{
	struct posix_trace_info_np info;
	trace_event_set_t none;

	posix_trace_eventset_empty(&none);
	must(posix_trace_set_filter(slot->trid, &none,
				    POSIX_TRACE_SET_EVENTSET),
	     "set_filter", slot);
	must(posix_trace_start(slot->trid), "start", slot);
	if (slot - slots == LOGGED) {
		must(posix_trace_flush(slot->trid), "flush", slot);
		posix_trace_get_info_np(slot->trid, &info);
		slot->log_base = info.events;
	} else {
		drain(slot);
		sync_checker(slot, 1);
	}
	status(slot);
	st->recorded[slot - slots] = 0;
	st->read[slot - slots] = 0;
}

/* What was not overrun has lost nothing. */
static void end_calm(struct slot *slot)
{
	struct posix_trace_status_info info;

	must(posix_trace_get_status(slot->trid, &info), "get_status", slot);
	if (info.posix_stream_overrun_status != POSIX_TRACE_NO_OVERRUN)
		st_fail("stream %d: overrun, with less in it than it has to "
			"hold",
			(int)(slot - slots));
	if (info.posix_stream_status != POSIX_TRACE_RUNNING)
		st_fail("stream %d: not running any more", (int)(slot - slots));
}

void st_control_calm(int calm)
{
	for (int s = 0; s < NR_STREAMS; s++)
		if (calm)
			begin_calm(&slots[s]);
		else
			end_calm(&slots[s]);
}

void st_control_begin(uint64_t seed)
{
	control_random = seed;
	for (int s = 0; s < NR_STREAMS; s++) {
		char path[] = "/tmp/ptl-stress-XXXXXX";

		pthread_mutex_init(&slots[s].lock, NULL);
		slots[s].random = st_random(&control_random);
		slots[s].fd = s == LOGGED ? mkstemp(path) : -1;
		if (s == LOGGED && slots[s].fd < 0)
			st_fail("%s: %s", path, strerror(errno));
		make(&slots[s]);
		if (s == LOGGED)
			unlink(path);
		else
			pthread_create(&reader_thread[s], NULL, reader,
				       &slots[s]);
	}
}

void st_control_end(void)
{
	for (int s = 0; s < NR_STREAMS; s++)
		end(&slots[s], !st->failed);
	st->phase = QUIT;
	for (int s = 0; s < LOGGED; s++)
		pthread_join(reader_thread[s], NULL);
}

void st_control_summary(void)
{
	st_say("%llu events judged, %llu missing for a reason; %lu streams, "
	       "%lu operations, settled %lu times",
	       (unsigned long long)all_events, (unsigned long long)all_missing,
	       nr_streams, nr_ops, nr_settled);
}
