/* SPDX-License-Identifier: MIT */
/*
 * The debug information (DWARF) of a program or library, by libdw: the file's
 * own, or what was split off it.  Only where libptrace was built with libdw.
 */
#ifndef PTL_TOOLS_SYMBOLIZE_DEBUGINFO_H
#define PTL_TOOLS_SYMBOLIZE_DEBUGINFO_H

#ifdef HAVE_LIBDW

#include <elfutils/libdw.h>

#include "tools/symbolize/find.h"
#include "tools/symbolize/ranges.h"

/*
 * NULL: there is none.  It stays open, without a descriptor.  with_locations:
 * where variables are is read, too.  *is_there: a file was found, with debug
 * information or without.
 */
Dwarf *ptl_debuginfo_open(const struct ptl_wanted *wanted, bool with_locations,
			  bool *is_there);

/* Where the entry has code. */
void ptl_debuginfo_ranges(struct ptl_ranges *ranges, Dwarf_Die *die,
			  void *what);

#endif

#endif
