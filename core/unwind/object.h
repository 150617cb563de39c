/* SPDX-License-Identifier: MIT */
/* Reading an object that the loader has mapped. */
#ifndef PTL_CORE_UNWIND_OBJECT_H
#define PTL_CORE_UNWIND_OBJECT_H

#include "core/unwind/dwarf.h"

struct ptl_unwind_object {
	const unsigned char *begin, *end; /* all of it, header included */
	struct ptl_dwarf segment;	  /* the one last looked up */
};

/* Looks up what the other functions need; called once, before them. */
void ptl_loaded_init(void);

/*
 * The object at pc and its table, .eh_frame_hdr; 0: no object, or no table.
 * Takes no lock.  Calls the loader, which may use vector registers, writes to
 * `room', and needs an aligned stack, which it gets: a slot may be called
 * with another (__tls_get_addr() is, by what older compilers made).
 */
#define PTL_LOADED_ROOM 24
uint64_t ptl_loaded_table(uint64_t pc, uint64_t *room,
			  struct ptl_unwind_object *object);

/*
 * Widens the object to all of the object that the table belongs to: for a main
 * program with gaps between its segments the loader reports only the part that
 * holds the code.  False: it is not known which object it is.
 */
bool ptl_loaded_whole(struct ptl_unwind_object *object, uint64_t table);

/*
 * The bytes of the object from an address to the end of the segment there;
 * false: there is no segment.  Between segments there may be no memory.
 */
bool ptl_loaded_at(struct ptl_unwind_object *object, uint64_t addr,
		   struct ptl_dwarf *bytes);

#endif
