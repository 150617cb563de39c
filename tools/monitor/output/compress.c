/* SPDX-License-Identifier: MIT */
/* See compress.h. */
#include "tools/monitor/output/compress.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tools/monitor/output/zstd.h"

/* How long to wait until there is more, in ms: longer and longer. */
#define SHORT_MS 50
#define LONG_MS 400

/*
 * What a write appends may be taken back, and until the next one a controller
 * that comes after us looks there for how far each chunk is in the log.  A
 * write is of less than that, and of two of the largest events.
 */
#define KEPT (UINT64_C(512) << 10)

void ptl_compress_begin(struct ptl_compress *compress,
			const struct ptl_output *output)
{
	if (output->part == NULL)
		return;
	compress->is_on = true;
	/* We leave the directory to which its name is relative. */
	compress->part = realpath(output->part, NULL);
	if (ptl_zstd_load() != NULL)
		compress->error = ENOSYS;
	else
		compress->error = ptl_framing_begin(
			&compress->frames, output->fd, output->packed_fd);
}

static uint64_t size_of(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 ? (uint64_t)st.st_size : 0;
}

/* Returns whether there was something to do. */
static bool work(struct ptl_compress *compress)
{
	uint64_t size = size_of(compress->frames.part);
	bool worked = false;

	while (size > compress->kept &&
	       ptl_framing_step(&compress->frames, size - compress->kept,
				false))
		worked = true;
	return worked;
}

static void pause_for(struct ptl_compress *compress, unsigned int ms)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += (long)ms * 1000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&compress->lock);
	while (!compress->must_end &&
	       pthread_cond_timedwait(&compress->ends, &compress->lock,
				      &until) == 0)
		;
	pthread_mutex_unlock(&compress->lock);
}

static bool has_end(struct ptl_compress *compress)
{
	bool must_end;

	pthread_mutex_lock(&compress->lock);
	must_end = compress->must_end;
	pthread_mutex_unlock(&compress->lock);
	return must_end;
}

static void *run(void *arg)
{
	struct ptl_compress *compress = arg;
	unsigned int ms = SHORT_MS;

	while (!has_end(compress)) {
		ms = work(compress) ? SHORT_MS : ms * 2;
		if (ms > LONG_MS)
			ms = LONG_MS;
		pause_for(compress, ms);
	}
	return NULL;
}

static size_t largest_event(trace_id_t trid)
{
	trace_attr_t attr;
	size_t size = 0;

	if (posix_trace_get_attr(trid, &attr) == 0) {
		posix_trace_attr_getmaxdatasize(&attr, &size);
		posix_trace_attr_destroy(&attr);
	}
	return size;
}

/* Without a thread all of it is done at the end. */
void ptl_compress_start(struct ptl_compress *compress, trace_id_t trid)
{
	pthread_condattr_t attr;
	sigset_t all, before;

	if (!compress->is_on || compress->error != 0)
		return;
	/* What finds nothing else finds that it is one of ours. */
	if (compress->frames.done == 0)
		ptl_framing_step(&compress->frames, 0, false);
	compress->kept = KEPT + 4 * (uint64_t)largest_event(trid);
	pthread_mutex_init(&compress->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&compress->ends, &attr);
	pthread_condattr_destroy(&attr);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	compress->has_thread =
		pthread_create(&compress->thread, NULL, run, compress) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void join(struct ptl_compress *compress)
{
	if (!compress->has_thread)
		return;
	pthread_mutex_lock(&compress->lock);
	compress->must_end = true;
	pthread_cond_signal(&compress->ends);
	pthread_mutex_unlock(&compress->lock);
	pthread_join(compress->thread, NULL);
	compress->has_thread = false;
}

/* Unless its name is another file's by now. */
static void remove_part(int fd, const char *path)
{
	struct stat own, named;

	if (path != NULL && fstat(fd, &own) == 0 && stat(path, &named) == 0 &&
	    own.st_dev == named.st_dev && own.st_ino == named.st_ino)
		unlink(path);
}

int ptl_compress_end(struct ptl_compress *compress,
		     const struct ptl_output *output, bool keeps,
		     unsigned long long *size)
{
	uint64_t all = size_of(output->fd);

	join(compress);
	if (compress->error == 0) {
		while (ptl_framing_step(&compress->frames, all, true))
			;
		compress->error = ptl_framing_end(&compress->frames, all);
	}
	*size = size_of(output->packed_fd);
	if (compress->error == 0 && !keeps)
		remove_part(output->fd, compress->part);
	return compress->error;
}
