/* SPDX-License-Identifier: MIT */
/* Which words the arguments of functions of libc have; see words.h. */
#include "tools/lib/args/words.h"

#include <stdlib.h>
#include <string.h>

#define WORDED 4

/* The words of the first arguments; NULL: none. */
struct call {
	const char *function;
	const char *words[WORDED];
};

struct key {
	const char *name;
	size_t size;
};

/* In the order of their names. */
static const struct call calls[] = {
	{"accept4", {NULL, NULL, NULL, "acceptfd"}},
	{"access", {NULL, "access"}},
	{"chmod", {NULL, "mode"}},
	{"clock_getres", {"clock"}},
	{"clock_gettime", {"clock"}},
	{"clock_nanosleep", {"clock", "timer"}},
	{"creat", {NULL, "mode"}},
	{"dlopen", {NULL, "dlopen"}},
	{"epoll_create1", {"epollfd"}},
	{"epoll_ctl", {NULL, "epoll"}},
	{"eventfd", {NULL, "efd"}},
	{"faccessat", {"dirfd", NULL, "access", "at_access"}},
	{"fallocate", {NULL, "falloc"}},
	{"fchmod", {NULL, "mode"}},
	{"fchmodat", {"dirfd", NULL, "mode", "at"}},
	{"fcntl", {NULL, "fcntl"}},
	{"flock", {NULL, "flock"}},
	{"fseek", {NULL, NULL, "whence"}},
	{"fseeko", {NULL, NULL, "whence"}},
	{"fstatat", {"dirfd", NULL, NULL, "at"}},
	{"getsockopt", {NULL, "level"}},
	{"inotify_add_watch", {NULL, NULL, "inotify"}},
	{"inotify_init1", {"inotifyfd"}},
	{"lseek", {NULL, NULL, "whence"}},
	{"lseek64", {NULL, NULL, "whence"}},
	{"madvise", {NULL, NULL, "madvise"}},
	{"memfd_create", {NULL, "memfd"}},
	{"mkdir", {NULL, "mode"}},
	{"mkdirat", {"dirfd", NULL, "mode"}},
	{"mkfifo", {NULL, "mode"}},
	{"mmap", {NULL, NULL, "prot", "map"}},
	{"mmap64", {NULL, NULL, "prot", "map"}},
	{"mprotect", {NULL, NULL, "prot"}},
	{"msync", {NULL, NULL, "msync"}},
	{"open", {NULL, "open"}},
	{"open64", {NULL, "open"}},
	{"openat", {"dirfd", NULL, "open"}},
	{"openat64", {"dirfd", NULL, "open"}},
	{"pipe2", {NULL, "open"}},
	{"readlinkat", {"dirfd"}},
	{"recv", {NULL, NULL, NULL, "msg"}},
	{"recvfrom", {NULL, NULL, NULL, "msg"}},
	{"recvmsg", {NULL, NULL, "msg"}},
	{"send", {NULL, NULL, NULL, "msg"}},
	{"sendmsg", {NULL, NULL, "msg"}},
	{"sendto", {NULL, NULL, NULL, "msg"}},
	{"setsockopt", {NULL, "level"}},
	{"shutdown", {NULL, "shut"}},
	{"socket", {"af", "sock"}},
	{"socketpair", {"af", "sock"}},
	{"timerfd_create", {"clock", "tfd"}},
	{"timerfd_settime", {NULL, "tfdset"}},
	{"umask", {"mode"}},
	{"unlinkat", {"dirfd", NULL, "at"}},
};

static int compare(const void *key, const void *member)
{
	const struct key *function = key;
	const struct call *call = member;
	int order = strncmp(function->name, call->function, function->size);

	/* The name may be a beginning of the other. */
	return order ? order : -(call->function[function->size] != '\0');
}

const struct ptl_words *ptl_words_of_argument(const char *function, size_t size,
					      unsigned int place)
{
	const struct key key = {function, size};
	const struct call *call;

	if (place >= WORDED)
		return NULL;
	call = bsearch(&key, calls, sizeof(calls) / sizeof(*calls),
		       sizeof(*calls), compare);
	return call && call->words[place] ?
		       ptl_words_find(call->words[place],
				      strlen(call->words[place])) :
		       NULL;
}
