/* SPDX-License-Identifier: MIT */
/*
 * What ptrace-sampler makes of the kernel's records, of files that processes
 * map, and of their stacks: a file of any bytes is mapped, and then come
 * records of any kind.  In front are what is wanted, and how large the file is.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "t/fuzz/fuzz.h"
#include "tools/sampler/follow.h"
#include "tools/sampler/process.h"
#include "tools/sampler/records.h"
#include "tools/sampler/tell.h"
#include "tools/sampler/threads.h"

#define PID 7
#define BASE UINT64_C(0x10000)

struct head {
	uint8_t wanted, unused;
	uint16_t file_size;
};

struct input {
	const uint8_t *bytes;
	size_t size;
};

/* Nobody listens: what is told in many messages ends the run. */
static int nowhere(void)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0)
		abort();
	close(ends[1]);
	return ends[0];
}

static void map_file(const uint8_t *bytes, size_t size)
{
	const struct ptl_image_id any = {.inode = 0};
	struct ptl_sampled_process *process = ptl_process_get(PID);
	struct ptl_sampled_code mapped = {.start = BASE, .end = BASE + size};
	char path[] = "/tmp/ptrace-fuzz-XXXXXX";
	int fd;

	if (size == 0)
		return;
	/* No links are followed: not fuzz_file(). */
	fd = mkstemp(path);
	if (fd < 0 || pwrite(fd, bytes, size, 0) != (ssize_t)size)
		abort();
	close(fd);
	fuzz_allow(path);
	mapped.image = ptl_image_get(0, path, &any);
	unlink(path);
	fuzz_allow(NULL);
	if (mapped.image != NULL &&
	    !ptl_image_bias(mapped.image, BASE, 0, &mapped.bias))
		mapped.image = NULL;
	ptl_process_map(process, &mapped);
}

/* The kernel's are aligned, and as long as they say. */
static bool put_record(struct ptl_records *records, struct input *input)
{
	static _Alignas(8) unsigned char record[UINT16_MAX + 1];
	struct perf_event_header *head = (struct perf_event_header *)record;
	size_t size;

	if (input->size < sizeof(*head))
		return false;
	memcpy(record, input->bytes, sizeof(*head));
	size = head->size & ~7u;
	if (size < sizeof(*head) + 32)
		size = sizeof(*head) + 32;
	if (size > input->size)
		return false;
	memcpy(record, input->bytes, size);
	head->size = (uint16_t)size;
	ptl_records_put(records, head);
	input->bytes += size;
	input->size -= size;
	return true;
}

static int run(void *arg)
{
	struct input input = *(struct input *)arg;
	struct ptl_events events = {.has_samples = true};
	struct ptl_records records = {0};
	struct ptl_follow follow = {
		.events = &events,
		.target = PID,
		.hz = 999,
		.has_samples = true,
	};
	struct head head;

	memcpy(&head, input.bytes, sizeof(head));
	input.bytes += sizeof(head);
	input.size -= sizeof(head);
	follow.has_children = head.wanted & 1;
	follow.least = head.wanted >> 1 & 1;
	ptl_events_have_chains = head.wanted & 4;
	ptl_threads_least(follow.least);
	if (head.file_size > input.size)
		return 0;
	map_file(input.bytes, head.file_size);
	input.bytes += head.file_size;
	input.size -= head.file_size;
	while (put_record(&records, &input))
		;
	ptl_records_take(&records, UINT64_MAX, ptl_follow_record, &follow);
	ptl_threads_settle(UINT64_MAX);
	ptl_threads_leave(UINT64_MAX);
	ptl_process_tell_made();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = {data, size};
	int fd;

	if (size < sizeof(struct head))
		return 0;
	fd = nowhere();
	ptl_tell_to(fd);
	fuzz_call(run, &input);
	close(fd);
	return 0;
}
