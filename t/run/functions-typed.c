/* SPDX-License-Identifier: MIT */
/*
 * Functions with arguments and results of all kinds, for
 * t/run/functions-typed.t.  Of each name there may be a static function in
 * functions-typed-other.c, too.
 */
#include "t/run/functions-typed.h"

static KEPT int same(int first, int second)
{
	return first - second;
}

static KEPT long integers(long a, int b, short c, signed char d,
			  unsigned char e, unsigned short f, bool g,
			  unsigned long h)
{
	return a + b + c + d + e + f + g + (long)h;
}

static KEPT double floats(float a, double b, int c, float d)
{
	__asm__ volatile("");
	return (double)a + b + c + (double)d;
}

static KEPT float halves(float a)
{
	return a / 2;
}

static KEPT long double wide(long double a, int b)
{
	return a * b;
}

static KEPT const char *strings(char *into, const char *name, const void *data)
{
	strcat(strcpy(into, name), data ? " and data" : " alone");
	return into;
}

/* What may be written to: shown is what is text. */
static KEPT int texts(char *text, char *bytes, char *endless)
{
	__asm__ volatile("");
	return text[0] + bytes[0] + endless[0];
}

static KEPT paint next(paint colour, enum size size)
{
	return colour == RED ? GREEN : size == LARGE ? BLUE : colour;
}

static KEPT bool is_read(const char *wild, char *none, int *pointer)
{
	__asm__ volatile("" : : "r"(wild));
	return none || pointer;
}

/* Long enough for a jump. */
static KEPT void nothing(void)
{
	__asm__ volatile("nop; nop; nop; nop");
}

static KEPT double distance(const struct point *from, struct point *to)
{
	return to ? from->x - to->x : from->y;
}

static KEPT long by_value(int n, struct small small, int behind)
{
	return n + small.a + small.b + behind;
}

static KEPT struct small both(int a, int b)
{
	return (struct small){a, b};
}

static KEPT struct nested shapes(struct large large, struct point from,
				 struct counted both, const char *behind)
{
	return (struct nested){
		{both.nr, (int)large.all[3]},
		behind[0] == 'b' ? from.x + from.y * 0.4 : both.of,
	};
}

/* Each half in a register of its own: two of one kind, and one of each. */
static KEPT struct span wider(struct span span, long by)
{
	return (struct span){span.begin - by, span.size + 2 * by};
}

static KEPT struct scaled scale(struct scaled scaled, double by)
{
	return (struct scaled){scaled.by * by, scaled.nr + 1};
}

static KEPT double mixed(int a, double b, const char *c, float d, long e, int f,
			 int g, int h, short i, const char *j, double k)
{
	return a + b + *c + (double)d + (double)e + f + g + h + i + *j + k;
}

/* Its loop leads to its first instruction; it has an argument on the stack. */
KEPT long turns(volatile int *left, int b, int c, int d, int e, int f, long g)
{
	int now;

	do {
		now = *left - 1;
		*left = now;
	} while (now > 0);
	return b + c + d + e + f + g;
}

/* What it is called with is not what is left of it. */
static __attribute__((noinline)) int changed(int left, int dropped)
{
	(void)dropped;
	__asm__ volatile("" : "+r"(left));
	return left;
}

/* It jumps to another as its last act. */
KEPT int jumps(int n)
{
	return other(n + 1);
}

int main(void)
{
	volatile int zero = 0;
	struct point from = {1.5, 2.5};
	char buf[64] = "\1", text[] = "text\n", endless[200];
	int n = zero;

	printf("%d\n", same(7 + n, 2));
	printf("%ld\n", integers(-1, -2 + n, -3, -4, 250, 60000, true, -1UL));
	printf("%g %g\n", floats(1.5f, 2.25 + n, 3, 0.125f),
	       (double)halves(5.0f + (float)n));
	printf("%Lg\n", wide(1.25L + n, 2));
	memset(endless, 'x', sizeof(endless));
	printf("%d\n", texts(text, buf, endless));
	printf("%s\n", strings(buf, "name", buf));
	printf("%d\n", next(RED, SMALL + zero));
	printf("%d\n", next(GREEN, LARGE - (unsigned int)zero));
	printf("%d\n", next((paint)(7 + n), SMALL));
	printf("%d\n", is_read((const char *)0x10, NULL, &n));
	printf("%d\n", is_read((const char *)-1L, NULL, NULL));
	nothing();
	printf("%g %g\n", distance(&from, NULL), distance(&from, &from));
	printf("%ld\n", by_value(1, (struct small){2 + n, 3}, 4));
	printf("%d\n", both(4, 5 + n).b);
	printf("%g\n", shapes((struct large){{1, 2, 3, 4 + n}}, from,
			      (struct counted){3, 0.25}, "b")
			       .size);
	printf("%ld\n", wider((struct span){100 + n, 8}, 3).size);
	printf("%ld\n", scale((struct scaled){0.5, 6 + n}, 3).nr);
	printf("%g\n", mixed(1, 2.5, "c", 4.5f, 5, 6, 7, 8, 9, "j", 11.5 + n));
	n = 3 + zero;
	printf("%ld\n", turns(&n, 2, 3, 4, 5, 6, 700));
	n = zero;
	printf("%d\n", changed(5 + n, 6) + changed(6 + n, 6));
	printf("%d\n", jumps(1 + n));
	return 0;
}
