/* SPDX-License-Identifier: MIT */
/*
 * An unloaded object is recorded only after dlclose() returns: before, nobody
 * knows what dlclose() will do, since other handles, dependencies and
 * destructors decide it; and the destructors may record events, for which the
 * object's name is needed.  By then another thread may have loaded another
 * object at the same place.  But the first thread that looks records both,
 * beginning with the unloaded one: the log never has two objects at one
 * address, nor an object that is unloaded after its successor was loaded.  One
 * case is left: an event of the other object's constructors, recorded before
 * either thread has looked, gets its name from the wrong object.  A lock around
 * dlopen() and dlclose() would deadlock with constructors that wait for other
 * threads.
 */
#include "preload/hook/objects.h"

#include "core/core.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include "preload/hook/got.h"
#include "preload/hook/interpose.h"
#include "preload/libc/buildid.h"
#include "preload/libc/cwd.h"
#include "preload/libc/lookup.h"
#include "preload/libc/own.h"
#include "preload/libc/scratch.h"

#include <dlfcn.h>
#include <elf.h>
#include <linux/limits.h>
#include <sys/auxv.h>

/* The objects that were recorded: one entry after the other, in the order of
 * the loader's list.  Objects that do not fit are counted and not recorded. */
#define KNOWN_SIZE (512 * 1024)

struct known {
	uintptr_t base, size;
	uint32_t entry_size;
	uint32_t pass; /* of the last look that found it */
	char path[];
};

/* Everything below is protected by the loader's lock, in dl_iterate_phdr(). */
static unsigned char known[KNOWN_SIZE] PTL_BULK __attribute__((aligned(8)));
static size_t known_size;
static size_t cursor; /* where the next object of the list is expected */
static uint32_t pass;
static unsigned int nr_untold;
static unsigned long long last_adds, last_subs;
static pthread_t looker; /* the thread inside */
static unsigned char buffer[PATH_MAX + 128] PTL_BULK;
static struct ptl_payload scratch = {buffer, sizeof(buffer), 0};

/* Has any object a DT_RPATH?  It also holds for all that the object loads. */
static bool some_rpath;

static _Atomic bool expected;

static void (*hand_over)(const char *path, bool is_program);

/* ---- an object as the loader has it -------------------------------- */

struct object {
	uintptr_t base, size;
	const char *path;
	bool is_program;
	const ElfW(Dyn) * dynamic;
	struct ptl_build_id id;
};

/* False: nothing of the object is mapped, or it is the vDSO, which is no file.
 */
static bool describe(const struct dl_phdr_info *info, struct object *object)
{
	uintptr_t low = UINTPTR_MAX, high = 0;

	*object = (struct object){
		.base = info->dlpi_addr,
		.path = info->dlpi_name,
		.id = ptl_build_id(info),
	};
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + ph->p_vaddr;

		if (ph->p_type == PT_LOAD) {
			low = PTL_MIN(low, at);
			high = PTL_MAX(high, at + ph->p_memsz);
		} else if (ph->p_type == PT_DYNAMIC) {
			object->dynamic = (const void *)at;
		}
	}
	object->size = high - low;
	return low < high && low != getauxval(AT_SYSINFO_EHDR);
}

static bool has_tag(const ElfW(Dyn) * dynamic, int64_t tag)
{
	for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++)
		if (dynamic->d_tag == tag)
			return true;
	return false;
}

/* ---- what was recorded --------------------------------------------- */

static struct known *known_at(size_t at)
{
	return (struct known *)(known + at);
}

/* The loader's list has no name for the program itself. */
static bool is_same(const struct known *entry, const struct dl_phdr_info *info)
{
	const char *path = info->dlpi_name;

	return entry->base == info->dlpi_addr &&
	       (!path || !path[0] || ptl_streq(entry->path, path));
}

/* The object's entry, or NULL.  It is mostly the one after the last one found.
 */
static struct known *find(const struct dl_phdr_info *info)
{
	size_t at = cursor;

	for (int round = 0; round < 2; round++, at = 0) {
		for (; at < known_size; at += known_at(at)->entry_size) {
			if (!is_same(known_at(at), info))
				continue;
			cursor = at + known_at(at)->entry_size;
			return known_at(at);
		}
	}
	return NULL;
}

static bool remember(const struct object *object)
{
	struct known *entry = known_at(known_size);
	size_t path_size = ptl_strnlen(object->path, PATH_MAX - 1) + 1;
	size_t size = (sizeof(*entry) + path_size + 7) & ~(size_t)7;

	if (size > KNOWN_SIZE - known_size)
		return false;
	entry->base = object->base;
	entry->size = object->size;
	entry->entry_size = (uint32_t)size;
	entry->pass = pass;
	ptl_strcopy(entry->path, path_size, object->path);
	known_size += size;
	cursor = known_size;
	return true;
}

static void forget(size_t at)
{
	size_t size = known_at(at)->entry_size;

	known_size -= size;
	for (; at < known_size; at++)
		known[at] = known[at + size];
}

/* ---- recording ----------------------------------------------------- */

static void record_map(const struct object *object)
{
	struct ptl_payload payload = scratch;

	payload.room -= 1 + PTL_BUILD_ID;
	ptl_put_int(&payload, (int64_t)object->base);
	ptl_put_int(&payload, (int64_t)object->size);
	ptl_put_string(&payload, object->path);
	payload.room = scratch.room;
	ptl_put_byte(&payload, (unsigned char)object->id.size);
	for (size_t i = 0; i < object->id.size; i++)
		ptl_put_byte(&payload, object->id.bytes[i]);
	ptl_core_event(PTL_EV_DL_MAP, payload.data, payload.size, NULL);
}

static void record_unmap(const struct known *entry)
{
	struct ptl_payload payload = scratch;

	ptl_put_int(&payload, (int64_t)entry->base);
	ptl_put_int(&payload, (int64_t)entry->size);
	ptl_put_string(&payload, entry->path);
	ptl_core_event(PTL_EV_DL_UNMAP, payload.data, payload.size, NULL);
}

static void tell_gone(void)
{
	size_t at = 0;

	while (at < known_size) {
		struct known *entry = known_at(at);

		if (entry->pass == pass) {
			at += entry->entry_size;
			continue;
		}
		record_unmap(entry);
		forget(at);
	}
}

static int mark(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct known *entry = find(info);

	(void)size, (void)arg;
	if (entry)
		entry->pass = pass;
	return 0;
}

/* Not on the stack: it is the program's, and may be small. */
static const char *find_exe(void)
{
	static char exe[PATH_MAX] PTL_BULK;
	long ret = -1;

	if (!exe[0] && !ptl_is_quiet())
		ret = ptl_sys(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", exe,
			      sizeof(exe) - 1);
	if (ret > 0)
		exe[ret] = '\0';
	return exe;
}

/* What dlopen() was given may be relative to where the process is. */
static const char *make_absolute(const char *path)
{
	static char whole[2 * PATH_MAX] PTL_BULK;
	size_t size;

	if (path[0] == '/')
		return path;
	size = ptl_strlen(ptl_cwd(whole, PATH_MAX));
	if (size == 0)
		return path;
	if (size > 1)
		whole[size++] = '/';
	while (path[0] == '.' && path[1] == '/')
		path += 2;
	ptl_strcopy(whole + size, sizeof(whole) - size, path);
	return whole;
}

static int tell_new(struct dl_phdr_info *info, size_t size, void *exe)
{
	struct object object;

	(void)size;
	if ((pass > 1 && find(info)) || !describe(info, &object))
		return 0;
	object.is_program = !object.path || !object.path[0];
	if (object.is_program)
		object.path = exe ? exe : find_exe();
	if (!remember(&object)) {
		nr_untold++;
		return 0;
	}
	some_rpath |= has_tag(object.dynamic, DT_RPATH);
	object.path = make_absolute(object.path);
	record_map(&object);
	if (hand_over && object.base != (uintptr_t)ptl_own_begin)
		hand_over(object.path, object.is_program);
	return 0;
}

/* The first callback of dl_iterate_phdr(): the lock is held, and can be taken
 * again.  Also the last one: its result ends the iteration. */
static int look(struct dl_phdr_info *info, size_t size, void *exe)
{
	(void)size;
	/* A handler that interrupted us, or nothing new. */
	if (looker == pthread_self() ||
	    (info->dlpi_adds == last_adds && info->dlpi_subs == last_subs))
		return 1;
	looker = pthread_self();
	ptl_core_unloaded();
	pass++;
	cursor = 0;
	if (known_size)
		dl_iterate_phdr(mark, NULL);
	tell_gone();
	cursor = 0;
	dl_iterate_phdr(tell_new, exe);
	last_adds = info->dlpi_adds;
	last_subs = info->dlpi_subs;
	looker = 0;
	return 1;
}

bool ptl_objects_wanted(void)
{
	return ptl_got_works() || ptl_interpose_works() ||
	       ptl_core_wants(PTL_EV_DL_MAP);
}

void ptl_objects_hand(void (*over)(const char *path, bool is_program))
{
	hand_over = over;
}

void ptl_objects_begin(const char *exe, struct ptl_payload payload)
{
	if (!ptl_objects_wanted())
		return;
	scratch = payload;
	dl_iterate_phdr(look, (void *)exe);
	scratch = (struct ptl_payload){buffer, sizeof(buffer), 0};
}

void ptl_objects_note(void)
{
	if (ptl_objects_wanted())
		dl_iterate_phdr(look, NULL);
}

void ptl_objects_look(void)
{
	bool in_child = ptl_core_in_vfork_child();

	/* What a child in our memory loads, its parent finds there. */
	atomic_store_explicit(&expected, in_child, memory_order_relaxed);
	if (!ptl_objects_wanted() || in_child)
		return;
	dl_iterate_phdr(look, NULL);
	ptl_got_look();
	ptl_interpose_look();
}

void ptl_objects_expect(void)
{
	atomic_store_explicit(&expected, true, memory_order_relaxed);
}

void ptl_objects_settle(void)
{
	if (atomic_load_explicit(&expected, memory_order_relaxed))
		ptl_objects_look();
}

/* ---- the caller of dlopen() ---------------------------------------- */

static bool has_no_default_path(const ElfW(Dyn) * dynamic)
{
	for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++)
		if (dynamic->d_tag == DT_FLAGS_1)
			return dynamic->d_un.d_val & DF_1_NODEFLIB;
	return false;
}

bool ptl_objects_may_open(const char *path, const void *caller)
{
	const struct link_map *map;
	bool has_slash = false;

	if (!path)
		return true;
	for (const char *s = path; *s; s++) {
		has_slash |= *s == '/';
		if (*s == '$')
			return false;
	}
	/* The caller's object stays loaded while it calls. */
	map = ptl_lookup_object(caller);
	if (!map)
		return false;
	ptl_objects_look();
	return !some_rpath && (has_slash || (!has_tag(map->l_ld, DT_RUNPATH) &&
					     !has_no_default_path(map->l_ld)));
}
