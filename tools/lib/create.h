/* SPDX-License-Identifier: MIT */
/* Files that are made of a log. */
#ifndef PTL_TOOLS_LIB_CREATE_H
#define PTL_TOOLS_LIB_CREATE_H

/*
 * Opens a file to be written anew, by the rules of a log: nobody else may read
 * it, and it is nothing that is another user's.  Returns 0 or the error number.
 * Not into a log, for `-o *.ptlog' would take the first of them: that is wrong
 * usage, and ends the program.
 */
int ptl_create_file(const char *path, int *fd);

/*
 * Removes it, if it is a regular file and still there.  Half of a file is worse
 * than none: nobody sees that it is a half.
 */
void ptl_create_undo(const char *path, int fd);

#endif
