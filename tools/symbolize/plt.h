/* SPDX-License-Identifier: MIT */
/*
 * The stubs through which a file calls others have no symbols: they are named
 * puts@plt after what they jump to, going by their instructions.
 */
#ifndef PTL_TOOLS_SYMBOLIZE_PLT_H
#define PTL_TOOLS_SYMBOLIZE_PLT_H

#include "tools/symbolize/symtab.h"

/* Adds the stubs of a file; nothing for other machines than x86-64, aarch64. */
void ptl_plt_read(struct ptl_symtab *table, const struct ptl_image *image);

#endif
