/* SPDX-License-Identifier: MIT */
/*
 * What may happen to an entry of the registry, and in which state it is then:
 * the table of core/README.  All keys change by it, in ptl_key_change().
 */
#ifndef PTL_CORE_SHM_REGISTRY_STATES_H
#define PTL_CORE_SHM_REGISTRY_STATES_H

#include "core/format/registry.h"

enum ptl_key_event {
	PTL_KEY_CLAIM,	  /* somebody takes it, for a process */
	PTL_KEY_LIST,	  /* it is filled in, or its process is there */
	PTL_KEY_AWAIT,	  /* the same, of a process without the library */
	PTL_KEY_TAKE,	  /* its process adds it to an entry of its own */
	PTL_KEY_KEEP,	  /* its process goes on with it, in another image */
	PTL_KEY_MARK,	  /* another byte stands for it */
	PTL_KEY_FIND,	  /* its process is dead, and somebody will tell */
	PTL_KEY_POSTPONE, /* who would tell cannot, and leaves it to others */
	PTL_KEY_GIVE_BACK /* nobody has to tell anything of it any more */
};
#define PTL_KEY_EVENTS (PTL_KEY_GIVE_BACK + 1)

#define PTL_KEY_IN(state) (1u << PTL_KEY_##state)
/* What is no state, of a key that is damaged: it is got rid of. */
#define PTL_KEY_IN_NONE (0xffffu & ~((2u << PTL_KEY_FOUND) - 1))
#define PTL_KEY_IN_USE (0xffffu & ~PTL_KEY_IN(FREE))
#define PTL_KEY_SAME 0xfu /* the state that it is in */

static const struct ptl_key_rule {
	uint16_t from; /* a bit for each state in which it may happen */
	uint16_t to;
} ptl_key_rules[PTL_KEY_EVENTS] = {
	[PTL_KEY_CLAIM] = {PTL_KEY_IN(FREE), PTL_KEY_CLAIMED},
	[PTL_KEY_LIST] = {PTL_KEY_IN(CLAIMED), PTL_KEY_LISTED},
	[PTL_KEY_AWAIT] = {PTL_KEY_IN(CLAIMED), PTL_KEY_AWAITED},
	[PTL_KEY_TAKE] = {PTL_KEY_IN(AWAITED), PTL_KEY_CLAIMED},
	[PTL_KEY_KEEP] = {PTL_KEY_IN(LISTED) | PTL_KEY_IN(AWAITED),
			  PTL_KEY_LISTED},
	[PTL_KEY_MARK] = {PTL_KEY_IN_USE, PTL_KEY_SAME},
	[PTL_KEY_FIND] = {PTL_KEY_IN(LISTED) | PTL_KEY_IN(AWAITED) |
				  PTL_KEY_IN(FOUND) | PTL_KEY_IN_NONE,
			  PTL_KEY_FOUND},
	[PTL_KEY_POSTPONE] = {PTL_KEY_IN(FOUND), PTL_KEY_LISTED},
	[PTL_KEY_GIVE_BACK] = {PTL_KEY_IN_USE, PTL_KEY_FREE},
};

PTL_INLINE uint32_t ptl_key_pid(uint64_t key)
{
	return (uint32_t)(key >> 32);
}

PTL_INLINE uint32_t ptl_key_life(uint64_t key)
{
	return key >> 16 & 0xffff;
}

PTL_INLINE uint32_t ptl_key_state(uint64_t key)
{
	return key >> 12 & 0xf;
}

/* The key after that event, then of that process and byte.  False: in its state
 * the event is none. */
PTL_INLINE bool ptl_key_after(uint64_t key, enum ptl_key_event event,
			      uint32_t pid, uint32_t life, uint64_t *after)
{
	const struct ptl_key_rule *rule = &ptl_key_rules[event];
	uint32_t state = ptl_key_state(key);

	if (!(rule->from >> state & 1))
		return false;
	if (rule->to != PTL_KEY_SAME)
		state = rule->to;
	*after = (uint64_t)pid << 32 | (uint64_t)life << 16 | state << 12 |
		 ((key + 1) & 0xfff);
	return true;
}

/*
 * All changes of all keys: *key becomes what is there then.  False: that event
 * is none, or the key is another by now.
 */
PTL_INLINE bool ptl_key_change(_Atomic uint64_t *word, uint64_t *key,
			       enum ptl_key_event event, uint32_t pid,
			       uint32_t life)
{
	uint64_t from = *key, to;

	if (!ptl_key_after(from, event, pid, life, &to))
		return false;
	/* What was written to the entry is there; its former user is done with
	 * it.  Pairs with itself and ptl_registry_next(). */
	if (!atomic_compare_exchange_strong_explicit(word, &from, to,
						     memory_order_seq_cst,
						     memory_order_relaxed))
		return false;
	*key = to;
	return true;
}

#endif
