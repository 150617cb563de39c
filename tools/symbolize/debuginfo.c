/* SPDX-License-Identifier: MIT */
/*
 * Opens debug information; see debuginfo.h.  libdw reads all sections that it
 * knows when it opens a file, and opens other files that they name: so it is
 * shown only those that are needed here.  The others are hidden as what they
 * are in a stripped file, without contents.
 */
#include "tools/symbolize/debuginfo.h"

#ifdef HAVE_LIBDW

#include <stdbool.h>
#include <string.h>

#include "tools/symbolize/section.h"

/* No table has more that is not damaged, also of those that are empty: lists
 * can be long, and the same for many entries. */
#define MAX_RANGES (1u << 22)

static bool is_needed(const char *section, bool with_locations)
{
	return ptl_debug_has_lines(section) ||
	       (with_locations && (strcmp(section, "loc") == 0 ||
				   strcmp(section, "loclists") == 0));
}

/* Returns whether there is something left to be read. */
static bool hide_others(struct ptl_elf_image *image, bool with_locations)
{
	bool has_info = false;
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while ((scn = elf_nextscn(image->elf, scn)) != NULL) {
		const char *name, *section;

		if (gelf_getshdr(scn, &shdr) == NULL)
			return false;
		name = ptl_image_section_name(image, &shdr);
		section = ptl_debug_section(name);
		if (shdr.sh_type == SHT_NOBITS)
			continue;
		if (section != NULL && is_needed(section, with_locations) &&
		    ptl_section_unpack(image, scn, &shdr)) {
			has_info |= strcmp(section, "info") == 0;
			continue;
		}
		if (section == NULL && strcmp(name, ".gnu_debugaltlink") != 0)
			continue;
		shdr.sh_type = SHT_NOBITS;
		gelf_update_shdr(scn, &shdr);
	}
	return has_info;
}

/* What was read of the image stays valid, if there is something. */
static Dwarf *read_image(struct ptl_elf_image *image, bool with_locations)
{
	Dwarf *debug = NULL;

	if (hide_others(image, with_locations))
		debug = dwarf_begin_elf(image->elf, DWARF_C_READ, NULL);
	if (debug != NULL)
		ptl_image_keep(image);
	return debug;
}

Dwarf *ptl_debuginfo_open(const struct ptl_wanted *wanted, bool with_locations,
			  bool *is_there)
{
	struct ptl_elf_image image, split;
	bool has_image = ptl_find_file(wanted, &image) == PTL_FOUND;
	Dwarf *debug = has_image ? read_image(&image, with_locations) : NULL;

	*is_there = has_image;
	if (debug != NULL)
		return debug;
	if (ptl_find_debug(wanted, has_image ? &image : NULL, &split)) {
		*is_there = true;
		debug = read_image(&split, with_locations);
		if (debug == NULL)
			ptl_image_close(&split);
	}
	if (has_image)
		ptl_image_close(&image);
	return debug;
}

void ptl_debuginfo_ranges(struct ptl_ranges *ranges, Dwarf_Die *die, void *what)
{
	Dwarf_Addr base = 0, start = 0, end = 0;
	ptrdiff_t next = 0;

	for (; ranges->nr_asked < MAX_RANGES; ranges->nr_asked++) {
		next = dwarf_ranges(die, next, &base, &start, &end);
		if (next <= 0)
			return;
		ptl_ranges_add(ranges, start, end, what);
	}
}

#endif
