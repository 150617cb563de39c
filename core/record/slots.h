/* SPDX-License-Identifier: MIT */
/* The slots of all threads: found, taken, given back. */
#ifndef PTL_CORE_RECORD_SLOTS_H
#define PTL_CORE_RECORD_SLOTS_H

#include "core/buffer/slot.h"

/* Maps the first arena.  Returns 0 or ENOMEM.  Idempotent. */
int ptl_slots_init(void);

/* In the child of a fork, where the kernel did not: emulators of it take
 * MADV_WIPEONFORK and do nothing. */
void ptl_slots_wipe(void);

/* Was this process made by a fork that has not been dealt with yet? */
bool ptl_slots_forked(void);

/* ptl_slots_forked(), asked by a child that will settle at once: a page that is
 * written first is not mapped twice. */
bool ptl_slots_forked_child(void);
/* The fork has been dealt with now. */
void ptl_slots_settle(void);

/*
 * The calling thread's slot, found or taken.  Async-signal-safe: if a handler
 * interrupts, both get the same one.  NULL: no memory, or not allowed to ask.
 */
struct ptl_slot *ptl_slot_mine(void);

/* For a thread not yet born: its tid is not known before it enters. */
struct ptl_slot *ptl_slot_reserve(void);
void ptl_slot_enter(struct ptl_slot *slot);

/* Gives a slot back whose words were released. */
void ptl_slot_put(struct ptl_slot *slot);

/* Calls fn for each slot in use. */
void ptl_slots_each(void (*fn)(struct ptl_slot *slot, void *arg), void *arg);

/* The tid of the thread with that pthread_t, if it has a slot; else 0. */
uint32_t ptl_slots_tid(uint64_t thread);

/*
 * Is no other thread inside the recorder, nor has any thread `map' at hand?
 * A barrier, then a look at each slot; a frame left by siglongjmp() counts as
 * inside until its thread records again.
 */
bool ptl_slots_quiet(const struct ptl_map *map);

/* Is the caller, whose pid is that, a child that runs in the memory of the
 * process that the slot belongs to?  System calls may be made. */
bool ptl_slots_is_child(const struct ptl_slot *slot, uint32_t pid);

#endif
