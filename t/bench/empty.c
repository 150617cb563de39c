/* SPDX-License-Identifier: MIT */
/* A library that does nothing, to be preloaded: what any other one costs. */
extern int ptl_empty;
int ptl_empty;
