// SPDX-License-Identifier: MIT
// For t/run/summary.t: calls that are left in all ways, in threads, handlers and
// children.  Each function counts its calls; the numbers are printed at the end,
// or with an argument by a process that then is killed.
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <pthread.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define FUNCTION extern "C" __attribute__((noinline))
#define COUNT(name) counts->name++

// Shared with the children: what they call counts, too.
static struct counts {
	std::atomic<int> leaf, thrower, catcher, jumper, lander, even, odd,
		handler, in_child;
} *counts;

FUNCTION int leaf(int n)
{
	COUNT(leaf);
	return n;
}

FUNCTION int thrower(int n)
{
	COUNT(thrower);
	if (n % 3 == 0)
		throw std::runtime_error("every third");
	return leaf(n);
}

FUNCTION int catcher(int n)
{
	COUNT(catcher);
	try {
		return thrower(n);
	} catch (const std::runtime_error &) {
		return -1;
	}
}

static jmp_buf landing;

FUNCTION void jumper(int n)
{
	COUNT(jumper);
	leaf(n);
	longjmp(landing, n);
}

FUNCTION int lander(int n)
{
	COUNT(lander);
	if (setjmp(landing) == 0)
		jumper(n);
	return leaf(n);
}

FUNCTION int even(int n);

FUNCTION int odd(int n)
{
	COUNT(odd);
	return n == 0 ? 0 : even(n - 1) + 1;
}

int even(int n)
{
	COUNT(even);
	return n == 0 ? 1 : odd(n - 1) + 1;
}

FUNCTION void handler(int)
{
	COUNT(handler);
	leaf(1);
}

FUNCTION void in_child(int n)
{
	COUNT(in_child);
	for (int i = 0; i < n; i++)
		leaf(i);
}

static void *work(void *)
{
	for (int i = 0; i < 1000; i++)
		leaf(i);
	return nullptr;
}

static void start_child(bool dies)
{
	pid_t child = fork();

	if (child == 0) {
		in_child(500);
		if (dies)
			raise(SIGKILL);
		_exit(4);
	}
	waitpid(child, nullptr, 0);
	child = vfork();
	if (child == 0) {
		execl("/bin/true", "true", nullptr);
		_exit(1);
	}
	waitpid(child, nullptr, 0);
}

static void print()
{
#define PRINT(name) printf(#name " %d\n", counts->name.load())
	PRINT(catcher);
	PRINT(even);
	PRINT(handler);
	PRINT(in_child);
	PRINT(jumper);
	PRINT(lander);
	PRINT(leaf);
	PRINT(odd);
	PRINT(thrower);
	fflush(stdout);
}

int main(int argc, char **)
{
	pthread_t thread[4];

	counts = static_cast<struct counts *>(
		mmap(nullptr, sizeof(*counts), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0));
	signal(SIGUSR1, handler);
	for (int i = 0; i < 300; i++)
		catcher(i);
	for (int i = 1; i <= 100; i++)
		lander(i);
	odd(50);
	for (auto &each : thread)
		pthread_create(&each, nullptr, work, nullptr);
	for (auto &each : thread)
		pthread_join(each, nullptr);
	for (int i = 0; i < 50; i++)
		raise(SIGUSR1);
	start_child(argc > 1);
	// As a shell that looks for a program: what follows is counted, too.
	execl("/no/such/program", "program", nullptr);
	leaf(1);
	print();
	if (argc > 1)
		raise(SIGKILL);
	return 5;
}
