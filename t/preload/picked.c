/* SPDX-License-Identifier: MIT */
/*
 * A library with a function that is chosen when it is bound (IFUNC); one whose
 * function of a name is its own, whoever else has that; and a program that
 * calls both.
 */
#include <stdio.h>

#if defined(LIBRARY)

static int plain(int x)
{
	return x + 1;
}

static int (*pick(void))(int)
{
	return plain;
}

int picked(int x) __attribute__((ifunc("pick")));

#elif defined(TWIN)

int twin(int x);
int call_twin(int x);

int twin(int x)
{
	return x + TWIN;
}

int call_twin(int x)
{
	for (int i = 0; i < 3; i++)
		x = twin(x);
	return x;
}

#else

#include <dlfcn.h>

int picked(int x);

int main(void)
{
	int x = 0;

	for (int i = 0; i < 3; i++)
		x = picked(x);
	for (int i = 1; i <= 2; i++) {
		char name[20];
		void *library;
		int (*call)(int);

		snprintf(name, sizeof(name), "./libtwin%d.so", i);
		library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
		call = library ? (int (*)(int))dlsym(library, "call_twin") : 0;
		x = call ? call(x) : -1;
	}
	printf("%d\n", x);
	return 0;
}

#endif
