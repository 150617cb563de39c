/* SPDX-License-Identifier: MIT */
/* What the victim does when one of its programs executes it. */
#ifndef PTL_T_TABLE_AGAIN_H
#define PTL_T_TABLE_AGAIN_H

/*
 * argv is {..., "=", WORD...}: says what WORD is for (argv, env, mask, fds,
 * ...), and exits with the number of words.
 */
int be_again(int argc, char **argv);

#endif
