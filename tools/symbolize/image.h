/* SPDX-License-Identifier: MIT */
/*
 * An ELF file opened for its symbols: its kind, its build id, its address
 * range.  Any architecture and byte order.  It is read, not mapped, so that a
 * file that is being rewritten cannot crash us.
 */
#ifndef PTL_TOOLS_SYMBOLIZE_IMAGE_H
#define PTL_TOOLS_SYMBOLIZE_IMAGE_H

#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PTL_BUILD_ID_MAX 64

struct ptl_elf_image {
	Elf *elf;
	int fd;	    /* -1: it is in memory */
	char *path; /* or NULL */
	GElf_Ehdr head;
	uint64_t low, high; /* of the segments; low < high, or both 0 */
	unsigned char id[PTL_BUILD_ID_MAX];
	size_t id_size;
	struct ptl_image_part *parts; /* what ptl_image_alloc() gave */
};

/*
 * Opens an ELF file; false: it is none, or no regular file.  If `below' is not
 * NULL, it is the root for the path, with its links and "..".
 */
bool ptl_image_open(struct ptl_elf_image *image, const char *below,
		    const char *path);

/* Opens what is open already; it is closed with the image, or now. */
bool ptl_image_open_file(struct ptl_elf_image *image, int file);

/* Opens an ELF file in memory, which must stay. */
bool ptl_image_open_bytes(struct ptl_elf_image *image, void *bytes,
			  size_t size);

void ptl_image_close(struct ptl_elf_image *image);

/* Closes the file; what was read of it stays valid for ever. */
void ptl_image_keep(struct ptl_elf_image *image);

/* Memory for what is made of the file; it lives as long as what was read. */
void *ptl_image_alloc(struct ptl_elf_image *image, size_t size);

/* The section of that name, or NULL. */
Elf_Scn *ptl_image_section(const struct ptl_elf_image *image, const char *name,
			   GElf_Shdr *shdr);

/* A section's name; never NULL. */
const char *ptl_image_section_name(const struct ptl_elf_image *image,
				   const GElf_Shdr *shdr);

#endif
