// SPDX-License-Identifier: MIT
// Exceptions through frames of hooked functions: the library is called (C), it
// calls back, and what is thrown there is caught in or above the caller of the
// library; objects on the way are destroyed.  And through one of libc's that a
// tracer stands in for.
#include <cstdio>
#include <cstdlib>
#include <execinfo.h>
#include <stdexcept>

extern "C" int called_callback(void (*fn)(void *), void *arg);
extern "C" int called_leaf(int n);

static int destroyed;

struct Object {
	~Object()
	{
		destroyed += called_leaf(0);
	}
};

static void throw_it(void *)
{
	Object object;

	throw std::runtime_error("thrown");
}

// A frame of the unwinder's between two of the library's.
static void call_deeper(void *arg)
{
	Object object;
	int depth = *static_cast<int *>(arg);

	if (depth == 0)
		throw_it(nullptr);
	depth--;
	called_callback(call_deeper, &depth);
}

// The call that is left is the last instruction of the part that has a handler,
// or as good as that.
static int caught_here()
{
	int depth = 3;

	try {
		called_callback(call_deeper, &depth);
	} catch (const std::runtime_error &) {
		return 1;
	}
	return 0;
}

static int rethrown()
{
	try {
		try {
			called_callback(throw_it, nullptr);
		} catch (...) {
			throw;
		}
	} catch (const std::exception &) {
		return 1;
	}
	return 0;
}

static ssize_t throw_read(void *, char *, size_t)
{
	throw_it(nullptr);
	return 0;
}

static int from_libc()
{
	static const cookie_io_functions_t io = {throw_read, nullptr, nullptr,
						 nullptr};
	FILE *file = fopencookie(nullptr, "r", io);
	char byte;

	try {
		return fread(&byte, 1, 1, file) == 2;
	} catch (const std::runtime_error &) {
		return 1;
	}
}

static int nr_frames;

static void look(void *)
{
	void *frame[64];

	nr_frames = backtrace(frame, 64);
}

int main(int argc, char **argv)
{
	int nr = argc > 1 ? std::atoi(argv[1]) : 1;

	for (int i = 0; i < nr; i++) {
		destroyed = 0;
		if (!caught_here() || destroyed != 5) {
			std::printf("not caught, or %d destroyed\n", destroyed);
			return 1;
		}
		if (!rethrown() || !from_libc())
			return 1;
	}
	called_callback(look, nullptr);
	// look, callback, main and its two callers at least.
	std::printf("%s\n", nr_frames >= 5 ? "walked" : "lost");
	return 3;
}
