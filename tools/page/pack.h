/* SPDX-License-Identifier: MIT */
/*
 * Data packed for a page: sections, each of a text or of numbers, compressed by
 * gzip and written in base64, in which nothing can be markup.
 *
 * A section of numbers: how many they are, four bytes, the lowest first; then
 * the first byte of each, then the second byte of each that has one, and so on.
 * A byte has seven bits of its number, the lowest first, and its highest bit is
 * set if another one follows.  The first bytes of times are noise, the others
 * are not: apart from each other they take a tenth less room.
 */
#ifndef PTL_TOOLS_PAGE_PACK_H
#define PTL_TOOLS_PAGE_PACK_H

#include "tools/lib/out.h"

struct ptl_pack;

/* NULL: nothing is written, but counted. */
struct ptl_pack *ptl_pack_open(struct ptl_out *out);

/* Numbers of sections count from there: 0 at first. */
void ptl_pack_count_from(struct ptl_pack *pack, unsigned int base);

/* What follows is in that section, behind what it has already. */
void ptl_pack_section(struct ptl_pack *pack, unsigned int section);

void ptl_pack_uint(struct ptl_pack *pack, uint64_t number);
void ptl_pack_int(struct ptl_pack *pack, int64_t number);

/* Output that goes to the section. */
struct ptl_out *ptl_pack_text(struct ptl_pack *pack);

/* Returns how many characters it took. */
uint64_t ptl_pack_close(struct ptl_pack *pack);

#endif
