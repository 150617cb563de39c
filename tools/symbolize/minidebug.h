/* SPDX-License-Identifier: MIT */
/*
 * Some distributions leave the symbols of local functions in stripped files:
 * .gnu_debugdata is an ELF file of its own, compressed with xz.
 */
#ifndef PTL_TOOLS_SYMBOLIZE_MINIDEBUG_H
#define PTL_TOOLS_SYMBOLIZE_MINIDEBUG_H

#include "tools/symbolize/image.h"

/* Opens the compressed symbols of a file; false: there are none, or no liblzma.
 */
bool ptl_minidebug_open(const struct ptl_elf_image *image,
			struct ptl_elf_image *mini);

#endif
