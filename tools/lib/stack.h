/* SPDX-License-Identifier: MIT */
/*
 * A tool that runs under a small limit of the stack (`ulimit -s'), as the
 * program that it looks into may have to.
 */
#ifndef PTL_TOOLS_LIB_STACK_H
#define PTL_TOOLS_LIB_STACK_H

/*
 * Calls that function and returns what it returns: on the stack that we have,
 * or where its limit is too low for libdw on one of our own.  A tool's main()
 * is this.
 */
int ptl_stack_ensure(int (*tool)(int, char **), int argc, char **argv);

#endif
