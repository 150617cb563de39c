/* SPDX-License-Identifier: MIT */
/*
 * The loader's list of objects is read as a debugger reads it: through DT_DEBUG
 * of the program.  Objects that were loaded with the program stay in place and
 * in order; those that are loaded later come after them, and are not searched.
 *
 * If there is no such name after us (a libc other than GNU's may come before
 * us; or we were loaded late ourselves), libc's definition is used: that of the
 * object with the __errno_location() that we are linked with.
 */
#include "preload/libc/lookup.h"

#include "core/sys/text.h"
#include "preload/libc/gnuhash.h"
#include "preload/libc/symver.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <sys/auxv.h>

extern const ElfW(Dyn) ours[] __asm__("_DYNAMIC")
	__attribute__((visibility("hidden")));

/* Our own entry, the last one loaded with the program, and libc's. */
static const struct link_map *self, *last, *libc_map;

/* The tables of an object that a look-up needs. */
struct object {
	uintptr_t base;
	const ElfW(Sym) * sym;
	const char *str;
	const uint16_t *version; /* NULL: there are none */
	const ElfW(Verdef) * verdef;
	const uint32_t *gnu; /* NULL: the old table */
	const uint32_t *old;
};

/* For programs without DT_DEBUG; GNU only. */
static const struct link_map *ask_loader(void)
{
	const struct link_map *map = NULL;
	Dl_info info;

	if (!dladdr1 || !dladdr1(ours, &info, (void **)&map, RTLD_DL_LINKMAP))
		return NULL;
	while (map && map->l_prev)
		map = map->l_prev;
	return map;
}

static const struct link_map *list(void)
{
	const ElfW(Phdr) *phdr = (const void *)getauxval(AT_PHDR);
	size_t nr = getauxval(AT_PHNUM);
	const ElfW(Dyn) *dyn = NULL;
	uintptr_t bias = 0;

	for (size_t i = 0; phdr && i < nr; i++)
		if (phdr[i].p_type == PT_PHDR)
			bias = (uintptr_t)phdr - phdr[i].p_vaddr;
	for (size_t i = 0; phdr && i < nr; i++)
		if (phdr[i].p_type == PT_DYNAMIC)
			dyn = (const void *)(bias + phdr[i].p_vaddr);
	for (; dyn && dyn->d_tag != DT_NULL; dyn++)
		if (dyn->d_tag == DT_DEBUG && dyn->d_un.d_ptr)
			return ((const struct r_debug *)dyn->d_un.d_ptr)->r_map;
	return ask_loader();
}

/* Most loaders store addresses there, some leave offsets. */
static const void *at(uintptr_t base, uintptr_t ptr)
{
	return (const void *)(ptr < base ? base + ptr : ptr);
}

static bool open_object(struct object *o, const struct link_map *map)
{
	const ElfW(Dyn) *dyn = map->l_ld;

	*o = (struct object){.base = map->l_addr};
	for (; dyn && dyn->d_tag != DT_NULL; dyn++) {
		const void *p = at(o->base, dyn->d_un.d_ptr);

		if (dyn->d_tag == DT_SYMTAB)
			o->sym = p;
		else if (dyn->d_tag == DT_STRTAB)
			o->str = p;
		else if (dyn->d_tag == DT_VERSYM)
			o->version = p;
		else if (dyn->d_tag == DT_VERDEF)
			o->verdef = p;
		else if (dyn->d_tag == DT_GNU_HASH)
			o->gnu = p;
		else if (dyn->d_tag == DT_HASH)
			o->old = p;
	}
	return o->sym && o->str && (o->gnu || o->old);
}

static uint32_t old_hash(const char *s)
{
	uint32_t hash = 0;

	for (; *s; s++) {
		hash = (hash << 4) + (unsigned char)*s;
		hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
	}
	return hash;
}

/*
 * Symbols of one name: the default version is used; if there is none, an old
 * version, if it is the only one.  Indices; 0: none.
 */
struct match {
	uint16_t version; /* the number of one that is asked for */
	uint32_t exact, current, old;
	unsigned int nr_old;
};

static unsigned int version_of(const struct object *o, uint32_t i)
{
	return o->version ? o->version[i] & ~PTL_SYMVER_HIDDEN :
			    PTL_SYMVER_NONE;
}

static void look_at(const struct object *o, uint32_t i, const char *name,
		    struct match *match)
{
	const ElfW(Sym) *sym = &o->sym[i];
	unsigned int type = ELF64_ST_TYPE(sym->st_info);

	if (sym->st_shndx == SHN_UNDEF || !sym->st_value ||
	    (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE &&
	     type != STT_OBJECT) ||
	    ELF64_ST_BIND(sym->st_info) == STB_LOCAL ||
	    (o->version && o->version[i] == PTL_SYMVER_LOCAL) ||
	    !ptl_streq(o->str + sym->st_name, name))
		return;
	if (match->version && version_of(o, i) == match->version)
		match->exact = i;
	if (o->version && o->version[i] & PTL_SYMVER_HIDDEN) {
		match->old = i;
		match->nr_old++;
	} else if (!match->current) {
		match->current = i;
	}
}

static void find_gnu(const struct object *o, const char *name, uint32_t hash,
		     struct match *match)
{
	for (uint32_t i = ptl_gnu_first(o->gnu, hash); i;
	     i = ptl_gnu_next(o->gnu, hash, i))
		look_at(o, i, name, match);
}

static void find_old(const struct object *o, const char *name,
		     struct match *match)
{
	uint32_t nr = o->old[0], i;

	if (!nr)
		return;
	for (i = o->old[2 + old_hash(name) % nr]; i; i = o->old[2 + nr + i])
		look_at(o, i, name, match);
}

static void *choose(void *resolver)
{
#if defined(__aarch64__)
	const struct {
		unsigned long size, hwcap, hwcap2;
	} arg = {sizeof(arg), getauxval(AT_HWCAP), getauxval(AT_HWCAP2)};

	return ((void *(*)(uint64_t, const void *))resolver)(
		arg.hwcap | UINT64_C(1) << 62, &arg);
#else
	return ((void *(*)(void))resolver)();
#endif
}

/* All symbols of that name. */
static void find(const struct object *o, const char *name, uint32_t hash,
		 struct match *match)
{
	if (o->gnu)
		find_gnu(o, name, hash, match);
	else
		find_old(o, name, match);
}

static void *address_of(const struct object *o, uint32_t i)
{
	void *found = (void *)(o->base + o->sym[i].st_value);

	if (!i)
		return NULL;
	if (ELF64_ST_TYPE(o->sym[i].st_info) == STT_GNU_IFUNC)
		return choose(found);
	return found;
}

static void *find_in(const struct object *o, const char *name, uint32_t hash,
		     bool or_old)
{
	struct match match = {0};

	find(o, name, hash, &match);
	if (or_old && !match.current && match.nr_old == 1)
		return address_of(o, match.old);
	return address_of(o, match.current);
}

/* What the loader gives to those that ask for a version; NULL: for none. */
static void *find_asked(const struct object *o, const char *name, uint32_t hash,
			const char *version)
{
	struct match match = {
		.version = (uint16_t)(version ? ptl_symver_number(o->verdef,
								  o->str,
								  version) :
						PTL_SYMVER_FIRST),
	};

	find(o, name, hash, &match);
	if (match.exact || !match.current)
		return address_of(o, match.exact);
	if (version && version_of(o, match.current) != PTL_SYMVER_NONE)
		return NULL;
	return address_of(o, match.current);
}

static bool is_libc(const struct link_map *map)
{
	struct object o;

	return open_object(&o, map) &&
	       find_in(&o, "__errno_location", ptl_gnu_hash("__errno_location"),
		       false) == (void *)__errno_location;
}

const void *ptl_lookup_libc(const char *name, const char *version)
{
	struct object o;

	if (!libc_map || !open_object(&o, libc_map))
		return NULL;
	return find_asked(&o, name, ptl_gnu_hash(name), version);
}

const void *ptl_lookup_ours(const char *name, const char *version)
{
	struct object o;

	if (!self || !open_object(&o, self))
		return NULL;
	return find_asked(&o, name, ptl_gnu_hash(name), version);
}

const void *ptl_lookup_first(const char *name, const char *version)
{
	const struct link_map *map = list();
	uint32_t hash = ptl_gnu_hash(name);
	void *found = NULL;
	struct object o;

	for (; map && !found; map = map->l_next)
		if (map->l_ld != ours && open_object(&o, map))
			found = find_asked(&o, name, hash, version);
	return found;
}

/* Was the object linked with us, under any of our names? */
static bool is_linked(const struct link_map *map)
{
	const ElfW(Dyn) *dyn = map->l_ld;
	struct object o;

	if (!open_object(&o, map))
		return false;
	for (; dyn->d_tag != DT_NULL; dyn++)
		if (dyn->d_tag == DT_NEEDED &&
		    ptl_strpre(o.str + dyn->d_un.d_val, "libptrace.so"))
			return true;
	return false;
}

bool ptl_lookup_linked(const void *addr)
{
	static _Atomic signed char
		known; /* of all that came with the program */
	const struct link_map *map;

	if (!atomic_load_explicit(&known, memory_order_relaxed)) {
		ptl_lookup_init();
		for (map = list(); map && map != last && !is_linked(map);)
			map = map->l_next;
		atomic_store_explicit(&known, map && is_linked(map) ? 1 : -1,
				      memory_order_relaxed);
	}
	if (atomic_load_explicit(&known, memory_order_relaxed) > 0)
		return true;
	map = ptl_lookup_object(addr);
	return map && is_linked(map);
}

/*
 * Before the constructor this may run at any time, called by any code, and more
 * than once: at that time the list is that of the program.
 */
void ptl_lookup_init(void)
{
	const struct link_map *end = NULL, *us = NULL;

	if (self)
		return;
	for (const struct link_map *map = list(); map; map = map->l_next) {
		end = map;
		if (map->l_ld == ours)
			us = map;
		if (!libc_map && is_libc(map))
			libc_map = map;
	}
	last = end;
	/* The others are stored before it, for handlers, too. */
	PTL_HANDLER_FENCE();
	self = us;
}

const char *ptl_lookup_file(void)
{
	Dl_info info;

	if (self)
		return self->l_name;
	return dladdr && dladdr(ours, &info) ? info.dli_fname : NULL;
}

static void *look_in(const struct link_map *map, const char *name,
		     uint32_t hash, const char *version, bool or_old)
{
	struct object o;

	if (!open_object(&o, map))
		return NULL;
	return version ? find_asked(&o, name, hash, version) :
			 find_in(&o, name, hash, or_old);
}

static void *look_in_all(const char *name, const char *version, bool or_old)
{
	const struct link_map *map;
	uint32_t hash = ptl_gnu_hash(name);
	void *found = NULL;

	for (map = self; map && !found && map != last;) {
		map = map->l_next;
		found = map ? look_in(map, name, hash, version, or_old) : NULL;
	}
	return !found && libc_map ?
		       look_in(libc_map, name, hash, version, or_old) :
		       found;
}

/* An old version is that of another function, as in libattr.so.1, unless it is
 * all that there is. */
static void *look_up(const char *name, const char *version)
{
	void *found;

	ptl_lookup_init();
	found = look_in_all(name, version, false);
	return found || version ? found : look_in_all(name, NULL, true);
}

static bool stays(const struct link_map *map)
{
	const ElfW(Dyn) *dyn = map->l_ld;

	for (; dyn && dyn->d_tag != DT_NULL; dyn++)
		if (dyn->d_tag == DT_FLAGS_1)
			return dyn->d_un.d_val & DF_1_NODELETE;
	return false;
}

/*
 * Not found in what came with the program: it may have come later, as
 * libpthread.so.0 with a plug-in (glibc before 2.34).  Our caller, who needs
 * it, keeps it there during the call, and no longer, if it can be unloaded.
 */
static PTL_COLD void *look_later(void **real, const char *name)
{
	const struct link_map *map = last ? last->l_next : NULL;
	uint32_t hash = ptl_gnu_hash(name);
	void *found = NULL;

	for (; map; map = map->l_next) {
		found = map == self ? NULL :
				      look_in(map, name, hash, NULL, true);
		if (!found)
			continue;
		if (stays(map))
			__atomic_store_n(real, found, __ATOMIC_RELAXED);
		break;
	}
	return found;
}

void *ptl_lookup_version(void **real, const char *name, const char *version,
			 void *missing)
{
	void *found = version ? look_up(name, version) : NULL;

	if (!found)
		found = look_up(name, NULL);
	if (!found) {
		found = look_later(real, name);
		return found ? found : missing;
	}
	/* Two threads at once find the same address. */
	__atomic_store_n(real, found, __ATOMIC_RELAXED);
	return found;
}

void *ptl_lookup_real(void **real, const char *name, void *missing)
{
	return ptl_lookup_version(real, name, NULL, missing);
}

const struct link_map *ptl_lookup_object(const void *addr)
{
#ifdef DLFO_EH_SEGMENT_TYPE
	static void *real;
	__typeof__(&_dl_find_object) find_object =
		(__typeof__(find_object))ptl_lookup_real(
			&real, "_dl_find_object", NULL);
	struct dl_find_object found;

	if (find_object && find_object((void *)addr, &found) == 0)
		return found.dlfo_link_map;
#else
	(void)addr;
#endif
	return NULL;
}
