/* SPDX-License-Identifier: MIT */
#include "preload/libc/image.h"

#include "core/sys/syscall.h"
#include "core/sys/text.h"
#include "preload/libc/gnuhash.h"
#include "preload/libc/symver.h"

#include <sys/auxv.h>

static uintptr_t page_down(uintptr_t addr)
{
	return addr & -(uintptr_t)getauxval(AT_PAGESZ);
}

/* Like the loader: a page that RELRO covers only partly is not sealed. */
static void read_segments(struct ptl_image *image,
			  const struct dl_phdr_info *info)
{
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + ph->p_vaddr;

		if (ph->p_type == PT_LOAD) {
			image->low = PTL_MIN(image->low, at);
			image->high = PTL_MAX(image->high, at + ph->p_memsz);
		} else if (ph->p_type == PT_GNU_RELRO) {
			image->sealed = page_down(at);
			image->sealed_to = page_down(at + ph->p_memsz);
		}
	}
}

const ElfW(Dyn) * ptl_image_dynamic(const struct dl_phdr_info *info)
{
	for (size_t i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			return (const void *)(info->dlpi_addr +
					      info->dlpi_phdr[i].p_vaddr);
	return NULL;
}

bool ptl_image_read(struct ptl_image *image, const struct dl_phdr_info *info)
{
	const ElfW(Dyn) *dyn = ptl_image_dynamic(info);

	*image =
		(struct ptl_image){.base = info->dlpi_addr, .low = UINTPTR_MAX};
	read_segments(image, info);
	for (; dyn && dyn->d_tag != DT_NULL; dyn++) {
		const void *p = (void *)ptl_image_at(image, dyn->d_un.d_ptr);

		if (dyn->d_tag == DT_SYMTAB)
			image->sym = p;
		else if (dyn->d_tag == DT_STRTAB)
			image->str = p;
		else if (dyn->d_tag == DT_GNU_HASH)
			image->hash = p;
		else if (dyn->d_tag == DT_VERSYM)
			image->version = p;
		else if (dyn->d_tag == DT_VERDEF)
			image->verdef = p;
		else if (dyn->d_tag == DT_VERNEED)
			image->verneed = p;
		else if (dyn->d_tag == DT_JMPREL)
			image->rel = p, image->jmprel = (ElfW(Dyn) *)dyn;
		else if (dyn->d_tag == DT_PLTRELSZ)
			image->nr_rel = dyn->d_un.d_val / sizeof(ElfW(Rela));
		else if (dyn->d_tag == DT_RELA)
			image->other = p;
		else if (dyn->d_tag == DT_RELASZ)
			image->nr_other = dyn->d_un.d_val / sizeof(ElfW(Rela));
	}
	/* Relocations of 32 bits have another form: no slot is known there. */
	if (!image->rel || sizeof(void *) < 8)
		image->nr_rel = 0;
	if (!image->other || sizeof(void *) < 8)
		image->nr_other = 0;
	return image->sym && image->str && image->low < image->high;
}

static bool defines(const struct ptl_image *image, uint32_t i, const char *name)
{
	const ElfW(Sym) *sym = &image->sym[i];
	unsigned int type = ELF64_ST_TYPE(sym->st_info);

	return sym->st_shndx != SHN_UNDEF && sym->st_value &&
	       (type == STT_FUNC || type == STT_GNU_IFUNC ||
		type == STT_NOTYPE) &&
	       ptl_streq(image->str + sym->st_name, name);
}

/* Is it the version of that number, or, if that is 0, the default one? */
static bool is_version(const struct ptl_image *image, uint32_t i,
		       unsigned int number)
{
	unsigned int version = image->version ? image->version[i] : 0;

	return number ? (version & ~PTL_SYMVER_HIDDEN) == number :
			!(version & PTL_SYMVER_HIDDEN);
}

const ElfW(Sym) * ptl_image_find(const struct ptl_image *image,
				 const char *name, const char *version)
{
	uint32_t hash = ptl_gnu_hash(name), i;
	const ElfW(Sym) *found = NULL;
	unsigned int number;

	if (!image->hash)
		return NULL;
	number = version ?
			 ptl_symver_number(image->verdef, image->str, version) :
			 0;
	for (i = ptl_gnu_first(image->hash, hash); i;
	     i = ptl_gnu_next(image->hash, hash, i)) {
		if (!defines(image, i, name))
			continue;
		if (is_version(image, i, number))
			return &image->sym[i];
		found = &image->sym[i];
	}
	return found;
}

const char *ptl_image_asked(const struct ptl_image *image,
			    const ElfW(Sym) * sym)
{
	unsigned int number =
		image->version ? image->version[sym - image->sym] : 0;

	return ptl_symver_name(image->verneed, image->str,
			       number & ~PTL_SYMVER_HIDDEN);
}

static bool protect(const struct ptl_image *image, int prot)
{
	return image->sealed >= image->sealed_to ||
	       ptl_sys(SYS_mprotect, image->sealed,
		       image->sealed_to - image->sealed, prot, 0) == 0;
}

bool ptl_image_unseal(const struct ptl_image *image)
{
	return protect(image, PROT_READ | PROT_WRITE);
}

void ptl_image_seal(const struct ptl_image *image)
{
	protect(image, PROT_READ);
}
