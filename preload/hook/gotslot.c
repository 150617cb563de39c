/* SPDX-License-Identifier: MIT */
#include "preload/hook/gotslot.h"

#include "preload/hook/glob.h"
#include "preload/hook/hooked.h"
#include "preload/hook/loaded.h"
#include "preload/settings/pattern.h"

#if defined(__x86_64__)
#define GLOB_DAT R_X86_64_GLOB_DAT
#elif defined(__i386__)
#define GLOB_DAT R_386_GLOB_DAT
#elif defined(__aarch64__)
#define GLOB_DAT R_AARCH64_GLOB_DAT
#ifndef STO_AARCH64_VARIANT_PCS
#define STO_AARCH64_VARIANT_PCS 0x80
#endif
#endif

/* The function that a slot would lead to without us, or will. */
static uint32_t find_symbol(const struct ptl_image *image,
			    const ElfW(Sym) * sym, struct ptl_gotslot *slot)
{
	return ptl_loaded_find_symbol(image->str + sym->st_name,
				      ptl_image_asked(image, sym),
				      &slot->known);
}

/*
 * Finds where a slot leads.  A slot that is not bound leads into its own
 * object, to an address that is not the function of its name.  False: it is not
 * known, or the object is being relocated.
 */
static bool look_up(const struct ptl_image *image, const ElfW(Sym) * sym,
		    uint64_t target, struct ptl_gotslot *slot)
{
	bool is_own = sym->st_shndx != SHN_UNDEF;
	const struct ptl_loaded *object;

	slot->lazy = 0;
	slot->known = target;
	if (ptl_stub_is_code(target))
		return false;
	if (target >= image->low && target < image->high &&
	    !(is_own && target == image->base + sym->st_value)) {
		if (is_own && ELF64_ST_TYPE(sym->st_info) == STT_GNU_IFUNC)
			return false;
		slot->lazy = target;
		slot->library = find_symbol(image, sym, slot);
		return true;
	}
	slot->library = ptl_loaded_find(target);
	object = ptl_loaded_get(slot->library);
	if (object && ptl_loaded_is_us(&object->image))
		slot->library = find_symbol(image, sym, slot);
	return object != NULL;
}

/* By these libc calls the dynamic linker; a `*' does not mean them. */
static bool is_between_both(const char *name)
{
	return name[0] == '_' && name[1] == 'd' && name[2] == 'l' &&
	       name[3] == '_';
}

static bool is_wanted(struct ptl_gotslot *slot, bool counts)
{
	const char *library = ptl_loaded_name(slot->library);
	struct ptl_glob *glob;
	bool wanted = false;
	size_t nr;

	slot->returns = false;
	for (glob = ptl_globs(&nr); nr > 0; nr--, glob++) {
		if (!ptl_pattern_fits(glob->name, slot->name) ||
		    (glob->library &&
		     !ptl_pattern_fits_library(glob->library, library)))
			continue;
		if (is_between_both(slot->name) && glob->name[0] != '_')
			continue;
		wanted = true;
		slot->returns |= glob->returns;
		glob->slots += counts;
	}
	return wanted;
}

static bool may_hook(const ElfW(Sym) * sym)
{
#if defined(__aarch64__)
	/* The function's arguments may be in registers that are not saved. */
	if (sym->st_other & STO_AARCH64_VARIANT_PCS)
		return false;
#endif
	return sym->st_name != 0;
}

static bool is_data(const struct dl_phdr_info *info, uintptr_t addr)
{
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + ph->p_vaddr;

		if (ph->p_type == PT_LOAD && ph->p_flags & PF_W && addr >= at &&
		    addr - at + sizeof(uint64_t) <= ph->p_memsz)
			return addr % sizeof(uint64_t) == 0;
	}
	return false;
}

bool ptl_gotslot_find(const struct ptl_image *image,
		      const struct dl_phdr_info *info, size_t i,
		      struct ptl_slotted *slot)
{
	bool is_plt = i < image->nr_rel;
	const ElfW(Rela) *rel =
		is_plt ? &image->rel[i] : &image->other[i - image->nr_rel];
	const ElfW(Sym) *sym = &image->sym[ELF64_R_SYM(rel->r_info)];
	unsigned int type = ELF64_ST_TYPE(sym->st_info);

	if (ELF64_R_TYPE(rel->r_info) != (is_plt ? PTL_JUMP_SLOT : GLOB_DAT) ||
	    !may_hook(sym) ||
	    (!is_plt && type != STT_FUNC && type != STT_NOTYPE &&
	     type != STT_GNU_IFUNC))
		return false;
	slot->is_plt = is_plt;
	slot->sym = sym;
	slot->at = (uint64_t *)(image->base + rel->r_offset);
	slot->name = image->str + sym->st_name;
	return is_data(info, (uintptr_t)slot->at);
}

bool ptl_gotslot_read(const struct ptl_image *image,
		      const struct dl_phdr_info *info, size_t i, bool counts,
		      struct ptl_gotslot *slot)
{
	struct ptl_slotted found;

	if (!ptl_gotslot_find(image, info, i, &found))
		return false;
	slot->at = found.at;
	slot->name = found.name;
	return look_up(image, found.sym, *slot->at, slot) &&
	       (found.is_plt || !slot->lazy) && is_wanted(slot, counts);
}
