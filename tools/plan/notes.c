/* SPDX-License-Identifier: MIT */
/* Notes of probes; see notes.h. */
#include "tools/plan/notes.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

#define OWNER "stapsdt"
#define TYPE 3
#define PROVIDER_MAX 96 /* a name is to fit into a type's name with another */
#define NOTES_MAX 8192
#define SYMBOLS_MAX 50000000 /* looked at, in all */

/* What a note begins with. */
struct places {
	uint64_t at, base, semaphore;
};

/* A text that ends within the note; NULL: it does not.  Moves past it. */
static const char *take_text(const char **at, const char *end)
{
	const char *text = *at;
	const char *null = memchr(text, '\0', (size_t)(end - text));

	if (null == NULL)
		return NULL;
	*at = null + 1;
	return text;
}

static bool is_name(const char *text)
{
	size_t size = text != NULL ? strlen(text) : 0;

	if (size == 0 || size > PROVIDER_MAX)
		return false;
	for (size_t i = 0; i < size; i++)
		if (text[i] <= ' ' || text[i] > '~' || text[i] == ':' ||
		    text[i] == ',')
			return false;
	return true;
}

static bool take_note(struct ptl_note *note, const char *bytes, size_t size,
		      uint64_t base)
{
	const char *at = bytes + sizeof(struct places), *end = bytes + size;
	struct places places;

	if (size < sizeof(places))
		return false;
	memcpy(&places, bytes, sizeof(places));
	/* Who moves a file to another address (prelink) changes no notes. */
	if (base != 0) {
		places.at += base - places.base;
		if (places.semaphore != 0)
			places.semaphore += base - places.base;
	}
	*note = (struct ptl_note){
		.at = places.at,
		.semaphore = places.semaphore,
	};
	note->provider = take_text(&at, end);
	if (note->provider == NULL)
		return false;
	note->name = take_text(&at, end);
	if (note->name == NULL)
		return false;
	note->arguments = take_text(&at, end);
	return note->arguments != NULL && is_name(note->provider) &&
	       is_name(note->name);
}

static int by_address(const void *a, const void *b)
{
	const struct ptl_note *left = a, *right = b;

	if (left->at != right->at)
		return left->at < right->at ? -1 : 1;
	/* Of those at one place. */
	return strcmp(left->arguments, right->arguments);
}

static void take_all(struct ptl_notes *notes, Elf_Data *data, uint64_t base,
		     const struct ptl_elf_image *image)
{
	uint64_t symbols = SYMBOLS_MAX;
	size_t at = 0, name, desc;
	GElf_Nhdr nhdr;

	while (at < data->d_size && notes->nr < NOTES_MAX) {
		struct ptl_note note;

		at = gelf_getnote(data, at, &nhdr, &name, &desc);
		if (at == 0) {
			notes->nr_damaged++;
			return;
		}
		if (nhdr.n_type != TYPE || nhdr.n_namesz != sizeof(OWNER) ||
		    memcmp((char *)data->d_buf + name, OWNER, sizeof(OWNER)))
			continue;
		if (!take_note(&note, (char *)data->d_buf + desc, nhdr.n_descsz,
			       base)) {
			notes->nr_damaged++;
			continue;
		}
		ptl_note_arguments(&note, image, &symbols);
		notes->note = ptl_grow(notes->note, notes->nr, &notes->room,
				       sizeof(*notes->note));
		notes->note[notes->nr++] = note;
	}
}

void ptl_notes_read(struct ptl_notes *notes, const struct ptl_elf_image *image)
{
	GElf_Shdr shdr, base = {.sh_addr = 0};
	Elf_Scn *scn = ptl_image_section(image, ".note.stapsdt", &shdr);
	Elf_Data *data;

	*notes = (struct ptl_notes){.note = NULL};
	if (scn == NULL || shdr.sh_type != SHT_NOTE)
		return;
	notes->has_any = true;
	if (ptl_image_section(image, ".stapsdt.base", &base) == NULL)
		base.sh_addr = 0;
	data = elf_getdata(scn, NULL);
	if (data == NULL || data->d_buf == NULL) {
		notes->nr_damaged++;
		return;
	}
	take_all(notes, data, base.sh_addr, image);
	if (notes->nr > 0)
		qsort(notes->note, notes->nr, sizeof(*notes->note), by_address);
}

void ptl_notes_free(struct ptl_notes *notes)
{
	free(notes->note);
	*notes = (struct ptl_notes){.note = NULL};
}
