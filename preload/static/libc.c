/* SPDX-License-Identifier: MIT */
/*
 * What the sources of libptrace.so ask of a C library and of its loader, and of
 * the wrappers, where there is none of these: little of it is ever called.
 */
#include "core/core.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include "preload/hook/hooks.h"
#include "preload/launch/filter.h"
#include "preload/libc/env.h"
#include "preload/libc/lookup.h"
#include "preload/static/static.h"
#include "preload/wrap/call.h"

#include <dlfcn.h>
#include <link.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>

char **environ;

unsigned long getauxval(unsigned long type)
{
	const Elf64_auxv_t *entry = ptl_static_auxv;

	for (; entry && entry->a_type != AT_NULL; entry++)
		if (entry->a_type == type)
			return entry->a_un.a_val;
	return 0;
}

const char *gnu_get_libc_version(void);
const char *gnu_get_libc_version(void)
{
	return "";
}

/* The program alone. */
int dl_iterate_phdr(int (*call)(struct dl_phdr_info *, size_t, void *),
		    void *arg)
{
	const ElfW(Phdr) *ph = (const void *)getauxval(AT_PHDR);
	struct dl_phdr_info info = {
		.dlpi_name = "",
		.dlpi_phdr = ph,
		.dlpi_phnum = (ElfW(Half))getauxval(AT_PHNUM),
		.dlpi_adds = 1, /* there is something to be seen */
	};

	/* A program at fixed addresses may have no PT_PHDR, and needs none. */
	for (unsigned int i = 0; i < info.dlpi_phnum; i++)
		if (ph[i].p_type == PT_PHDR)
			info.dlpi_addr = (uintptr_t)ph - ph[i].p_vaddr;
	if (!info.dlpi_addr)
		for (unsigned int i = 0; i < info.dlpi_phnum; i++)
			if (ph[i].p_type == PT_LOAD && ph[i].p_offset == 0)
				info.dlpi_addr = ((uintptr_t)ph & -4096) -
						 (ph[i].p_vaddr & -4096);
	return call(&info, sizeof(info), arg);
}

/* Few elements, if any. */
void qsort(void *base, size_t nr, size_t size,
	   int (*compare)(const void *, const void *))
{
	char *at = base;

	for (size_t i = 1; i < nr; i++)
		for (size_t k = i; k > 0; k--) {
			char *one = at + (k - 1) * size, *other = at + k * size;

			if (compare(one, other) <= 0)
				break;
			for (size_t n = 0; n < size; n++) {
				char byte = one[n];

				one[n] = other[n];
				other[n] = byte;
			}
		}
}

void exit(int status)
{
	for (;;)
		ptl_sys_pass(SYS_exit_group, status, 0, 0, 0, 0, 0);
}

void *malloc(size_t size)
{
	(void)size;
	return NULL;
}

void *calloc(size_t nr, size_t size)
{
	(void)nr, (void)size;
	return NULL;
}

void *realloc(void *old, size_t size)
{
	(void)old, (void)size;
	return NULL;
}

void free(void *old)
{
	(void)old;
}

pthread_t pthread_self(void)
{
	pthread_t self;

	__asm__ volatile("movq %%gs:0, %0" : "=r"(self));
	return self;
}

int pthread_equal(pthread_t one, pthread_t other)
{
	return one == other;
}

int pthread_setcancelstate(int state, int *old)
{
	(void)state;
	if (old)
		*old = PTHREAD_CANCEL_ENABLE;
	return 0;
}

int pthread_attr_init(pthread_attr_t *attr)
{
	(void)attr;
	return ENOSYS;
}

int pthread_attr_destroy(pthread_attr_t *attr)
{
	(void)attr;
	return ENOSYS;
}

int pthread_join(pthread_t thread, void **value)
{
	(void)thread, (void)value;
	return ENOSYS;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attr,
		   void *(*run)(void *), void *arg)
{
	(void)thread, (void)attr, (void)run, (void)arg;
	return ENOSYS;
}

/* ---- the loader ------------------------------------------------------ */

void *dlsym(void *handle, const char *name)
{
	(void)handle, (void)name;
	return NULL;
}

void ptl_lookup_init(void)
{
}

/* The library's file, of which the environment has the name. */
const char *ptl_lookup_file(void)
{
	static const char name[] = "libptrace.so";
	static char file[512];
	const char *word = ptl_env_value(ptl_static_environment, "LD_PRELOAD=");

	while (word && *word) {
		const char *base = word;
		size_t size = 0;

		for (; word[size] && word[size] != ':' && word[size] != ' ';
		     size++)
			if (word[size] == '/')
				base = word + size + 1;
		if (word[0] == '/' && ptl_strpre(base, name) &&
		    size < sizeof(file)) {
			ptl_strcopy(file, size + 1, word);
			return file;
		}
		word += size + (word[size] != '\0');
	}
	return NULL;
}

void *ptl_lookup_real(void **real, const char *name, void *missing)
{
	(void)real, (void)name;
	return missing;
}

void *ptl_lookup_version(void **real, const char *name, const char *version,
			 void *missing)
{
	(void)real, (void)name, (void)version;
	return missing;
}

const void *ptl_lookup_libc(const char *name, const char *version)
{
	(void)name, (void)version;
	return NULL;
}

const void *ptl_lookup_ours(const char *name, const char *version)
{
	(void)name, (void)version;
	return NULL;
}

const void *ptl_lookup_first(const char *name, const char *version)
{
	(void)name, (void)version;
	return NULL;
}

bool ptl_lookup_linked(const void *addr)
{
	(void)addr;
	return false;
}

const struct link_map *ptl_lookup_object(const void *addr)
{
	(void)addr;
	return NULL;
}

/* ---- the wrappers ---------------------------------------------------- */

void (*ptl_thread_ends)(void);

void ptl_instrument_init(void)
{
}

void ptl_exit_init(void)
{
}

void ptl_fork_init(void)
{
}

void ptl_thread_init(void)
{
}

void *ptl_number_find(long number)
{
	(void)number;
	return NULL;
}

/* Nobody starts a trace here. */
bool ptl_autostart(char **envp)
{
	(void)envp;
	return false;
}

void ptl_outsider_hook(long number, unsigned long a, unsigned long b,
		       unsigned long d, unsigned long e)
{
	const struct clone_args *args = (const struct clone_args *)a;

	(void)d, (void)e;
	if (number == SYS_vfork)
		ptl_static_makes(CLONE_VM | CLONE_VFORK);
	if (number == SYS_clone)
		ptl_static_makes(a);
	if (number == SYS_clone3 && b >= CLONE_ARGS_SIZE_VER0 &&
	    ptl_call_readable(args, CLONE_ARGS_SIZE_VER0))
		ptl_static_makes(args->flags);
}

/* Strict mode forbids the counter, too.  With flags it is libseccomp's question
 * whether the call exists. */
static bool is_strict(long number, unsigned long a, unsigned long b)
{
	if (number == SYS_prctl)
		return a == PR_SET_SECCOMP && b == SECCOMP_MODE_STRICT;
	return number == SYS_seccomp && a == SECCOMP_SET_MODE_STRICT && !b;
}

static bool installs(long number, unsigned long a, unsigned long b,
		     const void *filter)
{
	if (number == SYS_prctl)
		return a == PR_SET_SECCOMP && b == SECCOMP_MODE_FILTER &&
		       filter;
	return number == SYS_seccomp && a == SECCOMP_SET_MODE_FILTER && filter;
}

void *ptl_syscall_hook(long number, unsigned long a, unsigned long b,
		       const void *filter, unsigned long d, unsigned long e)
{
	bool strict = is_strict(number, a, b);

	(void)d, (void)e;
	if (strict)
		ptl_core_counter(false);
	if (strict || installs(number, a, b, filter))
		ptl_filter_comes();
	return NULL;
}
