/* SPDX-License-Identifier: MIT */
/* What is put into a record's words comes out of them again. */
#include "core/format/record.h"

#include "t/lib/tap.h"

#include <stdlib.h>
#include <string.h>

static uint64_t buf[(PTL_RECORD_HEADER_EXT + 70000) / 8];

/* Writes a record as emit.c does; 0 if it is read back the same. */
static int round_trip(uint64_t time, uint32_t id, uint64_t addr, size_t size,
		      bool truncated)
{
	bool ext = ptl_record_extended(id, size, addr);
	uint32_t flags = PTL_RECORD_COMMITTED |
			 (truncated ? PTL_RECORD_TRUNCATED : 0) |
			 (ext ? PTL_RECORD_EXTENDED : 0);
	struct ptl_record rec;

	buf[0] = ptl_record_word0(time, id, flags, size);
	buf[1] = ptl_record_word1(time, addr);
	if (ext)
		buf[2] = ptl_record_word2(size, addr);
	return !ptl_record_parse(buf, sizeof(buf), &rec) || rec.id != id ||
	       !rec.committed || rec.truncated != truncated ||
	       rec.time != (time & PTL_TIME_MASK) || rec.addr != addr ||
	       rec.data_size != size ||
	       rec.data != (const void *)(buf + (ext ? 3 : 2)) ||
	       rec.bytes != ptl_record_bytes(size, ext) || rec.bytes % 8;
}

/* A pending record, of which only the first word is there. */
static int step_over(size_t size, uint64_t addr)
{
	bool ext = ptl_record_extended(PTL_ID_PENDING, size, addr);
	struct ptl_record rec;

	memset(buf, 0, sizeof(buf));
	buf[0] = ptl_record_word0(0x123456789abc, PTL_ID_PENDING,
				  ext ? PTL_RECORD_EXTENDED : 0, size);
	return !ptl_record_parse(buf, sizeof(buf), &rec) || rec.committed ||
	       rec.id != PTL_ID_PENDING ||
	       rec.bytes != ptl_record_bytes(size, ext);
}

/* Nothing of what was in its place before is left in a record. */
static int padded(size_t size)
{
	static const unsigned char zero[8], data[70000];
	unsigned char *end = (unsigned char *)(buf + 2) + size;

	memset(buf, 0xff, sizeof(buf));
	ptl_record_write(buf, 1, 300, 0, data, size, 0);
	return memcmp(end, zero, ptl_align8(size) - size) != 0;
}

/* An event is taken by its reader, whatever its id: not to be read again. */
static int take(uint32_t id)
{
	bool ext = ptl_record_extended(id, 5, 0);
	uint32_t flags = PTL_RECORD_COMMITTED | (ext ? PTL_RECORD_EXTENDED : 0);
	struct ptl_record rec, after;

	buf[0] = ptl_record_word0(7, id, flags, 5);
	buf[1] = ptl_record_word1(7, 0);
	buf[2] = ext ? ptl_record_word2(5, 0) : 0;
	return !ptl_record_parse(buf, sizeof(buf), &rec) ||
	       !ptl_record_take(buf, &rec, PTL_ID_DONE) ||
	       ptl_record_take(buf, &rec, PTL_ID_LOST) ||
	       !ptl_record_parse(buf, sizeof(buf), &after) ||
	       after.id != PTL_ID_DONE || after.bytes != rec.bytes;
}

int main(void)
{
	const uint32_t id[] = { 1, PTL_ID_SHORT - 1, PTL_ID_SHORT, 0x1ff9,
				0x1fff, PTL_ID_LIMIT - 1, PTL_ID_STACK };
	const size_t size[] = { 0, 1, 7, 8, 9, 4096, 65535, 65536, 70000 };
	const uint64_t addr[] = { 0, 0x400000, 0x7fffffffffff,
				  0xffffffffffff, 0x1000000000000, UINT64_MAX };
	int bad = 0, stuck = 0, taken = 0;

	plan(10);
	for (size_t i = 0; i < PTL_ARRAY_SIZE(size); i++)
		for (size_t k = 0; k < PTL_ARRAY_SIZE(addr); k++) {
			for (size_t n = 0; n < PTL_ARRAY_SIZE(id); n++)
				bad += round_trip(0x123456789abcdef0, id[n],
						  addr[k], size[i], k & 1);
			bad += round_trip(UINT64_MAX, PTL_ID_PENDING - 1,
					  addr[k], size[i], i & 1);
			bad += round_trip(0, 0, addr[k], size[i], false);
			stuck += step_over(size[i], addr[k]);
		}
	is_int(bad, 0, "all fields come back");
	is_int(padded(5) + padded(63) + padded(70) + padded(1001), 0,
	       "padded by zeroes");
	for (size_t n = 0; n < PTL_ARRAY_SIZE(id); n++)
		taken += take(id[n]);
	is_int(taken, 0, "an event is taken once");
	is_int((long long)(ptl_record_word0(0, PTL_ID_LIMIT - 1,
					    PTL_RECORD_COMMITTED |
						    PTL_RECORD_EXTENDED, 5) >>
			   PTL_RECORD_ID_SHIFT & PTL_RECORD_ID_MASK), 0x1ff9,
	       "a reader without such ids passes over them");
	is_int(stuck, 0, "a pending record tells its size by its first word");
	is_int((long long)ptl_record_bytes(0, false), 16, "the least record");
	is_int((long long)ptl_record_bytes(1, true), 32, "padded to 8 bytes");

	is_int((long long)ptl_record_counter(5, 0x7000000000000003),
	       0x7000000000000005, "the upper bits are the span's");
	is_int((long long)ptl_record_counter(2, 0x7001000000000005),
	       0x7001000000000002, "a record a little older than its span");
	is_int((long long)ptl_record_counter(1, 0x7000ffffffffffff),
	       0x7001000000000001, "the lower bits wrapped since");
	return done();
}
