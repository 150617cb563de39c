/* SPDX-License-Identifier: MIT */
/*
 * Probes that a program or library has of its own, by SystemTap's macros
 * (USDT): each is an operation that does nothing, and a note (.note.stapsdt)
 * that says where that is, what it is called, and where its arguments are then.
 * Notes are foreign: what they say is used as far as it is understood, and has
 * its bytes.
 */
#ifndef PTL_TOOLS_PLAN_NOTES_H
#define PTL_TOOLS_PLAN_NOTES_H

#include "core/format/patches.h"
#include "tools/symbolize/image.h"

struct ptl_note {
	uint64_t at;	    /* the operation; an address of the file */
	uint64_t semaphore; /* a counter that switches it on; 0: none */
	const char *provider, *name, *arguments; /* as the note has them */
	struct ptl_patch_argument argument[PTL_PATCH_ARGUMENTS];
	size_t nr_arguments;
	uint32_t unknown; /* a bit for each argument that is not understood */
	bool has_more;	  /* arguments than that */
};

struct ptl_notes {
	struct ptl_note *note; /* by address */
	size_t nr, room;
	size_t nr_damaged; /* that are not complete, or name nothing */
	bool has_any;	   /* the file has such notes */
};

/* Texts of notes are those of the image, which must stay open. */
void ptl_notes_read(struct ptl_notes *notes, const struct ptl_elf_image *image);
void ptl_notes_free(struct ptl_notes *notes);

/* arguments.c: takes apart what a note says of its arguments.  For names of
 * data at most *left symbols are looked at. */
void ptl_note_arguments(struct ptl_note *note,
			const struct ptl_elf_image *image, uint64_t *left);

#endif
