/* SPDX-License-Identifier: MIT */
/* A log that is read; see source.h. */
#include "tools/read/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/format/sysevents.h"
#include "tools/lib/say.h"
#include "tools/read/start.h"
#include "tools/read/unpack.h"
#include "tools/symbolize/enclosed.h"

/*
 * Where events are read to, of all logs.  Each keeps what it has at hand in as
 * much room as that needs: of thousands of logs room for the largest event
 * would be more than all else.
 */
static struct {
	char *data;
	size_t room;
} intake;

/* But of so many logs, those that were opened first. */
#define FEW 16
static size_t nr_opened;

/*
 * How large an event may be: as the log says, but never more than the size of
 * the log itself, so that a forged log cannot make us take all memory; nor more
 * than can be had, of a log that is said to be larger than it is.
 */
static size_t find_most(trace_id_t trid)
{
	struct posix_trace_info_np info;
	trace_attr_t attr;
	size_t max = 0;

	if (posix_trace_get_attr(trid, &attr) == 0)
		posix_trace_attr_getmaxdatasize(&attr, &max);
	if (posix_trace_get_info_np(trid, &info) == 0 && max > info.log_size)
		max = info.log_size;
	for (; max > 64 * 1024; max /= 2) {
		char *data = max > intake.room ? malloc(max) : NULL;

		if (max <= intake.room)
			return max;
		if (data == NULL)
			continue;
		free(intake.data);
		intake.data = data;
		intake.room = max;
		return max;
	}
	if (intake.room == 0) {
		intake.room = 64 * 1024;
		intake.data = ptl_alloc(intake.room);
	}
	return 64 * 1024;
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

/* Of a few logs events are read to where they stay. */
static void give_room(struct ptl_source *source)
{
	source->data_room = source->next->data_room = source->data_most;
	source->own_data = ptl_alloc(source->data_most);
	source->next->data = ptl_alloc(source->data_most);
}

/* What the log keeps of its programs. */
static void learn_symbols(struct ptl_source *source)
{
	source->nr_symbols = ptl_enclosed_learn(source->trid);
	if (source->nr_symbols < 0)
		ptl_say("%s: the symbols in it cannot be read: %s",
			source->path, strerror(errno));
}

/* What is known of a log that is open, before its first event. */
static void prepare(struct ptl_source *source)
{
	source->data_most = find_most(source->trid);
	source->next = ptl_alloc(sizeof(*source->next));
	if (nr_opened++ < FEW)
		give_room(source);
	else
		source->is_one_of_many = true;
	source->has_stacks = has_stacks(source->trid);
	learn_symbols(source);
	source->was_written =
		state_of(source->trid) == POSIX_TRACE_LOG_ACTIVE_NP;
}

static const char standard_input[] = "standard input";

/* The file of a log that is open, unless it is another one by now. */
static int open_again(const struct ptl_source *open_log)
{
	int fd = open(open_log->path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) != 0 || st.st_dev != open_log->dev ||
			st.st_ino != open_log->ino)) {
		close(fd);
		return -1;
	}
	return fd;
}

int ptl_source_open(struct ptl_source *source, const char *path, char *why)
{
	bool is_stdin = strcmp(path, "-") == 0;
	struct ptl_opened_log opened = {.copy = 0};
	int fd, status;

	memset(source, 0, sizeof(*source));
	source->path = is_stdin ? standard_input : path;
	fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		snprintf(why, PTL_OPEN_WHY_SIZE, "%s", strerror(errno));
		return PTL_EXIT_NO_LOG;
	}
	opened.path = source->path;
	status = ptl_open_log(&opened, fd, why);
	if (!is_stdin)
		close(fd);
	source->trid = opened.trid;
	source->dev = opened.dev;
	source->ino = opened.ino;
	source->copy = opened.copy;
	source->rest = opened.rest;
	if (status == PTL_EXIT_OK)
		prepare(source);
	return status;
}

bool ptl_source_again(struct ptl_source *source, const struct ptl_source *open)
{
	bool is_stdin = open->path == standard_input;
	int fd, error;

	memset(source, 0, sizeof(*source));
	source->path = open->path;
	source->dev = open->dev;
	source->ino = open->ino;
	source->host_name = open->host_name;
	source->host = open->host;
	fd = open->copy > 0 ? open->copy :
	     is_stdin	    ? STDIN_FILENO :
			      open_again(open);
	if (fd < 0)
		return false;
	error = posix_trace_open(fd, &source->trid);
	if (open->copy == 0 && !is_stdin)
		close(fd);
	if (error != 0)
		return false;
	prepare(source);
	source->shift = open->shift;
	return true;
}

/* Frees types, but not those that all logs share. */
static void free_types(struct ptl_type **types)
{
	for (size_t i = 0; types != NULL && i < PTL_SOURCE_TYPE_IDS; i++)
		if (types[i] != NULL && !types[i]->is_shared)
			free(types[i]);
	free(types);
}

void ptl_source_close(struct ptl_source *source)
{
	posix_trace_close(source->trid);
	ptl_unpack_free(source->rest);
	if (source->copy > 0)
		close(source->copy);
	for (size_t i = 0; i < PTL_SOURCE_TYPES; i++)
		free_types(source->types[i]);
	free(source->own_data);
	ptl_ahead_free(&source->ahead);
	if (source->next != NULL)
		free(source->next->data);
	free(source->next);
	ptl_start_free(source->parts);
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

static void shift(struct posix_trace_event_info *event, long long ns)
{
	event->posix_timestamp = later(event->posix_timestamp, ns);
}

void ptl_source_shift(struct ptl_source *source, long long ns)
{
	struct ptl_early *early = NULL;

	shift(&source->event, ns - source->shift);
	if (source->has_next)
		shift(&source->next->event, ns - source->shift);
	while ((early = ptl_ahead_after(&source->ahead, early)) != NULL)
		shift(&early->event, ns - source->shift);
	source->shift = ns;
}

bool ptl_source_has_context(struct ptl_source *source)
{
	trace_event_id_t id;
	int is_over = 0;

	posix_trace_eventtypelist_rewind(source->trid);
	while (posix_trace_eventtypelist_getnext_id(source->trid, &id,
						    &is_over) == 0 &&
	       !is_over) {
		const struct ptl_type *type = ptl_source_type(source, id);

		if (!type->is_system && type->layout.has_context)
			return true;
	}
	return false;
}

static void set_window(const struct ptl_source *source)
{
	posix_trace_set_window_np(source->trid,
				  source->has_since ? &source->since : NULL,
				  source->has_until ? &source->until : NULL);
}

static bool is_later(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec :
					a->tv_nsec > b->tv_nsec;
}

/* As posix_trace_getnext_event() has it. */
static bool is_wanted(void *arg, uint64_t first, uint64_t last)
{
	const struct ptl_source *source = arg;
	struct timespec begin, end;

	return posix_trace_get_counter_time_np(source->trid, first, &begin) !=
		       0 ||
	       posix_trace_get_counter_time_np(source->trid, last, &end) != 0 ||
	       !((source->has_since && is_later(&source->since, &end)) ||
		 (source->has_until && is_later(&begin, &source->until)));
}

/* As if no event had been read. */
static void forget_read(struct ptl_source *source)
{
	source->has_next = false;
	source->nr_read = 0;
	ptl_ahead_clear(&source->ahead);
}

/* Forward to where it was. */
static void return_to(struct ptl_source *source, size_t nr)
{
	while (source->nr_read < nr) {
		ptl_source_next(source);
		if (!source->has_event)
			break;
	}
}

static void unpack_wanted(struct ptl_source *source)
{
	if (ptl_unpack_wanted(source->rest, is_wanted, source))
		return;
	source->is_holed = true;
	ptl_say("%s: compressed: damaged, or there is no room for it",
		source->path);
}

/* Unpacks what is wanted, and goes on where we are. */
static void take_rest(struct ptl_source *source)
{
	size_t nr = source->nr_read;
	trace_id_t trid;

	unpack_wanted(source);
	ptl_unpack_free(source->rest);
	source->rest = NULL;
	if (posix_trace_open(source->copy, &trid) != 0)
		return;
	posix_trace_close(source->trid);
	source->trid = trid;
	learn_symbols(source);
	set_window(source);
	forget_read(source);
	return_to(source, nr);
}

static void want(struct ptl_source *source, const struct timespec *since,
		 const struct timespec *until)
{
	source->has_since = since != NULL;
	source->has_until = until != NULL;
	if (since != NULL)
		source->since = later(*since, -source->shift);
	if (until != NULL)
		source->until = later(*until, -source->shift);
}

void ptl_source_bring(struct ptl_source *source, const struct timespec *since,
		      const struct timespec *until)
{
	if (source->rest == NULL)
		return;
	want(source, since, until);
	unpack_wanted(source);
	want(source, NULL, NULL);
	if (!ptl_unpack_is_all(source->rest))
		return;
	ptl_unpack_free(source->rest);
	source->rest = NULL;
}

void ptl_source_window(struct ptl_source *source, const struct timespec *since,
		       const struct timespec *until)
{
	want(source, since, until);
	set_window(source);
	if (source->rest != NULL)
		take_rest(source);
}

/* Events of a program's own types are no calls. */
static long long duration_of(const struct ptl_source *source,
			     const struct ptl_type *type)
{
	long long duration;

	if (!type->is_system ||
	    posix_trace_get_duration_np(source->trid, &duration) != 0)
		return -1;
	return duration;
}

static void keep_data(struct ptl_next *next, const char *data)
{
	if (next->data_size > next->data_room || next->data == NULL) {
		free(next->data);
		next->data_room = next->data_size < 256 ? 256 : next->data_size;
		next->data = ptl_alloc(next->data_room);
	}
	memcpy(next->data, data, next->data_size);
}

/* What other events have of the command line. */
static void complete_start(struct ptl_source *source, struct ptl_next *next)
{
	size_t more;
	bool is_all;
	const char *rest = ptl_start_rest(source->parts, &next->event,
					  next->data_size, &more, &is_all);
	size_t used = next->data_size;

	if (rest == NULL)
		return;
	while (next->data_room < used + more)
		next->data = ptl_grow(next->data, next->data_room,
				      &next->data_room, 1);
	memcpy(next->data + used, rest, more);
	next->data_size = used + more;
	if (is_all)
		next->event.posix_truncation_status = POSIX_TRACE_NOT_TRUNCATED;
}

/* False: there is none yet. */
static bool read_record(struct ptl_source *source)
{
	struct ptl_next *next = source->next;
	int unavailable = 1;
	bool stays = next->data_room >= source->data_most;
	int error = posix_trace_getnext_event(
		source->trid, &next->event, stays ? next->data : intake.data,
		source->data_most, &next->data_size, &unavailable);

	if (error != 0 || unavailable)
		return false;
	if (!stays)
		keep_data(next, intake.data);
	return true;
}

static bool read_next(struct ptl_source *source)
{
	struct ptl_next *next = source->next;

	next->duration = -1;
	next->nr_stack = 0;
	do {
		if (!read_record(source))
			return false;
	} while (next->event.posix_event_id == PTL_EV_PROCESS_BEGIN &&
		 ptl_start_keep(&source->parts, &next->event, next->data,
				next->data_size));
	if (next->event.posix_event_id == PTL_EV_PROCESS_BEGIN)
		complete_start(source, next);
	if (source->shift != 0)
		shift(&next->event, source->shift);
	next->type = ptl_source_type(source, next->event.posix_event_id);
	next->duration = duration_of(source, next->type);
	/* A crash has one in any log, and so has a sample. */
	if (source->has_stacks ||
	    next->event.posix_event_id == PTL_EV_SIGNAL_CRASH ||
	    next->event.posix_event_id == PTL_EV_CPU_SAMPLE ||
	    next->event.posix_event_id == PTL_EV_CPU_SAMPLE_LEFT)
		posix_trace_get_stack_np(source->trid, next->stack,
					 POSIX_TRACE_STACK_MAX_NP,
					 &next->nr_stack);
	return true;
}

/* What was read before its turn, as it were read now. */
static bool read_early(struct ptl_source *source)
{
	struct ptl_next *next = source->next;
	struct ptl_early *early = ptl_ahead_take(&source->ahead);

	if (early == NULL)
		return read_next(source);
	next->event = early->event;
	next->type = early->type;
	next->duration = early->duration;
	next->data_size = early->data_size;
	next->nr_stack = early->nr_stack;
	keep_data(next, ptl_early_data(early));
	memcpy(next->stack, ptl_early_stack(early),
	       early->nr_stack * sizeof(*next->stack));
	return true;
}

const struct ptl_next *ptl_source_peek(struct ptl_source *source)
{
	if (!source->has_next)
		source->has_next = read_early(source);
	return source->has_next ? source->next : NULL;
}

/* The event that was read is the current one now. */
static void take_next(struct ptl_source *source)
{
	struct ptl_next *next = source->next;
	char *data = source->own_data;
	size_t room = source->data_room;

	source->event = next->event;
	source->type = next->type;
	source->data = source->own_data = next->data;
	source->data_room = next->data_room;
	source->data_size = next->data_size;
	source->duration = next->duration;
	source->nr_stack = next->nr_stack;
	if (next->nr_stack > 0)
		memcpy(source->stack, next->stack,
		       next->nr_stack * sizeof(*next->stack));
	next->data = data;
	next->data_room = room;
}

/* As take_next(), of one that was read ahead; its data stay where they are. */
static bool take_early(struct ptl_source *source)
{
	struct ptl_early *early = ptl_ahead_take(&source->ahead);

	if (early == NULL)
		return false;
	source->event = early->event;
	source->type = early->type;
	source->data = ptl_early_data(early);
	source->data_size = early->data_size;
	source->duration = early->duration;
	source->nr_stack = early->nr_stack;
	if (early->nr_stack > 0)
		memcpy(source->stack, ptl_early_stack(early),
		       early->nr_stack * sizeof(*source->stack));
	return true;
}

/* As many as there is room for; but not before the second event: whoever asks
 * for a window does so at the first. */
static void read_ahead(struct ptl_source *source)
{
	ptl_ahead_clear(&source->ahead);
	while (source->nr_read > 1 && !ptl_ahead_is_full(&source->ahead) &&
	       read_next(source))
		ptl_ahead_put(&source->ahead, source->next);
}

static bool take(struct ptl_source *source)
{
	if (!source->has_next && source->is_one_of_many) {
		if (take_early(source))
			return true;
		read_ahead(source);
		if (take_early(source))
			return true;
	}
	if (!source->has_next && !read_next(source))
		return false;
	source->has_next = false;
	take_next(source);
	return true;
}

void ptl_source_next(struct ptl_source *source)
{
	source->has_event = take(source);
	source->nr_read += source->has_event;
}

void ptl_source_survey(struct ptl_source *source,
		       void (*see)(void *to, struct ptl_source *source),
		       void *to)
{
	size_t nr = source->nr_read;

	forget_read(source);
	posix_trace_rewind(source->trid);
	for (ptl_source_next(source); source->has_event;
	     ptl_source_next(source))
		see(to, source);
	forget_read(source);
	posix_trace_rewind(source->trid);
	return_to(source, nr);
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

struct ptl_type *ptl_source_learn_type(struct ptl_source *source,
				       trace_event_id_t id)
{
	static struct ptl_type nonsense = {
		.name = "#?", .name_size = 2, .wanted = -1};

	struct ptl_type ***types, **type;

	if (id >= _PTL_EVENT_ID_LIMIT)
		return &nonsense;
	types = &source->types[id / PTL_SOURCE_TYPE_IDS];
	if (*types == NULL)
		*types = ptl_alloc(PTL_SOURCE_TYPE_IDS * sizeof(**types));
	type = &(*types)[id % PTL_SOURCE_TYPE_IDS];
	if (*type == NULL)
		*type = ptl_type_get(source->trid, id);
	return *type;
}

/* A file that went away: it could not be opened again when it was needed, and
 * that is why bytes of it are missing. */
static bool is_replaced(const struct ptl_source *source)
{
	struct stat st;

	return source->ino != 0 &&
	       (stat(source->path, &st) != 0 || st.st_dev != source->dev ||
		st.st_ino != source->ino);
}

enum ptl_source_lack ptl_source_verdict(const struct ptl_source *source,
					struct posix_trace_info_np *info)
{
	if (posix_trace_get_info_np(source->trid, info) != 0)
		return PTL_SOURCE_WHOLE;
	if (source->is_holed)
		return PTL_SOURCE_DAMAGED;
	switch (info->log_state) {
	case POSIX_TRACE_LOG_ACTIVE_NP:
		return PTL_SOURCE_WRITTEN;
	case POSIX_TRACE_LOG_INCOMPLETE_NP:
		return PTL_SOURCE_CUT;
	case POSIX_TRACE_LOG_DAMAGED_NP:
		return is_replaced(source) ? PTL_SOURCE_REPLACED :
					     PTL_SOURCE_DAMAGED;
	default:
		return !info->controller_died	? PTL_SOURCE_WHOLE :
		       info->live_processes > 0 ? PTL_SOURCE_ORPHANED :
		       info->lost > 0		? PTL_SOURCE_UNFIT :
						  PTL_SOURCE_WHOLE;
	}
}

trace_event_id_t ptl_source_types_end(const struct ptl_source *source)
{
	trace_event_id_t id, end = 0;
	int is_over = 0;

	posix_trace_eventtypelist_rewind(source->trid);
	while (posix_trace_eventtypelist_getnext_id(source->trid, &id,
						    &is_over) == 0 &&
	       !is_over)
		if (id >= end)
			end = id + 1;
	return end;
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
	if (id == 0)
		source->types_end = ptl_source_types_end(source);
	for (id++; id < source->types_end; id++)
		if (posix_trace_eventset_ismember(id, &copy, &is_member) == 0 &&
		    is_member &&
		    posix_trace_eventid_get_name(source->trid, id, name) == 0)
			return id;
	return 0;
}
