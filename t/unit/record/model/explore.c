/* SPDX-License-Identifier: MIT */
/*
 * A run is the tasks' code from the beginning to the end, in one thread of the
 * machine, each task on a stack of its own.  At each point (points.h) nothing
 * happens, or one of what may.  The first run is that in which nothing does;
 * the next differs in the last choice that has an alternative left; so all are
 * had, up to a number of choices (the budget) in each.  Runs are the same each
 * time: of the world they only read the clock.
 */
#include "t/unit/record/model/model.h"

#include "core/buffer/slot.h"

#include "t/lib/tap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define STACK_SIZE (256 * 1024)
#define CHOICES 16384
#define KEPT 8
/* More points than this: it goes round for ever. */
#define POINTS 200000

enum state { READY, ENDED, DEAD };

static struct task {
	ucontext_t context;
	struct ptl_own_thread thread;
	enum state state;
	unsigned int nested;
	bool left, inside;
	jmp_buf call;
	char stack[STACK_SIZE] __attribute__((aligned(64)));
} tasks[TASKS];

static ucontext_t back;
static bool is_wrong;
static jmp_buf checked;
static const struct scenario *now;
static int current = -1; /* no task */
static int budget;
static long nr_points;
static bool is_child;

/* What was chosen, and out of how many; at which point, of which task. */
static struct choice {
	int taken, nr;
	long point;
	int task;
	unsigned int may;
} path[CHOICES];
static int made, depth;

static struct kept {
	void *memory, *copy;
	size_t size;
} kept[KEPT];
static int nr_kept;
static uintptr_t shared, shared_end;
static struct ptl_own_thread first_thread[TASKS], our_thread;

void explore_keep(void *memory, size_t size)
{
	kept[nr_kept++] = (struct kept){memory, malloc(size), size};
}

void explore_shared(const volatile void *memory, size_t size)
{
	shared = (uintptr_t)memory;
	shared_end = shared + size;
}

bool explore_is_dead(int task)
{
	return tasks[task].state == DEAD;
}

struct ptl_own_thread *explore_thread(int task)
{
	return &tasks[task].thread;
}

bool explore_was_left(int task)
{
	return tasks[task].left;
}

void explore_call(void (*call)(int self))
{
	struct task *task = &tasks[current];

	/* A handler's call: what it interrupted is left with it. */
	if (task->nested) {
		call(current);
		return;
	}
	task->inside = true;
	if (setjmp(task->call) == 0)
		call(current);
	tasks[current].inside = false;
}

static const char *name_of(unsigned int may)
{
	switch (may) {
	case MAY_SWITCH:
		return "another goes on";
	case MAY_HANDLE:
		return "a handler comes";
	case MAY_DIE:
		return "it dies";
	case MAY_LEAVE:
		return "a handler leaves the call";
	default:
		return "a handler forks";
	}
}

_Noreturn void explore_wrong(const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	diag("%s: %s%s", now->name, is_child ? "in a child: " : "", text);
	for (int i = 0; i < depth; i++)
		if (path[i].task < 0)
			diag("  task %d begins", path[i].taken);
		else if (path[i].taken)
			diag("  at point %ld, in task %d: %s", path[i].point,
			     path[i].task, name_of(path[i].may));
	if (is_child)
		_exit(1);
	is_wrong = true;
	if (current < 0)
		longjmp(checked, 1);
	ptl_thread = our_thread;
	current = -1;
	setcontext(&back);
	abort();
}

/* One of so many: 0 first. */
static int choose(int nr)
{
	if (nr < 2)
		return 0;
	if (depth == CHOICES)
		explore_wrong("too many choices");
	if (depth == made)
		path[made++] = (struct choice){.nr = nr};
	else if (path[depth].nr != nr)
		explore_wrong("runs are not the same each time");
	path[depth].point = nr_points;
	path[depth].task = current;
	return path[depth++].taken;
}

static bool next_path(void)
{
	while (made > 0 && ++path[made - 1].taken == path[made - 1].nr)
		made--;
	return made > 0;
}

static void go_to(int task)
{
	int from = current;

	if (from >= 0)
		tasks[from].thread = ptl_thread;
	ptl_thread = tasks[task].thread;
	current = task;
	swapcontext(from >= 0 ? &tasks[from].context : &back,
		    &tasks[task].context);
}

/* Of those that have not ended, the n-th but this; -1: there are not so many.
 */
static int other(int n)
{
	for (int i = 0; i < now->nr_tasks; i++)
		if (i != current && tasks[i].state == READY && n-- == 0)
			return i;
	return -1;
}

static int nr_others(void)
{
	int n = 0;

	while (other(n) >= 0)
		n++;
	return n;
}

/* The task is no more, or has nothing left to do. */
static void end(enum state state)
{
	int next;

	tasks[current].state = state;
	tasks[current].thread = ptl_thread;
	next = other(0);
	if (next >= 0) {
		go_to(next);
	} else {
		ptl_thread = our_thread;
		current = -1;
		setcontext(&back);
	}
}

static void begin(int task)
{
	now->task[task](task);
	if (is_child) {
		now->child(task);
		_exit(0);
	}
	end(ENDED);
}

static __attribute__((noinline)) void handle(void)
{
	/* The registers are between. */
	char frame[1024];
	struct task *task = &tasks[current];

	__asm__ volatile("" : : "r"(frame) : "memory");
	task->nested++;
	now->handler(current);
	task->nested--;
	__asm__ volatile("" : : "r"(frame) : "memory");
}

static void fork_here(void)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		/* What is shared is a copy here, and what is the thread's is
		 * wiped: now->child() says the rest. */
		is_child = true;
		budget = 0;
		now->child(-1);
		return;
	}
	if (waitpid(pid, &status, 0) != pid || status)
		explore_wrong("the child ends with %#x", status);
}

static __attribute__((noinline)) void leave(void)
{
	struct task *task = &tasks[current];

	task->left = true;
	task->nested = 0;
	longjmp(task->call, 1);
}

static void happens(unsigned int what, int n)
{
	switch (what) {
	case MAY_SWITCH:
		go_to(other(n));
		break;
	case MAY_HANDLE:
		handle();
		break;
	case MAY_DIE:
		now->dies(current);
		end(DEAD);
		break;
	case MAY_LEAVE:
		leave();
		break;
	case MAY_FORK:
		fork_here();
		break;
	}
}

void model_point(const volatile void *at);
void model_point(const volatile void *at)
{
	uintptr_t where = (uintptr_t)at;
	unsigned int what[TASKS + 5];
	int which[TASKS + 5] = {0}, nr = 1, taken, others;

	if (current < 0)
		return;
	if (++nr_points > POINTS)
		explore_wrong("it goes round for ever");
	if (budget == 0)
		return;
	others =
		where >= shared && where < shared_end && now->may & MAY_SWITCH ?
			nr_others() :
			0;
	for (int i = 0; i < others; i++) {
		what[nr] = MAY_SWITCH;
		which[nr++] = i;
	}
	if (tasks[current].inside && now->may & MAY_HANDLE)
		what[nr++] = MAY_HANDLE;
	if (tasks[current].inside && now->may & MAY_DIE)
		what[nr++] = MAY_DIE;
	if (tasks[current].inside && now->may & MAY_LEAVE)
		what[nr++] = MAY_LEAVE;
	if (tasks[current].inside && now->may & MAY_FORK)
		what[nr++] = MAY_FORK;
	taken = choose(nr);
	if (taken == 0)
		return;
	path[depth - 1].may = what[taken];
	budget--;
	happens(what[taken], which[taken]);
}

/* Not inline: getcontext() returns twice, which a loop around it is not to
 * know. */
static __attribute__((noinline)) void begin_again(int i)
{
	struct task *task = &tasks[i];

	task->thread = first_thread[i];
	task->state = READY;
	task->nested = 0;
	task->left = task->inside = false;
	getcontext(&task->context);
	task->context.uc_stack.ss_sp = task->stack;
	task->context.uc_stack.ss_size = STACK_SIZE;
	task->context.uc_link = &back;
	makecontext(&task->context, (void (*)(void))begin, 1, i);
}

/* One run. */
static void run(void)
{
	for (int i = 0; i < nr_kept; i++)
		memcpy(kept[i].memory, kept[i].copy, kept[i].size);
	depth = 0;
	nr_points = 0;
	budget = now->budget;
	for (int i = 0; i < now->nr_tasks; i++)
		begin_again(i);
	our_thread = ptl_thread;
	go_to(choose(now->nr_tasks));
	current = -1;
	if (!is_wrong && setjmp(checked) == 0)
		now->check();
}

/* What there is at the beginning, also as each task's own. */
static void prepare(const struct scenario *scenario)
{
	now = scenario;
	made = depth = 0;
	is_wrong = false;
	for (int i = 0; i < scenario->nr_tasks; i++)
		scenario->setup(i, &first_thread[i]);
	for (int i = 0; i < nr_kept; i++)
		memcpy(kept[i].copy, kept[i].memory, kept[i].size);
}

bool explore(const struct scenario *scenario, unsigned long *runs)
{
	prepare(scenario);
	*runs = 0;
	do {
		run();
		++*runs;
	} while (!is_wrong && next_path());
	return !is_wrong;
}
