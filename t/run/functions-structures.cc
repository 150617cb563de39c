/* SPDX-License-Identifier: MIT */
/* The same in C++, for t/run/functions-structures.t. */
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

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

KEPT std::size_t texts(const std::string &a, std::string_view b,
		       const std::vector<short> &c, std::vector<kind> &d)
{
	__asm__ volatile("" : : : "memory");
	return a.size() + b.size() + c.size() + d.size();
}

KEPT std::string name(int n)
{
	return std::string((std::size_t)n, 'n');
}

/* Neither there nor what they seem to be. */
KEPT bool lies(const std::string *a, const std::string *b, const std::string *c,
	       const std::string *d, const std::vector<short> *e)
{
	__asm__ volatile("" : : "r"(a), "r"(b), "r"(c), "r"(d) : "memory");
	return a && b && c && d && e;
}
} // namespace shapes

static void in_texts(int n)
{
	std::vector<short> numbers(200, 7);
	std::vector<shapes::kind> kinds{shapes::kind::some, shapes::kind::none};
	std::size_t nowhere[4] = {0x10, 5, 0, 0}, large[4] = {0, ~0ul / 2, 0, 0};
	std::size_t turned[3] = {0x2000, 0x1000, 0};
	const char text[] = "text";

	numbers[1] = -1;
	large[0] = (std::size_t)text;
	std::printf("%zu\n", shapes::texts("a \"text\"", "view", {1, -2}, kinds));
	std::printf("%zu\n", shapes::texts(std::string(200, 'l'), {}, numbers,
					   *new std::vector<shapes::kind>));
	std::printf("%zu\n", shapes::name(n + 20).size());
	std::printf("%d\n", shapes::lies((const std::string *)nowhere,
					 (const std::string *)large,
					 (const std::string *)0x20, nullptr,
					 (const std::vector<short> *)turned));
}

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
	in_texts(argc);
}
