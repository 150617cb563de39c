/* SPDX-License-Identifier: MIT */
/*
 * Loading and unloading.  Where the caller of dlopen() cannot matter, we call
 * it ourselves, and see the result and the new objects at once.  Otherwise we
 * jump to libc's function (dl_entry.S), and see the new objects at the next
 * opportunity.
 */
#include "preload/libc/libc.h"

#include "core/core.h"
#include "core/sys/text.h"

#include "preload/hook/hooks.h"
#include "preload/hook/objects.h"
#include "preload/hook/pages.h"
#include "preload/hook/site.h"
#include "preload/libc/room.h"

#define TEXT_SIZE 512

static const char *shown(const char *path)
{
	return path ? path : "";
}

/* Not part of its caller's frame, below which constructors run. */
static PTL_COLD void record_open(const char *path, int flags, const void *ret,
				 const void *caller)
{
	unsigned char data[TEXT_SIZE];
	struct ptl_payload payload = {data, sizeof(data), 0};
	struct ptl_scratch scratch;

	ptl_room_get(&payload, &scratch, shown(path));
	ptl_put_int(&payload, flags);
	ptl_put_int(&payload, (int64_t)(uintptr_t)ret);
	ptl_put_last(&payload, shown(path));
	ptl_core_call(PTL_EV_DL_OPEN, payload.data, payload.size, caller);
	ptl_scratch_put(&scratch);
}

static PTL_COLD void record_opens(const char *path, int flags,
				  const void *caller)
{
	unsigned char data[TEXT_SIZE];
	struct ptl_payload payload = {data, sizeof(data), 0};
	struct ptl_scratch scratch;

	ptl_room_get(&payload, &scratch, shown(path));
	ptl_put_int(&payload, flags);
	ptl_put_last(&payload, shown(path));
	ptl_core_call(PTL_EV_DL_OPENS, payload.data, payload.size, caller);
	ptl_scratch_put(&scratch);
}

/* dl_entry.S jumps to these, with the arguments that it got. */
PTL_ALIGNS static void *open_here(const char *path, int flags)
{
	const void *caller = __builtin_return_address(0);
	void *handle = PTL_LIBC(dlopen)(path, flags);

	ptl_objects_look();
	record_open(path, flags, handle, caller);
	return handle;
}

PTL_ALIGNS static void *mopen_here(long space, const char *path, int flags)
{
	const void *caller = __builtin_return_address(0);
	void *handle = PTL_LIBC(dlmopen)(space, path, flags);

	ptl_objects_look();
	record_open(path, flags, handle, caller);
	return handle;
}

/* A child in our memory opens and closes for its parent, who looks later. */
static bool is_watched(void)
{
	if (!ptl_objects_wanted() && !ptl_core_wants_call(PTL_EV_DL_OPEN) &&
	    !ptl_core_wants_call(PTL_EV_DL_CLOSE))
		return false;
	if (!ptl_core_in_vfork_child())
		return true;
	ptl_objects_expect();
	return false;
}

/* May we call it ourselves?  If not, records what is known. */
static bool decide(const char *path, int flags, const void *caller)
{
	if (ptl_objects_may_open(path, caller))
		return true;
	record_opens(path, flags, caller);
	ptl_objects_expect();
	return false;
}

PTL_ALIGNS void *ptl_dlopen_hook(const char *path, int flags,
				 const void *caller)
{
	if (is_watched() && decide(path, flags, caller))
		return (void *)open_here;
	return (void *)PTL_LIBC(dlopen);
}

PTL_ALIGNS void *ptl_dlmopen_hook(long space, const char *path, int flags,
				  const void *caller)
{
	(void)space;
	if (is_watched() && decide(path, flags, caller))
		return (void *)mopen_here;
	return (void *)PTL_LIBC(dlmopen);
}

/* By the handle of libc itself they would be called past our wrappers, and a
 * filter come unseen (seccomp.c). */
PTL_ALIGNS static void *look_up_here(void *handle, const char *name)
{
	void *found = PTL_LIBC(dlsym)(handle, name);

	if (found && found == (void *)PTL_LIBC(prctl))
		return (void *)prctl;
	return found && found == (void *)PTL_LIBC(syscall) ? (void *)syscall :
							     found;
}

/* The caller matters only where there is no handle. */
static bool is_of_filters(void *handle, const char *name)
{
	return handle != RTLD_DEFAULT && handle != RTLD_NEXT && name &&
	       (ptl_streq(name, "prctl") || ptl_streq(name, "syscall"));
}

/* An object that was loaded by a call that did not return to us is mostly asked
 * for functions next: so it is recorded before they are called. */
PTL_ALIGNS void *ptl_dlsym_hook(void *handle, const char *name)
{
	ptl_objects_settle();
	return is_of_filters(handle, name) ? (void *)look_up_here :
					     (void *)PTL_LIBC(dlsym);
}

PTL_ALIGNS void *ptl_dlvsym_hook(void)
{
	ptl_objects_settle();
	return (void *)PTL_LIBC(dlvsym);
}

PTL_ENTRY int dlclose(void *handle)
{
	const void *caller = PTL_SITE_CALLER;
	int ret;

	ptl_objects_settle();
	ret = PTL_LIBC(dlclose)(handle);
	ptl_pages_changed();
	if (is_watched()) {
		int64_t data[2] = {(int64_t)(uintptr_t)handle, ret};

		ptl_objects_look();
		ptl_core_call(PTL_EV_DL_CLOSE, data, sizeof(data), caller);
	}
	return ret;
}
