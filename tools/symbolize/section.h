/* SPDX-License-Identifier: MIT */
/*
 * The sections of debug information in the packings that compilers, linkers and
 * objcopy have given them: zlib's as GNU did it first (.zdebug_info), and
 * zlib's and zstd's as ELF has it (SHF_COMPRESSED).
 */
#ifndef PTL_TOOLS_SYMBOLIZE_SECTION_H
#define PTL_TOOLS_SYMBOLIZE_SECTION_H

#include <stdbool.h>

#include "tools/symbolize/debug_names.h"
#include "tools/symbolize/image.h"

/*
 * Makes a section one that libdw can read: it knows zlib, and zstd only since
 * 0.189.  False: it is damaged, unpacks to too much, or is packed as nothing
 * here knows.
 */
bool ptl_section_unpack(struct ptl_elf_image *image, Elf_Scn *scn,
			GElf_Shdr *shdr);

#endif
