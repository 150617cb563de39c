// SPDX-License-Identifier: MIT
/*
 * Exceptions that leave functions, and handlers that call others: from where
 * the compiler has put them, away from the function that they are in.
 */
#include <cstdio>

#define KEPT __attribute__((noinline, noclone))

static volatile int sum;

KEPT void step(int n)
{
	sum = sum + n;
}

struct Kept {
	int n;
	KEPT explicit Kept(int value);
	KEPT ~Kept();
};

Kept::Kept(int value) : n(value)
{
	step(n);
	/* Room for a jump at each exit. */
	sum = sum * 1;
}

Kept::~Kept()
{
	step(-n);
	sum = sum * 1;
}

KEPT void thrower(int n)
{
	if (n > 0)
		throw n;
	step(n);
	__asm__ volatile("");
}

KEPT void middle(int n)
{
	Kept kept(n);

	thrower(n);
	__asm__ volatile("");
}

/* Its constructor catches: of that there are two names. */
struct Catches {
	KEPT explicit Catches(int n);
};

Catches::Catches(int n)
{
	try {
		middle(n);
	} catch (int) {
		step(100);
	}
	step(200);
	__asm__ volatile("");
}

KEPT int outer(int n)
{
	Catches catches(n + 2);

	try {
		middle(n);
	} catch (int) {
		step(300);
	}
	step(400);
	return sum;
}

int main()
{
	std::printf("%d\n", outer(5));
	step(500);
	return sum == 1500 ? 0 : 3;
}
