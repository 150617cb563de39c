/* SPDX-License-Identifier: MIT */
/* What the files of the program of t/run/functions-typed.t have in common. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define KEPT __attribute__((noinline, noclone))

enum colour { RED = -1, GREEN, BLUE = 200 };
typedef enum colour paint;
enum __attribute__((packed)) size { SMALL, LARGE = 250 };
struct point {
	double x, y;
};
struct small {
	int a, b;
};
struct large {
	long all[4];
};
struct counted {
	int nr;
	double of;
};
struct span {
	long begin, size;
};
struct scaled {
	double by;
	long nr;
};
struct nested {
	struct small of;
	double size;
};

int other(int n);
