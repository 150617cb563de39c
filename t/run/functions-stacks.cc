// SPDX-License-Identifier: MIT
// What patched functions could disturb: exceptions, jumps, stacks, what a caller
// knows of its callee, and who looks at return addresses.  Prints what comes of
// it, the same with patches and without.
#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include <execinfo.h>
#include <pthread.h>
#include <ucontext.h>

#define KEPT __attribute__((noinline, noclone))

static int nr_destroyed;

struct Guard {
	int number;
	~Guard() { nr_destroyed += number; }
};

KEPT int throws(int depth)
{
	Guard guard{depth};

	if (depth == 0)
		throw std::runtime_error("deep");
	return throws(depth - 1) + guard.number;
}

KEPT int catches(int depth)
{
	try {
		return throws(depth);
	} catch (const std::exception &error) {
		return -depth - static_cast<int>(strlen(error.what()));
	}
}

KEPT int passes(int depth)
{
	try {
		return catches(depth) + throws(1);
	} catch (...) {
		throw;
	}
}

static jmp_buf place;

KEPT void jumps(int depth)
{
	if (depth == 0)
		longjmp(place, 7);
	jumps(depth - 1);
	__asm__ volatile("");
}

KEPT int returns_twice()
{
	volatile int before = 5;
	int came = setjmp(place);

	if (came == 0)
		jumps(before);
	return came * 10 + before;
}

// Tail calls, one to the other, and to itself.
KEPT int odd(int n);
KEPT int even(int n)
{
	__asm__ volatile("");
	return n == 0 ? 100 : odd(n - 1);
}
KEPT int odd(int n)
{
	__asm__ volatile("");
	return n == 0 ? 200 : even(n - 1);
}
KEPT long self(long n, long sum)
{
	__asm__ volatile("");
	return n == 0 ? sum : self(n - 1, sum + n);
}

// The caller of a function that it knows keeps values in registers that a call
// may change (gcc's -fipa-ra).
static KEPT long triples(long a)
{
	__asm__ volatile("" : "+r"(a));
	return a * 3;
}

KEPT long keeps(long a, long b, long c, long d, long e, long f)
{
	long x = a * b, y = c * d, z = e * f, w = a ^ f, v = b + e, u = c - d;
	long sum = 0;

	for (int i = 0; i < 100; i++) {
		sum += triples(i) + x + y + z + w + v + u;
		x ^= sum;
	}
	return sum + x + y * z + w * v + u;
}

KEPT int chooses(int n)
{
	switch (n) {
	case 0: return 3;
	case 1: return static_cast<int>(triples(8));
	case 2: return 1;
	case 3: return catches(2);
	case 4: return 17;
	case 5: return static_cast<int>(self(3, 0));
	case 6: return even(3);
	default: return n;
	}
}

// By addresses of labels.
KEPT int interprets(const char *code)
{
	static const void *const table[] = {&&stop, &&add, &&twice, &&less};
	int value = 1;

#define NEXT goto *table[*code++ & 3]
	NEXT;
add:
	value += 5;
	NEXT;
twice:
	value *= 2;
	NEXT;
less:
	value -= 3;
	NEXT;
stop:
	return value;
}

KEPT double sums(int nr, ...)
{
	double sum = 0;
	va_list args;

	va_start(args, nr);
	while (nr-- > 0)
		sum += va_arg(args, double);
	va_end(args);
	return sum;
}

KEPT float vectors(float a, double b, long double c, int d)
{
	return static_cast<float>(a * b + static_cast<double>(c)) + d;
}

struct Large {
	long word[12];
};
KEPT Large large(long first)
{
	Large made;

	for (long &word : made.word)
		word = first++;
	return made;
}

KEPT const void *caller()
{
	return __builtin_return_address(0);
}

KEPT int depth()
{
	void *frame[64];

	return backtrace(frame, 64);
}

static ucontext_t outside, inside;
static char stack[262144];

KEPT void turns()
{
	for (int i = 0; i < 3; i++)
		swapcontext(&inside, &outside);
}

KEPT int coroutine()
{
	int nr = 0;

	getcontext(&inside);
	inside.uc_stack.ss_sp = stack;
	inside.uc_stack.ss_size = sizeof(stack);
	inside.uc_link = &outside;
	makecontext(&inside, turns, 0);
	for (; nr < 4; nr++)
		swapcontext(&outside, &inside);
	return nr;
}

KEPT void *thread(void *)
{
	long sum = 0;

	for (int i = 0; i < 20000; i++)
		sum += triples(i);
	return reinterpret_cast<void *>(sum);
}

struct Base {
	virtual ~Base() = default;
	virtual int value(int n) const = 0;
};
struct Twice : Base {
	int value(int n) const override { return 2 * n; }
};

KEPT int virtually(const Base &base, int n)
{
	return base.value(n) + 1;
}

// A handler that comes behind each instruction sees the callers of what it has
// interrupted, all of them.  (Not of an exception: libgcc is not made for that.)
static volatile long nr_steps, nr_cut, deepest;
static volatile bool is_stepping;

// (Other processors are not made to trap.)
static void trap_again(ucontext_t *context)
{
#if defined(__x86_64__)
	greg_t *flags = &context->uc_mcontext.gregs[REG_EFL];

	*flags = is_stepping ? *flags | 0x100 : *flags & ~0x100;
#else
	(void)context;
#endif
}

static void step(int, siginfo_t *, void *context)
{
	void *frame[64];

	trap_again(static_cast<ucontext_t *>(context));
	nr_steps = nr_steps + 1;
	if (backtrace(frame, 64) < deepest)
		nr_cut = nr_cut + 1;
}

KEPT long stepped()
{
	struct sigaction action = {};
	long sum;
	void *warm[2];

	backtrace(warm, 2);
	// This function and its callers, the handler and its frame.
	deepest = depth() + 1;
	action.sa_sigaction = step;
	action.sa_flags = SA_SIGINFO;
	sigaction(SIGTRAP, &action, nullptr);
	is_stepping = true;
	raise(SIGTRAP);
	sum = triples(5) + even(3) + self(2, 1) + interprets("\1\2\3") +
	      chooses(1) + chooses(2) + keeps(1, 2, 3, 4, 5, 6) +
	      large(4).word[3] + virtually(Twice(), 2);
	is_stepping = false;
	return nr_steps > 20 && sum != 0 ? nr_cut : -1;
}

int main(int argc, char **)
{
	const void *from = caller();
	pthread_t threads[4];
	void *result;

	if (argc > 1) {
		printf("%ld cut\n", stepped());
		return 9;
	}
	printf("%d %d", catches(4), returns_twice());
	try {
		printf(" %d", passes(3));
	} catch (const std::runtime_error &error) {
		printf(" %s", error.what());
	}
	printf(" %d\n", nr_destroyed);
	printf("%d %d %ld %ld\n", even(1000), odd(7), self(1000, 0),
	       keeps(1, 2, 3, 4, 5, 6));
	for (int i = 0; i < 9; i++)
		printf("%d ", chooses(i));
	printf("%d\n", interprets("\1\2\3\1\2"));
	printf("%g %g %ld\n", sums(3, 1.5, 2.5, 3.25),
	       static_cast<double>(vectors(1.5f, 2.5, 3.5L, 4)),
	       large(40).word[11]);
	printf("%d %d %d\n", from >= reinterpret_cast<void *>(main) &&
	       from < reinterpret_cast<const char *>(main) + 4000, depth(),
	       coroutine());
	for (pthread_t &each : threads)
		pthread_create(&each, nullptr, thread, nullptr);
	for (pthread_t each : threads) {
		pthread_join(each, &result);
		printf("%ld ", reinterpret_cast<long>(result));
	}
	printf("%d\n", virtually(Twice(), 20));
	return 9;
}
