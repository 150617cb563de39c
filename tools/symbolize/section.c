/* SPDX-License-Identifier: MIT */
/* Packed sections of debug information; see section.h. */
#include "tools/symbolize/section.h"

#include <string.h>

#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

/* The limit, since a few bytes can claim to unpack to many. */
#define MAX_UNPACKED (UINT64_C(1) << 30)
#define PACKED_BY_ZSTD 2 /* ELFCOMPRESS_ZSTD, which <elf.h> may not have */

/* Behind "ZLIB" stands the unpacked size, its highest byte first. */
static bool may_unpack_gnu(Elf_Scn *scn)
{
	const Elf_Data *data = elf_rawdata(scn, NULL);
	const unsigned char *bytes = data != NULL ? data->d_buf : NULL;
	uint64_t size = 0;

	if (bytes == NULL || data->d_size < 12 || memcmp(bytes, "ZLIB", 4) != 0)
		return false;
	for (int i = 4; i < 12; i++)
		size = size << 8 | bytes[i];
	return size <= MAX_UNPACKED;
}

#ifdef HAVE_ZSTD

static bool unpack_zstd(struct ptl_elf_image *image, Elf_Scn *scn,
			GElf_Shdr *shdr, const GElf_Chdr *chdr)
{
	size_t head = gelf_getclass(image->elf) == ELFCLASS32 ?
			      sizeof(Elf32_Chdr) :
			      sizeof(Elf64_Chdr);
	Elf_Data *data = elf_getdata(scn, NULL);
	void *to;

	if (data == NULL || data->d_buf == NULL || data->d_size < head)
		return false;
	to = ptl_image_alloc(image, chdr->ch_size);
	if (to == NULL ||
	    ZSTD_decompress(to, chdr->ch_size, (const char *)data->d_buf + head,
			    data->d_size - head) != chdr->ch_size)
		return false;
	data->d_buf = to;
	data->d_size = chdr->ch_size;
	data->d_type = ELF_T_BYTE;
	shdr->sh_flags &= ~(GElf_Xword)SHF_COMPRESSED;
	shdr->sh_size = chdr->ch_size;
	return gelf_update_shdr(scn, shdr) != 0;
}

#else

static bool unpack_zstd(struct ptl_elf_image *image, Elf_Scn *scn,
			GElf_Shdr *shdr, const GElf_Chdr *chdr)
{
	(void)image;
	(void)scn;
	(void)shdr;
	(void)chdr;
	return false;
}

#endif

bool ptl_section_unpack(struct ptl_elf_image *image, Elf_Scn *scn,
			GElf_Shdr *shdr)
{
	GElf_Chdr chdr;

	if (ptl_image_section_name(image, shdr)[1] == 'z')
		return may_unpack_gnu(scn);
	if ((shdr->sh_flags & SHF_COMPRESSED) == 0)
		return true;
	if (gelf_getchdr(scn, &chdr) == NULL || chdr.ch_size > MAX_UNPACKED)
		return false;
	if (chdr.ch_type == PACKED_BY_ZSTD)
		return unpack_zstd(image, scn, shdr, &chdr);
	return chdr.ch_type == ELFCOMPRESS_ZLIB;
}
