/* SPDX-License-Identifier: MIT */
/*
 * The sections of a program or library that are in its memory when it runs, by
 * address; and of each byte of code, what is known of it.  The file is foreign:
 * what it says of itself is used only as far as it has the bytes.
 */
#ifndef PTL_TOOLS_PLAN_CODE_H
#define PTL_TOOLS_PLAN_CODE_H

#include "tools/symbolize/image.h"

/* What is known of a byte of code. */
enum {
	PTL_BYTE_INSN = 1,     /* an instruction begins with it */
	PTL_BYTE_TARGET = 2,   /* something leads there, or reads it */
	PTL_BYTE_CALLED = 4,   /* by a call or by its address */
	PTL_BYTE_LOOPED = 8,   /* by a jump of the function that it begins */
	PTL_BYTE_PADDING = 16, /* between code */
	PTL_BYTE_TAKEN = 32,   /* a jump of ours would be there */
	PTL_BYTE_SPARE = 64,   /* unused, if what it is of is moved */
	PTL_BYTE_CAUGHT = 128, /* an exception of it is caught there */
};

struct ptl_section {
	uint64_t start, end;
	const unsigned char *bytes;
	unsigned char *known; /* one for each byte; NULL: no code */
	/* Of each 256 bytes of code: how many functions of the file begin
	 * before these (plan.c). */
	uint32_t *before;
	const char *name;
	bool is_plt; /* stubs that lead to other objects */
	bool is_writable;
};

struct ptl_code {
	struct ptl_elf_image image;
	struct ptl_section *section; /* by address, without overlaps */
	size_t nr, room;
	uint64_t low, high; /* of all code */
	size_t last;	    /* that something was found in */
	bool is_fixed; /* its addresses are in its code and data as they are */
	bool is_a64;   /* of aarch64 (a64.h); else it is of x86-64 */
	unsigned int jump; /* bytes that a jump of ours takes */
};

/* Returns NULL; or why nothing can be known of the file: code is closed then.
 */
const char *ptl_code_open(struct ptl_code *code, const char *path);

/* Opens what is open, which is kept. */
const char *ptl_code_open_file(struct ptl_code *code, int file);

/* Opens a file in memory, which must stay. */
const char *ptl_code_open_bytes(struct ptl_code *code, void *bytes,
				size_t size);

void ptl_code_close(struct ptl_code *code);

/* What has the address; NULL: none that has bytes. */
struct ptl_section *ptl_code_section(struct ptl_code *code, uint64_t address);

/* The section that has the address, if it is code. */
static inline struct ptl_section *ptl_code_at(struct ptl_code *code,
					      uint64_t address)
{
	struct ptl_section *section;

	/* Most that is asked for is data. */
	if (address < code->low || address >= code->high)
		return NULL;
	section = ptl_code_section(code, address);
	return section != NULL && section->known != NULL ? section : NULL;
}

/* The bytes from there on, and how many there are up to `end', which is in the
 * same section or behind it; NULL: none. */
const unsigned char *ptl_code_bytes(struct ptl_code *code, uint64_t address,
				    uint64_t end, size_t *size);

/* What is known of the byte; of one that is no code, nothing. */
unsigned int ptl_code_known(struct ptl_code *code, uint64_t address);

/* Adds to that, for each from `start' up to `end'. */
void ptl_code_mark(struct ptl_code *code, uint64_t start, uint64_t end,
		   unsigned int known);

/* Takes away from what is known of the byte. */
void ptl_code_unmark(struct ptl_code *code, uint64_t address,
		     unsigned int known);

/* Takes it away from what is known of all bytes. */
void ptl_code_clear(struct ptl_code *code, unsigned int known);

/* Does any of these have one of these bits? */
bool ptl_code_has(struct ptl_code *code, uint64_t start, uint64_t end,
		  unsigned int known);

/* Is it all padding, which nothing leads to, and that nobody took? */
bool ptl_code_is_free(struct ptl_code *code, uint64_t start, uint64_t end);

#endif
