/* SPDX-License-Identifier: MIT */
/*
 * Whole runs with a log, for tests of the full policies: writers record
 * thousands of numbered events in step with each other, then the log is read
 * and summed up.
 */
#ifndef PTL_T_LIB_LOGRUN_H
#define PTL_T_LIB_LOGRUN_H

#include "t/lib/story.h"

enum logrun_writers { ONE_THREAD, FOUR_THREADS, THREE_PROCESSES };

struct logrun {
	int policy;		/* of the stream */
	int log_policy;
	size_t log_size;
	enum logrun_writers writers;
	unsigned long rounds;
	unsigned long per_round;	/* events of each writer */
	unsigned long flush_every;	/* rounds; 0: never */
	/* Set by logrun(): */
	int nr_writers;
	int err;		/* the first of flush, shutdown and open */
	long file_size;
	struct story story;
};

/* The minimum size of one of our events: two words, and the number. */
#define LOGRUN_RECORD 24
/* The maximum size of what a log has besides its events: attributes, names, an
 * end. */
#define LOGRUN_OVERHEAD (48 * 1024)

void logrun(struct logrun *run, trace_event_id_t id);

/*
 * Makes a run with each stream policy and each number of writers, and calls
 * `look' for each (nine runs); logrun_sizes() does so with logs of a few KiB to
 * a MiB (27 runs), and sets everything except the log policy.
 */
typedef void logrun_look(const struct logrun *run);
void logrun_all(struct logrun *run, trace_event_id_t id, logrun_look *look);
void logrun_sizes(struct logrun *run, trace_event_id_t id, logrun_look *look);

const char *logrun_name(const struct logrun *run);

/* The size of the file. */
long file_size(int fd);

#endif
