/* SPDX-License-Identifier: MIT */
/* What crosses process boundaries has the size and the places it always had. */
#include "core/format/logfile.h"
#include "core/format/names.h"
#include "core/format/registry.h"

#include "t/lib/tap.h"

#define SIZE(type, size) is_int(sizeof(struct type), size, #type)
#define PLACE(type, field, at) \
	is_int(offsetof(struct type, field), at, #type "." #field)

int main(void)
{
	plan(41);
	SIZE(ptl_shm_prefix, 32);
	SIZE(ptl_shm_ident, 24);
	SIZE(ptl_shm_span, 32);
	SIZE(ptl_shm_chunk, 64);
	SIZE(ptl_shm_entry, 1088);
	SIZE(ptl_shm_names, 4521984);
	SIZE(ptl_shm_attr, 376);
	SIZE(ptl_shm_head, 3864);
	SIZE(ptl_shm_select, 592);
	SIZE(ptl_shm_anchor, 16);
	SIZE(ptl_shm_guest, 32);
	SIZE(ptl_shm_member, 32);
	SIZE(ptl_shm_bridges, 16 + 64 * 32 + 256 * 32);
	SIZE(ptl_log_head, 736);
	SIZE(ptl_log_packet, 96);
	SIZE(ptl_log_end, 96);

	PLACE(ptl_shm_prefix, magic, 0);
	PLACE(ptl_shm_prefix, byte_order, 8);
	PLACE(ptl_shm_prefix, total_size, 16);
	PLACE(ptl_shm_entry, active, 24);
	PLACE(ptl_shm_entry, refs, 192);
	PLACE(ptl_shm_names, entry, 128);
	PLACE(ptl_shm_head, state, 64);
	PLACE(ptl_shm_head, claim_seq, 128);
	PLACE(ptl_shm_head, lost, 192);
	PLACE(ptl_shm_head, attr, 256);
	PLACE(ptl_shm_head, filter, 640);
	PLACE(ptl_shm_head, freed, 632);
	PLACE(ptl_shm_head, call_sums, 3256);
	PLACE(ptl_shm_head, reaped, 3260);
	PLACE(ptl_shm_head, select, 3272);
	PLACE(ptl_shm_log, anchor, 8);
	PLACE(ptl_shm_log, dev, 8 + 16 * PTL_SHM_ANCHORS);
	PLACE(ptl_shm_log, bridges, 8360);
	PLACE(ptl_shm_bridges, guest, 16);
	PLACE(ptl_log_head, byte_order, 8);
	PLACE(ptl_log_head, attr, 152);
	PLACE(ptl_log_packet, size, 8);
	PLACE(ptl_log_packet, span, 56);

	ok(ATOMIC_LLONG_LOCK_FREE == 2, "64-bit atomics need no lock");
	ok(PTL_NAMES_HEAP >= PTL_NAMES_MAX * PTL_NAME_SIZE,
	   "the heap holds as many of the longest names as there can be");
	return done();
}
