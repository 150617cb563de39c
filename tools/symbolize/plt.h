/* SPDX-License-Identifier: MIT */
/*
 * The stubs through which a file calls other files have no symbols: they are
 * named puts@plt after the function that they jump to, which their instructions
 * show.
 */
#ifndef PTL_TOOLS_SYMBOLIZE_PLT_H
#define PTL_TOOLS_SYMBOLIZE_PLT_H

#include "tools/symbolize/symtab.h"

/* Adds the stubs of a file; nothing for other machines than x86-64, aarch64. */
void ptl_plt_read(struct ptl_symtab *table, const struct ptl_elf_image *image);

#endif
