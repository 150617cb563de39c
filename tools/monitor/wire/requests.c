/* SPDX-License-Identifier: MIT */
/*
 * The commands of ptrace-ctl, by the functions of <trace.h>.  Each returns
 * NULL, or says why it could not be done.
 */
#include "tools/monitor/wire/requests.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>
#include <unistd.h>

#include "preload/settings/settings.h"

/* Marks are events of this type. */
#define MARK "mark"

/* To find one takes about a millisecond. */
#define MOST_NAMES 1000

struct asked {
	const struct ptl_subject *subject;
	const struct ptl_talk *request;
	size_t at; /* the next argument */
	int file;
	struct ptl_talk *reply;
};

static const char *next_argument(struct asked *asked)
{
	return ptl_talk_next(asked->request, &asked->at);
}

static const char *why(int error)
{
	return error == 0 ? NULL : strerror(error);
}

static int policy_of(trace_id_t trid)
{
	int policy = POSIX_TRACE_LOOP;
	trace_attr_t attr;

	if (posix_trace_get_attr(trid, &attr) != 0)
		return policy;
	posix_trace_attr_getstreamfullpolicy(&attr, &policy);
	posix_trace_attr_destroy(&attr);
	return policy;
}

/* One that stopped since it was full goes on when there is room. */
bool ptl_requests_runs(trace_id_t trid)
{
	struct posix_trace_status_info status;

	if (posix_trace_get_status(trid, &status) != 0)
		return false;
	return status.posix_stream_status == POSIX_TRACE_RUNNING ||
	       (status.posix_stream_full_status == POSIX_TRACE_FULL &&
		policy_of(trid) != POSIX_TRACE_LOOP);
}

/*
 * A stream that flushes itself into a pipe may be waiting for its reader at any
 * time; who would have the log, or what is on its way there, waits, too.
 */
static bool may_wait(const struct ptl_subject *subject)
{
	int policy = policy_of(subject->trid);

	return !subject->has_file &&
	       (policy == POSIX_TRACE_FLUSH || policy == POSIX_TRACE_BLOCK_NP);
}

static const char busy[] =
	"the log is a pipe, which would have to wait for its reader";

static const char *policy_name(int policy)
{
#define POLICY(name, value) \
	if (policy == (value)) \
		return name;
	PTL_STREAM_POLICIES(POLICY, POLICY)
#undef POLICY
	return "?";
}

static const char *list(struct asked *asked)
{
	const struct ptl_subject *subject = asked->subject;
	struct ptl_talk *reply = asked->reply;
	struct posix_trace_info_np info;
	int error = posix_trace_get_info_np(subject->trid, &info);

	if (error != 0)
		return why(error);
	ptl_talk_add(reply, "controller");
	ptl_talk_add_number(reply, (unsigned long long)getpid());
	ptl_talk_add(reply, "log");
	ptl_talk_add(reply, subject->log);
	ptl_talk_add(reply, "device");
	ptl_talk_add_number(reply, subject->status.st_dev);
	ptl_talk_add(reply, "inode");
	ptl_talk_add_number(reply, subject->status.st_ino);
	ptl_talk_add(reply, "state");
	ptl_talk_add(reply, ptl_requests_runs(subject->trid) ? "running" :
							       "suspended");
	ptl_talk_add(reply, "policy");
	ptl_talk_add(reply, policy_name(policy_of(subject->trid)));
	ptl_talk_add(reply, "processes");
	ptl_talk_add_number(reply, info.live_processes);
	ptl_talk_add(reply, "events");
	ptl_talk_add_number(reply, info.events);
	ptl_talk_add(reply, "losses");
	ptl_talk_add_number(reply, info.lost);
	return NULL;
}

static const char *start(struct asked *asked)
{
	return why(posix_trace_start(asked->subject->trid));
}

static const char *stop(struct asked *asked)
{
	return why(posix_trace_stop(asked->subject->trid));
}

static const char *flush(struct asked *asked)
{
	return may_wait(asked->subject) ?
		       busy :
		       why(posix_trace_flush(asked->subject->trid));
}

/* The filter is what the user wanted to see, and is not forgotten; so nothing
 * is recorded while there is none. */
static const char *clear(struct asked *asked)
{
	trace_id_t trid = asked->subject->trid;
	bool did_run = ptl_requests_runs(trid);
	trace_event_set_t filter;
	int error;

	if (may_wait(asked->subject))
		return busy;
	error = posix_trace_get_filter(trid, &filter);
	if (error != 0)
		return why(error);
	posix_trace_stop(trid);
	error = posix_trace_clear(trid);
	posix_trace_set_filter(trid, &filter, POSIX_TRACE_SET_EVENTSET);
	if (did_run)
		posix_trace_start(trid);
	return why(error);
}

/* Adds the types that exist now and have such a name; false: there is none. */
static bool add_matching(trace_id_t trid, const char *pattern,
			 trace_event_set_t *set)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	bool found = false;
	trace_event_id_t id;
	int is_over = 1;

	posix_trace_eventtypelist_rewind(trid);
	while (posix_trace_eventtypelist_getnext_id(trid, &id, &is_over) == 0 &&
	       !is_over)
		if (posix_trace_eventid_get_name(trid, id, name) == 0 &&
		    fnmatch(pattern, name, 0) == 0) {
			posix_trace_eventset_add(id, set);
			found = true;
		}
	return found;
}

/* The types that the other arguments name. */
static const char *take_types(struct asked *asked, trace_event_set_t *set)
{
	trace_id_t trid = asked->subject->trid;
	const char *name;
	int error = 0;

	posix_trace_eventset_empty(set);
	for (int nr = 0; (name = next_argument(asked)) != NULL; nr++) {
		if (nr == MOST_NAMES)
			return "too many names";
		if (strpbrk(name, "*?[") == NULL)
			error = ptl_settings_add_type(trid, name, set);
		else if (!add_matching(trid, name, set))
			return "a pattern matches no event type";
		if (error != 0)
			return why(error);
	}
	return NULL;
}

static const char *filter(struct asked *asked)
{
	static const struct {
		const char *name;
		int how;
	} ways[] = {
		{"add", POSIX_TRACE_ADD_EVENTSET},
		{"sub", POSIX_TRACE_SUB_EVENTSET},
		{"set", POSIX_TRACE_SET_EVENTSET},
	};
	const char *name = next_argument(asked), *wrong;
	trace_event_set_t set;
	size_t i = 0;

	while (i < 3 && (name == NULL || strcmp(ways[i].name, name) != 0))
		i++;
	if (i == 3)
		return "not add, sub or set";
	wrong = take_types(asked, &set);
	if (wrong != NULL)
		return wrong;
	/* When the log is written is no act of the program. */
	if (ways[i].how == POSIX_TRACE_SET_EVENTSET) {
		posix_trace_eventset_add(POSIX_TRACE_FLUSH_START, &set);
		posix_trace_eventset_add(POSIX_TRACE_FLUSH_STOP, &set);
	}
	return why(posix_trace_set_filter(asked->subject->trid, &set,
					  ways[i].how));
}

const char *ptl_requests_mark(const struct ptl_subject *subject,
			      const char *text)
{
	trace_id_t trid = subject->trid;
	trace_event_id_t id;
	int error = posix_trace_trid_eventid_open(trid, MARK, &id);

	if (error == 0)
		error = posix_trace_trid_event_np(trid, id, text, strlen(text));
	/* If there is no room, it can be made. */
	if (error == EAGAIN && !may_wait(subject) &&
	    posix_trace_flush(trid) == 0)
		error = posix_trace_trid_event_np(trid, id, text, strlen(text));
	if (error == EAGAIN)
		return ptl_requests_runs(trid) ?
			       "the trace has no room for it" :
			       "the trace does not run";
	return why(error);
}

static const char *mark(struct asked *asked)
{
	const char *text = next_argument(asked);

	return text != NULL ? ptl_requests_mark(asked->subject, text) :
			      why(EINVAL);
}

static const char *snapshot(struct asked *asked)
{
	struct stat status;

	if (asked->file < 0 || fstat(asked->file, &status) != 0 ||
	    !S_ISREG(status.st_mode))
		return "a snapshot needs a file";
	if (status.st_dev == asked->subject->status.st_dev &&
	    status.st_ino == asked->subject->status.st_ino)
		return "it is the log of the trace";
	return may_wait(asked->subject) ?
		       busy :
		       why(posix_trace_snapshot_np(asked->subject->trid,
						   asked->file));
}

static const struct command {
	const char *name;
	const char *(*run)(struct asked *asked);
} commands[] = {
	{"list", list},	  {"start", start},	  {"stop", stop},
	{"flush", flush}, {"clear", clear},	  {"filter", filter},
	{"mark", mark},	  {"snapshot", snapshot},
};

bool ptl_requests_is(const struct ptl_talk *request, const char *name)
{
	size_t at = 0;
	const char *asked;

	ptl_talk_next(request, &at); /* the version */
	asked = ptl_talk_next(request, &at);
	return asked != NULL && strcmp(asked, name) == 0;
}

void ptl_requests_answer(const struct ptl_subject *subject,
			 const struct ptl_talk *request, int file,
			 struct ptl_talk *reply)
{
	struct asked asked = {subject, request, 0, file, reply};
	const char *name, *failed = "no such command";

	next_argument(&asked); /* the version */
	name = next_argument(&asked);
	ptl_talk_begin(reply);
	ptl_talk_add(reply, PTL_TALK_OK);
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (name != NULL && strcmp(commands[i].name, name) == 0)
			failed = commands[i].run(&asked);
	if (failed == NULL)
		return;
	ptl_talk_begin(reply);
	ptl_talk_add(reply, PTL_TALK_FAILED);
	ptl_talk_add(reply, failed);
}
