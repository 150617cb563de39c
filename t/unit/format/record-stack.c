/* SPDX-License-Identifier: MIT */
/*
 * A stack and its event are two records that are pending as one, and a stack
 * record that lies about its size is cut.
 */
#include "core/format/record.h"
#include "t/lib/tap.h"

#include <string.h>

#define LARGE 70000

static uint64_t words[LARGE / 8 + 100];
static unsigned char data[LARGE];
static const uint64_t stack[3] = { 0x1111, 0x2222, 0x3333 };

static void is_pair(size_t size, uint32_t flags)
{
	uint64_t frames[PTL_STACK_MAX] = { 0 };
	struct ptl_record first = { 0 }, second = { 0 };
	const char *p = (const char *)words;

	memset(words, 0, sizeof(words));
	ptl_record_write_stacked(words, stack, 3, 0x123456789abc, 300, flags,
				 data, size, 0x4444);
	ok(ptl_record_parse(words, sizeof(words), &first), "a record");
	ok(first.id == PTL_ID_STACK && first.committed, "of a stack");
	is_int((long long)first.bytes,
	       (long long)ptl_record_stack_bytes(3), "its size");
	is_int((long long)ptl_record_stack(&first, frames), 3, "frames");
	ok(memcmp(frames, stack, sizeof(stack)) == 0, "as they were");
	ok(ptl_record_parse(p + first.bytes, sizeof(words) - first.bytes,
			    &second),
	   "another");
	ok(second.id == 300 && second.committed && second.addr == 0x4444 &&
		   second.time == 0x123456789abc && first.time == second.time,
	   "of the event");
	ok(second.data_size == size && memcmp(second.data, data, size) == 0,
	   "its data");
}

/* The first word while the two are being written: what a killed writer left. */
static void is_pending(size_t size, uint32_t flags)
{
	size_t all = ptl_record_stack_bytes(3) +
		     ptl_record_bytes(size, flags & PTL_RECORD_EXTENDED);
	uint32_t extended = all - 16 > PTL_RECORD_SIZE_MAX ?
				    PTL_RECORD_EXTENDED :
				    0;
	struct ptl_record rec = { 0 };

	words[0] = ptl_record_word0(1, PTL_ID_PENDING, extended,
				    all - (extended ? 24 : 16));
	ok(ptl_record_parse(words, sizeof(words), &rec) && !rec.committed,
	   "pending");
	is_int((long long)rec.bytes, (long long)all, "both as one");
}

int main(void)
{
	uint64_t frames[PTL_STACK_MAX + 1];
	struct ptl_record rec = { 0 };

	plan(32);
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (unsigned char)(i * 31 + 1);
	is_pair(0, 0);
	is_pair(13, 0);
	is_pair(LARGE, PTL_RECORD_EXTENDED);
	is_pending(13, 0);
	is_pending(65500, 0);
	is_pending(LARGE, PTL_RECORD_EXTENDED);

	frames[PTL_STACK_MAX] = 77;
	memset(words, 1, sizeof(words));
	words[0] = ptl_record_word0(1, PTL_ID_STACK, PTL_RECORD_COMMITTED,
				    8 * 1000 + 3);
	ok(ptl_record_parse(words, sizeof(words), &rec) &&
		   ptl_record_stack(&rec, frames) == PTL_STACK_MAX,
	   "too many frames");
	is_int((long long)frames[PTL_STACK_MAX], 77, "are cut");
	return done();
}
