/* SPDX-License-Identifier: MIT */
/* Programs that ask the dynamic linker, and load and unload. */
#include "t/table/table.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Libraries of libc's that the victim is not linked with. */
#define RESOLVER "libresolv.so.2"
#define NSS "libnss_compat.so.2"

/* libc's words have paths and addresses in them. */
static void say_failure(const char *what)
{
	const char *text = dlerror();

	say("%s: %.60s", what, text ? text : "no error");
}

static int opening(void)
{
	void *a, *b;

	say("loaded: %d", dlopen(RESOLVER, RTLD_LAZY | RTLD_NOLOAD) != NULL);
	a = dlopen(RESOLVER, RTLD_LAZY);
	b = dlopen(RESOLVER, RTLD_NOW);
	say("the same: %d, %d", a == b, a != NULL);
	say("symbol: %d", dlsym(a, "ns_name_pton") != NULL);
	say("close: %d", dlclose(a));
	say("still: %d", dlopen(RESOLVER, RTLD_LAZY | RTLD_NOLOAD) == b);
	say("close: %d %d", dlclose(b), dlclose(b));
	say("gone: %d", dlopen(RESOLVER, RTLD_LAZY | RTLD_NOLOAD) == NULL);
	for (int i = 0; i < 20; i++) {
		a = dlopen(RESOLVER, RTLD_LAZY);
		if (!a || dlclose(a) != 0)
			return 1;
	}
	return 0;
}

static int failing(void)
{
	say_failure("nothing yet");
	say("%d", dlopen("/no/such/library.so", RTLD_NOW) != NULL);
	say_failure("no file");
	say_failure("once only");
	say("%d", dlopen("/etc/passwd", RTLD_NOW) != NULL);
	say_failure("no library");
	say("%d", dlsym(RTLD_DEFAULT, "no_such_symbol_here") != NULL);
	say("failed: %d", dlerror() != NULL);
	say("%d", dlopen(RESOLVER, 0) != NULL);
	say_failure("no mode");
	say("%d", dlvsym(RTLD_DEFAULT, "malloc", "NO_SUCH_2.0") != NULL);
	say("failed: %d", dlerror() != NULL);
	return 0;
}

/* The program's own, before libc's. */
int getpagesize(void)
{
	return 12345;
}

typedef int int_function(void);

static int_function *find(void *where, const char *name)
{
	return (int_function *)dlsym(where, name);
}

static int symbols(void)
{
	int_function *next = find(RTLD_NEXT, "getpagesize");

	say("next: %d", next ? next() > 0 && next != getpagesize : -1);
	say("kill: %d", find(RTLD_DEFAULT, "kill") == (int_function *)kill);
	say("next malloc: %d", dlsym(RTLD_NEXT, "malloc") != NULL);
	say("in libc: %d",
	    dlsym(dlopen("libc.so.6", RTLD_LAZY), "getppid") != NULL);
	say("version: %d",
	    dlvsym(RTLD_DEFAULT, "qsort", "GLIBC_2.2.5") != NULL);
	say("of the program: %d", dlopen(NULL, RTLD_LAZY) != NULL);
	find(RTLD_NEXT, "raise")();
	return 0;
}

static int addresses(void)
{
	struct link_map *map = NULL;
	Dl_info info;

	memset(&info, 0, sizeof(info));
	say("dladdr: %d", dladdr((void *)strtol, &info) != 0);
	say("in libc: %d", info.dli_fname && strstr(info.dli_fname, "libc.so"));
	say("dladdr1: %d", dladdr1((void *)strtol, &info, (void **)&map,
				   RTLD_DL_LINKMAP) != 0);
	say("map: %d", map && strstr(map->l_name, "libc.so") != NULL);
	say("none: %d", dladdr((void *)8, &info));
	say("dlinfo: %d", dlinfo(dlopen("libm.so.6", RTLD_LAZY),
				 RTLD_DI_LINKMAP, (void *)&map));
	say("libm: %d", strstr(map->l_name, "libm") != NULL);
	return 0;
}

static int list_object(struct dl_phdr_info *info, size_t size, void *arg)
{
	const char *name = strrchr(info->dlpi_name, '/');

	(void)size;
	if (name && !strstr(name, "libptrace"))
		say("%s", name + 1);
	++*(int *)arg;
	raise(0);
	return 0;
}

static int first_object(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size;
	(void)arg;
	/* The program itself has no name. */
	return info->dlpi_name[0] == '\0' ? 42 : 43;
}

static int iterating(void)
{
	int nr = 0;

	say("end: %d", dl_iterate_phdr(list_object, &nr));
	say("stopped: %d", dl_iterate_phdr(first_object, NULL));
	return 0;
}

/* Another libc beside ours, whose functions are nobody's. */
static int another_namespace(void)
{
	void *lib = dlmopen(LM_ID_NEWLM, "libc.so.6", RTLD_NOW);
	int_function *get = lib ? find(lib, "getppid") : NULL;
	Lmid_t id = -1;

	say("loaded: %d", lib != NULL);
	if (!get)
		return 1;
	say("the same parent: %d", get() == getppid());
	say("another function: %d", get != (int_function *)getppid);
	say("dlinfo: %d, %d", dlinfo(lib, RTLD_DI_LMID, &id), id != LM_ID_BASE);
	say("close: %d", dlclose(lib));
	return 0;
}

static void *load(void *arg)
{
	for (int i = 0; i < 20; i++) {
		void *lib = dlopen(RESOLVER, RTLD_LAZY);

		if (!lib || !dlsym(lib, "ns_name_pton") || dlclose(lib) != 0)
			return NULL;
		dlsym(RTLD_DEFAULT, "malloc");
	}
	return arg;
}

static int from_threads(void)
{
	pthread_t threads[4];
	int nr = 0;

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, load, &nr);
	for (int i = 0; i < 4; i++) {
		void *result;

		pthread_join(threads[i], &result);
		nr += result != NULL;
	}
	say("done: %d", nr);
	return 0;
}

static int in_child(void)
{
	void *lib = dlopen(RESOLVER, RTLD_NOW | RTLD_GLOBAL);

	return lib && dlsym(RTLD_DEFAULT, "ns_name_pton") ? 3 : 4;
}

static int children(void)
{
	void *lib = dlopen(NSS, RTLD_LAZY);

	say("loaded: %d", lib != NULL);
	try_child("child", in_child);
	say("not here: %d", dlopen(RESOLVER, RTLD_NOLOAD | RTLD_LAZY) == NULL);
	if (lib)
		dlclose(lib);
	try_child("child", in_child);
	return 0;
}

/* Chosen when it is bound; its address is one and the same. */
static int indirect(void)
{
	size_t (*volatile here)(const char *) = strlen;
	void *there = dlsym(RTLD_DEFAULT, "strlen");

	say("length: %zu", here("four"));
	say("the same: %d", (void *)here == there);
	say("%d", memcmp("abc", "abd", 3) < 0);
	say("%s", strchr("a.b", '.'));
	return (int)strlen(self) > 0;
}

/* A pointer to a function is the same, wherever it was asked for. */
static int pointers(void)
{
	static int (*const table[])(pid_t, int) = {kill, kill};

	say("kill: %d", (void *)table[0] == dlsym(RTLD_DEFAULT, "kill"));
	say("raise: %d", (void *)raise == dlsym(RTLD_DEFAULT, "raise"));
	say("fork: %d", (void *)fork == dlsym(RTLD_DEFAULT, "fork"));
	say("getppid: %d", (void *)getppid == dlsym(RTLD_DEFAULT, "getppid"));
	say("called: %d", table[1](getpid(), 0));
	return 0;
}

static int environment(void)
{
	void *lib;

	/* Read once, at the start. */
	setenv("LD_LIBRARY_PATH", "/nowhere", 1);
	setenv("LD_PRELOAD", "/no/such/library.so", 1);
	lib = dlopen(RESOLVER, RTLD_NOW);
	say("loaded: %d", lib != NULL);
	unsetenv("LD_PRELOAD");
	say("%d", getenv("LD_PRELOAD") == NULL);
	return 0;
}

const struct program dl_programs[] = {
	{"opening", opening, false},
	{"failing", failing, false},
	{"symbols", symbols, false},
	{"addresses", addresses, false},
	{"iterating", iterating, false},
	{"another-namespace", another_namespace, false},
	{"from-threads", from_threads, false},
	{"children", children, false},
	{"indirect", indirect, false},
	{"pointers", pointers, false},
	{"environment", environment, false},
	{NULL, NULL, false},
};
