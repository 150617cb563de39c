/* SPDX-License-Identifier: MIT */
/*
 * The registry of a user: an entry for each process that traces or may be
 * traced, and a key for each entry, changed by compare-and-swap only:
 *
 *   key    pid:32  life:16  state:4  generation:12
 *
 *   FREE ---claim---> CLAIMED ---filled in---> LISTED ---end---> FREE
 *                        |                    ^   |
 *                        `---> AWAITED -------'   `---found dead---> FOUND
 *                                                                      |
 *                                                  FREE <---story told-'
 *
 * CLAIMED: the claimer writes to the entry, or has filled it in for a child
 * that it is about to fork.  By which number that is the parent says in the
 * key, and the child in the entry: whoever runs first.  AWAITED: a controller
 * made it for a process without the library.  FOUND: the process is dead, and
 * one that found it records its end.  Life: 1 + the number of the byte that the
 * process has locked (of the claimer, while it is CLAIMED; of the controller
 * that awaits; of the finder); 0: none.  The pid is the process's; of one that
 * is FOUND the finder's thread:22, and 10 bits made of its pid namespace.  The
 * generation makes every change of a former state fail.
 */
#ifndef PTL_CORE_FORMAT_REGISTRY_H
#define PTL_CORE_FORMAT_REGISTRY_H

#include "core/format/layout.h"

/* Whose child a process is, and by which call. */
struct ptl_shm_parent {
	uint32_t pid;
	uint32_t tid;
	uint32_t image;
	uint32_t pidns; /* 0: not known, or the child's */
	uint64_t thread;
	uint64_t addr;
};

/*
 * The entry of a process in the registry.  A reference is the id of a stream
 * shifted left by one, its lowest bit set if children inherit it; 0: unused.
 * `active' has a bit for each reference in force and is the scalar that
 * posix_trace_event() tests first.  Controllers set and clear references;
 * a child copies its parent's.
 */
#define PTL_ENTRY_ENDED 1u	/* its process:exit was recorded */
#define PTL_ENTRY_LOADED 2u	/* the library runs in it */
#define PTL_ENTRY_MISSING 4u	/* dead; its parent may know how it died */
#define PTL_ENTRY_CONTROLS 8u	/* it created streams */
#define PTL_ENTRY_UNLISTED 16u	/* private memory: nobody can find it */
#define PTL_ENTRY_HEIR 32u	/* it has the byte that its parent locked */
#define PTL_ENTRY_PARENT 64u	/* another has its byte, too */
#define PTL_ENTRY_LEFT 128u	/* it became another user's: leave.h */
#define PTL_ENTRY_EXPECTED 256u /* a fork child; it has not joined yet */
#define PTL_ENTRY_FILTERED 512u /* a filter came before its last exec */

/* When it was first seen, of a fork child that has not run yet: before it is
 * made its parent cannot say, and afterwards the entry is the child's. */
#define PTL_BORN_UNSEEN UINT64_MAX

/* Of the id of a name table: it is in no file, and ends with its processes. */
#define PTL_NAMES_APART (UINT64_C(1) << 63)

PTL_INLINE bool ptl_apart_is(uint64_t id)
{
	return id & PTL_NAMES_APART;
}

struct ptl_shm_entry {
	struct ptl_shm_ident ident;
	_Atomic uint64_t active;
	_Atomic uint64_t names; /* id of the family's name table; 0: none yet */
	_Atomic uint32_t image;
	_Atomic uint32_t flags;
	/* Of the references, those to streams of another family's names. */
	_Atomic uint64_t strangers;
	/* An exec is under way: CLOCK_BOOTTIME when it began; 0: none. */
	_Atomic uint64_t exec_since;
	/* A process records its birth and its end itself.  If it was killed
	 * before, a process that finds its entry records them.  Of the
	 * references: where the birth is not recorded yet, and where the end
	 * is, as long as it is not in all. */
	_Atomic uint64_t unannounced;
	_Atomic uint64_t mourned;
	struct ptl_shm_parent parent;
	/* Of the references, those to streams that record calls of libc. */
	_Atomic uint64_t calls;
	/* CLOCK_BOOTTIME ns: before, all of /proc is not looked through again
	 * for a process of another pid namespace. */
	_Atomic uint64_t look_again;
	/* What fork() returned, if in another pid namespace; else 0. */
	_Atomic uint32_t forked;
	/* 1 + its wait status, if its parent could not record it; else 0. */
	_Atomic uint32_t reaped;
	/* When the parent called fork, or the like of it, by the clock of the
	 * streams; 0: not known. */
	uint64_t called;
	uint64_t reserved[6];
	_Atomic uint64_t refs[PTL_MAX_STREAMS];
	/* The program it executes, from before the exec until the library has
	 * started in it; else "".  A process that is found dead with one was
	 * not traced any more. */
	char program[PTL_ENTRY_PROGRAM];
	/* Of each reference: events lost since the process could not map the
	 * stream.  Another process, which can, counts them in the stream. */
	_Atomic uint32_t missed[PTL_MAX_STREAMS];
};
static_assert(offsetof(struct ptl_shm_entry, refs) == 192, "shm ABI");
static_assert(offsetof(struct ptl_shm_entry, program) == 704, "shm ABI");
static_assert(sizeof(struct ptl_shm_entry) == 1088, "shm ABI");

#define PTL_KEY_FREE 0u
#define PTL_KEY_CLAIMED 1u
#define PTL_KEY_LISTED 2u
#define PTL_KEY_AWAITED 3u
#define PTL_KEY_FOUND 4u

#define PTL_LIFE_NONE 0u      /* judged by the pid alone */
#define PTL_LIFE_OVER 0xffffu /* its byte is another process's by now */

#define PTL_ENTRIES_MAX 4096u
#define PTL_ENTRIES_FIRST 128u /* allocated at first; later twice as many */

struct ptl_shm_registry {
	struct ptl_shm_prefix prefix; /* its total size is that at first */
	_Atomic uint32_t span;	      /* no entry behind it was ever used */
	_Atomic uint32_t room;	      /* entries that have memory */
	_Atomic uint32_t awaited;     /* how often one was AWAITED */
	uint32_t reserved[5];
	struct ptl_shm_entry common; /* which streams trace all processes */
	_Atomic uint64_t key[PTL_ENTRIES_MAX];
	struct ptl_shm_entry entry[PTL_ENTRIES_MAX];
};
static_assert(offsetof(struct ptl_shm_registry, common) == 64, "shm ABI");
static_assert(offsetof(struct ptl_shm_registry, key) == 1152, "shm ABI");
static_assert(offsetof(struct ptl_shm_registry, entry) == 33920, "shm ABI");

/* Bytes of a registry that has room for so many. */
PTL_INLINE uint64_t ptl_registry_bytes(uint32_t room)
{
	return offsetof(struct ptl_shm_registry, entry) +
	       (uint64_t)room * sizeof(struct ptl_shm_entry);
}

#endif
