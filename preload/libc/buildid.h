/* SPDX-License-Identifier: MIT */
/* The build-id of a loaded object, by which its file is known. */
#ifndef PTL_PRELOAD_LIBC_BUILDID_H
#define PTL_PRELOAD_LIBC_BUILDID_H

#include "core/base.h"

#include <link.h>

#define PTL_BUILD_ID 64 /* bytes at most; what is longer is cut */

struct ptl_build_id {
	const unsigned char *bytes; /* NULL: it has none */
	size_t size;
};

/* The caller holds the loader's lock. */
struct ptl_build_id ptl_build_id(const struct dl_phdr_info *info);

#endif
