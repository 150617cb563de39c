/* SPDX-License-Identifier: MIT */
/* The place of streams, for tests that look there. */
#ifndef PTL_T_LIB_SHM_H
#define PTL_T_LIB_SHM_H

#include <sys/types.h>

/*
 * Continues in a mount namespace of its own with an empty /dev/shm, so that
 * there are no streams of others, and every user may write to it; the program
 * starts again for that.  SKIP if it may not.
 */
void private_shm(char **argv);

/* How many segments the run directory of this user has, and entries the
 * registry in it: what processes leave. */
int shm_files(void);

/*
 * Leaves in all free places of that registry what killed children of the caller
 * leave that had this pid, in its pid namespace, and handed down the stream of
 * process `traced' (0: none); all of them call exec; takes them away.
 */
void shm_leave_dead(pid_t pid, pid_t traced);
void shm_dead_exec(void);
void shm_clear_dead(void);

/* The same of another pid, in all places that there can be. */
void shm_fill(void);

/* As if a process of another pid namespace had found that this one is dead, and
 * had been killed before it could tell; false: it has no entry. */
int shm_found_dead(pid_t pid);

/* Has a controller made an entry for this process?  And as if the process had
 * taken another, and the caller this one since, until it gives it back; its
 * number, or -1: there is none.  And how many streams such an entry names. */
int shm_is_awaited(pid_t pid);
int shm_take_awaited(pid_t pid);
int shm_streams(int entry);
void shm_give_back(int entry);

/* As if the entry of this process were another's by now, which hands down the
 * stream of process `traced'; and back, if that is 0. */
void shm_lend(pid_t pid, pid_t traced);

#endif
