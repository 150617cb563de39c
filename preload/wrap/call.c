/* SPDX-License-Identifier: MIT */
/*
 * What the wrappers have in common.
 *
 * Which of the program's pointers may be read?  If the call succeeded, those
 * that the kernel or libc had to read.  If it failed, any may be bad, whatever
 * the error is: the kernel checks flags before paths, and the first path before
 * the second.  Then we ask the kernel; where that is forbidden (seccomp),
 * nothing is read.
 */
#include "preload/wrap/call.h"

#include "preload/hook/pages.h"
#include "preload/hook/site.h"
#include "preload/libc/own.h"
#include "preload/libc/payload.h"
#include "preload/libc/scratch.h"

/* On the stack, which may be as small as 16 KiB, or for handlers as the kernel
 * lets it be: as much as there is to record. */
#define DATA_SIZE 512
/* Longer paths are put together elsewhere, three of them at most. */
#define LONG_SIZE (DATA_SIZE + 3 * PAGE)
#define BESIDE_MOVED 64 /* numbers and sizes beside what a call moved */
#define PAGE 4096

bool ptl_call_readable(const void *at, size_t size)
{
	uintptr_t first = (uintptr_t)at, last = first + size - 1;

	return size && ptl_pages_ask(first) &&
	       (first / PAGE == last / PAGE || ptl_pages_ask(last));
}

/* How many bytes of a string are recorded, with its null: at most so many; of a
 * bad one as many as can be read. */
static size_t size_of_string(const char *s, size_t most, bool check)
{
	size_t size = 0;

	if (!s && !check)
		s = "";
	if (check && !ptl_call_readable(s, 1))
		return 0;
	while (size < most && (size == 0 || s[size - 1])) {
		if (check && size && (uintptr_t)(s + size) % PAGE == 0 &&
		    !ptl_call_readable(s + size, 1))
			break;
		size++;
	}
	return size;
}

/* The sizes of all strings; behind one that is cut, which is shown as such,
 * there is none.  Returns what they are together. */
static size_t size_of_strings(const struct ptl_libc_call *call, size_t most,
			      uint16_t *size)
{
	size_t sum = 0;

	for (unsigned int i = 0; i < call->nr_strings; i++) {
		const char *s = call->string[i];

		size[i] = (uint16_t)size_of_string(s, most - sum, call->failed);
		sum += size[i];
		if (!size[i] || (s && s[size[i] - 1]))
			most = sum;
	}
	return sum;
}

static size_t size_of_bytes(const struct ptl_call_bytes *bytes)
{
	return PTL_MIN(bytes->size, (size_t)UINT8_MAX);
}

PTL_INLINE void put_bytes(struct ptl_payload *data,
			  const struct ptl_call_bytes *bytes, bool check)
{
	size_t size = size_of_bytes(bytes);

	if (!bytes->at || (check && !ptl_call_readable(bytes->at, size)))
		size = 0;
	ptl_put_byte(data, (unsigned char)size);
	for (size_t i = 0; i < size; i++)
		ptl_put_byte(data, ((const unsigned char *)bytes->at)[i]);
}

/* The call in the program; NULL: it is one of ours. */
static const void *place(const void *addr)
{
	/* Calls that we make ourselves, as a controller, are not the program's;
	 * those that return to a site are. */
	if (PTL_LIKELY(!ptl_own_has(addr)))
		return addr;
	addr = (const void *)ptl_site_plain((uintptr_t)addr);
	return ptl_own_has(addr) ? NULL : addr;
}

void ptl_call_values(enum ptl_sysevent id, int64_t *value, size_t size,
		     const void *addr)
{
	addr = place(addr);
	if (PTL_LIKELY(addr))
		ptl_core_call(id, value, size, addr);
}

/* Copying takes as long as some calls do: they are told as if they had begun so
 * much later. */
static void record_moved_in(void *buf, size_t size, enum ptl_sysevent id,
			    const struct ptl_libc_call *call, const void *addr)
{
	struct ptl_payload data = {buf, size - sizeof(int64_t), 0};
	int64_t since = call->value[call->nr_values];
	uint64_t before = ptl_core_call_time();

	for (unsigned int i = 0; i < call->nr_values; i++)
		ptl_put_int(&data, call->value[i]);
	if (call->has_bytes)
		put_bytes(&data, &call->bytes, call->failed);
	if (call->has_after)
		put_bytes(&data, &call->after, call->failed);
	ptl_iodata_put(&data, call->moved);
	if (since)
		since += (int64_t)(ptl_core_call_time() - before);
	data.room = size;
	ptl_put_int(&data, since);
	ptl_core_call(id, buf, data.size, addr);
}

/* How much there is to record at most. */
static size_t size_moved(const struct ptl_moved *moved)
{
	bool is_known = moved->kind == PTL_MOVED_BYTES ||
			moved->kind == PTL_MOVED_VECTOR;

	return is_known ? (size_t)PTL_MIN(PTL_MAX(moved->size, 0),
					  (int64_t)ptl_core_io_data) :
			  ptl_core_io_data;
}

static PTL_COLD void record_moved(enum ptl_sysevent id,
				  const struct ptl_libc_call *call,
				  const void *addr)
{
	size_t size = BESIDE_MOVED + size_moved(call->moved) +
		      size_of_bytes(&call->bytes) + size_of_bytes(&call->after);
	unsigned char buf[DATA_SIZE];
	struct ptl_scratch scratch;

	/* Without memory it is cut. */
	if (size > sizeof(buf) && ptl_scratch_get(&scratch, size)) {
		record_moved_in(scratch.base, scratch.size, id, call, addr);
		ptl_scratch_put(&scratch);
	} else {
		record_moved_in(buf, sizeof(buf), id, call, addr);
	}
}

/* Is something recorded behind the strings?  Behind one that is cut it would be
 * taken for the rest of it. */
static bool has_rest(const struct ptl_libc_call *call, const uint16_t *length)
{
	for (unsigned int i = 0; i < call->nr_strings; i++)
		if (!length[i] ||
		    (call->string[i] && call->string[i][length[i] - 1]))
			return false;
	return call->nr_tail || call->has_after;
}

/* How many bytes there are to record, where there is room for so many. */
static __attribute__((noinline)) size_t
size_of(const struct ptl_libc_call *call, size_t room, uint16_t *length)
{
	size_t tail = call->nr_tail * sizeof(int64_t),
	       size = ((size_t)call->nr_values + 1) * sizeof(int64_t) + tail;

	if (call->has_bytes)
		size += 1 + size_of_bytes(&call->bytes);
	size += size_of_strings(call, room - size, length);
	if (!has_rest(call, length))
		return size - tail;
	if (call->has_after)
		size += PTL_MIN(1 + size_of_bytes(&call->after), room - size);
	return size;
}

/* Behind the strings.  What there is no room for is cut. */
static void put_rest(struct ptl_payload *data, const struct ptl_libc_call *call)
{
	struct ptl_call_bytes after = call->after;

	for (unsigned int i = 0; i < call->nr_tail; i++)
		ptl_put_int(data, call->tail[i]);
	if (!call->has_after || data->room == data->size)
		return;
	after.size = PTL_MIN(after.size, data->room - data->size - 1);
	put_bytes(data, &after, call->failed);
}

/* Puts them where there is room; returns how many they are. */
static __attribute__((noinline)) size_t put(unsigned char *to, size_t room,
					    const struct ptl_libc_call *call,
					    const uint16_t *length)
{
	struct ptl_payload data = {to, room, 0};

	for (unsigned int i = 0; i < call->nr_values; i++)
		ptl_put_int(&data, call->value[i]);
	if (call->has_bytes)
		put_bytes(&data, &call->bytes, call->failed);
	for (unsigned int i = 0; i < call->nr_strings; i++)
		ptl_put_bytes(&data, call->string[i] ? call->string[i] : "",
			      length[i]);
	if (has_rest(call, length)) {
		data.room -= sizeof(int64_t);
		put_rest(&data, call);
		data.room = room;
	}
	ptl_put_int(&data, call->value[call->nr_values]);
	return data.size;
}

/* False: there is no memory for it, or an event may not have more. */
static __attribute__((noinline)) bool
record_long(enum ptl_sysevent id, const struct ptl_libc_call *call,
	    const void *addr)
{
	size_t size = PTL_MIN(ptl_core_event_most(), (size_t)LONG_SIZE);
	uint16_t length[PTL_ARRAY_SIZE(call->string)];
	struct ptl_scratch scratch;

	if (size <= DATA_SIZE || !ptl_scratch_get(&scratch, size))
		return false;
	size = size_of(call, size, length);
	size = put((unsigned char *)scratch.base, size, call, length);
	ptl_core_call(id, scratch.base, size, addr);
	ptl_scratch_put(&scratch);
	return true;
}

/* Measured and put together by functions that are over when it is recorded:
 * their stack is not in use then. */
static __attribute__((noinline)) void
record(enum ptl_sysevent id, const struct ptl_libc_call *call, const void *addr)
{
	uint16_t length[PTL_ARRAY_SIZE(call->string)];
	size_t size = size_of(call, DATA_SIZE, length);
	unsigned char *data;

	/* Without room for the numbers behind the strings there are none. */
	if (PTL_UNLIKELY(size + call->nr_tail * sizeof(int64_t) >= DATA_SIZE) &&
	    record_long(id, call, addr))
		return;
	data = __builtin_alloca(size);
	size = put(data, size, call, length);
	ptl_core_call(id, data, size, addr);
}

void ptl_call_record(enum ptl_sysevent id, const struct ptl_libc_call *call,
		     const void *addr)
{
	addr = place(addr);
	if (!addr)
		return;
	if (PTL_UNLIKELY(ptl_core_io_data) && call->has_moved)
		record_moved(id, call, addr);
	else
		record(id, call, addr);
}
