/* SPDX-License-Identifier: MIT */
/*
 * Where hooked slots lead.  Stubs and return sites are part of the library:
 * nothing has to be made executable at run time, all processes share the pages,
 * and unwinders have rules for them.  Included by assembly, too.
 */
#ifndef PTL_PRELOAD_HOOK_STUB_H
#define PTL_PRELOAD_HOOK_STUB_H

#define PTL_STUBS 32768
#define PTL_STUB_SIZE 16
#define PTL_STUB_INFO 64 /* sizeof(struct ptl_stub) */
#define PTL_STUB_REAL 8	 /* offsetof(struct ptl_stub, real) */

#define PTL_SITES 8192
#define PTL_SITE_SIZE 32
#define PTL_SITE_INFO 32 /* sizeof(struct ptl_return_site) */

#endif
