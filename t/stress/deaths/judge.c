/* SPDX-License-Identifier: MIT */
/* What must be in the logs. */
#include "t/stress/deaths/deaths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLACES 4096u

/* What was seen of a writer; those of a place of the table are a list. */
struct seen {
	uint32_t next; /* number of the next one that must come */
	uint32_t ended;
	uint32_t pid, pidns;
	uint32_t other; /* the next in the list: 1 + its writer */
	uint32_t missing;
};

struct log {
	uint32_t trace;
	trace_id_t trid;
	struct posix_trace_info_np info;
	trace_event_id_t exit[2];
	struct seen *seen;
	uint32_t place[PLACES];
	int wrong;
};

#define WRONG(log, ...) \
	do { \
		if ((log)->wrong++ < 3) \
			dt_wrong(__VA_ARGS__); \
	} while (0)

static int is_of(const struct dt_writer *writer, uint32_t trace, int *which)
{
	*which = writer->trace[0] == trace ? 0 : 1;
	return writer->trace[*which] == trace;
}

static void see(struct log *log, const struct posix_trace_event_info *info,
		const struct dt_mark *mark)
{
	struct seen *seen;
	uint32_t place;
	int which;

	if (mark->writer >= dt->nr_writers ||
	    !is_of(&dt->writer[mark->writer], log->trace, &which)) {
		WRONG(log,
		      "trace %u of world %d has an event of writer %u, "
		      "pid %d of %u %s, traces %d and %d",
		      log->trace, (int)dt->trace[log->trace].world,
		      mark->writer, info->posix_pid,
		      dt->writer[mark->writer].pidns,
		      dt->writer[mark->writer].how,
		      (int)dt->writer[mark->writer].trace[0],
		      (int)dt->writer[mark->writer].trace[1]);
		return;
	}
	seen = &log->seen[mark->writer];
	if (mark->number < seen->next)
		WRONG(log,
		      "trace %u, writer %u: %u comes again or late, "
		      "after %u",
		      log->trace, mark->writer, mark->number, seen->next - 1);
	/* The kernel gives the number of a namespace that is gone to the next:
	 * there it may be another's end. */
	if (seen->ended && !seen->pidns)
		WRONG(log,
		      "trace %u, writer %u: %u comes after the end of "
		      "pid %u",
		      log->trace, mark->writer, mark->number, seen->pid);
	if (mark->number > seen->next)
		seen->missing += mark->number - seen->next;
	if (!seen->pid) {
		place = (uint32_t)info->posix_pid % PLACES;
		seen->pid = (uint32_t)info->posix_pid;
		seen->pidns = info->posix_pidns_np;
		seen->other = log->place[place];
		log->place[place] = 1 + mark->writer;
	}
	seen->next = mark->number + 1;
}

/* All writers of that process have recorded their last. */
static void see_end(struct log *log, const struct posix_trace_event_info *info)
{
	uint32_t pid = (uint32_t)info->posix_pid;
	uint32_t at = log->place[pid % PLACES];

	for (; at; at = log->seen[at - 1].other)
		if (log->seen[at - 1].pid == pid &&
		    log->seen[at - 1].pidns == info->posix_pidns_np)
			log->seen[at - 1].ended = 1;
}

static void find_types(struct log *log)
{
	char name[256];
	trace_event_id_t id;
	int none = 0, n = 0;

	while (posix_trace_eventtypelist_getnext_id(log->trid, &id, &none) ==
		       0 &&
	       !none)
		if (posix_trace_eventid_get_name(log->trid, id, name) == 0 &&
		    strcmp(name, "process:exit") == 0 && n < 2)
			log->exit[n++] = id;
}

static void read_all(struct log *log)
{
	struct posix_trace_event_info info;
	unsigned char data[256];
	struct dt_mark mark;
	size_t size;
	int none = 0;

	while (posix_trace_getnext_event(log->trid, &info, data, sizeof(data),
					 &size, &none) == 0 &&
	       !none) {
		memcpy(&mark, data, sizeof(mark));
		if (size >= sizeof(mark) && mark.magic == DT_MAGIC)
			see(log, &info, &mark);
		else if (info.posix_event_id == log->exit[0] ||
			 info.posix_event_id == log->exit[1])
			see_end(log, &info);
	}
}

/* Must its end be told?  Nobody can see into a bridge from another pid
 * namespace. */
static int is_told(const struct log *log, uint32_t i)
{
	const struct dt_writer *writer = &dt->writer[i];

	return !writer->left && (writer->uid == dt->trace[log->trace].uid ||
				 !log->seen[i].pidns);
}

/* What its recorders were told. */
static void compare(struct log *log)
{
	uint32_t doomed = dt->trace[log->trace].doomed;
	uint64_t missing = 0;
	uint32_t first = DT_NONE;
	int which;

	for (uint32_t i = 0; i < dt->nr_writers; i++) {
		struct dt_writer *writer = &dt->writer[i];
		struct seen *seen = &log->seen[i];
		uint32_t sure;

		if (!is_of(writer, log->trace, &which))
			continue;
		sure = writer->unseen || writer->left ? seen->next :
							writer->sure[which];
		dt->count.sure += sure;
		missing += seen->missing;
		if (sure > seen->next)
			missing += sure - seen->next;
		if ((sure > seen->next || seen->missing) && first == DT_NONE)
			first = i;
		if (seen->next > writer->begun)
			WRONG(log,
			      "trace %u, writer %u: more than was recorded",
			      log->trace, i);
		if (seen->pid && !doomed && !seen->ended && is_told(log, i))
			WRONG(log,
			      "trace %u%s, state %d, writer %u: the end of "
			      "pid %u of %u %s, user %u, is not told",
			      log->trace,
			      dt->trace[log->trace].inner ? "i" : "r",
			      log->info.log_state, i, seen->pid, writer->pidns,
			      writer->how, writer->uid);
	}
	if (missing > log->info.lost)
		WRONG(log,
		      "trace %u%s, state %d, doomed %u %d: %llu are missing, "
		      "%llu lost, untraced \"%s\": writer %u %s, pid %u of %u, "
		      "user %u, has %u of %u",
		      log->trace, dt->trace[log->trace].inner ? "i" : "r",
		      log->info.log_state, doomed, dt->trace[log->trace].why,
		      (unsigned long long)missing, log->info.lost,
		      log->info.untraced_names, first, dt->writer[first].how,
		      dt->writer[first].pid, dt->writer[first].pidns,
		      dt->writer[first].uid, log->seen[first].next,
		      dt->writer[first].begun);
	if (log->info.lost)
		dt->count.lossy++;
	if (log->info.bad_size)
		WRONG(log, "trace %u: %llu bytes are damaged", log->trace,
		      log->info.bad_size);
}

/* Of a log that is not there, or empty, nobody was told anything. */
static int judge_none(uint32_t trace, int err)
{
	int which;

	for (uint32_t i = 0; i < dt->nr_writers; i++)
		if (is_of(&dt->writer[i], trace, &which) &&
		    dt->writer[i].sure[which]) {
			dt_wrong("trace %u: its log cannot be read: %s", trace,
				 strerror(err));
			return 1;
		}
	return 0;
}

static int open_log(uint32_t trace, trace_id_t *trid, int *fd)
{
	char path[96];
	int err;

	dt_trace_log(trace, path, sizeof(path));
	*fd = open(path, O_RDONLY | O_CLOEXEC);
	if (*fd < 0)
		return errno;
	err = posix_trace_open(*fd, trid);
	if (err)
		close(*fd);
	return err;
}

int dt_judge_complete(uint32_t trace)
{
	struct posix_trace_info_np info;
	trace_id_t trid;
	int fd, err = open_log(trace, &trid, &fd);

	if (err)
		return 0;
	posix_trace_get_info_np(trid, &info);
	posix_trace_close(trid);
	close(fd);
	return info.log_state == POSIX_TRACE_LOG_COMPLETE_NP;
}

int dt_judge(uint32_t trace)
{
	static struct log log;
	int fd, err;

	dt->count.judged++;
	log.trace = trace;
	err = open_log(trace, &log.trid, &fd);
	if (err)
		return judge_none(trace, err);
	log.seen = calloc(dt->nr_writers, sizeof(*log.seen));
	find_types(&log);
	read_all(&log);
	posix_trace_get_info_np(log.trid, &log.info);
	compare(&log);
	posix_trace_close(log.trid);
	close(fd);
	return log.wrong;
}
