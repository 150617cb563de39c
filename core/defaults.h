/* SPDX-License-Identifier: MIT */
/*
 * The sizes of a stream and its log if nobody asks for others: the defaults of
 * the attributes, and what the tools' help says.  They are numbers without
 * suffix, for texts; t/meta/defaults.t compares the man pages with them.
 */
#ifndef PTL_CORE_DEFAULTS_H
#define PTL_CORE_DEFAULTS_H

#define PTL_DEFAULT_STREAM_KIB 512
#define PTL_DEFAULT_DATA_BYTES 4096
#define PTL_DEFAULT_LOG_GIB 1

#endif
