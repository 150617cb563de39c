/* SPDX-License-Identifier: MIT */
/* The other file of the program of t/run/functions-typed.t. */
#include "t/run/functions-typed.h"

static KEPT long same(const char *what, char letter)
{
	return what[0] + letter;
}

KEPT int other(int n)
{
	return (int)same("second", 'x') + n;
}
