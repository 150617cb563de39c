/* SPDX-License-Identifier: MIT */
/*
 * Ld.so and libc.so come as a pair, in one directory, or with a link from
 * another to the first.  What we need is in our own dynamic section, what they
 * have in theirs.  What cannot be found or read is taken for good.
 */
#include "preload/libc/older.h"

#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include "preload/libc/front.h"

#include <link.h>

#define PATH_SIZE 256
#define NAME_SIZE 32
/* More is no C library's. */
#define MAX_HEADERS 64
#define MAX_DYNAMIC 128
#define MAX_VERSIONS 256

extern const ElfW(Dyn) ours[] __asm__("_DYNAMIC")
	__attribute__((visibility("hidden")));
extern const char our_base[] __asm__("__ehdr_start")
	__attribute__((visibility("hidden")));

/* A library's file, where in it the versions are that it defines, and what was
 * read last. */
struct library {
	int fd;
	ElfW(Ehdr) head;
	uint64_t defs, names;
	uint64_t at;
	size_t size;
	char bytes[1024];
};

static bool get(struct library *library, uint64_t offset, void *to, size_t size)
{
	uint64_t from = offset - library->at;
	long ret;

	if (from > library->size || size > library->size - from) {
		ret = ptl_sys_pread(library->fd, library->bytes,
				    sizeof(library->bytes), (int64_t)offset);
		library->at = offset;
		library->size = ret > 0 ? (size_t)ret : 0;
		from = 0;
	}
	if (size > library->size)
		return false;
	memcpy(to, library->bytes + from, size);
	return true;
}

static bool get_header(struct library *library, size_t i, ElfW(Phdr) * ph)
{
	const ElfW(Ehdr) *head = &library->head;

	return i < head->e_phnum && i < MAX_HEADERS &&
	       get(library, head->e_phoff + i * sizeof(*ph), ph, sizeof(*ph));
}

/* Where in the file is what is loaded at this address?  0: nowhere. */
static uint64_t offset_of(struct library *library, uint64_t addr)
{
	ElfW(Phdr) ph;

	for (size_t i = 0; get_header(library, i, &ph); i++)
		if (ph.p_type == PT_LOAD && addr >= ph.p_vaddr &&
		    addr - ph.p_vaddr < ph.p_filesz)
			return addr - ph.p_vaddr + ph.p_offset;
	return 0;
}

static bool find_versions(struct library *library)
{
	uint64_t defs = 0, names = 0;
	ElfW(Dyn) dyn = {.d_tag = DT_NULL};
	ElfW(Phdr) ph;
	size_t i = 0;

	while (get_header(library, i, &ph) && ph.p_type != PT_DYNAMIC)
		i++;
	if (!get_header(library, i, &ph))
		return false;
	for (i = 0; i < MAX_DYNAMIC; i++) {
		if (!get(library, ph.p_offset + i * sizeof(dyn), &dyn,
			 sizeof(dyn)) ||
		    dyn.d_tag == DT_NULL)
			break;
		if (dyn.d_tag == DT_VERDEF)
			defs = dyn.d_un.d_ptr;
		else if (dyn.d_tag == DT_STRTAB)
			names = dyn.d_un.d_ptr;
	}
	library->defs = offset_of(library, defs);
	library->names = offset_of(library, names);
	return library->defs && library->names;
}

/* A name of the library's; what cannot be read is as it should be.  Read past
 * `get', which goes on in the table. */
static bool is_name(const struct library *library, uint32_t at,
		    const char *name)
{
	char text[NAME_SIZE] = "";
	size_t size = ptl_strlen(name) + 1;

	return size > sizeof(text) ||
	       ptl_sys_pread(library->fd, text, size,
			     (int64_t)(library->names + at)) != (long)size ||
	       ptl_streq(text, name);
}

/* What we need of one library. */
struct needs {
	const ElfW(Verneed) * file;
	const char *names;
};

/* Of them by the hash of its name, or of all if that is 0, the i-th that must
 * be there; NULL: there are no more. */
static const ElfW(Vernaux) *
	needed(const struct needs *needs, uint32_t hash, size_t i)
{
	const char *aux = (const char *)needs->file + needs->file->vn_aux;

	for (size_t left = needs->file->vn_cnt; left > 0; left--) {
		const ElfW(Vernaux) *one = (const void *)aux;

		if (!(one->vna_flags & VER_FLG_WEAK) &&
		    (!hash || one->vna_hash == hash) && i-- == 0)
			return one;
		aux += one->vna_next;
	}
	return NULL;
}

static bool lacks(struct library *library, const struct needs *needs)
{
	const ElfW(Vernaux) * one;
	uint64_t at = library->defs;
	ElfW(Verdef) def;
	ElfW(Verdaux) aux;
	size_t nr = 0;

	while (needed(needs, 0, nr))
		nr++;
	for (size_t i = 0; nr > 0 && i < MAX_VERSIONS; i++) {
		if (!get(library, at, &def, sizeof(def)) ||
		    !get(library, at + def.vd_aux, &aux, sizeof(aux)))
			return false;
		one = needed(needs, def.vd_hash, 0);
		nr -= one && is_name(library, aux.vda_name,
				     needs->names + one->vna_name);
		if (!def.vd_next)
			return nr;
		at += def.vd_next;
	}
	return false;
}

static bool open_library(struct library *library, const char *path)
{
	const ElfW(Ehdr) *head = &library->head;

	library->at = library->size = 0;
	library->fd = ptl_sys_open(AT_FDCWD, path, O_RDONLY | O_NONBLOCK, 0);
	if (library->fd < 0)
		return false;
	if (get(library, 0, &library->head, sizeof(*head)) &&
	    ptl_strpre((const char *)head->e_ident, ELFMAG) &&
	    ptl_elf_is_ours(head) && head->e_phentsize == sizeof(ElfW(Phdr)) &&
	    find_versions(library))
		return true;
	ptl_sys_close(library->fd);
	return false;
}

/* The path of a file beside another: replaces the part behind the last slash.
 * False: it does not fit. */
static bool put_beside(char path[PATH_SIZE], const char *name)
{
	size_t at = ptl_strlen(path), size = ptl_strlen(name);

	while (at > 0 && path[at - 1] != '/')
		at--;
	if (name[0] == '/')
		at = 0;
	return at + size < PATH_SIZE &&
	       ptl_strcopy(path + at, PATH_SIZE - at, name) == size;
}

static bool open_beside(struct library *library, const char *loader,
			const char *name)
{
	char path[PATH_SIZE], link[PATH_SIZE];
	long size;

	if (ptl_strcopy(path, sizeof(path), loader) == sizeof(path) - 1)
		return false;
	if (put_beside(path, name) && open_library(library, path))
		return true;
	size = ptl_sys(SYS_readlinkat, AT_FDCWD, loader, link,
		       sizeof(link) - 1);
	if (size <= 0)
		return false;
	link[size] = '\0';
	ptl_strcopy(path, sizeof(path), loader);
	return put_beside(path, link) && put_beside(path, name) &&
	       open_library(library, path);
}

/* Most loaders store addresses in a dynamic section, some leave offsets. */
static const char *at(uintptr_t ptr)
{
	uintptr_t base = (uintptr_t)our_base;

	return (const char *)(ptr < base ? base + ptr : ptr);
}

bool ptl_older_beside(const char *loader)
{
	const ElfW(Dyn) *dyn = ours;
	const char *at_file = NULL;
	struct needs needs = {0};
	struct library library;
	bool is_older = false;
	size_t nr = 0;

	for (; dyn->d_tag != DT_NULL; dyn++)
		if (dyn->d_tag == DT_VERNEED)
			at_file = at(dyn->d_un.d_ptr);
		else if (dyn->d_tag == DT_VERNEEDNUM)
			nr = dyn->d_un.d_val;
		else if (dyn->d_tag == DT_STRTAB)
			needs.names = at(dyn->d_un.d_ptr);
	for (; at_file && nr > 0 && !is_older; nr--) {
		needs.file = (const void *)at_file;
		if (open_beside(&library, loader,
				needs.names + needs.file->vn_file)) {
			is_older = lacks(&library, &needs);
			ptl_sys_close(library.fd);
		}
		at_file += needs.file->vn_next;
	}
	return is_older;
}
