/* SPDX-License-Identifier: MIT */
/* See token.h. */
#include "core/process/token.h"

#include "core/core.h"
#include "core/process/caller.h"
#include "core/process/guest.h"
#include "core/record/announced.h"
#include "core/record/attached.h"
#include "core/record/slots.h"
#include "core/shm/registry.h"
#include "core/sys/clock.h"
#include "core/sys/ident.h"
#include "core/sys/pidns.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

/* Behind the streams. */
#define WHO '~'
#define SINCE '!'

/* For so long a token fits nobody else, and what /proc says, which costs more
 * than all else here, is not needed. */
#define FRESH_NS UINT64_C(20000000)

struct token {
	uint32_t pid, image;
	bool is_listed;
	uint32_t at;
	uint64_t born;
};

static const char *find(const char *streams, char c)
{
	while (streams && *streams && *streams != c)
		streams++;
	return streams && *streams ? streams + 1 : NULL;
}

static size_t put(char *buf, char c, uint64_t number)
{
	*buf = c;
	return 1 + ptl_utoa(buf + 1, number, 16);
}

/* The entry of the process of that pid, if it can be found; NULL: it cannot. */
static const struct ptl_shm_entry *entry_of(uint32_t pid)
{
	const struct ptl_announced *child;
	uint64_t key;

	if (pid == ptl_attached.ident.pid)
		return ptl_attached_is_unlisted() ? NULL : ptl_attached_entry();
	child = ptl_announced_find(ptl_thread.slot, pid);
	return child && child->at ?
		       ptl_registry_listed(&ptl_attached.registry,
					   child->at - 1, pid, &key) :
		       NULL;
}

size_t ptl_token_exec(char *buf, uint32_t pid)
{
	const struct ptl_shm_entry *entry = entry_of(pid);
	size_t length = put(buf, WHO, pid);

	length += put(buf + length, '.',
		      atomic_load_explicit(
			      &(entry ? entry : ptl_attached_entry())->image,
			      memory_order_relaxed));
	if (!entry)
		return length;
	length += put(buf + length, '.',
		      ptl_registry_at(&ptl_attached.registry, entry));
	return length + put(buf + length, '.', entry->ident.born);
}

size_t ptl_token_spawn(char *buf)
{
	struct ptl_shm_parent parent;
	size_t length = put(buf, SINCE, ptl_boottime());

	parent = ptl_caller_parent(ptl_attached_entry(), ptl_caller_addr());
	length += put(buf + length, '.', parent.pid);
	length += put(buf + length, '.', parent.image);
	length += put(buf + length, '.', parent.tid);
	length += put(buf + length, '.', parent.thread);
	length += put(buf + length, '.', parent.addr);
	return length + put(buf + length, '.', ptl_caller_when());
}

/* The next number of those that are left, behind a dot. */
static bool next(const char **from, uint64_t *number)
{
	if (**from != '.')
		return false;
	++*from;
	*number = ptl_atou(from, 16);
	return true;
}

/* False: it is of another process. */
static bool get(const char *streams, struct token *token)
{
	const char *from = find(streams, WHO);
	uint64_t image, at;

	if (!from)
		return false;
	token->pid = (uint32_t)ptl_atou(&from, 16);
	if (token->pid != (uint32_t)ptl_sys_getpid() || !next(&from, &image))
		return false;
	token->image = (uint32_t)image;
	token->is_listed = next(&from, &at) && next(&from, &token->born);
	token->at = token->is_listed ? (uint32_t)at : 0;
	return true;
}

/* The entry that is named; its process may be dead, and its pid ours by now. */
static struct ptl_shm_entry *named(const char *streams, uint64_t *key)
{
	struct ptl_shm_entry *entry;
	struct token token;

	if (!get(streams, &token) || !token.is_listed)
		return NULL;
	entry = ptl_registry_listed(&ptl_attached.registry, token.at, token.pid,
				    key);
	return entry && entry->ident.born == token.born &&
			       atomic_load_explicit(&entry->image,
						    memory_order_relaxed) ==
				       token.image ?
		       entry :
		       NULL;
}

/*
 * Did its process call exec a moment ago, and has our parent?  A program that
 * does not load us may have had the token first, and made us: then we have
 * another parent, or are not so early.  (By the clock as it is here: whether it
 * is another time namespace's is not known yet, and then this fits by chance
 * only.)
 */
static bool is_fresh(const struct ptl_shm_entry *entry)
{
	uint64_t since =
		atomic_load_explicit(&entry->exec_since, memory_order_relaxed);

	return entry->ident.pidns && entry->parent.pid &&
	       entry->parent.pid == (uint32_t)ptl_sys_getppid() && since &&
	       ptl_clock_ask(CLOCK_BOOTTIME) - since < FRESH_NS;
}

uint64_t ptl_token_since(const char *streams)
{
	const char *since = find(streams, SINCE);

	return since ? ptl_atou(&since, 16) : 0;
}

uint64_t ptl_token_parent(const char *streams, struct ptl_shm_parent *parent)
{
	const char *from = find(streams, SINCE);
	uint64_t pid, image, tid, thread, addr, when;

	if (!from)
		return 0;
	ptl_atou(&from, 16);
	if (!next(&from, &pid) || pid != parent->pid || !next(&from, &image) ||
	    !next(&from, &tid) || !next(&from, &thread) || !next(&from, &addr))
		return 0;
	parent->image = (uint32_t)image;
	parent->tid = (uint32_t)tid;
	parent->thread = thread;
	parent->addr = addr;
	return next(&from, &when) ? when : 0;
}

struct ptl_shm_entry *ptl_token_find(const char *streams, uint64_t *key)
{
	struct ptl_shm_ident *own = &ptl_attached.ident;
	struct ptl_shm_entry *entry = named(streams, key);

	if (entry && is_fresh(entry)) {
		own->pidns = entry->ident.pidns;
		return entry;
	}
	own->pidns = ptl_token_pidns(streams);
	own->born = ptl_boottime_ask();
	if (entry && entry->ident.pidns == own->pidns &&
	    ptl_ident_is_me(&entry->ident))
		return entry;
	return ptl_registry_find(&ptl_attached.registry, own,
				 ptl_token_since(streams), key);
}

bool ptl_token_goes_on(const char *streams, uint32_t *image)
{
	const char *pidns = find(streams, PTL_STREAMS_PIDNS);
	struct token token;

	if (!pidns || !get(streams, &token) ||
	    (token.is_listed && !ptl_guest_is(streams) && !ptl_guest_was()) ||
	    ptl_atou(&pidns, 16) != ptl_attached.ident.pidns)
		return false;
	*image = token.image;
	return true;
}

uint64_t ptl_token_pidns(const char *streams)
{
	const char *pidns = find(streams, PTL_STREAMS_PIDNS);
	uint64_t ours = ptl_pidns();
	struct token token;

	/* Where there is no /proc: exec does not change it. */
	if (!ours && pidns && get(streams, &token))
		ours = ptl_atou(&pidns, 16);
	return ours;
}
