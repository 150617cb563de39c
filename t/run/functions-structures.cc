/* SPDX-License-Identifier: MIT */
/* The same in C++, for t/run/functions-structures.t. */
#include <cstdio>
#include <string>

#define KEPT __attribute__((noinline, noclone))

namespace shapes
{
enum class kind : unsigned char { none, some = 3 };
struct size {
	int w;
	double h;
};
struct base {
	virtual ~base()
	{
	}
	KEPT virtual int area(int by) const;
	int id = 7;
	bool is_it = true;
};
struct box : base {
	KEPT int area(int by) const override;
	size both = {2, 2.5};
	kind what = kind::some;
	static int nr;
};
struct more : size {
	short c[2];
};
int box::nr;

KEPT int base::area(int by) const
{
	return by;
}

KEPT int box::area(int by) const
{
	__asm__ volatile("" : : : "memory");
	return both.w * by;
}

KEPT int refers(const box &one, size &&other, box *none)
{
	__asm__ volatile("" : : : "memory");
	return one.both.w + other.w + !none;
}

KEPT double derived(more d)
{
	__asm__ volatile("");
	return d.w + d.h + d.c[1];
}

KEPT more makes(int w)
{
	more d{};

	d.w = w;
	d.c[1] = 9;
	return d;
}

KEPT std::size_t text(std::string what)
{
	return what.size();
}
} // namespace shapes

int main(int argc, char **)
{
	shapes::box box;
	shapes::more d{};

	d.w = argc;
	d.h = 0.5;
	d.c[1] = 9;
	const shapes::base &base = box;
	std::printf("%d %d %g %d %zu\n", base.area(argc),
		    shapes::refers(box, {3, 1.5}, nullptr), shapes::derived(d),
		    shapes::makes(argc).w, shapes::text("abc"));
}
