/* SPDX-License-Identifier: MIT */
#include "preload/launch/unwinder.h"

#include "core/core.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include "preload/hook/objects.h"
#include "preload/launch/say.h"
#include "preload/libc/env.h"
#include "preload/libc/libc.h"
#include "preload/libc/lookup.h"

#include <link.h>
#include <unistd.h>

enum choice { AUTO, OWN, LIBUNWIND };

static enum choice choose(const char *value)
{
	static const char word[][12] = {"auto", "own", "libunwind"};

	/* An invalid value was reported with the other settings. */
	for (unsigned int i = 0; value && i < PTL_ARRAY_SIZE(word); i++)
		if (ptl_streq(value, word[i]))
			return (enum choice)i;
	return AUTO;
}

static void say(const char *why)
{
	const char *const words[] = {"PTRACE_UNWINDER: libunwind is not used: ",
				     why};

	ptl_launch_say(words, PTL_ARRAY_SIZE(words));
}

/* Does the trace begin here, without ptrace-run, which reports errors itself?
 * Other programs of the trace find its streams in their environment. */
static bool is_first(char *const *envp)
{
	const char *streams = ptl_env_value(envp, "PTRACE_STREAMS=");

	return !streams || !*streams;
}

/*
 * We are the first constructor, and libc's own come next. dlopen() would run
 * them now, with the arguments and the environment that only they would have
 * stored: none.  So we run them first, with the right values; they run a second
 * time later.
 *
 * They may: glibc's set variables, to what depends on their arguments and on
 * the machine alone.  _init_first() sets argc, argv, environ, the program's
 * name, and the FPU's control word if the program has one of its own;
 * check_stdfiles_vtables() sees whether the program has standard streams from
 * before glibc 2.1; libgcc's init_have_lse_atomics() on aarch64 what the
 * processor can.  (Read in the machine code of 2.36, x86-64 and aarch64.)
 */
static bool is_libc_ready(int argc, char **argv, char **envp)
{
	void (*const *init)(int, char **, char **) = NULL;
	const struct link_map *libc;
	const ElfW(Dyn) * dyn;
	size_t size = 0;

	if (environ)
		return true;
	libc = ptl_lookup_object((const void *)PTL_LIBC(dlopen));
	for (dyn = libc ? libc->l_ld : NULL; dyn && dyn->d_tag; dyn++) {
		if (dyn->d_tag == DT_INIT_ARRAY)
			init = (__typeof__(init))(libc->l_addr +
						  dyn->d_un.d_ptr);
		if (dyn->d_tag == DT_INIT_ARRAYSZ)
			size = dyn->d_un.d_val;
	}
	for (; init && size >= sizeof(*init); size -= sizeof(*init))
		(*init++)(argc, argv, envp);
	return environ == envp;
}

static const char *load(int argc, char **argv, char **envp)
{
	const char *why;

	if (!is_libc_ready(argc, argv, envp))
		return "the C library is not ready yet";
	why = ptl_core_libunwind(PTL_LIBC(dlopen));
	ptl_objects_look();
	return why;
}

void ptl_unwinder_init(int argc, char **argv, char **envp)
{
	enum choice choice = choose(ptl_env_value(envp, "PTRACE_UNWINDER="));
	const char *why;

	/* Our own unwinder has rules for x86-64 only. */
#if defined(__x86_64__)
	if (choice != LIBUNWIND)
		return;
#else
	if (choice == OWN)
		return;
#endif
	if (!ptl_core_wants_stacks())
		return;
	why = load(argc, argv, envp);
	/* Once in a trace, if libunwind was asked for. */
	if (why && choice == LIBUNWIND && is_first(envp))
		say(why);
}
