/* SPDX-License-Identifier: MIT */
/* Where the loader has its locks. */
#ifndef PTL_TOOLS_INJECT_LOCK_H
#define PTL_TOOLS_INJECT_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/inject/file.h"

/* In _rtld_global of the loader that this process has; 0: it is not known. */
uintptr_t ptl_lock_find(const struct ptl_elf_file *loader);

/* A lock is so many bytes; is it free? */
#define PTL_LOCK_SIZE 80
bool ptl_lock_is_free(const unsigned char bytes[PTL_LOCK_SIZE]);

#endif
