/* SPDX-License-Identifier: MIT */
/* What can be read of an object that the loader has mapped. */
#ifndef PTL_CORE_UNWIND_OBJECT_H
#define PTL_CORE_UNWIND_OBJECT_H

#include "core/unwind/dwarf.h"

struct ptl_loaded {
	const unsigned char *begin, *end; /* all of it, from its header on */
	struct ptl_dwarf segment;	  /* the one last asked for */
};

/* What is looked up once, before the others are called. */
void ptl_loaded_init(void);

/*
 * The object at pc and its table, .eh_frame_hdr; 0: there is none, or it has
 * none.  Takes no lock.  The loader's code that is called may use vector
 * registers, and the room.
 */
#define PTL_LOADED_ROOM 24
uint64_t ptl_loaded_table(uint64_t pc, uint64_t *room,
			  struct ptl_loaded *object);

/*
 * Makes it all of the object that the table belongs to: of a main program with
 * gaps between its segments the loader tells the one that holds the code.
 * False: of which object it is is not known.
 */
bool ptl_loaded_whole(struct ptl_loaded *object, uint64_t table);

/*
 * The bytes of the object from an address to the end of the segment that is
 * there; false: no segment is.  Between segments there may be no memory.
 */
bool ptl_loaded_at(struct ptl_loaded *object, uint64_t addr,
		   struct ptl_dwarf *bytes);

#endif
