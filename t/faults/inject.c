/* SPDX-License-Identifier: MIT */
/*
 * Makes one system call fail, in one process of a tree, as strace --inject
 * does; but strace counts in each process alike, and knows no difference
 * between calls of the program's code and of ours.
 *
 * A process is named by how it came to be: r is the first, r.2 its second
 * child, r.2! that child after an exec.  Threads count with their process, and
 * counting starts anew with each image.
 */
#include <elf.h>
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/ptrace.h>

static const char usage[] =
	"usage: inject [options] COMMAND [ARG...]\n"
	"  -o FILE     what happened goes there, a line each (default stderr)\n"
	"  -t SECONDS  the longest that COMMAND's tree may take (10)\n"
	"  -l          list: how often each process made each call\n"
	"  -p PROCESS -s CALL -n NUMBER -e ERROR  which is to fail, and how\n"
	"  -f ORIGIN   whose calls: lib (libptrace.so), other, any (default);\n"
	"              those of the dynamic linker never\n"
	"  -a          after it was made; else in its place\n"
	"  -r          and those that follow, too\n";

enum { MAX_CALLS = 512, NR_ORIGINS = 2, LABEL_SIZE = 64 };
enum origin { LIB, OTHER, LINKER };
static const char *const origin_names[] = {"lib", "other", "ld"};

static const struct {
	int nr;
	const char *name;
} calls[] = {
#define CALL(name) {SYS_##name, #name},
	CALL(accept4) CALL(bind) CALL(brk) CALL(capget) CALL(chdir)
	CALL(clock_gettime) CALL(connect) CALL(listen)
	CALL(clock_nanosleep) CALL(clone) CALL(clone3) CALL(close)
	CALL(close_range) CALL(dup) CALL(dup3) CALL(execve) CALL(exit)
	CALL(exit_group) CALL(faccessat) CALL(faccessat2) CALL(fallocate)
	CALL(fchmod) CALL(fchmodat) CALL(fchown) CALL(fchownat) CALL(fcntl)
	CALL(fdatasync) CALL(flock) CALL(fstat) CALL(fstatfs) CALL(fsync)
	CALL(ftruncate) CALL(futex) CALL(getcwd) CALL(getdents64) CALL(getegid)
	CALL(geteuid) CALL(getgid) CALL(getpgid) CALL(getpid) CALL(getppid)
	CALL(getrandom) CALL(getresuid) CALL(getrlimit) CALL(gettid)
	CALL(getuid) CALL(ioctl) CALL(kill) CALL(linkat) CALL(lseek)
	CALL(madvise) CALL(membarrier) CALL(mkdirat) CALL(mmap) CALL(mprotect)
	CALL(mremap) CALL(munmap) CALL(nanosleep) CALL(newfstatat) CALL(openat)
	CALL(pidfd_open) CALL(pipe2) CALL(ppoll) CALL(prctl) CALL(pread64)
	CALL(prlimit64) CALL(process_vm_readv) CALL(pwrite64) CALL(read)
	CALL(readlinkat) CALL(readv) CALL(recvfrom) CALL(recvmsg)
	CALL(renameat2) CALL(restart_syscall) CALL(rseq) CALL(rt_sigaction)
	CALL(rt_sigpending) CALL(rt_sigprocmask) CALL(rt_sigreturn)
	CALL(rt_sigsuspend) CALL(rt_sigtimedwait) CALL(sched_getaffinity)
	CALL(sched_yield) CALL(sendmsg) CALL(sendto) CALL(set_robust_list)
	CALL(set_tid_address) CALL(setrlimit) CALL(setsid) CALL(sigaltstack)
	CALL(signalfd4) CALL(socket) CALL(socketpair) CALL(statfs) CALL(statx)
	CALL(sysinfo) CALL(tgkill) CALL(umask) CALL(uname) CALL(unlinkat)
	CALL(wait4) CALL(waitid) CALL(write) CALL(writev)
#ifdef __x86_64__
	CALL(access) CALL(alarm) CALL(arch_prctl) CALL(chmod) CALL(chown)
	CALL(dup2) CALL(fork) CALL(getpgrp) CALL(lstat) CALL(mkdir) CALL(open)
	CALL(pipe) CALL(poll) CALL(readlink) CALL(rename) CALL(rmdir)
	CALL(stat) CALL(time) CALL(unlink) CALL(vfork)
#endif
#undef CALL
};

struct process {
	pid_t pid;
	char label[LABEL_SIZE], comm[16];
	unsigned int nr_children;
	unsigned int counts[NR_ORIGINS][MAX_CALLS];
};

struct task {
	struct task *next;
	pid_t tid;
	struct process *process; /* NULL: its parent has not told of it yet */
	bool is_waiting;         /* stopped, for that reason; or, the first:
				  * it has not begun */
	bool must_fail;          /* when the call it is in returns */
	int call;                /* it is in, or -1 */
};

static struct task *tasks;
static FILE *out;
static bool lists, is_after, is_repeated, is_hit;
static const char *at_process;
static int at_call = -1, fail_error = ENOSYS, at_origin = -1;
static unsigned int at_number = 1;
static volatile sig_atomic_t is_late;

static void __attribute__((noreturn, format(printf, 1, 2)))
die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("inject: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	exit(2);
}

static const char *call_name(int nr)
{
	static char number[16];

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (calls[i].nr == nr)
			return calls[i].name;
	snprintf(number, sizeof(number), "%d", nr);
	return number;
}

static int call_number(const char *name)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (strcmp(calls[i].name, name) == 0)
			return calls[i].nr;
	return atoi(name);
}

static int error_number(const char *name)
{
	for (int error = 1; error < 134; error++) {
		const char *known = strerrorname_np(error);

		if (known != NULL && strcmp(known, name) == 0)
			return error;
	}
	die("no such error: %s", name);
}

static void read_comm(struct process *process)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/comm", (int)process->pid);
	file = fopen(path, "re");
	if (file == NULL)
		return;
	if (fgets(process->comm, sizeof(process->comm), file) != NULL)
		process->comm[strcspn(process->comm, "\n")] = '\0';
	fclose(file);
}

static struct process *new_process(pid_t pid, struct process *parent)
{
	struct process *process = calloc(1, sizeof(*process));

	if (process == NULL)
		die("out of memory");
	process->pid = pid;
	snprintf(process->label, sizeof(process->label), "r");
	if (parent != NULL &&
	    snprintf(process->label, sizeof(process->label), "%s.%u",
		     parent->label,
		     ++parent->nr_children) >= (int)sizeof(process->label))
		die("too deep a tree");
	read_comm(process);
	return process;
}

static struct task *find_task(pid_t tid)
{
	struct task *task = tasks;

	while (task != NULL && task->tid != tid)
		task = task->next;
	if (task != NULL)
		return task;
	task = calloc(1, sizeof(*task));
	if (task == NULL)
		die("out of memory");
	task->tid = tid;
	task->call = -1;
	task->next = tasks;
	tasks = task;
	return task;
}

static void drop_task(pid_t tid)
{
	struct task **at = &tasks;

	while (*at != NULL && (*at)->tid != tid)
		at = &(*at)->next;
	if (*at != NULL) {
		struct task *task = *at;

		*at = task->next;
		free(task);
	}
}

/* The counts of an image, when it is over. */
static void list_counts(const struct process *process)
{
	if (!lists)
		return;
	for (int origin = 0; origin < NR_ORIGINS; origin++)
		for (int nr = 0; nr < MAX_CALLS; nr++)
			if (process->counts[origin][nr] > 0)
				fprintf(out, "count %s %s %s %s %u\n",
					process->label, process->comm,
					origin_names[origin], call_name(nr),
					process->counts[origin][nr]);
}

/* Whose code is there? */
static enum origin find_origin(pid_t tid, uint64_t ip)
{
	enum origin origin = OTHER;
	char path[64], line[4096];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)tid);
	file = fopen(path, "re");
	if (file == NULL)
		return OTHER;
	while (fgets(line, sizeof(line), file) != NULL) {
		uint64_t from, to;

		if (sscanf(line, "%lx-%lx", &from, &to) != 2 || ip < from ||
		    ip >= to)
			continue;
		if (strstr(line, "/libptrace.so") != NULL)
			origin = LIB;
		else if (strstr(line, "/ld-") != NULL)
			origin = LINKER;
		break;
	}
	fclose(file);
	return origin;
}

#if defined(__x86_64__)
static void set_call(pid_t tid, long nr)
{
	ptrace(PTRACE_POKEUSER, tid, offsetof(struct user, regs.orig_rax), nr);
}

static void set_result(pid_t tid, long result)
{
	ptrace(PTRACE_POKEUSER, tid, offsetof(struct user, regs.rax), result);
}
#elif defined(__aarch64__)
static void set_call(pid_t tid, long nr)
{
	int number = (int)nr;
	struct iovec iov = {&number, sizeof(number)};

	ptrace(PTRACE_SETREGSET, tid, NT_ARM_SYSTEM_CALL, &iov);
}

static void set_result(pid_t tid, long result)
{
	struct user_regs_struct regs;
	struct iovec iov = {&regs, sizeof(regs)};

	ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &iov);
	regs.regs[0] = (unsigned long)result;
	ptrace(PTRACE_SETREGSET, tid, NT_PRSTATUS, &iov);
}
#endif

static void enter_call(struct task *task,
		       const struct ptrace_syscall_info *info)
{
	struct process *process = task->process;
	int nr = (int)info->entry.nr;
	enum origin origin;
	unsigned int number;

	task->call = nr;
	/* Not yet the command. */
	if (nr < 0 || nr >= MAX_CALLS || task->is_waiting)
		return;
	if (!lists && ((is_hit && !is_repeated) || nr != at_call ||
		       strcmp(process->label, at_process) != 0))
		return;
	origin = find_origin(task->tid, info->instruction_pointer);
	if (origin == LINKER)
		return;
	process->counts[origin][nr]++;
	if (lists)
		return;
	number = process->counts[LIB][nr] + process->counts[OTHER][nr];
	if (at_origin >= 0)
		number = origin == (enum origin)at_origin ?
				 process->counts[origin][nr] :
				 0;
	if (number != at_number && !(is_hit && number > at_number))
		return;
	task->must_fail = true;
	if (!is_after)
		set_call(task->tid, -1);
	if (is_hit)
		return;
	is_hit = true;
	fprintf(out, "hit %s %s %s %s %u\n", process->label, process->comm,
		origin_names[origin], call_name(nr), number);
}

static void at_syscall(struct task *task)
{
	struct ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, task->tid, sizeof(info), &info) <=
	    0)
		return;
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
		enter_call(task, &info);
	} else if (info.op == PTRACE_SYSCALL_INFO_EXIT) {
		if (task->must_fail)
			set_result(task->tid, -fail_error);
		task->must_fail = false;
		task->call = -1;
	}
}

static void resume(struct task *task, int signo)
{
	ptrace(PTRACE_SYSCALL, task->tid, 0, signo);
}

static pid_t thread_group(pid_t tid)
{
	char path[64], line[256];
	int group = tid;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)tid);
	file = fopen(path, "re");
	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		if (sscanf(line, "Tgid: %d", &group) == 1)
			break;
	if (file != NULL)
		fclose(file);
	return group;
}

static void at_birth(struct task *parent)
{
	unsigned long tid = 0;
	struct task *child;

	ptrace(PTRACE_GETEVENTMSG, parent->tid, 0, &tid);
	child = find_task((pid_t)tid);
	child->process = thread_group(child->tid) == parent->process->pid ?
				 parent->process :
				 new_process(child->tid, parent->process);
	if (child->is_waiting)
		resume(child, 0);
	child->is_waiting = false;
}

static void at_exec(struct task *task)
{
	struct process *process = task->process;
	size_t size = strlen(process->label);

	list_counts(process);
	memset(process->counts, 0, sizeof(process->counts));
	read_comm(process);
	/* The first begins. */
	if (task->is_waiting)
		task->is_waiting = false;
	else if (size + 1 < sizeof(process->label))
		memcpy(process->label + size, "!", 2);
}

static void at_stop(pid_t tid, int status)
{
	struct task *task = find_task(tid);
	int signo = WSTOPSIG(status), event = status >> 16;

	if (task->process == NULL) {
		task->is_waiting = true;
		return;
	}
	switch (event) {
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE:
		at_birth(task);
		break;
	case PTRACE_EVENT_EXEC:
		at_exec(task);
		break;
	case PTRACE_EVENT_STOP:
		if (signo != SIGTRAP) {
			ptrace(PTRACE_LISTEN, tid, 0, 0);
			return;
		}
		break;
	default:
		if (signo == (SIGTRAP | 0x80))
			at_syscall(task);
		else {
			resume(task, signo);
			return;
		}
	}
	resume(task, 0);
}

static void at_end(pid_t tid, int status)
{
	const struct process *process = find_task(tid)->process;

	if (process != NULL && process->pid == tid) {
		list_counts(process);
		if (WIFSIGNALED(status))
			fprintf(out, "died %s %s %d\n", process->label,
				process->comm, WTERMSIG(status));
	}
	drop_task(tid);
}

/* Who is still there when the time is over, and in which call. */
static void list_left(void)
{
	for (struct task *task = tasks; task != NULL; task = task->next)
		if (task->process != NULL)
			fprintf(out, "left %s %s %s\n", task->process->label,
				task->process->comm,
				task->call >= 0 ? call_name(task->call) : "-");
}

static void be_late(int signo)
{
	(void)signo;
	is_late = 1;
}

/* Returns the wait status of the first process; -1: time is over. */
static int run(pid_t first)
{
	int root_status = -1;

	while (tasks != NULL) {
		int status;
		pid_t tid = waitpid(-1, &status, __WALL);

		if (tid < 0 && errno == EINTR && is_late) {
			list_left();
			return root_status;
		}
		if (tid < 0 && errno == ECHILD)
			break;
		if (tid < 0)
			continue;
		if (WIFSTOPPED(status)) {
			at_stop(tid, status);
			continue;
		}
		if (tid == first)
			root_status = status;
		at_end(tid, status);
	}
	return root_status;
}

static pid_t start(char **argv)
{
	struct task *task;
	int go[2];
	char byte;
	pid_t pid;

	if (pipe(go) != 0 || (pid = fork()) < 0)
		die("cannot fork");
	if (pid == 0) {
		close(go[1]);
		if (read(go[0], &byte, 1) != 1)
			_exit(127);
		close(go[0]);
		execvp(argv[0], argv);
		_exit(127);
	}
	if (ptrace(PTRACE_SEIZE, pid, 0,
		   PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK |
			   PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
			   PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL) != 0)
		die("cannot trace: %s", strerror(errno));
	/* So that its first call is seen. */
	ptrace(PTRACE_INTERRUPT, pid, 0, 0);
	task = find_task(pid);
	task->process = new_process(pid, NULL);
	task->is_waiting = true; /* for the exec that is ours */
	if (write(go[1], "", 1) != 1)
		die("cannot start");
	close(go[0]);
	close(go[1]);
	return pid;
}

static void parse(int argc, char **argv, unsigned int *seconds)
{
	int option;

	while ((option = getopt(argc, argv, "+o:t:lp:s:n:e:f:ar")) != -1) {
		switch (option) {
		case 'o':
			out = fopen(optarg, "we");
			if (out == NULL)
				die("cannot write %s", optarg);
			break;
		case 't':
			*seconds = (unsigned int)atoi(optarg);
			break;
		case 'l':
			lists = true;
			break;
		case 'p':
			at_process = optarg;
			break;
		case 's':
			at_call = call_number(optarg);
			break;
		case 'n':
			at_number = (unsigned int)atoi(optarg);
			break;
		case 'e':
			fail_error = error_number(optarg);
			break;
		case 'f':
			at_origin = strcmp(optarg, "lib") == 0	 ? LIB :
				    strcmp(optarg, "other") == 0 ? OTHER :
								   -1;
			break;
		case 'a':
			is_after = true;
			break;
		case 'r':
			is_repeated = true;
			break;
		default:
			fputs(usage, stderr);
			exit(2);
		}
	}
	if (optind == argc || (!lists && (at_process == NULL || at_call < 0))) {
		fputs(usage, stderr);
		exit(2);
	}
}

int main(int argc, char **argv)
{
	struct sigaction late = {.sa_handler = be_late};
	/* Again and again: the first may come when nothing waits. */
	struct itimerval timer = {.it_interval = {1, 0}};
	unsigned int seconds = 10;
	int status;

	out = stderr;
	parse(argc, argv, &seconds);
	sigaction(SIGALRM, &late, NULL);
	/* Daemons are reaped here, whatever the init of this machine does. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	timer.it_value.tv_sec = seconds;
	setitimer(ITIMER_REAL, &timer, NULL);
	status = run(start(argv + optind));
	if (status == -1) {
		fprintf(out, "status late\n");
		return 124;
	}
	if (WIFSIGNALED(status)) {
		fprintf(out, "status signal %d\n", WTERMSIG(status));
		return 128 + WTERMSIG(status);
	}
	fprintf(out, "status exit %d\n", WEXITSTATUS(status));
	return WEXITSTATUS(status);
}
