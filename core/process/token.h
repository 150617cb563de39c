/* SPDX-License-Identifier: MIT */
/*
 * Which process a PTRACE_STREAMS was written for.  An image after exec is the
 * same process as before, and there may be dead ones that had its pid: so who
 * executes says which entry is the process's.  Behind the streams:
 *
 *   ~PID.IMAGE.AT.BORN  the process of that pid, whose entry in the registry is
 *                       at that place, and says the same image and time
 *   ~PID.IMAGE          the same without an entry that can be found
 *   !SINCE.PID.IMAGE.TID.THREAD.ADDR.WHEN
 *                       one that was made after that moment, by posix_spawn()
 *                       and the like, of that thread's, called there and then
 *                       (WHEN: ptl_caller_when())
 *
 * The next image counts one more in the entry, so what is handed down to
 * others fits none of them.
 */
#ifndef PTL_CORE_PROCESS_TOKEN_H
#define PTL_CORE_PROCESS_TOKEN_H

#include "core/format/registry.h"

/* Null-terminated; returns the length.  Exec: of pid, the caller's, which may
 * be a child in our memory. */
size_t ptl_token_exec(char *buf, uint32_t pid);
size_t ptl_token_spawn(char *buf);

/*
 * Our entry, if this process was there before an exec, and the key that it had
 * when it was looked at; NULL: it was not, or was not known.  Our pid namespace
 * is known afterwards, too.
 */
struct ptl_shm_entry *ptl_token_find(const char *streams, uint64_t *key);

/* When we had not been made yet; 0: that is not known. */
uint64_t ptl_token_since(const char *streams);

/* By which call of our parent's we were made, if it was parent->pid that says
 * so; returns when, or 0. */
uint64_t ptl_token_parent(const char *streams, struct ptl_shm_parent *parent);

/*
 * Is it of this very process, before an exec, which had joined its streams and
 * has no entry here?  Then *image is the number of the program before.
 */
bool ptl_token_goes_on(const char *streams, uint32_t *image);

/* Our pid namespace, as that process knew it if /proc does not say; 0: nothing
 * says. */
uint64_t ptl_token_pidns(const char *streams);

#endif
