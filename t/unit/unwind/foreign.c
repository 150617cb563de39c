/* SPDX-License-Identifier: MIT */
/*
 * The stack of another process, by its registers, a copy of a part of its stack
 * and its files: it is the one that the process has found itself, by the
 * unwinder of its compiler.
 */
#include "t/lib/tap.h"
#include "tools/sampler/process.h"

#include <execinfo.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)

#define FRAMES 256
#define COPIED 16384

/* ---- the victim ---------------------------------------------------- */

/* What it says of itself. */
struct told {
	pid_t tid;
	int nr;
	void *frame[FRAMES];
};

static int told_fd;
static volatile bool stays = true;

/* What a sanitizer has put between leaf() and backtrace() is left out: the
 * second frame is that of leaf()'s caller. */
static void tell_from(struct told *told, const void *caller)
{
	int at = 0;

	while (at < told->nr && told->frame[at] != caller)
		at++;
	if (at <= 1 || at == told->nr)
		return;
	told->nr -= at - 1;
	memmove(told->frame + 1, told->frame + at,
		((size_t)told->nr - 1) * sizeof(*told->frame));
}

static __attribute__((noinline)) void leaf(void)
{
	struct told told = {.tid = (pid_t)syscall(SYS_gettid)};

	told.nr = backtrace(told.frame, FRAMES);
	tell_from(&told, __builtin_return_address(0));
	if (write(told_fd, &told, sizeof(told)) != sizeof(told))
		_exit(1);
	while (stays)
		pause();
}

/* Each has a frame, and a piece of stack. */
static __attribute__((noinline, optimize("no-optimize-sibling-calls"))) int
nest(int depth, size_t size)
{
	volatile char *room = __builtin_alloca(size);

	room[0] = 1;
	if (depth == 0)
		leaf();
	else
		nest(depth - 1, size);
	return room[0];
}

static void plain(void)
{
	nest(12, 40);
}

static int compare(const void *a, const void *b)
{
	(void)a, (void)b;
	return nest(3, 100);
}

static void through_libc(void)
{
	int numbers[] = {3, 2, 1};

	qsort(numbers, 3, sizeof(*numbers), compare);
}

static void handler(int signo)
{
	(void)signo;
	nest(2, 24);
}

static void in_handler(void)
{
	signal(SIGUSR1, handler);
	raise(SIGUSR1);
}

static void *thread(void *arg)
{
	nest(5, 8);
	return arg;
}

static void in_thread(void)
{
	pthread_t id;

	pthread_create(&id, NULL, thread, NULL);
	pthread_join(id, NULL);
}

static void deep(void)
{
	nest(30, 1000);
}

/* ---- looked at ------------------------------------------------------ */

struct victim {
	pid_t pid;
	struct told told;
	struct ptl_sampled_process *process;
	uint64_t reg[PTL_DWARF_REGS];
	unsigned char stack[COPIED];
	size_t stack_size;
};

static bool start(struct victim *victim, void (*what)(void))
{
	int ends[2];
	bool is_good;

	victim->pid = -1;
	victim->told = (struct told){.tid = -1};
	if (pipe(ends) != 0)
		return false;
	victim->pid = fork();
	if (victim->pid == 0) {
		told_fd = ends[1];
		what();
		_exit(0);
	}
	close(ends[1]);
	is_good = victim->pid > 0 &&
		  read(ends[0], &victim->told, sizeof(victim->told)) ==
			  sizeof(victim->told);
	close(ends[0]);
	return is_good;
}

static void end(struct victim *victim)
{
	/* There is none: -1 would be all processes. */
	if (victim->pid <= 0)
		return;
	kill(victim->pid, SIGKILL);
	/* A thread that is traced is waited for before its process can be. */
	if (victim->told.tid > 0 && victim->told.tid != victim->pid)
		waitpid(victim->told.tid, NULL, __WALL);
	waitpid(victim->pid, NULL, 0);
}

static void take_registers(struct victim *victim,
			   const struct user_regs_struct *from)
{
	const uint64_t reg[PTL_DWARF_REGS] = {
		from->rax, from->rdx, from->rcx, from->rbx, from->rsi,
		from->rdi, from->rbp, from->rsp, from->r8,  from->r9,
		from->r10, from->r11, from->r12, from->r13, from->r14,
		from->r15, from->rip,
	};

	memcpy(victim->reg, reg, sizeof(reg));
}

static bool take_stack(struct victim *victim)
{
	char path[64];
	FILE *memory;

	snprintf(path, sizeof(path), "/proc/%d/mem", (int)victim->pid);
	memory = fopen(path, "r");
	if (!memory)
		return false;
	setvbuf(memory, NULL, _IONBF, 0);
	fseeko(memory, (off_t)victim->reg[7], SEEK_SET);
	victim->stack_size = fread(victim->stack, 1, COPIED, memory);
	fclose(memory);
	return victim->stack_size > 0;
}

static bool stop(struct victim *victim)
{
	struct user_regs_struct regs;
	pid_t tid = victim->told.tid;

	return ptrace(PTRACE_SEIZE, tid, NULL, NULL) == 0 &&
	       ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) == 0 &&
	       waitpid(tid, NULL, __WALL) == tid &&
	       ptrace(PTRACE_GETREGS, tid, NULL, &regs) == 0 &&
	       (take_registers(victim, &regs), take_stack(victim));
}

/* As the kernel would tell the sampler. */
static void take_maps(struct victim *victim)
{
	char path[64], line[512], name[256], mode[8];
	uint64_t start, end, offset, inode;
	FILE *maps;

	victim->process = ptl_process_get(victim->pid);
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)victim->pid);
	maps = fopen(path, "r");
	while (maps && fgets(line, sizeof(line), maps)) {
		struct ptl_sampled_code mapped = {.is_told = false};
		struct ptl_image_id id = {.inode = 0};

		name[0] = '\0';
		if (sscanf(line,
			   "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64
			   " %*s %" SCNu64 " %255s",
			   &start, &end, mode, &offset, &inode, name) < 5 ||
		    mode[2] != 'x')
			continue;
		id.inode = inode;
		mapped.start = start;
		mapped.end = end;
		mapped.image = ptl_image_get(victim->pid, name, &id);
		if (mapped.image == NULL ||
		    !ptl_image_bias(mapped.image, start, offset, &mapped.bias))
			mapped.image = NULL;
		ptl_process_map(victim->process, &mapped);
	}
	if (maps)
		fclose(maps);
}

static struct victim victim;
static uint64_t frame[FRAMES];
static enum ptl_foreign_end how;

static size_t unwind(size_t max)
{
	const struct ptl_foreign foreign = {
		.reg = victim.reg,
		.stack = victim.stack,
		.stack_size = victim.stack_size,
		.find = ptl_process_find,
		.arg = victim.process,
	};

	return ptl_foreign_unwind(&foreign, frame, max, &how);
}

/* Of its own frames, how many are outwards of the leaf among ours, one behind
 * the other; -1: others are between.  Where a handler interrupted, once, ours
 * is one byte behind. */
static int agree(size_t nr)
{
	size_t at = 0;
	int same = 0, behind = 0;

	while (at < nr && frame[at] != (uintptr_t)victim.told.frame[1])
		at++;
	for (; at < nr && same + 1 < victim.told.nr; at++, same++) {
		uint64_t less =
			frame[at] - (uintptr_t)victim.told.frame[same + 1];

		behind += less == 1;
		if (less > 1 || behind > 1)
			return -1;
	}
	return same;
}

static void look(const char *name, void (*what)(void))
{
	size_t nr;

	if (!start(&victim, what) || !stop(&victim)) {
		skip(3, "%s: the process cannot be looked at", name);
		end(&victim);
		return;
	}
	take_maps(&victim);
	nr = unwind(FRAMES);
	is_int(agree(nr), victim.told.nr - 1, "%s: all frames are its own",
	       name);
	is_int(how, PTL_FOREIGN_WHOLE, "%s: to the outermost", name);
	unwind(FRAMES);
	is_int(agree(unwind(FRAMES)), victim.told.nr - 1,
	       "%s: so they are by rules that are known", name);
	end(&victim);
}

static void look_cut(void)
{
	size_t nr;

	if (!start(&victim, deep) || !stop(&victim)) {
		skip(5, "the process cannot be looked at");
		end(&victim);
		return;
	}
	take_maps(&victim);
	nr = unwind(FRAMES);
	ok(agree(nr) > 10 && agree(nr) < victim.told.nr - 1,
	   "a deep stack: %d of %d frames are in what was copied", agree(nr),
	   victim.told.nr - 1);
	is_int(how, PTL_FOREIGN_CUT, "that it goes on is known");
	is_int((long long)unwind(5), 5, "no more frames than are wanted");
	is_int(how, PTL_FOREIGN_CUT, "which is not the whole stack, either");
	victim.process = ptl_process_get(1);
	nr = unwind(FRAMES);
	ok(nr >= 1 && frame[0] == victim.reg[16] + 1,
	   "where no object is known there is the innermost frame");
	end(&victim);
}

static void look_replaced(void)
{
	const struct ptl_image_id wrong = {.build_id_size = 20,
					   .build_id = "another"};
	const struct ptl_image_id any = {.inode = 0};
	char self[512];
	ssize_t size = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[size < 0 ? 0 : size] = '\0';
	ok(!ptl_image_get(getpid(), self, &wrong)->is_program,
	   "a file in the place of the one that was mapped is not read");
	ok(!ptl_image_get(getpid(), "/proc/self/exe", &any)->is_program,
	   "nor is what a symbolic link leads to");
	ok(!ptl_image_get(getpid(), "/dev/zero", &any)->is_program &&
		   !ptl_image_get(getpid(), "/etc/passwd", &any)->is_program,
	   "nor is what is no program");
	ok(ptl_image_get(getpid(), self, &any)->is_program,
	   "the file itself is");
}

int main(void)
{
	plan(21);
	look("nested calls", plain);
	look("a call by libc", through_libc);
	look("a signal handler", in_handler);
	look("a thread", in_thread);
	look_cut();
	look_replaced();
	return done();
}

#else

int main(void)
{
	skip_all("rules are read for x86-64 only");
}

#endif
