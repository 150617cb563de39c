/* SPDX-License-Identifier: MIT */
/* Where streams are kept, for tests that look there. */
#ifndef PTL_T_LIB_SHM_H
#define PTL_T_LIB_SHM_H

/*
 * Goes on in a mount namespace of its own, with an empty /dev/shm, so that
 * nobody else's streams are there, and every user may write to it; the program
 * begins anew for that.  SKIP if it may not.
 */
void private_shm(char **argv);

/* How many files the run directory of this user has. */
int shm_files(void);

#endif
