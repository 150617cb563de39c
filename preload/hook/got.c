/* SPDX-License-Identifier: MIT */
/*
 * A slot is pointed to a stub by one store of eight bytes.  The stub goes on to
 * the address that was in the slot, or that will be.
 *
 * Slots that are not bound yet are bound by the loader's own resolver at their
 * first call, as they would be without us: nothing else knows to which address.
 * So that the resolver does not overwrite the slot, it is given a copy of the
 * object's relocations by which it writes to the stub instead.  (Binding all
 * slots at start, LD_BIND_NOW, would end programs that lack a symbol which they
 * never call.) A loader that finds its relocations in another way unhooks the
 * slot, and does no other harm.
 *
 * The stubs of an object that was unloaded are not reused for other slots: a
 * thread may have left the object by a jump through one of them.  If the object
 * is loaded again at the same place, it gets the same stubs.
 */
#include "preload/hook/got.h"

#include "core/core.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include "preload/hook/glob.h"
#include "preload/hook/gotslot.h"
#include "preload/hook/hooked.h"
#include "preload/hook/loaded.h"
#include "preload/hook/noplt.h"
#include "preload/hook/returns.h"
#include "preload/hook/typed.h"
#include "preload/libc/env.h"
#include "preload/libc/lookup.h"
#include "preload/libc/payload.h"
#include "preload/libc/scratch.h"

#include <dlfcn.h>
#include <sys/auxv.h>

/* Protected by the loader's lock. */
static uint32_t nr_stubs;
static uint32_t nr_no_room;
static uint32_t nr_refused;
static uint32_t nr_entry_only;
static uint32_t nr_no_plt;
static struct ptl_noplt noplt PTL_BULK;
static bool returns_work;
static uint32_t pass;
static char exe_name[PTL_LOADED_NAME];
static bool works;
static bool all_ready; /* of those that the last pass has seen */

/* ---- what to hook -------------------------------------------------- */

/* Can the function's return be recorded, too? */
static bool may_return(const char *name, bool counts)
{
	bool may = returns_work && ptl_returns_allowed(name);

	nr_entry_only += !may && counts;
	return may;
}

/* Are most slots of the object none of its PLT?  Then it was compiled without
 * one; but linkers make one for what start-up files call. */
static bool lacks_plt(const struct ptl_image *image,
		      const struct dl_phdr_info *info)
{
	struct ptl_slotted slot;
	size_t nr = 0;

	for (size_t i = 0; i < image->nr_other && nr <= image->nr_rel; i++)
		nr += ptl_gotslot_find(image, info, image->nr_rel + i, &slot);
	return nr > image->nr_rel;
}

/*
 * Finds the slots of calls without a PLT.  The code is scanned only if the
 * object was compiled so, since scanning takes time.
 */
static void find_noplt(const struct ptl_image *image,
		       const struct dl_phdr_info *info)
{
	size_t nr = 0;
	struct ptl_gotslot slot;

	noplt.nr = 0;
	for (size_t i = 0; i < image->nr_other; i++)
		if (ptl_gotslot_read(image, info, image->nr_rel + i, false,
				     &slot)) {
			ptl_noplt_add(&noplt, (uintptr_t)slot.at);
			nr++;
		}
	if (nr <= image->nr_rel && !lacks_plt(image, info))
		noplt.nr = 0;
	else
		ptl_noplt_scan(&noplt, info);
	for (size_t i = 0; i < noplt.nr; i++)
		nr -= ptl_noplt_allows(&noplt, noplt.slot[i]);
	nr_no_plt += (uint32_t)nr;
}

/*
 * Makes stubs for the slots of an object that match a pattern, from `first' on,
 * none beyond the end.  Returns the number of such slots.
 */
static uint32_t prepare(const struct ptl_image *image,
			const struct dl_phdr_info *info, uint32_t first,
			uint32_t end, bool counts)
{
	size_t all = image->nr_rel + (noplt.nr ? image->nr_other : 0);
	uint32_t nr = 0;

	for (size_t i = 0; i < all; i++) {
		struct ptl_gotslot slot;
		bool returns, sited;

		if (!ptl_gotslot_read(image, info, i, false, &slot) ||
		    (i >= image->nr_rel &&
		     !ptl_noplt_allows(&noplt, (uintptr_t)slot.at)))
			continue;
		ptl_gotslot_read(image, info, i, counts, &slot);
		/* Who sums up wants to know how long, too. */
		returns = (slot.returns || ptl_limits.depth == PTL_CORE_SUMS) &&
			  may_return(slot.name, counts);
		/* To see how deep calls are, their ends must be seen. */
		sited = returns ||
			(ptl_limits.depth && may_return(slot.name, false));
		if (first + nr < end)
			ptl_stub[first + nr] = (struct ptl_stub){
				.typed = ptl_typed_find(slot.name,
							&ptl_typed[first + nr]),
				.real = *slot.at,
				.lazy = slot.lazy,
				.known = slot.known,
				.slot = slot.at,
				.name = slot.name,
				.library = slot.library,
				.rel = i & (INT32_MAX >> 2),
				.returns = returns,
				.sited = sited,
			};
		nr++;
	}
	return nr;
}

/* ---- hooking ------------------------------------------------------- */

static bool has_lazy(const struct ptl_loaded *object)
{
	for (uint32_t i = 0; i < object->nr; i++)
		if (ptl_stub[object->first + i].lazy)
			return true;
	return false;
}

/* Makes the resolver write to the stubs. */
static void redirect(struct ptl_loaded *object)
{
	const struct ptl_image *image = &object->image;
	size_t size = image->nr_rel * sizeof(*image->rel);
	ElfW(Rela) *copy = ptl_sys_mmap(NULL, size, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uintptr_t place = (uintptr_t)copy;

	object->copy = NULL;
	if (copy == MAP_FAILED)
		return;
	for (size_t i = 0; i < image->nr_rel; i++)
		copy[i] = image->rel[i];
	for (uint32_t i = 0; i < object->nr; i++) {
		struct ptl_stub *stub = &ptl_stub[object->first + i];

		if (stub->lazy)
			copy[stub->rel].r_offset =
				(uintptr_t)&stub->real - image->base;
	}
	object->copy = copy;
	object->copy_size = size;
	if (image->jmprel->d_un.d_ptr < image->base)
		place -= image->base;
	/* Pairs with libc's resolver, which another thread may be in. */
	__atomic_store_n(&image->jmprel->d_un.d_ptr, place, __ATOMIC_RELEASE);
}

static void patch(const struct ptl_loaded *object)
{
	for (uint32_t i = 0; i < object->nr; i++) {
		const struct ptl_stub *stub = &ptl_stub[object->first + i];
		uintptr_t code = (uintptr_t)ptl_stub_code +
				 (object->first + i) * PTL_STUB_SIZE;

		/* Pairs with calls through the slot: the stub is complete. */
		if (!stub->lazy || object->copy)
			__atomic_store_n(stub->slot, code, __ATOMIC_RELEASE);
		else
			nr_refused++;
	}
}

static void hook(struct ptl_loaded *object, const struct dl_phdr_info *info)
{
	const struct ptl_image *image = &object->image;
	uint32_t nr;

	find_noplt(image, info);
	nr = prepare(image, info, object->first, object->first + object->nr,
		     true);
	if (nr > object->nr) {
		object->first = nr_stubs;
		object->nr = PTL_MIN(nr, PTL_STUBS - nr_stubs);
		nr_no_room += nr - object->nr;
		nr_stubs += object->nr;
		prepare(image, info, object->first, object->first + object->nr,
			false);
	} else {
		object->nr = nr;
	}
	if (object->nr == 0)
		return;
	if (!ptl_image_unseal(image)) {
		nr_refused += object->nr;
		return;
	}
	if (has_lazy(object))
		redirect(object);
	patch(object);
	ptl_image_seal(image);
}

/*
 * Is the loader done with it?  Another thread may be relocating it: then it
 * must not be made read-only yet, and that thread looks here afterwards.  The
 * objects loaded with the program are ready; of later ones it is unknown if the
 * loader cannot be asked.
 */
static bool is_ready(const struct ptl_image *image)
{
	const struct link_map *map;

	if (pass == 1)
		return true;
	map = ptl_lookup_object((const void *)image->low);
	return map && map->l_addr == image->base;
}

static struct ptl_loaded *enter(const struct dl_phdr_info *info)
{
	const char *path = info->dlpi_name;
	struct ptl_loaded *object;
	struct ptl_image image;

	if (!ptl_image_read(&image, info) ||
	    image.low == getauxval(AT_SYSINFO_EHDR))
		return NULL;
	path = path && *path ? path : exe_name;
	object = ptl_loaded_get_same(&image, path);
	if (!object && is_ready(&image))
		object = ptl_loaded_add(&image, path);
	if (object)
		object->pass = pass;
	else
		all_ready = false;
	return object;
}

static int enter_new(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size, (void)arg;
	enter(info);
	return 0;
}

/* The objects that recording itself runs in: the loader, this library,
 * libunwind. */
static bool is_left_alone(const struct ptl_image *image)
{
	uintptr_t code = (uintptr_t)ptl_core_libunwind_code();

	return image->base == getauxval(AT_BASE) || ptl_loaded_is_us(image) ||
	       (code >= image->low && code < image->high);
}

static int hook_new(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct ptl_loaded *object = enter(info);

	(void)size, (void)arg;
	if (!object || object->hooked)
		return 0;
	object->hooked = true;
	if (!is_left_alone(&object->image))
		hook(object, info);
	return 0;
}

static void forget_gone(void)
{
	struct ptl_loaded *object;

	for (uint32_t i = 0; (object = ptl_loaded_get(i)); i++) {
		if (object->pass == pass)
			continue;
		ptl_loaded_remove(object);
		if (object->copy)
			ptl_sys_munmap(object->copy, object->copy_size);
		object->copy = NULL;
	}
}

/* Called by dl_iterate_phdr(): the loader's lock is held, and can be taken
 * again. */
static int look(struct dl_phdr_info *info, size_t size, void *arg)
{
	static unsigned long long adds, subs;

	(void)size, (void)arg;
	if (info->dlpi_adds == adds && info->dlpi_subs == subs)
		return 1;
	pass++;
	all_ready = true;
	dl_iterate_phdr(enter_new, NULL);
	forget_gone();
	dl_iterate_phdr(hook_new, NULL);
	if (all_ready) {
		adds = info->dlpi_adds;
		subs = info->dlpi_subs;
	}
	return 1;
}

/* ---- recording ----------------------------------------------------- */

static void record_glob(const struct ptl_glob *glob)
{
	unsigned char data[2 * PTL_GLOB_SIZE + 16];
	struct ptl_payload payload = {data, sizeof(data) - PTL_GLOB_SIZE, 0};

	ptl_put_int(&payload, glob->slots);
	ptl_put_string(&payload, glob->text);
	payload.room = sizeof(data);
	ptl_put_string(&payload, glob->near);
	ptl_core_event(PTL_EV_CALL_HOOKS, data, payload.size, NULL);
}

static void record_unhooked(uint32_t slots, const char *reason)
{
	unsigned char data[128];
	struct ptl_payload payload = {data, sizeof(data), 0};

	if (!slots)
		return;
	ptl_put_int(&payload, slots);
	ptl_put_string(&payload, reason);
	ptl_core_event(PTL_EV_CALL_UNHOOKED, data, payload.size, NULL);
}

static void compare_name(struct ptl_glob *glob, const char *name)
{
	uint64_t value;

	if (ptl_glob_is_closer(glob, name))
		ptl_glob_set_near(glob,
				  ptl_loaded_name(ptl_loaded_find_symbol(
					  name, NULL, &value)),
				  name);
}

/* Finds the name that is closest to a pattern without a match. */
static void compare(struct ptl_glob *glob)
{
	const struct ptl_loaded *object;

	for (uint32_t i = 0; (object = ptl_loaded_get(i)); i++) {
		const struct ptl_image *image = &object->image;

		for (size_t r = 0; object->hooked && r < image->nr_rel; r++) {
			uint64_t info = image->rel[r].r_info;
			const ElfW(Sym) *sym = &image->sym[ELF64_R_SYM(info)];

			if (ELF64_R_TYPE(info) == PTL_JUMP_SLOT)
				compare_name(glob, image->str + sym->st_name);
		}
	}
}

static void tell(void)
{
	struct ptl_glob *glob;
	size_t nr;

	if (!ptl_core_wants(PTL_EV_CALL_HOOKS))
		return;
	for (glob = ptl_globs(&nr); nr > 0; nr--, glob++) {
		if (!glob->slots)
			compare(glob);
		record_glob(glob);
	}
	record_unhooked(nr_no_room, "no room");
	record_unhooked(nr_refused, "the system refused to change memory");
	record_unhooked(nr_no_plt, "no slot for calls alone");
	record_unhooked(nr_entry_only,
			returns_work ? "entry only" :
				       "returns cannot be recorded here");
}

bool ptl_got_works(void)
{
	return works;
}

void ptl_got_look(void)
{
	if (works && !ptl_is_quiet() && !ptl_core_in_vfork_child())
		dl_iterate_phdr(look, NULL);
}

bool ptl_got_wanted(char *const *envp)
{
	return (ptl_env_value(envp, "PTRACE_CALLS=") ||
		ptl_env_value(envp, "PTRACE_RETURNS=")) &&
	       ptl_core_wants(PTL_EV_CALL_ENTER);
}

/* Are they the patterns that were hooked, all of them? */
static bool is_same_choice(char *const *envp)
{
	const char *calls = ptl_env_value(envp, "PTRACE_CALLS=");
	const char *returns = ptl_env_value(envp, "PTRACE_RETURNS=");
	size_t nr = 0;

	return ptl_globs_are(calls, false, &nr) &&
	       ptl_globs_are(returns, true, &nr) && ptl_globs_end(nr);
}

bool ptl_got_tell(char *const *envp)
{
	if (!is_same_choice(envp))
		return false;
	tell();
	return true;
}

void ptl_got_init(char *const *envp, const char *exe)
{
	const char *prototypes;
	size_t size = 0;

	ptl_globs_add(ptl_env_value(envp, "PTRACE_CALLS="), false);
	ptl_globs_add(ptl_env_value(envp, "PTRACE_RETURNS="), true);
	ptl_core_call_limits(&ptl_limits);
	prototypes = ptl_core_prototypes(&size);
	ptl_typed_use(prototypes, size);
	returns_work = ptl_returns_work();
	works = true;
	ptl_strcopy(exe_name, sizeof(exe_name), ptl_loaded_base_name(exe));
	ptl_got_look();
	tell();
}
