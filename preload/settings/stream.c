/* SPDX-License-Identifier: MIT */
/* The settings of a stream: its attributes and its filter. */
#include "preload/settings/settings.h"

#include "core/sys/text.h"

#include <errno.h>

#include "preload/settings/fds.h"
#include "preload/settings/list.h"
#include "preload/settings/pattern.h"

/* What has to do where /dev/shm is small, and nobody asks for more. */
#define SIZE_LEAST 16384u

#define NS_PER_SEC 1000000000u

/* A stream that loops is flushed into its log only when that is asked for, and
 * at its end. */
static int stream_policy(const struct ptl_settings *settings)
{
	if (settings->is_snapshot)
		return POSIX_TRACE_LOOP;
	return settings->stream_policy ? settings->stream_policy :
					 POSIX_TRACE_FLUSH;
}

static bool has_heap_of_its_own(const struct ptl_settings *settings)
{
	return settings->functions &&
	       ptl_pattern_list_has_role(settings->functions) &&
	       !ptl_families_want(&settings->families, false, "mem:malloc");
}

int ptl_settings_attr(const struct ptl_settings *settings, trace_attr_t *attr)
{
	int error = posix_trace_attr_init(attr);

	if (error)
		return error;
	/* No value that a setting can have is invalid here. */
	posix_trace_attr_setinherited(
		attr, settings->follows ? POSIX_TRACE_INHERITED :
					  POSIX_TRACE_CLOSE_FOR_CHILD);
	/* Which calls are recorded is decided by the filter; of libc's heap
	 * only, if it is asked for, where functions of the program stand for
	 * it. */
	posix_trace_attr_setcalls_np(attr,
				     has_heap_of_its_own(settings) ? 2 : 1);
	posix_trace_attr_setstreamfullpolicy(attr, stream_policy(settings));
	posix_trace_attr_setlogfullpolicy(attr, settings->log_policy);
	posix_trace_attr_setstackdepth_np(attr, settings->stack_depth);
	if (settings->data_size != PTL_SIZE_DEFAULT)
		posix_trace_attr_setmaxdatasize(attr, settings->data_size);
	if (settings->stream_size != PTL_SIZE_DEFAULT)
		posix_trace_attr_setstreamsize(attr, settings->stream_size);
	if (settings->log_size != PTL_SIZE_DEFAULT)
		posix_trace_attr_setlogsize(attr, settings->log_size);
	return 0;
}

int ptl_settings_create(const struct ptl_settings *settings, pid_t pid, int fd,
			trace_id_t *trid)
{
	trace_attr_t attr;
	size_t size;
	int error = ptl_settings_attr(settings, &attr);

	if (error)
		return error;
	posix_trace_attr_getstreamsize(&attr, &size);
	error = posix_trace_create_withlog(pid, &attr, fd, trid);
	while (error == ENOMEM && settings->stream_size == PTL_SIZE_DEFAULT &&
	       size > SIZE_LEAST) {
		size /= 2;
		posix_trace_attr_setstreamsize(&attr, size);
		error = posix_trace_create_withlog(pid, &attr, fd, trid);
	}
	posix_trace_attr_destroy(&attr);
	return error;
}

unsigned int ptl_settings_hz(const struct ptl_settings *settings)
{
	if (!settings->sample && ptl_families_have(&settings->families, "cpu"))
		return PTL_SAMPLE_DEFAULT;
	return settings->sample;
}

bool ptl_settings_timed(const struct ptl_settings *settings)
{
	return ptl_settings_hz(settings) > 0 && settings->sample_by &&
	       ptl_streq(settings->sample_by, "timer");
}

unsigned int ptl_settings_copied(const struct ptl_settings *settings)
{
	return settings->sample_stack ? settings->sample_stack :
					PTL_SAMPLE_STACK_KIB * 1024;
}

uint64_t ptl_settings_off(const struct ptl_settings *settings)
{
	struct ptl_settings usual;

	if (settings->sched || !ptl_families_have(&settings->families, "sched"))
		return settings->sched;
	ptl_settings_init(&usual);
	ptl_settings_set(&usual, "sched", PTL_TEXT_OF_VALUE(PTL_SCHED_DEFAULT));
	return usual.sched;
}

bool ptl_settings_select(const struct ptl_settings *settings)
{
	return settings->failed || settings->slower || settings->paths ||
	       settings->fds;
}

bool ptl_settings_select_all(const struct ptl_settings *settings)
{
	bool is_of_functions = settings->returns || settings->functions;

	return ptl_settings_select(settings) && !settings->families.is_given &&
	       !(settings->slower && is_of_functions);
}

static bool is_of_heap(const char *name)
{
	static const char *const names[] = {"mem:malloc", "mem:calloc",
					    "mem:realloc", "mem:aligned",
					    "mem:free"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (ptl_streq(name, names[i]))
			return true;
	return false;
}

/* Without these, samples and waits have no names. */
static bool is_of_names(const char *name)
{
	return ptl_streq(name, "dl:map") || ptl_streq(name, "dl:unmap") ||
	       ptl_streq(name, "process:program");
}

static bool wants(const struct ptl_settings *settings, const char *name)
{
	bool has_calls =
		settings->calls || settings->returns || settings->functions;

	/* With "none" others are not wanted: these are wanted all the more. */
	if ((settings->sample || settings->sched) &&
	    !settings->families.chosen && is_of_names(name))
		return true;
	if (ptl_strpre(name, "cpu:") && settings->sample)
		return true;
	if (ptl_strpre(name, "sched:") && settings->sched)
		return true;
	if (settings->functions && is_of_heap(name) &&
	    ptl_pattern_list_has_role(settings->functions))
		return true;
	/* What is said of probes that were found, and could not be patched. */
	if (settings->probes &&
	    (ptl_streq(name, "call:hooks") || ptl_streq(name, "call:unhooked")))
		return true;
	return ptl_families_want(&settings->families, has_calls, name) ||
	       (settings->records_crashes && ptl_streq(name, "signal:crash"));
}

/*
 * Adds the system event types that were not asked for.  (Ids are tried one by
 * one: listing the types takes a lock, which is two system calls, for each.)
 */
static void add_unwanted(const struct ptl_settings *settings, trace_id_t trid,
			 trace_event_set_t *filter)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_event_set_t system;
	int is_system = 0;

	posix_trace_eventset_fill(&system, POSIX_TRACE_SYSTEM_EVENTS);
	for (trace_event_id_t id = 1; id < _PTL_EVENT_ID_LIMIT; id++) {
		posix_trace_eventset_ismember(id, &system, &is_system);
		if (is_system &&
		    posix_trace_eventid_get_name(trid, id, name) == 0 &&
		    !wants(settings, name))
			posix_trace_eventset_add(id, filter);
	}
}

int ptl_settings_add_type(trace_id_t trid, const char *wanted,
			  trace_event_set_t *set)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	bool is_found = false;
	trace_event_id_t id;
	int error = 0;

	for (id = 1; id < _PTL_EVENT_ID_LIMIT; id++)
		if (posix_trace_eventid_get_name(trid, id, name) == 0 &&
		    ptl_streq(name, wanted)) {
			is_found = true;
			posix_trace_eventset_add(id, set);
		}
	if (!is_found) {
		error = posix_trace_trid_eventid_open(trid, wanted, &id);
		if (!error)
			error = posix_trace_eventset_add(id, set);
	}
	return error;
}

static int limit_calls(const struct ptl_settings *settings, trace_id_t trid)
{
	/* What --slower says is said of functions, too. */
	uint64_t ns = settings->min_duration ? settings->min_duration :
					       settings->slower;
	const struct timespec shortest = {(time_t)(ns / NS_PER_SEC),
					  (long)(ns % NS_PER_SEC)};

	if (settings->summary)
		return posix_trace_set_call_summary_np(trid, 1);
	if (!ns && !settings->depth)
		return 0;
	return posix_trace_set_call_limits_np(trid, &shortest, settings->depth);
}

static int select_calls(const struct ptl_settings *settings, trace_id_t trid)
{
	int fds[PTL_SELECTION_FDS];
	struct posix_trace_selection_np selection = {
		.failed = settings->failed,
		.shortest = {(time_t)(settings->slower / NS_PER_SEC),
			     (long)(settings->slower % NS_PER_SEC)},
		.paths = settings->paths,
		.fds = fds,
	};

	if (settings->fds)
		selection.nr_fds = ptl_fds_read(settings->fds, fds);
	if (!ptl_settings_select(settings))
		return 0;
	return posix_trace_set_selection_np(trid, &selection);
}

static int want_io_data(const struct ptl_settings *settings, trace_id_t trid)
{
	if (settings->io_data == PTL_SIZE_DEFAULT)
		return 0;
	return posix_trace_set_io_data_np(trid, settings->io_data);
}

/* The system event types that were asked for. */
static void filter_families(const struct ptl_settings *settings,
			    trace_id_t trid, trace_event_set_t *filter)
{
	struct ptl_settings asked = *settings;

	if (ptl_settings_select_all(settings))
		ptl_families_add(&asked.families, "+" PTL_FAMILIES_CALLS);
	add_unwanted(&asked, trid, filter);
}

int ptl_settings_filter(const struct ptl_settings *settings, trace_id_t trid)
{
	const char *list = settings->exclude, *word;
	trace_event_set_t filter;
	int error = 0;
	size_t size;

	posix_trace_eventset_empty(&filter);
	filter_families(settings, trid, &filter);
	/* When the log is written is no act of the program. */
	posix_trace_eventset_add(POSIX_TRACE_FLUSH_START, &filter);
	posix_trace_eventset_add(POSIX_TRACE_FLUSH_STOP, &filter);
	while (!error && ptl_list_next(&list, &word, &size)) {
		char name[TRACE_EVENT_NAME_MAX + 1];

		ptl_strcopy(name, PTL_MIN(size + 1, sizeof(name)), word);
		error = ptl_settings_add_type(trid, name, &filter);
	}
	if (!error)
		error = posix_trace_set_filter(trid, &filter,
					       POSIX_TRACE_SET_EVENTSET);
	if (!error)
		error = want_io_data(settings, trid);
	if (!error)
		error = select_calls(settings, trid);
	return error ? error : limit_calls(settings, trid);
}
