/* SPDX-License-Identifier: MIT */
/* See pidns.h. */
#include "core/sys/pidns.h"

#include "core/sys/clock.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"
#include "core/sys/timens.h"

/* The kernel's number for the namespace that all others are in. */
#define INITIAL UINT64_C(0xeffffffc)

/* The file's first kilobytes have all that is asked for. */
#define STATUS_SIZE 2048

/* The kernel nests no deeper. */
#define MAX_DEPTH 33

/* Between two looks through /proc, and between two for one process. */
#define LOOK_NS UINT64_C(100000000)
#define LOOK_MIN_NS UINT64_C(1000000000)
#define LOOK_MAX_NS UINT64_C(60000000000)

uint64_t ptl_ipcns(void)
{
	struct ptl_kstat st;

	return ptl_sys(SYS_newfstatat, AT_FDCWD, "/proc/self/ns/ipc", &st, 0) ?
		       0 :
		       st.st_ino;
}

uint64_t ptl_pidns(void)
{
	static const char path[] = "/proc/self/ns/pid", text[] = "pid:[";
	const char *number;
	struct ptl_kstat st;
	char buf[32];
	long size;

	if (ptl_sys(SYS_newfstatat, AT_FDCWD, path, &st, 0) == 0)
		return st.st_ino;
	/* What is forbidden, or fails, in one way may go in another: a process
	 * without a namespace is taken for alive by all others. */
	size = ptl_sys(SYS_readlinkat, AT_FDCWD, path, buf, sizeof(buf) - 1);
	buf[size > 0 ? size : 0] = '\0';
	if (!ptl_strpre(buf, text))
		return 0;
	number = buf + sizeof(text) - 1;
	return ptl_atou(&number, 10);
}

/* What is asked of the processes, and what they have answered so far. */
struct search {
	const struct ptl_shm_ident *ident;
	bool found;    /* it may be this one */
	bool sees_all; /* the first process was shown, and so all others are */
};

/* What follows `key' in the text of a status; NULL: it has no such line. */
static const char *find_line(const char *text, const char *key)
{
	while (*text) {
		if (ptl_strpre(text, key))
			return text + ptl_strlen(key);
		while (*text && *text++ != '\n')
			;
	}
	return NULL;
}

/* The numbers of a process in the namespaces from that of /proc down to its
 * own.  Returns how many; 0: it does not say. */
static unsigned int find_numbers(const char *text, uint32_t *number)
{
	const char *p = find_line(text, "NSpid:");
	unsigned int depth = 0;

	while (p && *p == '\t' && depth < MAX_DEPTH) {
		p++;
		number[depth++] = (uint32_t)ptl_atou(&p, 10);
	}
	return depth;
}

/* Is a process of that status certainly another one? */
static bool is_other(const char *text, const struct ptl_shm_ident *ident)
{
	const char *state = find_line(text, "State:\t");
	const char *threads = find_line(text, "Threads:\t");
	uint32_t number[MAX_DEPTH];
	unsigned int depth = find_numbers(text, number);

	if (!state || !threads || depth == 0)
		return false;
	if ((*state == 'Z' || *state == 'X') && ptl_atou(&threads, 10) <= 1)
		return true;
	return depth < 2 || number[depth - 1] != ident->pid;
}

static bool is_in(int process, uint64_t pidns)
{
	struct ptl_kstat st;

	return ptl_sys(SYS_newfstatat, process, "ns/pid", &st, 0) != 0 ||
	       st.st_ino == pidns;
}

/* What its status says, or how it cannot be read: -ENOENT, -ESRCH if it has
 * ended meanwhile. */
static long read_status(int process, char *text, size_t size)
{
	return ptl_sys_read_text(process, "status", text, size);
}

/* May the process of that directory in /proc be the one? */
static bool may_be(int proc, const char *name,
		   const struct ptl_shm_ident *ident)
{
	int process = ptl_sys_open(proc, name, O_PATH | O_DIRECTORY, 0);
	char text[STATUS_SIZE];
	bool may;
	long got;

	if (process < 0)
		return process != -ENOENT;
	got = read_status(process, text, sizeof(text));
	if (got < 0)
		may = got != -ENOENT && got != -ESRCH;
	else
		may = !is_other(text, ident) && is_in(process, ident->pidns);
	ptl_sys_close(process);
	return may;
}

/* Takes in what getdents64(2) said. */
static void look_at(struct search *search, int proc, const char *buf, long size)
{
	uint16_t length;

	for (long at = 0; at < size && !search->found; at += length) {
		const char *name = buf + at + 19;

		__builtin_memcpy(&length, buf + at + 16, sizeof(length));
		search->sees_all |= ptl_streq(name, "1");
		search->found = *name >= '1' && *name <= '9' &&
				may_be(proc, name, search->ident);
	}
}

bool ptl_pidns_gone(const struct ptl_shm_ident *ident)
{
	struct search search = {.ident = ident};
	char buf[2048] __attribute__((aligned(8)));
	int proc;
	long size = -1; /* not at the end of /proc */

	if (!ident->pidns || ptl_pidns() != INITIAL)
		return false;
	proc = ptl_sys_open(AT_FDCWD, "/proc", O_RDONLY | O_DIRECTORY, 0);
	if (proc < 0)
		return false;
	while (!search.found &&
	       (size = ptl_sys(SYS_getdents64, proc, buf, sizeof(buf), 0)) > 0)
		look_at(&search, proc, buf, size);
	ptl_sys_close(proc);
	return !search.found && size == 0 && search.sees_all;
}

/* How long to wait until one is looked for again: in proportion to its age. */
static uint64_t look_interval(uint64_t age)
{
	return PTL_MAX(LOOK_MIN_NS, PTL_MIN(age / 4, LOOK_MAX_NS));
}

bool ptl_pidns_may_look(const struct ptl_shm_ident *ident,
			_Atomic uint64_t *again)
{
	static _Atomic uint64_t looked;
	uint64_t last = atomic_load_explicit(&looked, memory_order_relaxed);
	uint64_t now =
		ptl_clock_ns(CLOCK_BOOTTIME) - (uint64_t)ptl_timens_ahead();

	if (now - last < LOOK_NS ||
	    now < atomic_load_explicit(again, memory_order_relaxed) ||
	    !atomic_compare_exchange_strong_explicit(&looked, &last, now,
						     memory_order_relaxed,
						     memory_order_relaxed))
		return false;
	atomic_store_explicit(again, now + look_interval(now - ident->born),
			      memory_order_relaxed);
	return true;
}

/* Of /proc/PID: its numbers, how many, and its parent. */
static unsigned int ask(const char *pid, uint32_t *number, uint32_t *ppid,
			uint64_t *pidns)
{
	int proc = ptl_sys_open(AT_FDCWD, "/proc", O_PATH | O_DIRECTORY, 0);
	int process = -1;
	char text[STATUS_SIZE];
	const char *parent;
	unsigned int depth = 0;
	struct ptl_kstat st;

	if (proc >= 0)
		process = ptl_sys_open(proc, pid, O_PATH | O_DIRECTORY, 0);
	if (process >= 0 && read_status(process, text, sizeof(text)) > 0) {
		depth = find_numbers(text, number);
		parent = find_line(text, "PPid:\t");
		*ppid = parent ? (uint32_t)ptl_atou(&parent, 10) : 0;
		*pidns = ptl_sys(SYS_newfstatat, process, "ns/pid", &st, 0) ?
				 0 :
				 st.st_ino;
	}
	if (process >= 0)
		ptl_sys_close(process);
	if (proc >= 0)
		ptl_sys_close(proc);
	return depth;
}

bool ptl_pidns_birth(struct ptl_birth *birth)
{
	uint32_t mine[MAX_DEPTH], its[MAX_DEPTH], parent, unused;
	unsigned int depth, above;
	char digits[24];
	uint64_t ns;

	depth = ask("self", mine, &parent, &ns);
	/* Else it is the /proc of another process's namespace. */
	if (depth == 0 || mine[depth - 1] != (uint32_t)ptl_sys_getpid() ||
	    parent == 0)
		return false;
	ptl_utoa(digits, parent, 10);
	above = ask(digits, its, &unused, &ns);
	if (above == 0 || above >= depth)
		return false;
	*birth = (struct ptl_birth){mine[above - 1], its[above - 1], ns};
	return true;
}
