/* SPDX-License-Identifier: MIT */
/* The thread that flushes a stream with log by itself (policy FLUSH). */
#ifndef PTL_CORE_FLUSH_THREAD_H
#define PTL_CORE_FLUSH_THREAD_H

#include "core/stream/stream.h"

/* Starts it.  Returns 0 or EAGAIN. */
int ptl_flush_thread_start(struct ptl_stream *stream);

/* Ends it, after stream->entry.is_dying was set; it may be the caller itself.
 */
void ptl_flush_thread_stop(struct ptl_stream *stream);

/* In a fork child: the threads are not there. */
void ptl_flush_thread_forked(void);

/* How the thread is made: pthread_create, or what preload says. */
extern int (*ptl_flush_thread_create)(pthread_t *, const pthread_attr_t *,
				      void *(*)(void *), void *);

/* Where libc counts the main thread and those that it made; NULL: unknown. */
extern const unsigned int *ptl_flush_thread_count;

#endif
