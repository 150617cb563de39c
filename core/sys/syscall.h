/* SPDX-License-Identifier: MIT */
/*
 * System calls made directly: the traced program may have interposed libc's
 * functions, we have interposed some ourselves, and errno is the program's.
 * All are async-signal-safe and return a negative errno value on failure.
 */
#ifndef PTL_CORE_SYS_SYSCALL_H
#define PTL_CORE_SYS_SYSCALL_H

#include "core/base.h"

#include "core/sys/away.h"
#include "core/sys/wide.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <sys/mman.h>
#include <time.h>

/*
 * Which calls may be made?  Under a seccomp filter that was there before the
 * program only those that ld.so makes for any program: they go.  When one comes
 * later, none.  What is not made fails with ENOSYS (filter.h).
 */
enum ptl_sys_door { PTL_DOOR_OPEN, PTL_DOOR_NARROW, PTL_DOOR_SHUT };
extern uint8_t ptl_sys_door __attribute__((visibility("hidden")));

/* What cannot fail: then it is looked for in /proc, or libc knows it. */
enum ptl_sys_who { PTL_SYS_PID, PTL_SYS_TID, PTL_SYS_PPID, PTL_SYS_EUID };
uint32_t ptl_sys_ask(enum ptl_sys_who who);

PTL_INLINE bool ptl_sys_starts(long nr)
{
	return nr == SYS_openat || nr == SYS_read || nr == SYS_pread64 ||
	       nr == SYS_newfstatat || nr == SYS_mmap || nr == SYS_mprotect ||
	       nr == SYS_munmap || nr == SYS_close;
}

/* In place of the program, which has asked for that call: without the door. */
#if defined(__x86_64__)
/* r10 is also a result: valgrind leaves a mask of its own there (ppoll). */
PTL_INLINE long ptl_sys_pass(long nr, long a, long b, long c, long d, long e,
			     long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret), "+r"(r10)
			 : "0"(nr), "D"(a), "S"(b), "d"(c), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
}
#elif defined(__aarch64__)
PTL_INLINE long ptl_sys_pass(long nr, long a, long b, long c, long d, long e,
			     long f)
{
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory", "cc");
	return x0;
}
#elif defined(__i386__)
/* The last argument is where the frame pointer may be. */
PTL_INLINE long ptl_sys_pass(long nr, long a, long b, long c, long d, long e,
			     long f)
{
	long ret;

	__asm__ volatile("pushl %7\n\t"
			 "pushl %%ebp\n\t"
			 "movl 4(%%esp), %%ebp\n\t"
			 "int $0x80\n\t"
			 "popl %%ebp\n\t"
			 "addl $4, %%esp"
			 : "=a"(ret)
			 : "0"(nr), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e),
			   "g"(f)
			 : "memory", "cc");
	return ret;
}
#else
#error "libptrace does not know this processor's system call instruction"
#endif

PTL_INLINE long ptl_sys6(long nr, long a, long b, long c, long d, long e,
			 long f)
{
	if (PTL_UNLIKELY(ptl_sys_door != PTL_DOOR_OPEN) &&
	    (ptl_sys_door == PTL_DOOR_SHUT || !ptl_sys_starts(nr)))
		return -ENOSYS;
	return ptl_sys_pass(nr, a, b, c, d, e, f);
}

/* A return address as it is in memory, where it may be signed. */
PTL_INLINE uint64_t ptl_plain_address(uint64_t addr)
{
#if defined(__aarch64__)
	register uint64_t lr __asm__("x30") = addr;

	/* xpaclri; where there is none, nothing. */
	__asm__("hint 7" : "+r"(lr));
	return lr;
#else
	return addr;
#endif
}

#define ptl_sys(nr, a, b, c, d) \
	ptl_sys6((nr), (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)

PTL_INLINE int ptl_sys_open(int dir, const char *path, int flags, int mode)
{
	return (int)ptl_sys(SYS_openat, dir, path, flags | O_CLOEXEC, mode);
}

PTL_INLINE int ptl_sys_close(int fd)
{
	return (int)ptl_sys(SYS_close, fd, 0, 0, 0);
}

PTL_INLINE long ptl_sys_read(int fd, void *buf, size_t size)
{
	return ptl_sys(SYS_read, fd, buf, size, 0);
}

/* The beginning of a file, as a string, which is empty if it cannot be read.
 * Returns its length or a negative errno. */
PTL_INLINE long ptl_sys_read_text(int dir, const char *path, char *text,
				  size_t size)
{
	int fd = ptl_sys_open(dir, path, O_RDONLY, 0);
	long got;

	text[0] = '\0';
	if (fd < 0)
		return fd;
	got = ptl_sys_read(fd, text, size - 1);
	ptl_sys_close(fd);
	text[PTL_MAX(got, 0)] = '\0';
	return got;
}

PTL_INLINE long ptl_sys_write(int fd, const void *buf, size_t size)
{
	return ptl_sys(SYS_write, fd, buf, size, 0);
}

PTL_INLINE long ptl_sys_pread(int fd, void *buf, size_t size, int64_t off)
{
	return ptl_sys6(SYS_pread64, fd, (long)buf, (long)size,
			PTL_SYS_WIDE(off), 0);
}

PTL_INLINE long ptl_sys_pwrite(int fd, const void *buf, size_t size,
			       int64_t off)
{
	return ptl_sys6(SYS_pwrite64, fd, (long)buf, (long)size,
			PTL_SYS_WIDE(off), 0);
}

PTL_INLINE long ptl_sys_truncate(int fd, uint64_t size)
{
	return ptl_sys6(SYS_ftruncate, fd, PTL_SYS_WIDE(size), 0, 0, 0);
}

/* Takes the space of a file from its beginning. */
PTL_INLINE long ptl_sys_allocate(int fd, uint64_t size)
{
	return sizeof(long) == 8 ?
		       ptl_sys(SYS_fallocate, fd, 0, 0, size) :
		       ptl_sys6(SYS_fallocate, fd, 0, 0, 0, PTL_SYS_WIDE(size));
}

PTL_INLINE int64_t ptl_sys_seek(int fd, uint64_t off, int whence)
{
#ifdef SYS__llseek
	int64_t at = 0;
	long err = ptl_sys6(SYS__llseek, fd, (long)(off >> 32), (long)off,
			    (long)&at, whence, 0);

	return err < 0 ? err : at;
#else
	return ptl_sys(SYS_lseek, fd, off, whence, 0);
#endif
}

/* Without an address it is away from what is the program's.  Returns
 * MAP_FAILED, never a negative errno disguised as an address. */
/* ThreadSanitizer must know that memory at an address is another's now. */
#ifdef __SANITIZE_THREAD__
PTL_INLINE void *ptl_sys_mmap(void *addr, size_t size, int prot, int flags,
			      int fd, int64_t off)
{
	return mmap(addr ? addr : ptl_away(size), size, prot, flags, fd, off);
}

PTL_INLINE int ptl_sys_munmap(void *addr, size_t size)
{
	return munmap(addr, size);
}
#else
PTL_INLINE void *ptl_sys_mmap(void *addr, size_t size, int prot, int flags,
			      int fd, int64_t off)
{
	long at = (long)(addr ? addr : ptl_away(size)), ret;

	ret = ptl_sys6(SYS_mmap, at, (long)size, prot, flags, fd,
		       (long)(off / PTL_SYS_MAP_UNIT));
	return ret < 0 && ret > -4096 ? MAP_FAILED : (void *)ret;
}

PTL_INLINE int ptl_sys_munmap(void *addr, size_t size)
{
	return (int)ptl_sys(SYS_munmap, addr, size, 0, 0);
}
#endif

/* Attaches shared memory of so many bytes; 0: of how many is not known. */
PTL_INLINE long ptl_sys_shmat(int id, int flags, size_t size)
{
	void *at = size ? ptl_away(size) : NULL;
	long ret = at ? ptl_sys(SYS_shmat, id, at, flags, 0) : -EINVAL;

	return ret == -EINVAL ? ptl_sys(SYS_shmat, id, NULL, flags, 0) : ret;
}

PTL_INLINE int ptl_sys_fstat(int fd, struct ptl_kstat *st)
{
	/* The other is a little slower, and what ld.so calls. */
	return (int)(PTL_UNLIKELY(ptl_sys_door != PTL_DOOR_OPEN) ?
			     ptl_sys(SYS_newfstatat, fd, "", st,
				     AT_EMPTY_PATH) :
			     ptl_sys(SYS_fstat, fd, st, 0, 0));
}

/* By descriptor: in a user's directory that user decides what a name means. */
PTL_INLINE int ptl_sys_fchown(int fd, uint32_t uid)
{
	return (int)ptl_sys(SYS_fchown, fd, uid, -1, 0);
}

PTL_INLINE int ptl_sys_madvise(void *addr, size_t size, int advice)
{
	return (int)ptl_sys(SYS_madvise, addr, size, advice, 0);
}

PTL_INLINE int ptl_sys_getpid(void)
{
	return PTL_UNLIKELY(ptl_sys_door != PTL_DOOR_OPEN) ?
		       (int)ptl_sys_ask(PTL_SYS_PID) :
		       (int)ptl_sys(SYS_getpid, 0, 0, 0, 0);
}

PTL_INLINE int ptl_sys_getppid(void)
{
	return PTL_UNLIKELY(ptl_sys_door != PTL_DOOR_OPEN) ?
		       (int)ptl_sys_ask(PTL_SYS_PPID) :
		       (int)ptl_sys(SYS_getppid, 0, 0, 0, 0);
}

PTL_INLINE int ptl_sys_gettid(void)
{
	return PTL_UNLIKELY(ptl_sys_door != PTL_DOOR_OPEN) ?
		       (int)ptl_sys_ask(PTL_SYS_TID) :
		       (int)ptl_sys(SYS_gettid, 0, 0, 0, 0);
}

PTL_INLINE unsigned int ptl_sys_geteuid(void)
{
	return PTL_UNLIKELY(ptl_sys_door != PTL_DOOR_OPEN) ?
		       ptl_sys_ask(PTL_SYS_EUID) :
		       (unsigned int)ptl_sys(SYS_geteuid, 0, 0, 0, 0);
}

PTL_INLINE int ptl_sys_kill(int pid, int sig)
{
	return (int)ptl_sys(SYS_kill, pid, sig, 0, 0);
}

PTL_INLINE int ptl_sys_unlink(int dir, const char *path)
{
	return (int)ptl_sys(SYS_unlinkat, dir, path, 0, 0);
}

PTL_INLINE int ptl_sys_membarrier(int cmd)
{
	return (int)ptl_sys(SYS_membarrier, cmd, 0, 0, 0);
}

/* Valgrind takes rotations that change nothing for a question to itself. */
PTL_INLINE bool ptl_sys_is_valgrind(void)
{
	uint64_t is = 0;
#if defined(__x86_64__)
	const uint64_t question[6] = {0x1001}; /* RUNNING_ON_VALGRIND */

	__asm__ volatile("rolq $3, %%rdi\n\t"
			 "rolq $13, %%rdi\n\t"
			 "rolq $61, %%rdi\n\t"
			 "rolq $51, %%rdi\n\t"
			 "xchgq %%rbx, %%rbx"
			 : "+d"(is)
			 : "a"(question)
			 : "cc", "memory");
#endif
	return is != 0;
}

/*
 * May the word at addr be read?  0xffff is no operation on a signal mask, but
 * the kernel reads the set first; for the kernel 0 would mean that there is no
 * set.  Valgrind would tell the user of the operation, and of a set that was
 * never written; it does not mind MADV_POPULATE_READ, which takes longer and
 * came with Linux 5.14.
 */
PTL_INLINE bool ptl_sys_may_read(uintptr_t addr)
{
	long page = (long)(addr & ~(uintptr_t)4095), err = -EINVAL;

	if (ptl_sys_is_valgrind())
		err = ptl_sys(SYS_madvise, page, 4096, 22, 0);
	if (err == -EINVAL)
		err = ptl_sys(SYS_rt_sigprocmask, 0xffff, addr & ~(uintptr_t)7,
			      NULL, 8);
	return err == 0 || err == -EINVAL;
}

#endif
