/* SPDX-License-Identifier: MIT */
/*
 * Bytes that were read or written; see iodata.h.  The call is over, and what it
 * was given may be gone: whoever has got what a thread wrote may have freed it
 * meanwhile.  So nothing of it is touched here: process_vm_readv() copies, and
 * stops where it cannot.  Where a seccomp filter came with the program, which
 * might not let us, each page is asked for and then copied, as strings are.
 */
#include "preload/wrap/iodata.h"

#include "core/core.h"
#include "core/sys/syscall.h"

#include "preload/hook/pages.h"
#include "preload/libc/scratch.h"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#define VECTORS 8 /* of more, the first ones */
#define PAGE 4096

static enum { UNKNOWN, BY_KERNEL, BY_PAGE } how;

static int find_how(void)
{
	int known = __atomic_load_n(&how, __ATOMIC_RELAXED);

	if (known == UNKNOWN) {
		known = ptl_sys(SYS_prctl, PR_GET_SECCOMP, 0, 0, 0) > 0 ?
				BY_PAGE :
				BY_KERNEL;
		__atomic_store_n(&how, known, __ATOMIC_RELAXED);
	}
	return known;
}

static size_t copy_by_page(unsigned char *to, const struct iovec *from,
			   size_t nr)
{
	size_t done = 0;

	for (; nr > 0; nr--, from++) {
		const unsigned char *at = from->iov_base;

		for (size_t left = from->iov_len, size; left > 0;
		     left -= size, at += size, done += size) {
			size = PTL_MIN(left, PAGE - (uintptr_t)at % PAGE);
			if (!ptl_pages_ask((uintptr_t)at))
				return done;
			__builtin_memcpy(to + done, at, size);
		}
	}
	return done;
}

/* Returns how many bytes it could copy. */
static size_t copy(void *to, const struct iovec *from, size_t nr)
{
	struct iovec here = {to, 0};
	long done = -ENOSYS;

	if (ptl_is_quiet())
		return 0;
	for (size_t i = 0; i < nr; i++)
		here.iov_len += from[i].iov_len;
	if (here.iov_len == 0)
		return 0;
	if (find_how() == BY_KERNEL)
		done = ptl_sys6(SYS_process_vm_readv, ptl_sys_getpid(),
				(long)&here, 1, (long)from, (long)nr, 0);
	if (done == -ENOSYS || done == -EPERM) {
		__atomic_store_n(&how, BY_PAGE, __ATOMIC_RELAXED);
		return copy_by_page(to, from, nr);
	}
	return done > 0 ? (size_t)done : 0;
}

static bool copy_whole(void *to, const void *from, size_t size)
{
	const struct iovec there = {(void *)(uintptr_t)from, size};

	return copy(to, &there, 1) == size;
}

static size_t copy_vector(unsigned char *to, size_t size, const void *at,
			  size_t count)
{
	struct iovec there[VECTORS];
	size_t nr = PTL_MIN(count, VECTORS);

	if (!copy_whole(there, at, nr * sizeof(*there)))
		return 0;
	for (size_t i = 0; i < nr; i++) {
		there[i].iov_len = PTL_MIN(there[i].iov_len, size);
		size -= there[i].iov_len;
	}
	return copy(to, there, nr);
}

/* One byte more, to see whether it ends there. */
static size_t copy_text(unsigned char *to, size_t size, const void *at,
			bool *is_cut)
{
	const struct iovec there = {(void *)(uintptr_t)at, size + 1};
	size_t got = copy(to, &there, 1), length = 0;

	while (length < got && to[length])
		length++;
	*is_cut = length == got;
	return PTL_MIN(length, size);
}

/* Finds what a message has.  False: it cannot be read. */
static bool open_message(struct ptl_moved *moved)
{
	bool is_alone = moved->kind == PTL_MOVED_MESSAGE;
	struct mmsghdr message = {0};

	if (!copy_whole(&message, moved->at,
			is_alone ? sizeof(message.msg_hdr) : sizeof(message)))
		return false;
	if (!is_alone)
		moved->size = moved->size > 0 ? message.msg_len : 0;
	moved->kind = PTL_MOVED_VECTOR;
	moved->at = message.msg_hdr.msg_iov;
	moved->count = message.msg_hdr.msg_iovlen;
	return true;
}

void ptl_iodata_put(struct ptl_payload *data, const struct ptl_moved *given)
{
	unsigned char *to = data->data + data->size + 1;
	struct ptl_moved moved = *given;
	size_t size, got;
	bool is_cut;

	if (moved.kind == PTL_MOVED_NONE || moved.size < 0 ||
	    data->room - data->size < 2)
		return;
	if ((moved.kind == PTL_MOVED_MESSAGE ||
	     moved.kind == PTL_MOVED_MESSAGES) &&
	    !open_message(&moved))
		return;
	size = PTL_MIN(data->room - data->size - 2, ptl_core_io_data);
	if (moved.kind == PTL_MOVED_TEXT) {
		got = copy_text(to, size, moved.at, &is_cut);
	} else {
		const struct iovec there = {
			(void *)(uintptr_t)moved.at,
			PTL_MIN(size, (uint64_t)moved.size)};

		got = moved.kind == PTL_MOVED_VECTOR ?
			      copy_vector(to, there.iov_len, moved.at,
					  moved.count) :
			      copy(to, &there, 1);
		is_cut = got < (uint64_t)moved.size;
	}
	if (got == 0 && is_cut)
		return;
	to[-1] = is_cut;
	data->size += 1 + got;
}
