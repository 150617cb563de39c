/* SPDX-License-Identifier: MIT */
/*
 * A log opened for reading; see source.h.  The first 16 bytes of a log (magic,
 * byte order, version) are the only ones known here, to say what is wrong with
 * a file that posix_trace_open() refuses.
 */
#include "tools/read/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tools/lib/say.h"

#define LOG_MAGIC "\211PTLOG\r\n"
#define LOG_BYTE_ORDER 0x01020304u
#define LOG_MAJOR 1

/* How long to wait for a log that is about to be ended, in seconds. */
#define PATIENCE 2.0

struct log_start {
	char magic[8];
	uint32_t byte_order;
	uint16_t major, minor;
};

/* Why these bytes do not begin a log that can be read here. */
static int explain_start(const char *path, const struct log_start *start,
			 size_t size)
{
	size_t compared = size < 8 ? size : 8;

	if (size == 0)
		ptl_say("%s: empty, not a log", path);
	else if (memcmp(start->magic, LOG_MAGIC, compared) != 0)
		ptl_say("%s: not a trace log", path);
	else if (size < sizeof(*start))
		goto cut;
	else if (start->byte_order == __builtin_bswap32(LOG_BYTE_ORDER))
		ptl_say("%s: written by a machine of another byte order", path);
	else if (start->byte_order == LOG_BYTE_ORDER &&
		 start->major != LOG_MAJOR)
		ptl_say("%s: log format version %u.%u; this program reads %u",
			path, (unsigned int)start->major,
			(unsigned int)start->minor, LOG_MAJOR);
	else
		goto cut;
	return PTL_EXIT_NO_LOG;
cut:
	ptl_say("%s: damaged or cut inside its head; nothing can be read",
		path);
	return PTL_EXIT_DAMAGED;
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Has the program ended, but its controller not yet? */
static bool is_about_to_end(const struct ptl_source *source)
{
	struct posix_trace_info_np info;

	return posix_trace_get_info_np(source->trid, &info) == 0 &&
	       info.log_state == POSIX_TRACE_LOG_ACTIVE_NP &&
	       !info.lost_unknown && info.live_processes == 0;
}

/* So that a dump right after the end of the program shows the whole log. */
static void await_end(struct ptl_source *source, int fd)
{
	const struct timespec pause = {0, 10000000};
	double begun = seconds();
	trace_id_t trid;

	while (is_about_to_end(source) && seconds() - begun < PATIENCE) {
		nanosleep(&pause, NULL);
		if (posix_trace_open(fd, &trid) != 0)
			return;
		posix_trace_close(source->trid);
		source->trid = trid;
	}
}

static int open_file(struct ptl_source *source, int fd)
{
	const char *path = source->path;
	struct log_start start;
	ssize_t size;
	int error = posix_trace_open(fd, &source->trid);

	if (error == 0) {
		await_end(source, fd);
		return PTL_EXIT_OK;
	}
	size = error == EINVAL ? pread(fd, &start, sizeof(start), 0) : -1;
	if (size >= 0)
		return explain_start(path, &start, (size_t)size);
	ptl_say("%s: %s", path, strerror(error));
	return PTL_EXIT_NO_LOG;
}

/* The first bytes in a pipe, without taking them out. */
static ssize_t peek_pipe(int fd, struct log_start *start)
{
	ssize_t size = -1;
	int copy[2];

	if (pipe(copy) != 0)
		return -1;
	size = tee(fd, copy[1], sizeof(*start), 0);
	if (size > 0)
		size = read(copy[0], start, sizeof(*start));
	close(copy[0]);
	close(copy[1]);
	return size;
}

static int open_pipe(struct ptl_source *source, int fd)
{
	struct log_start start;
	ssize_t size = peek_pipe(fd, &start);
	int error = posix_trace_open_np(fd, &source->trid);

	if (error == 0)
		return PTL_EXIT_OK;
	if (error == EINVAL && size >= 0)
		return explain_start(source->path, &start, (size_t)size);
	ptl_say("%s: %s", source->path,
		error == EINVAL ? "not a trace log" : strerror(error));
	return PTL_EXIT_NO_LOG;
}

static int open_fd(struct ptl_source *source, int fd)
{
	struct stat st;

	if (fstat(fd, &st) != 0) {
		ptl_say("%s: %s", source->path, strerror(errno));
		return PTL_EXIT_NO_LOG;
	}
	if (S_ISDIR(st.st_mode)) {
		ptl_say("%s: a directory, not a log", source->path);
		return PTL_EXIT_NO_LOG;
	}
	if (S_ISREG(st.st_mode))
		return open_file(source, fd);
	return open_pipe(source, fd);
}

/*
 * Room for the largest event: as the log says, but never more than the size of
 * the log itself, so that a forged log cannot make us take all memory; nor more
 * than can be had, of a log that is said to be larger than it is.
 */
static void *room_for_data(trace_id_t trid, size_t *room)
{
	struct posix_trace_info_np info;
	trace_attr_t attr;
	size_t max = 0;

	if (posix_trace_get_attr(trid, &attr) == 0)
		posix_trace_attr_getmaxdatasize(&attr, &max);
	if (posix_trace_get_info_np(trid, &info) == 0 && max > info.log_size)
		max = info.log_size;
	while (max > 64 * 1024) {
		void *data = malloc(max);

		*room = max;
		if (data != NULL)
			return data;
		max /= 2;
	}
	*room = 64 * 1024;
	return ptl_alloc(*room);
}

static bool has_stacks(trace_id_t trid)
{
	unsigned int depth = 0;
	trace_attr_t attr;

	return posix_trace_get_attr(trid, &attr) == 0 &&
	       posix_trace_attr_getstackdepth_np(&attr, &depth) == 0 &&
	       depth > 0;
}

static int state_of(trace_id_t trid)
{
	struct posix_trace_info_np info;

	return posix_trace_get_info_np(trid, &info) == 0 ? info.log_state : 0;
}

int ptl_source_open(struct ptl_source *source, const char *path)
{
	bool is_stdin = strcmp(path, "-") == 0;
	int fd, status;

	memset(source, 0, sizeof(*source));
	source->path = is_stdin ? "standard input" : path;
	fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		ptl_say("%s: %s", path, strerror(errno));
		return PTL_EXIT_NO_LOG;
	}
	status = open_fd(source, fd);
	if (!is_stdin)
		close(fd);
	if (status != PTL_EXIT_OK)
		return status;
	source->data = room_for_data(source->trid, &source->data_room);
	source->next = ptl_alloc(sizeof(*source->next));
	source->next->data = ptl_alloc(source->data_room);
	source->has_stacks = has_stacks(source->trid);
	source->was_written =
		state_of(source->trid) == POSIX_TRACE_LOG_ACTIVE_NP;
	return PTL_EXIT_OK;
}

void ptl_source_close(struct ptl_source *source)
{
	posix_trace_close(source->trid);
	for (size_t i = 0; i < _PTL_EVENT_ID_LIMIT; i++)
		free(source->type[i]);
	free(source->data);
	if (source->next != NULL)
		free(source->next->data);
	free(source->next);
}

static struct timespec later(struct timespec time, long long ns)
{
	long long sum = (long long)time.tv_nsec + ns % 1000000000;

	time.tv_sec += (time_t)(ns / 1000000000);
	if (sum < 0) {
		sum += 1000000000;
		time.tv_sec--;
	} else if (sum >= 1000000000) {
		sum -= 1000000000;
		time.tv_sec++;
	}
	time.tv_nsec = (long)sum;
	return time;
}

void ptl_source_shift(struct ptl_source *source, long long ns)
{
	source->shift = ns;
	source->event.posix_timestamp =
		later(source->event.posix_timestamp, ns);
}

static void set_window(const struct ptl_source *source)
{
	posix_trace_set_window_np(source->trid,
				  source->has_since ? &source->since : NULL,
				  source->has_until ? &source->until : NULL);
}

void ptl_source_window(struct ptl_source *source, const struct timespec *since,
		       const struct timespec *until)
{
	source->has_since = since != NULL;
	source->has_until = until != NULL;
	if (since != NULL)
		source->since = later(*since, -source->shift);
	if (until != NULL)
		source->until = later(*until, -source->shift);
	set_window(source);
}

/* Events of a program's own types are no calls. */
static long long duration_of(struct ptl_source *source, trace_event_id_t id)
{
	long long duration;

	if (!ptl_source_type(source, id)->is_system ||
	    posix_trace_get_duration_np(source->trid, &duration) != 0)
		return -1;
	return duration;
}

static bool read_next(struct ptl_source *source)
{
	struct ptl_next *next = source->next;
	int unavailable = 1;
	int error = posix_trace_getnext_event(source->trid, &next->event,
					      next->data, source->data_room,
					      &next->data_size, &unavailable);

	next->duration = -1;
	next->nr_stack = 0;
	if (error != 0 || unavailable)
		return false;
	if (source->shift != 0)
		next->event.posix_timestamp =
			later(next->event.posix_timestamp, source->shift);
	next->duration = duration_of(source, next->event.posix_event_id);
	if (source->has_stacks)
		posix_trace_get_stack_np(source->trid, next->stack,
					 POSIX_TRACE_STACK_MAX_NP,
					 &next->nr_stack);
	return true;
}

const struct ptl_next *ptl_source_peek(struct ptl_source *source)
{
	if (!source->has_next)
		source->has_next = read_next(source);
	return source->has_next ? source->next : NULL;
}

/* The event that was read is the current one now. */
static void take_next(struct ptl_source *source)
{
	struct ptl_next *next = source->next;
	char *data = source->data;

	source->event = next->event;
	source->data = next->data;
	source->data_size = next->data_size;
	source->duration = next->duration;
	source->nr_stack = next->nr_stack;
	if (next->nr_stack > 0)
		memcpy(source->stack, next->stack,
		       next->nr_stack * sizeof(*next->stack));
	next->data = data;
}

void ptl_source_next(struct ptl_source *source)
{
	source->has_event = source->has_next || read_next(source);
	source->has_next = false;
	source->nr_read += source->has_event;
	if (source->has_event)
		take_next(source);
}

void ptl_source_survey(struct ptl_source *source,
		       void (*see)(void *to, struct ptl_source *source),
		       void *to)
{
	size_t nr = source->nr_read;

	source->has_next = false;
	posix_trace_rewind(source->trid);
	for (ptl_source_next(source); source->has_event;
	     ptl_source_next(source))
		see(to, source);
	posix_trace_rewind(source->trid);
	source->nr_read = 0;
	while (source->nr_read < nr) {
		ptl_source_next(source);
		if (!source->has_event)
			break;
	}
}

static void count_gap(void *to, struct ptl_source *source)
{
	*(size_t *)to += source->event.posix_event_id == POSIX_TRACE_OVERFLOW;
}

unsigned long long ptl_source_lost(struct ptl_source *source)
{
	const struct timespec never = {.tv_sec = INT64_MAX};
	struct posix_trace_info_np info;
	size_t nr_gaps = 0;

	if (source->nr_read != 1 ||
	    posix_trace_get_info_np(source->trid, &info) != 0 ||
	    info.lost_unknown || info.lost == 0 ||
	    info.log_state == POSIX_TRACE_LOG_ACTIVE_NP)
		return 0;
	/* Whatever is said of losses is given all the same. */
	posix_trace_set_window_np(source->trid, &never, NULL);
	ptl_source_survey(source, count_gap, &nr_gaps);
	set_window(source);
	return nr_gaps == 1 ? info.lost : 0;
}

/* What is true of the log as it is now.  Opening it once more completes a log
 * whose controller was killed; and where it was overwritten while it was read,
 * what was read does not say so. */
static bool is_now(const struct ptl_source *source, bool (*is)(trace_id_t trid))
{
	int fd = open(source->path, O_RDONLY | O_CLOEXEC);
	trace_id_t trid;
	bool answer = false;

	if (fd >= 0 && posix_trace_open(fd, &trid) == 0) {
		answer = is(trid);
		posix_trace_close(trid);
	}
	if (fd >= 0)
		close(fd);
	return answer;
}

static bool is_written(trace_id_t trid)
{
	return state_of(trid) == POSIX_TRACE_LOG_ACTIVE_NP;
}

enum ptl_source_more ptl_source_more(struct ptl_source *source, bool is_patient)
{
	bool is_over;

	ptl_source_next(source);
	if (source->has_event)
		return PTL_SOURCE_NOW;
	is_over = !is_written(source->trid) ||
		  (!is_patient && !is_now(source, is_written));
	/* The log may have ended after the look. */
	if (is_over)
		ptl_source_next(source);
	return source->has_event ? PTL_SOURCE_NOW :
	       is_over		 ? PTL_SOURCE_NONE :
				   PTL_SOURCE_LATER;
}

static bool is_full(trace_id_t trid)
{
	struct posix_trace_status_info status;

	return posix_trace_get_status(trid, &status) == 0 &&
	       status.posix_log_full_status == POSIX_TRACE_FULL;
}

int ptl_source_outrun(const struct ptl_source *source)
{
	trace_attr_t attr;
	int policy;

	if (!source->was_written ||
	    posix_trace_get_attr(source->trid, &attr) != 0 ||
	    posix_trace_attr_getlogfullpolicy(&attr, &policy) != 0 ||
	    policy != POSIX_TRACE_LOOP ||
	    !(is_full(source->trid) || is_now(source, is_full)))
		return PTL_EXIT_OK;
	ptl_say("%s: it came round while it was followed: what was written "
		"since was not shown",
		source->path);
	return PTL_EXIT_DAMAGED;
}

struct ptl_type *ptl_source_type(struct ptl_source *source, trace_event_id_t id)
{
	static struct ptl_type nonsense = {
		.name = "#?", .name_size = 2, .wanted = -1};

	if (id >= _PTL_EVENT_ID_LIMIT)
		return &nonsense;
	if (source->type[id] == NULL)
		source->type[id] = ptl_type_new(source->trid, id);
	return source->type[id];
}

/* Of a log that somebody else completed: what is missing in it. */
static int verdict_of_dead(const struct ptl_source *source,
			   const struct posix_trace_info_np *info)
{
	if (info->live_processes > 0) {
		ptl_say("%s: ends early: its controller was killed, and %u "
			"process%s went on",
			source->path, info->live_processes,
			info->live_processes == 1 ? "" : "es");
		return PTL_EXIT_DAMAGED;
	}
	if (info->lost > 0)
		ptl_say("%s: its controller was killed: %llu events did not "
			"fit into the stream",
			source->path, info->lost);
	return PTL_EXIT_OK;
}

int ptl_source_verdict(const struct ptl_source *source)
{
	struct posix_trace_info_np info;

	if (posix_trace_get_info_np(source->trid, &info) != 0)
		return PTL_EXIT_OK;
	switch (info.log_state) {
	case POSIX_TRACE_LOG_ACTIVE_NP:
		ptl_say("%s: incomplete: still being written; %llu events so "
			"far",
			source->path, info.events);
		return PTL_EXIT_DAMAGED;
	case POSIX_TRACE_LOG_INCOMPLETE_NP:
		ptl_say("%s: incomplete: no end mark up to byte %llu; "
			"%llu events salvaged",
			source->path,
			info.bad_offset > 0 ? info.bad_offset : info.log_size,
			info.events);
		return PTL_EXIT_DAMAGED;
	case POSIX_TRACE_LOG_DAMAGED_NP:
		ptl_say("%s: damaged: %llu bytes not understood, the first at "
			"byte %llu; %llu events salvaged",
			source->path, info.bad_size, info.bad_offset,
			info.events);
		return PTL_EXIT_DAMAGED;
	default:
		return info.controller_died ? verdict_of_dead(source, &info) :
					      PTL_EXIT_OK;
	}
}

trace_event_id_t ptl_source_next_in_set(struct ptl_source *source,
					const struct ptl_arg *set,
					trace_event_id_t id)
{
	trace_event_set_t copy; /* the data need not be aligned */
	char name[TRACE_EVENT_NAME_MAX + 1];
	int is_member;

	memset(&copy, 0, sizeof(copy));
	memcpy(&copy, set->bytes, set->size);
	for (id++; id < _PTL_EVENT_ID_LIMIT; id++)
		if (posix_trace_eventset_ismember(id, &copy, &is_member) == 0 &&
		    is_member &&
		    posix_trace_eventid_get_name(source->trid, id, name) == 0)
			return id;
	return 0;
}
