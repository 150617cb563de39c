/* SPDX-License-Identifier: MIT */
/*
 * Values behind pointers, as far as they are not in the log as the kernel has
 * them: one has 255 bytes at most, so of many there are only the first.  And
 * flags that are an event's own.
 */
#ifndef PTL_CORE_FORMAT_VALUES_H
#define PTL_CORE_FORMAT_VALUES_H

#define PTL_VALUE_MAX 255

/* The kernel's struct termios, which is in no header of libc. */
#define PTL_TERMIOS_SIZE 36

/* struct pollfd */
#define PTL_POLLFD_SIZE 8
#define PTL_POLLFDS_MAX (PTL_VALUE_MAX / PTL_POLLFD_SIZE)

/* struct epoll_event: the events, 4 bytes, and the data, 8 bytes. */
#define PTL_EPOLLFD_SIZE 12
#define PTL_EPOLLFDS_MAX (PTL_VALUE_MAX / PTL_EPOLLFD_SIZE)

/*
 * A descriptor of select(), 4 bytes each: its number, and a bit for each set
 * (in, out, err) that it was in, and then for each that it was in afterwards.
 * After the last one there is, if there were more, one of all bits.
 */
#define PTL_SELECTFD_SIZE 4
#define PTL_SELECTFDS_MAX (PTL_VALUE_MAX / PTL_SELECTFD_SIZE)
#define PTL_SELECTFD_NUMBER 0xffffffu
#define PTL_SELECTFD_ASKED(set) (1u << (24 + (set)))
#define PTL_SELECTFD_READY(set) (1u << (27 + (set)))
#define PTL_SELECTFD_MORE 0xffffffffu

/*
 * Descriptors that went with a message (SCM_RIGHTS), 4 bytes each: the sender's
 * numbers, or the receiver's.  After the last one there is, if there were more,
 * a -1.
 */
#define PTL_PASSED_SIZE 4
#define PTL_PASSED_MAX (PTL_VALUE_MAX / PTL_PASSED_SIZE)

/*
 * What was before a call and what it set: words of 64 bits, the first of them
 * says which of the two follow.  A limit of setrlimit() is two words, soft and
 * hard; an action of sigaction() is three, handler, flags and mask.
 */
#define PTL_VALUE_NEW 1
#define PTL_VALUE_OLD 2
#define PTL_RLIMIT_WORDS 2
#define PTL_SIGACTION_WORDS 3

/*
 * The rest of a struct stat or statx, words of 64 bits: st_dev, st_ino,
 * st_nlink, st_uid, st_gid, st_rdev, st_blksize, st_blocks, and st_atime,
 * st_mtime, st_ctime and, if that is known, when it was made, each in ns since
 * the Epoch.
 */
#define PTL_STAT_WORDS 12

/*
 * A struct statfs or statvfs, words of 64 bits: f_type (0: not known), f_bsize,
 * f_blocks, f_bfree, f_bavail, f_files, f_ffree, f_fsid, f_namelen, f_frsize
 * and f_flags.
 */
#define PTL_STATFS_WORDS 11

/* A set of CPUs, a bit each. */
#define PTL_CPUS_SIZE 128

/* The mode of cpu:sample. */
#define PTL_SAMPLE_KERNEL 1 /* not in the program's own code */
#define PTL_SAMPLE_CUT 2    /* the outer end of the stack is not there */

/* The sources of samples. */
#define PTL_SAMPLE_CLOCK "cpu-clock"
#define PTL_SAMPLE_TIMER "cpu-timer"
/* Behind the program's name: why it is not looked at. */
#define PTL_SAMPLE_SECURE " is set-user-ID, or not readable"

/* A frame of a sample's stack: in its place there were more of them. */
#define PTL_FRAME_LEFT_OUT 1

#endif
