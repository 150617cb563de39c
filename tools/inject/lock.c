/* SPDX-License-Identifier: MIT */
/*
 * The loader's locks have no names.  While we are in dl_iterate_phdr() one of
 * them is ours, and it is right behind the one for dlopen(); both are mutexes
 * of one kind.  What is found in our own loader holds for the same file in
 * another process.
 */
#include "tools/inject/lock.h"

#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

struct search {
	const char *from;
	size_t size, found;
};

#if defined(__GLIBC__) && defined(__x86_64__)

_Static_assert(PTL_LOCK_SIZE == 2 * sizeof(pthread_mutex_t),
	       "that for loading, and that for its list");

static bool is_mutex(const void *at, bool is_ours)
{
	const pthread_mutex_t *mutex = at;

	return mutex->__data.__kind == PTHREAD_MUTEX_RECURSIVE_NP &&
	       mutex->__data.__lock == (is_ours ? 1 : 0) &&
	       mutex->__data.__count == (is_ours ? 1 : 0) &&
	       mutex->__data.__owner == (is_ours ? (int)getpid() : 0);
}

static int look(struct dl_phdr_info *info, size_t size, void *arg)
{
	const size_t one = sizeof(pthread_mutex_t);
	struct search *search = arg;

	(void)info, (void)size;
	for (size_t at = one; at + one <= search->size; at += sizeof(long))
		if (is_mutex(search->from + at, true) &&
		    is_mutex(search->from + at - one, false))
			search->found = at - one;
	return 1;
}

uintptr_t ptl_lock_find(const struct ptl_elf_file *loader)
{
	struct search search = {0};
	uintptr_t at = ptl_elf_symbol(loader, "_rtld_global", &search.size);

	search.from = (const char *)getauxval(AT_BASE) + at;
	if (at == 0 || getauxval(AT_BASE) == 0 || gettid() != getpid())
		return 0;
	dl_iterate_phdr(look, &search);
	return search.found != 0 ? at + search.found : 0;
}

bool ptl_lock_is_free(const unsigned char bytes[PTL_LOCK_SIZE])
{
	pthread_mutex_t lock[2];

	memcpy(lock, bytes, sizeof(lock));
	return is_mutex(&lock[0], false) && is_mutex(&lock[1], false);
}

#endif
