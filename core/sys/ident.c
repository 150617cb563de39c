/* SPDX-License-Identifier: MIT */
/*
 * What /proc and kill(2) say of processes.  What is not known (no /proc,
 * hidepid, another pid namespace) is answered in the way that leaves a process
 * its streams: it lives, it has the file mapped.
 */
#include "core/sys/ident.h"

#include <signal.h>
#include <string.h>
#include <sys/auxv.h>

#include "core/sys/clock.h"
#include "core/sys/pidns.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"
#include "core/sys/timens.h"

#define NS_PER_SEC UINT64_C(1000000000)

/* Room for "/proc/", a pid, and the longest of the names we ask for. */
#define PROC_PATH 48

/* All of stat: 52 numbers of at most 20 digits, and a name of at most 64. */
#define KTHREADD 2
#define PF_KTHREAD 0x200000u /* of the kernel's <linux/sched.h> */

#define STAT_SIZE 1280
#define STAT_FIELDS 52

/* Numbered as in proc(5). */
enum stat_field {
	STAT_STATE = 3,
	STAT_PPID = 4,
	STAT_FLAGS = 9,
	STAT_THREADS = 20,
	STAT_START = 22,
	STAT_EXIT = 52,
};

struct proc_stat {
	char state;
	uint64_t field[STAT_FIELDS + 1];
};

static void put_proc_path(char *buf, uint32_t pid, const char *file)
{
	size_t n = ptl_strcopy(buf, PROC_PATH, "/proc/");

	n += ptl_utoa(buf + n, pid, 10);
	ptl_strcopy(buf + n, PROC_PATH - n, file);
}

/* After unshare(2) /proc may still be another pid namespace's. */
static bool is_own_proc(void)
{
	char buf[24];
	const char *p = buf;
	long size = ptl_sys(SYS_readlinkat, AT_FDCWD, "/proc/self", buf,
			    sizeof(buf) - 1);

	if (size <= 0)
		return false;
	buf[size] = '\0';
	return ptl_atou(&p, 10) == (uint64_t)ptl_sys_getpid();
}

/* A descriptor, or a negative errno: ENOENT if there is no /proc for us. */
static int open_proc(uint32_t pid, const char *file)
{
	char path[PROC_PATH];

	if (!is_own_proc())
		return -ENOENT;
	put_proc_path(path, pid, file);
	return ptl_sys_open(AT_FDCWD, path, O_RDONLY, 0);
}

/* Up to size - 1 bytes of an open file, closed then, and a null; their number
 * or -errno. */
static long read_all(int fd, char *buf, size_t size)
{
	size_t n = 0;
	long ret;

	if (fd < 0)
		return fd;
	do {
		ret = ptl_sys_read(fd, buf + n, size - 1 - n);
		n += ret > 0 ? (size_t)ret : 0;
	} while (ret > 0 || ret == -EINTR);
	ptl_sys_close(fd);
	buf[n] = '\0';
	return ret < 0 ? ret : (long)n;
}

/* Takes apart a line of /proc/PID/stat. */
static bool parse_stat(char *buf, long size, struct proc_stat *stat)
{
	const char *p;

	buf[size] = '\0';
	/* The name of the program may hold blanks and parentheses, what
	 * follows it does not. */
	for (p = buf + size; *p != ')'; p--)
		if (p == buf)
			return false;
	memset(stat, 0, sizeof(*stat));
	p++;
	for (int i = STAT_STATE; i <= STAT_FIELDS && *p == ' '; i++) {
		p++;
		if (i == STAT_STATE)
			stat->state = *p;
		stat->field[i] = ptl_atou(&p, 10);
		while (*p && *p != ' ')
			p++;
	}
	return true;
}

/* False if there is no such process, or /proc does not show it. */
static bool read_stat(uint32_t pid, struct proc_stat *stat)
{
	char buf[STAT_SIZE];
	long size = read_all(open_proc(pid, "/stat"), buf, sizeof(buf));

	return size > 0 && parse_stat(buf, size, stat);
}

static bool is_dead(char state)
{
	return state == 'Z' || state == 'X' || state == 'x';
}

/*
 * A thread-group leader that left by pthread_exit() is shown as a zombie
 * while the others go on; then there are others.
 */
static bool is_zombie(const struct proc_stat *stat)
{
	return is_dead(stat->state) && stat->field[STAT_THREADS] <= 1;
}

/* When it started, as ptl_boottime(); up to a tick too early. */
static uint64_t start_time(const struct proc_stat *stat)
{
	uint64_t hz = getauxval(AT_CLKTCK);

	return stat->field[STAT_START] * (NS_PER_SEC / (hz ? hz : 100)) -
	       (uint64_t)ptl_timens_ahead();
}

/*
 * Of the main thread, which began with the process: qemu-user has the process
 * begin with each exec.  Where /proc is another pid namespace's there is no
 * such thread.
 */
static int open_own_stat(uint32_t pid)
{
	char path[PROC_PATH];
	size_t n = ptl_strcopy(path, sizeof(path), "/proc/self/task/");
	int fd;

	n += ptl_utoa(path + n, pid, 10);
	ptl_strcopy(path + n, sizeof(path) - n, "/stat");
	fd = ptl_sys_open(AT_FDCWD, path, O_RDONLY, 0);
	return fd != -ENOENT ?
		       fd :
		       ptl_sys_open(AT_FDCWD, "/proc/self/stat", O_RDONLY, 0);
}

bool ptl_ident_is_me(const struct ptl_shm_ident *ident)
{
	int fd = open_own_stat(ident->pid);
	struct proc_stat stat;
	char buf[STAT_SIZE];
	long size;

	if (fd < 0)
		return true;
	size = ptl_sys_read(fd, buf, sizeof(buf) - 1);
	ptl_sys_close(fd);
	return size <= 0 || !parse_stat(buf, size, &stat) ||
	       start_time(&stat) <= ident->born;
}

bool ptl_ident_left_to(unsigned int threads)
{
	int fd = ptl_sys_open(AT_FDCWD, "/proc/self/stat", O_RDONLY, 0);
	struct proc_stat stat;
	char buf[STAT_SIZE];
	long size = read_all(fd, buf, sizeof(buf));

	return size > 0 && parse_stat(buf, size, &stat) &&
	       is_dead(stat.state) &&
	       stat.field[STAT_THREADS] == (uint64_t)threads + 1;
}

uint64_t ptl_ident_pidns;

void ptl_ident_guess(struct ptl_shm_ident *ident, uint64_t pidns)
{
	ident->pid = (uint32_t)ptl_sys_getpid();
	ident->uid = ptl_sys_geteuid();
	ident->pidns = pidns;
	ident->born = 0;
}

void ptl_ident_self(struct ptl_shm_ident *ident)
{
	ptl_ident_guess(ident, ptl_pidns());
	ident->born = ptl_boottime_ask();
}

void ptl_ident_child(struct ptl_shm_ident *ident)
{
	/* From another namespace the parent has no number; and to look at
	 * /proc costs a young process more than all else here. */
	if ((uint32_t)ptl_sys_getppid() != ident->pid)
		ident->pidns = ptl_pidns();
	ident->pid = (uint32_t)ptl_sys_getpid();
	ident->uid = ptl_sys_geteuid();
	ident->born = ptl_boottime_ask();
}

/* The n-th number of the line of /proc/PID/status that begins with `key'. */
static bool status_number(const char *status, const char *key, int n,
			  uint64_t *value)
{
	const char *p = status;

	while (!ptl_strpre(p, key)) {
		while (*p && *p != '\n')
			p++;
		if (!*p++)
			return false;
	}
	p += ptl_strlen(key);
	while (n--) {
		while (*p == '\t' || *p == ' ')
			p++;
		*value = ptl_atou(&p, 10);
	}
	return true;
}

/*
 * Is it a thread of the kernel's?  They are descended from process 2, where
 * they are to be seen at all: of others that is not asked.  False if it is not
 * known.
 */
static bool is_kernels(int pid, const char *status)
{
	struct proc_stat stat;
	uint64_t parent;

	return status_number(status, "PPid:", 1, &parent) &&
	       (parent == KTHREADD || pid == KTHREADD) &&
	       read_stat((uint32_t)pid, &stat) &&
	       stat.field[STAT_FLAGS] & PF_KTHREAD;
}

/* The number that it has in its own pid namespace, if that is below ours. */
static int look_below(const char *status, struct ptl_shm_ident *ident)
{
	uint64_t number, last = 0;
	char path[PROC_PATH];
	struct ptl_kstat st;

	for (int n = 2; status_number(status, "NSpid:", n, &number) && number;
	     n++)
		last = number;
	if (last == 0)
		return 0;
	put_proc_path(path, ident->pid, "/ns/pid");
	if (ptl_sys(SYS_newfstatat, AT_FDCWD, path, &st, 0) != 0)
		return EPERM;
	ident->pid = (uint32_t)last;
	ident->pidns = st.st_ino;
	return 0;
}

int ptl_ident_of(int pid, struct ptl_shm_ident *ident)
{
	char buf[2048];
	uint64_t value;
	int err = 0;

	if (ptl_proc_permission(pid) == ESRCH)
		return ESRCH;
	/* If /proc hides it, the caller is not root: it is one of ours, or
	 * create() will say EPERM. */
	ident->uid = ptl_sys_geteuid();
	ident->pid = (uint32_t)pid;
	ident->pidns = ptl_pidns();
	ident->born = ptl_boottime();
	if (read_all(open_proc((uint32_t)pid, "/status"), buf, sizeof(buf)) >
	    0) {
		/* kill() takes the id of a thread, too. */
		if (status_number(buf, "Tgid:", 1, &value) &&
		    value != (uint64_t)pid)
			return ESRCH;
		if (is_kernels(pid, buf))
			return EPERM;
		if (status_number(buf, "Uid:", 2, &value))
			ident->uid = (uint32_t)value;
		err = look_below(buf, ident);
	}
	return err;
}

/* The kernel shows others an exit status of 0; a link that it guards in the
 * same way shows whether we are one of those. */
static int exit_status(uint32_t pid, const struct proc_stat *stat)
{
	char path[PROC_PATH], buf[8];
	int status = (int)stat->field[STAT_EXIT];

	if (status)
		return status;
	put_proc_path(path, pid, "/ns/pid");
	if (ptl_sys(SYS_readlinkat, AT_FDCWD, path, buf, sizeof(buf)) ==
	    -EACCES)
		return -1;
	return 0;
}

enum ptl_life ptl_ident_life(const struct ptl_shm_ident *ident,
			     int *wait_status)
{
	struct proc_stat stat;

	if (ident->pid == 0 || ident->pid > INT32_MAX)
		return PTL_LIFE_GONE;
	if (ident->pidns != ptl_ident_our_pidns())
		return PTL_LIFE_ALIVE;
	if (ident->pid == (uint32_t)ptl_sys_getpid())
		return ptl_ident_is_me(ident) ? PTL_LIFE_ALIVE : PTL_LIFE_GONE;
	if (ptl_proc_permission((int)ident->pid) == ESRCH)
		return PTL_LIFE_GONE;
	/* Hidden, or gone since. */
	if (!read_stat(ident->pid, &stat))
		return ptl_proc_permission((int)ident->pid) == ESRCH ?
			       PTL_LIFE_GONE :
			       PTL_LIFE_ALIVE;
	if (start_time(&stat) > ident->born && !ptl_timens_is_apart(ident->pid))
		return PTL_LIFE_GONE;
	if (!is_zombie(&stat))
		return PTL_LIFE_ALIVE;
	if (wait_status)
		*wait_status = exit_status(ident->pid, &stat);
	return PTL_LIFE_ZOMBIE;
}

bool ptl_ident_is_shown(const struct ptl_shm_ident *ident)
{
	struct proc_stat stat;

	return read_stat(ident->pid, &stat) && !is_zombie(&stat) &&
	       (start_time(&stat) <= ident->born ||
		ptl_timens_is_apart(ident->pid));
}

bool ptl_tid_alive(int tid)
{
	struct proc_stat stat;

	if (tid <= 0 || ptl_sys(SYS_tkill, tid, 0, 0, 0) == -ESRCH)
		return false;
	/* A main thread that has left keeps its id until the others have. */
	return !read_stat((uint32_t)tid, &stat) || !is_dead(stat.state);
}

bool ptl_tid_idle(int tid)
{
	struct proc_stat stat;

	return tid > 0 && read_stat((uint32_t)tid, &stat) &&
	       stat.state != 'R' && stat.state != 'D';
}

int ptl_proc_parent(int pid)
{
	struct proc_stat stat;

	if (pid <= 0 || !read_stat((uint32_t)pid, &stat))
		return 0;
	return (int)stat.field[STAT_PPID];
}

int ptl_proc_permission(int pid)
{
	/* Not to be asked of process groups. */
	if (pid <= 0)
		return ESRCH;
	return -ptl_sys_kill(pid, 0);
}

/* Compares the ends of paths in /proc/PID/maps with a name, byte by byte. */
struct maps_matcher {
	const char *name;
	const char *next; /* of the name, then of the suffix */
	int field;	  /* the path is field 5 */
	bool in_field;
	bool is_suffix;
	bool is_match; /* so far */
};

static void start_part(struct maps_matcher *m, bool is_path)
{
	m->next = m->name;
	m->is_suffix = false;
	m->is_match = is_path;
}

static void start_line(struct maps_matcher *m)
{
	m->field = -1;
	m->in_field = false;
	start_part(m, false);
}

/* True at the end of a line whose path ends in it. */
static bool match_byte(struct maps_matcher *m, char c)
{
	bool found;

	if (c == '\n') {
		found = m->field == 5 && m->is_match && *m->next == '\0';
		start_line(m);
		return found;
	}
	if (m->field < 5) {
		if (c != ' ' && !m->in_field)
			m->field++;
		m->in_field = c != ' ';
		if (m->field < 5)
			return false;
	}
	if (c == '/') {
		start_part(m, true);
		return false;
	}
	if (*m->next == '\0' && !m->is_suffix) {
		m->next = " (deleted)";
		m->is_suffix = true;
	}
	if (*m->next != c)
		m->is_match = false;
	else
		m->next++;
	return false;
}

/* Of a main thread that has left /proc shows no maps, whatever the others
 * have: only where there are none is nothing mapped. */
static bool shows_nothing(int pid)
{
	struct proc_stat stat;

	return read_stat((uint32_t)pid, &stat) ?
		       !is_zombie(&stat) :
		       ptl_proc_permission(pid) != ESRCH;
}

bool ptl_proc_maps(int pid, const char *name)
{
	struct maps_matcher m = {.name = name};
	char buf[1024];
	bool found = false, any = false;
	long size;
	int fd;

	if (pid <= 0)
		return false;
	fd = open_proc((uint32_t)pid, "/maps");
	if (fd < 0)
		return shows_nothing(pid);
	start_line(&m);
	do {
		size = ptl_sys_read(fd, buf, sizeof(buf));
		any |= size > 0;
		for (long i = 0; i < size && !found; i++)
			found = match_byte(&m, buf[i]);
	} while (!found && (size > 0 || size == -EINTR));
	ptl_sys_close(fd);
	return found || size < 0 || (!any && shows_nothing(pid));
}

void ptl_boot_id(char *buf)
{
	int fd = ptl_sys_open(AT_FDCWD, "/proc/sys/kernel/random/boot_id",
			      O_RDONLY, 0);

	memset(buf, 0, 40);
	if (read_all(fd, buf, 37) != 36)
		memset(buf, 0, 40);
}
