/* SPDX-License-Identifier: MIT */
/*
 * The registry of a user: an entry for each process that traces or may be
 * traced.  Each process has it mapped from its beginning, so to claim an entry,
 * to change one and to give it back are stores to memory.  References to
 * streams are added by controllers, copied by children, and dropped by any
 * process that finds the stream dead; each step is one atomic operation, so no
 * lock is needed and no death leaves half a step.
 */
#ifndef PTL_CORE_SHM_REGISTRY_H
#define PTL_CORE_SHM_REGISTRY_H

#include "core/format/registry.h"
#include "core/shm/registry_states.h"

/* Of the major version, so that another's library has its own. */
#define PTL_REGISTRY_NAME "r.7"
static_assert(PTL_SHM_MAJOR == 7, "the registry's name");

/* A registry as it is mapped; `shm' is NULL where there is none. */
struct ptl_registry {
	struct ptl_shm_registry *shm;
	uint32_t uid;
	uint64_t dev; /* of the directory: /dev/shm may have become another */
};

PTL_INLINE bool ptl_registry_is_same(const struct ptl_registry *one,
				     const struct ptl_registry *other)
{
	return one->uid == other->uid && one->dev == other->dev;
}

PTL_INLINE uint64_t ptl_ref(uint64_t stream, bool inherited)
{
	return stream << 1 | inherited;
}

PTL_INLINE uint64_t ptl_ref_stream(uint64_t ref)
{
	return ref >> 1;
}

PTL_INLINE bool ptl_ref_inherited(uint64_t ref)
{
	return ref & 1;
}

/*
 * Does the entry say that of its process (PTL_ENTRY_*)?  Relaxed: the answer
 * stands for itself; that of a dead process has been ordered by the kernel.
 */
PTL_INLINE bool ptl_registry_says(const struct ptl_shm_entry *entry,
				  uint32_t flag)
{
	return atomic_load_explicit(&entry->flags, memory_order_relaxed) & flag;
}

/*
 * Maps the registry of uid from its open run directory; made, if need be and
 * `make' is set.  A file that is no registry is replaced, if it is the caller's
 * own; EAGAIN: another process has been at that for too long.  Returns 0, or
 * ENOENT, EPERM, EBADMSG, ENOSPC, or for want of resources ENOMEM, EMFILE,
 * ENFILE.
 */
int ptl_registry_open(int dir, uint32_t uid, bool make,
		      struct ptl_registry *reg);

/* Is it the one of uid in that directory? */
bool ptl_registry_is_in(const struct ptl_registry *reg, int dir, uint32_t uid);

void ptl_registry_close(struct ptl_registry *reg);

/* How many keys are in use: those behind them are free. */
uint32_t ptl_registry_span(const struct ptl_shm_registry *shm);

/* Lets more be used; false: there is no room, and none to be had. */
bool ptl_registry_extend(const struct ptl_registry *reg);

/*
 * Claims an entry for the process `from' describes, and fills it in: then it is
 * LISTED or AWAITED (PTL_KEY_LIST or _AWAIT).  Beside the entry `near', if that
 * is one of the registry's and there is room.  NULL: there is none left.
 */
struct ptl_shm_entry *ptl_registry_claim(const struct ptl_registry *reg,
					 const struct ptl_shm_entry *near,
					 struct ptl_shm_entry *from,
					 uint32_t life,
					 enum ptl_key_event event);

/* An entry for a process that is not there yet: it is CLAIMED, by the process
 * of that pid, and has the key *key. */
struct ptl_shm_entry *ptl_registry_reserve(const struct ptl_registry *reg,
					   const struct ptl_shm_entry *near,
					   struct ptl_shm_entry *from,
					   uint32_t pid, uint32_t life,
					   uint64_t *key);

/* Which process an entry with that key is of, LISTED or AWAITED: of one that
 * has not run yet its number is in the key alone. */
struct ptl_shm_ident ptl_registry_ident(const struct ptl_shm_entry *entry,
					uint64_t key);

/* The key of an entry of this registry. */
PTL_INLINE _Atomic uint64_t *ptl_registry_key(const struct ptl_registry *reg,
					      const struct ptl_shm_entry *entry)
{
	return &reg->shm->key[entry - reg->shm->entry];
}

/*
 * An event of an entry that has the key *key: it is that process's then, and
 * has that byte, and *key is what its key is then.  False: by such an event it
 * does not change from there (registry_states.h), or somebody was faster.
 */
PTL_INLINE bool ptl_registry_change(const struct ptl_registry *reg,
				    struct ptl_shm_entry *entry, uint64_t *key,
				    enum ptl_key_event event, uint32_t pid,
				    uint32_t life)
{
	return ptl_key_change(ptl_registry_key(reg, entry), key, event, pid,
			      life);
}

/* Gives it back, if its key is still that one. */
bool ptl_registry_free(const struct ptl_registry *reg,
		       struct ptl_shm_entry *entry, uint64_t key);

/*
 * The next entry in use, *at being where to look first and afterwards where to
 * look next; NULL: that was all.  Its key in *key.
 */
struct ptl_shm_entry *ptl_registry_next(const struct ptl_registry *reg,
					uint32_t *at, uint64_t *key);

/* The next entry of those with that pid, of whatever pid namespace. */
struct ptl_shm_entry *ptl_registry_next_of(const struct ptl_registry *reg,
					   uint32_t pid, uint32_t *at,
					   uint64_t *key);

/* Where the entry is in its registry; and the entry that is there, if it is
 * LISTED and of that pid, or NULL. */
uint32_t ptl_registry_at(const struct ptl_registry *reg,
			 const struct ptl_shm_entry *entry);
struct ptl_shm_entry *ptl_registry_listed(const struct ptl_registry *reg,
					  uint32_t at, uint32_t pid,
					  uint64_t *key);

/*
 * The entry of the living process ident->pid, its own if there is one that a
 * controller made, too; NULL if there is none.  A dead namesake's is left to
 * those who collect; those from before `since' are none of the process's.
 */
struct ptl_shm_entry *ptl_registry_find(const struct ptl_registry *reg,
					const struct ptl_shm_ident *ident,
					uint64_t since, uint64_t *key);

/* What its process is about to execute, or NULL: see struct ptl_shm_entry. */
void ptl_registry_program(struct ptl_shm_entry *entry, const char *path);

/* The entry's process is about to call exec, or did and is still there. */
void ptl_registry_exec(struct ptl_shm_entry *entry, bool begins);

/*
 * Puts a reference in force; a stranger's if in that stream the ids of this
 * family mean nothing; calls: it records calls of libc.  Returns its index, or
 * that of one to the same stream which another has put in force meanwhile; -1
 * if all are taken.  Dead ones are for the caller to drop before.
 */
int ptl_registry_add(struct ptl_shm_entry *entry, uint64_t ref, bool stranger,
		     bool calls);

/* Takes reference i out of force, if it still names that stream. */
void ptl_registry_drop(struct ptl_shm_entry *entry, unsigned int i,
		       uint64_t stream);

/* An event for the stream of reference i is lost, since that cannot be mapped;
 * nothing if the reference is gone. */
void ptl_registry_miss(struct ptl_shm_entry *entry, unsigned int i);

/* Puts all references in force: some may be there without their bits. */
void ptl_registry_wake(struct ptl_shm_entry *entry);

/* The index of a stream in the entry, or -1. */
int ptl_registry_index(const struct ptl_shm_entry *entry, uint64_t stream);

#endif
