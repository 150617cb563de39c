/* SPDX-License-Identifier: MIT */
/*
 * Reads .eh_frame of a file; see frames.h.  (What core/unwind/cfi.c reads is in
 * memory, looked up by a table for one address, and with the rules of all
 * registers.)
 */
#include "tools/plan/frames.h"

#include <stdlib.h>

#include "tools/lib/say.h"
#include "tools/lib/sort.h"

/* How pointers are encoded (DW_EH_PE_*). */
#define ENC_OMIT 0xff
#define ENC_FORMAT 0x0f
#define ENC_PCREL 0x10
#define ENC_INDIRECT 0x80

/* Registers, as their rules number them. */
#define X86_RSP 7
#define A64_SP 31

static uint64_t take_format(struct ptl_dwarf *b, unsigned int enc)
{
	switch (enc & ENC_FORMAT) {
	case 0x1:
		return ptl_dwarf_uleb(b);
	case 0x2:
		return ptl_dwarf_take(b, 2);
	case 0x3:
		return ptl_dwarf_take(b, 4);
	case 0x9:
		return (uint64_t)ptl_dwarf_sleb(b);
	case 0xa:
		return (uint64_t)ptl_dwarf_signed(b, 2);
	case 0xb:
		return (uint64_t)ptl_dwarf_signed(b, 4);
	default:
		return ptl_dwarf_take(b, 8);
	}
}

/* A pointer in a section; false: of a kind that is not known. */
static bool take_pointer(struct ptl_dwarf *b, const struct ptl_section *section,
			 unsigned int enc, uint64_t *value)
{
	uint64_t here = section->start + (uint64_t)(b->at - section->bytes);

	*value = take_format(b, enc);
	if (enc & ENC_INDIRECT)
		return false;
	if ((enc & 0x70) == ENC_PCREL)
		*value += here;
	else if (enc & 0x70)
		return false;
	return true;
}

/* The letters say what follows. */
static bool take_augmentation(struct ptl_dwarf *b, const char *letters,
			      struct ptl_frame_kind *kind)
{
	struct ptl_dwarf aug;
	uint64_t size;

	if (*letters == '\0')
		return true;
	if (*letters++ != 'z')
		return false;
	size = ptl_dwarf_uleb(b);
	if (size > (size_t)(b->end - b->at))
		return false;
	kind->has_augmentation = true;
	aug = (struct ptl_dwarf){b->at, b->at + size};
	b->at += size;
	for (; *letters != '\0'; letters++) {
		switch (*letters) {
		case 'R':
			kind->pointers = (unsigned int)ptl_dwarf_take(&aug, 1);
			break;
		case 'L':
			kind->lsda_pointers =
				(unsigned int)ptl_dwarf_take(&aug, 1);
			kind->has_lsda = kind->lsda_pointers != ENC_OMIT;
			break;
		case 'P':
			take_format(&aug,
				    (unsigned int)ptl_dwarf_take(&aug, 1));
			break;
		case 'S':
			kind->is_signal = true;
			break;
		default:
			return false;
		}
	}
	return true;
}

/* What is behind the length and the zero that tells it from an entry. */
static bool read_kind(struct ptl_frame_kind *kind, struct ptl_dwarf b)
{
	unsigned int version = (unsigned int)ptl_dwarf_take(&b, 1);
	const char *letters = (const char *)b.at;

	if (version != 1 && version != 3)
		return false;
	while (!ptl_dwarf_done(&b) && *b.at != '\0')
		b.at++;
	if (ptl_dwarf_done(&b))
		return false;
	b.at++;
	kind->code_align = ptl_dwarf_uleb(&b);
	kind->data_align = ptl_dwarf_sleb(&b);
	if (version == 1)
		ptl_dwarf_take(&b, 1);
	else
		ptl_dwarf_uleb(&b);
	if (!take_augmentation(&b, letters, kind))
		return false;
	kind->insns = b;
	ptl_cfa_begin_kind(kind);
	return true;
}

/* Steps into an entry at b, and b behind it; false: there is no more. */
static bool next_entry(struct ptl_dwarf *b, struct ptl_dwarf *entry)
{
	uint64_t size = ptl_dwarf_take(b, 4);

	if (size == UINT32_MAX)
		size = ptl_dwarf_take(b, 8);
	if (size > (size_t)(b->end - b->at))
		return false;
	*entry = (struct ptl_dwarf){b->at, b->at + size};
	b->at += size;
	return true;
}

/* The number of what begins at that place of the section. */
static size_t kind_at(struct ptl_frames *frames,
		      const struct ptl_section *section, uint64_t place)
{
	struct ptl_dwarf b = {section->bytes,
			      section->bytes + (section->end - section->start)},
			 entry;
	struct ptl_frame_kind *kind;

	/* There are few; of a file with very many each may be read again. */
	for (size_t i = frames->nr_kinds; i > 0 && frames->nr_kinds - i < 64;
	     i--)
		if (frames->kind[i - 1].place == place)
			return i - 1;
	frames->kind = ptl_grow(frames->kind, frames->nr_kinds,
				&frames->kinds_room, sizeof(*frames->kind));
	kind = &frames->kind[frames->nr_kinds];
	*kind = (struct ptl_frame_kind){.place = place};
	if (place < (uint64_t)(b.end - b.at)) {
		b.at += place;
		kind->is_known = next_entry(&b, &entry) &&
				 ptl_dwarf_take(&entry, 4) == 0 &&
				 read_kind(kind, entry);
	}
	return frames->nr_kinds++;
}

static void read_frame(struct ptl_frames *frames,
		       const struct ptl_section *section, struct ptl_dwarf b,
		       uint64_t back)
{
	uint64_t place = (uint64_t)(b.at - section->bytes) - 4, size;
	const struct ptl_frame_kind *kind;
	struct ptl_unwind_frame frame = {.lsda = 0};
	struct ptl_dwarf aug;

	frame.kind = kind_at(frames, section, place - back);
	kind = &frames->kind[frame.kind];
	if (!kind->is_known ||
	    !take_pointer(&b, section, kind->pointers, &frame.start))
		return;
	frame.end = frame.start + take_format(&b, kind->pointers);
	if (frame.end <= frame.start)
		return;
	if (kind->has_augmentation) {
		size = ptl_dwarf_uleb(&b);
		if (size > (size_t)(b.end - b.at))
			return;
		aug = (struct ptl_dwarf){b.at, b.at + size};
		b.at += size;
		if (kind->has_lsda && size > 0 &&
		    !take_pointer(&aug, section, kind->lsda_pointers,
				  &frame.lsda))
			return;
	}
	frame.insns = b;
	frames->frame = ptl_grow(frames->frame, frames->nr, &frames->room,
				 sizeof(frame));
	frames->frame[frames->nr++] = frame;
}

void ptl_frames_read(struct ptl_frames *frames, struct ptl_code *code)
{
	*frames = (struct ptl_frames){
		.sp = code->is_a64 ? A64_SP : X86_RSP,
		.at_entry = code->is_a64 ? 0 : 8,
	};
	for (size_t i = 0; i < code->nr; i++) {
		const struct ptl_section *section = &code->section[i];
		struct ptl_dwarf b = {section->bytes,
				      section->bytes +
					      (section->end - section->start)},
				 entry;
		uint64_t back;

		if (strcmp(section->name, ".eh_frame") != 0)
			continue;
		while (!ptl_dwarf_done(&b) && next_entry(&b, &entry)) {
			back = ptl_dwarf_take(&entry, 4);
			if (back != 0)
				read_frame(frames, section, entry, back);
		}
	}
	ptl_sort_by_number(frames->frame, frames->nr, sizeof(*frames->frame));
}

void ptl_frames_free(struct ptl_frames *frames)
{
	free(frames->frame);
	free(frames->kind);
}

/* Mostly it is the one of the last time, or the next one. */
static bool is_near(const struct ptl_frames *frames, uint64_t address,
		    size_t *which)
{
	size_t nr = frames->nr;

	for (size_t i = frames->last; i < frames->last + 2 && i < nr; i++) {
		if (frames->frame[i].start > address)
			return false;
		*which = i;
		if (i + 1 == nr || address < frames->frame[i + 1].start)
			return true;
	}
	return false;
}

const struct ptl_unwind_frame *ptl_frames_find(struct ptl_frames *frames,
					       uint64_t address)
{
	size_t low = 0, high = frames->nr, which;

	if (is_near(frames, address, &which))
		low = high = which + 1;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (frames->frame[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return NULL;
	frames->last = low - 1;
	return address < frames->frame[low - 1].end ? &frames->frame[low - 1] :
						      NULL;
}

/* "Language specific data area", as compilers of C++, C (cleanup) and Rust
 * write it: a table of parts of the function, and where an exception in each
 * leads. */
bool ptl_frame_pads(const struct ptl_unwind_frame *frame, struct ptl_code *code)
{
	const struct ptl_section *section = ptl_code_section(code, frame->lsda);
	uint64_t base = frame->start, size;
	struct ptl_dwarf b;
	unsigned int enc;

	if (section == NULL || section->known != NULL)
		return false;
	b.at = section->bytes + (frame->lsda - section->start);
	b.end = section->bytes + (section->end - section->start);
	enc = (unsigned int)ptl_dwarf_take(&b, 1);
	if (enc != ENC_OMIT && !take_pointer(&b, section, enc, &base))
		return false;
	if (ptl_dwarf_take(&b, 1) != ENC_OMIT)
		ptl_dwarf_uleb(&b);
	enc = (unsigned int)ptl_dwarf_take(&b, 1);
	size = ptl_dwarf_uleb(&b);
	if (size > (size_t)(b.end - b.at) || enc & 0xf0)
		return false;
	b.end = b.at + size;
	while (!ptl_dwarf_done(&b)) {
		uint64_t from = take_format(&b, enc), pad;

		size = take_format(&b, enc);
		pad = take_format(&b, enc);
		ptl_dwarf_uleb(&b);
		if (pad == 0)
			continue;
		ptl_code_mark(code, base + pad, base + pad + 1,
			      PTL_BYTE_TARGET);
		from += frame->start;
		if (from < frame->end && size <= frame->end - from)
			ptl_code_mark(code, from, from + size, PTL_BYTE_CAUGHT);
	}
	return true;
}
