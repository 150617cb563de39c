/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_set_name_np: what a thread or process is to be called, as an
 * event of the type that tells of names which threads get; and
 * posix_trace_set_tag_np.  Async-signal-safe, as posix_trace_event() is.
 */
#include "core/buffer/outsider.h"
#include "core/core.h"
#include "core/format/sysevents.h"
#include "core/record/attached.h"
#include "core/record/emit.h"
#include "core/record/fastpath.h"
#include "core/sys/text.h"

#include <trace.h>

#undef posix_trace_set_name_np
#undef posix_trace_set_tag_np

struct named {
	int64_t tid;
	char name[POSIX_TRACE_NAME_MAX_NP + 1];
};

static void set_name(int what, const char *name, const void *addr,
		     uint64_t active)
{
	struct named named = {PTL_NAMED_PROCESS, ""};

	if (PTL_UNLIKELY(ptl_outsider()))
		return;
	if (what == POSIX_TRACE_NAME_THREAD_NP)
		named.tid = ptl_core_tid();
	ptl_strcopy(named.name, sizeof(named.name), name);
	ptl_fastpath_emit(PTL_EV_THREAD_NAME, &named,
			  sizeof(named.tid) + ptl_strlen(named.name) + 1, addr,
			  active, PTL_EV_THREAD_NAME, ptl_fastpath_vector,
			  ptl_emit_long);
}

PTL_EXPORT void posix_trace_set_name_np(int what, const char *name)
{
	uint64_t active = ptl_attached_bits();

	if (PTL_UNLIKELY(active) && name && *name)
		set_name(what, name, __builtin_return_address(0), active);
}

static size_t put(char *to, const char *text)
{
	return ptl_strcopy(to, POSIX_TRACE_NAME_MAX_NP + 1, text) + 1;
}

static void set_tag(const char *key, const char *value, const void *addr,
		    uint64_t active)
{
	char tag[2 * (POSIX_TRACE_NAME_MAX_NP + 1)];
	size_t size;

	if (PTL_UNLIKELY(ptl_outsider()))
		return;
	size = put(tag, key);
	size += put(tag + size, value);
	ptl_fastpath_emit(PTL_EV_PROCESS_TAG, tag, size, addr, active,
			  PTL_EV_PROCESS_TAG, ptl_fastpath_vector,
			  ptl_emit_long);
}

PTL_EXPORT void posix_trace_set_tag_np(const char *key, const char *value)
{
	uint64_t active = ptl_attached_bits();

	if (PTL_UNLIKELY(active) && key && *key)
		set_tag(key, value ? value : "", __builtin_return_address(0),
			active);
}
