/* SPDX-License-Identifier: MIT */
/*
 * The controller's second thread, with --compress: makes frames of what the
 * first writes to the log.  That writes as ever, to a file that others complete
 * if all of us are killed; so nothing depends on this thread but the size of
 * that file.
 */
#ifndef PTL_TOOLS_MONITOR_OUTPUT_COMPRESS_H
#define PTL_TOOLS_MONITOR_OUTPUT_COMPRESS_H

#include <pthread.h>
#include <stdbool.h>
#include <trace.h>

#include "tools/monitor/output/framing.h"
#include "tools/monitor/output/output.h"

struct ptl_compress {
	struct ptl_framing frames;
	uint64_t kept; /* bytes at the end of the log that wait */
	char *part;    /* the absolute path; NULL: it cannot be said */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t ends;
	bool is_on, has_thread, must_end;
	int error;
};

/* If the output is compressed: goes on where the file ends; and begins with the
 * log of that stream, of which there is more to come. */
void ptl_compress_begin(struct ptl_compress *compress,
			const struct ptl_output *output);
void ptl_compress_start(struct ptl_compress *compress, trace_id_t trid);

/*
 * The log is complete: so is the compressed file then, and the other is gone;
 * else the error number, and both are kept.  With `keeps' that is complete, but
 * the log may not be.  Size: of the compressed file.
 */
int ptl_compress_end(struct ptl_compress *compress,
		     const struct ptl_output *output, bool keeps,
		     unsigned long long *size);

#endif
