/* SPDX-License-Identifier: MIT */
/*
 * victim-dl HOW DIR: loads what t/preload/dl.t has built in DIR, and prints
 * what it got.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *dir;

/* A library may call this, and that of its own. */
int answer(void);

int answer(void)
{
	return 1;
}

static void *open_it(const char *name, int flags)
{
	void *handle = dlopen(name, flags);

	if (!handle)
		printf("%s\n", dlerror());
	return handle;
}

static void *open_in(const char *name, int flags)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return open_it(path, flags);
}

static int call(void *handle, const char *name)
{
	int (*fn)(void) = handle ? (int (*)(void))dlsym(handle, name) : NULL;

	return fn ? fn() : -1;
}

/* One after the other at one address; says if it was one. */
static void by_turns(int rounds)
{
	void *where[2] = {NULL, NULL};

	for (int i = 0; i < rounds; i++) {
		void *handle = open_in(i % 2 ? "libb.so" : "liba.so", RTLD_NOW);
		const char *name = i % 2 ? "b_answer" : "a_answer";

		printf("%d\n", call(handle, name));
		where[i % 2] = dlsym(handle, name);
		dlclose(handle);
	}
	if (((unsigned long)where[0] ^ (unsigned long)where[1]) >> 12)
		puts("not at one address");
}

static void *load_often(void *name)
{
	for (int i = 0; i < 100; i++) {
		void *handle = open_in(name, RTLD_NOW | RTLD_LOCAL);

		if (!handle)
			break;
		call(handle, "a_answer");
		dlclose(handle);
	}
	return NULL;
}

static void by_threads(void)
{
	static char name[4][8] = {"liba.so", "libb.so", "liba.so", "libc1.so"};
	pthread_t id[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&id[i], NULL, load_often, name[i]);
	for (int i = 0; i < 4; i++)
		pthread_join(id[i], NULL);
	puts("done");
}

int main(int argc, char **argv)
{
	const char *how = argc > 2 ? argv[1] : "";

	dir = argc > 2 ? argv[2] : ".";
	if (strcmp(how, "paths") == 0) {
		printf("%d\n", call(open_in("liba.so", RTLD_NOW), "a_answer"));
		open_it("/nowhere/liba.so", RTLD_NOW);
		open_it("no-such-library.so", RTLD_LAZY);
		printf("%d\n", call(open_it(NULL, RTLD_NOW), "answer"));
	} else if (strcmp(how, "search") == 0) {
		printf("%d\n", call(open_it("liba.so", RTLD_NOW), "a_answer"));
		printf("%d\n", call(open_it("$ORIGIN/sub/libb.so", RTLD_NOW),
				    "b_answer"));
	} else if (strcmp(how, "turns") == 0) {
		by_turns(20);
	} else if (strcmp(how, "threads") == 0) {
		by_threads();
	} else if (strcmp(how, "deep") == 0) {
		printf("%d\n", call(open_in("libd.so", RTLD_NOW), "d_answer"));
		printf("%d\n",
		       call(open_in("libd2.so", RTLD_NOW | RTLD_DEEPBIND),
			    "d_answer"));
	} else if (strcmp(how, "next") == 0) {
		printf("%d\n", call(open_in("libn.so", RTLD_NOW), "n_answer"));
	} else if (strcmp(how, "constructor") == 0) {
		printf("%d\n", call(open_in("libc1.so", RTLD_NOW), "c_answer"));
	} else if (strcmp(how, "space") == 0) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/libb.so", dir);
		printf("%d\n",
		       call(dlmopen(LM_ID_NEWLM, path, RTLD_NOW), "b_answer"));
	}
	return 0;
}
