/* SPDX-License-Identifier: MIT */
/*
 * The family file: what is done to names and descriptors.  First the shapes,
 * then the table: a function has the shape of its likes, those without a
 * directory have AT_FDCWD.
 */
#include "preload/wrap/call.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

/* clang-format off */

/* There is a mode only where one is asked for. */
#define OPEN_MODE(mode) \
	if (__OPEN_NEEDS_MODE(flags)) { \
		va_list ap; \
\
		va_start(ap, flags); \
		mode = va_arg(ap, mode_t); \
		va_end(ap); \
	}
#define CALL_OPEN(name) \
	int name(const char *path, int flags, ...); \
	static int (*real_##name)(const char *, int, ...); \
	CALL_TOLD(int, name, \
		  (const char *path, int flags, mode_t mode, \
		   const void *addr), \
		  (path, flags, mode), INT, FILE_OPEN, \
		  (AT_FDCWD, (unsigned int)flags, mode), STRING(path)) \
	PTL_JUMP int name(const char *path, int flags, ...) \
	{ \
		mode_t mode = 0; \
\
		OPEN_MODE(mode) \
		return told_##name(path, flags, mode, \
				   __builtin_return_address(0)); \
	}
#define CALL_OPENAT(name) \
	int name(int dir, const char *path, int flags, ...); \
	static int (*real_##name)(int, const char *, int, ...); \
	CALL_TOLD(int, name, \
		  (int dir, const char *path, int flags, mode_t mode, \
		   const void *addr), \
		  (dir, path, flags, mode), INT, FILE_OPEN, \
		  (dir, (unsigned int)flags, mode), STRING(path)) \
	PTL_JUMP int name(int dir, const char *path, int flags, ...) \
	{ \
		mode_t mode = 0; \
\
		OPEN_MODE(mode) \
		return told_##name(dir, path, flags, mode, \
				   __builtin_return_address(0)); \
	}
#define CALL_OPEN_2(name) \
	WRAP(int, name, (const char *path, int flags), (path, flags), INT, \
	     FILE_OPEN, (AT_FDCWD, (unsigned int)flags, 0), STRING(path))
#define CALL_OPENAT_2(name) \
	WRAP(int, name, (int dir, const char *path, int flags), \
	     (dir, path, flags), INT, FILE_OPEN, \
	     (dir, (unsigned int)flags, 0), STRING(path))
#define CALL_CREAT(name) \
	WRAP(int, name, (const char *path, mode_t mode), (path, mode), INT, \
	     FILE_OPEN, (AT_FDCWD, O_CREAT | O_WRONLY | O_TRUNC, mode), \
	     STRING(path))

/* Descriptors alone. */
#define CALL_FD(name, event) \
	WRAP(int, name, (int fd), (fd), INT, event, (fd), NOTHING)

#define CALL_STAT(name, type, flags) \
	WRAP(int, name, (const char *path, struct type *buf), (path, buf), \
	     INT, FILE_STAT, (AT_FDCWD, flags), STRING(path))
#define CALL_XSTAT(name, type, flags) \
	WRAP(int, name, (int version, const char *path, struct type *buf), \
	     (version, path, buf), INT, FILE_STAT, (AT_FDCWD, flags), \
	     STRING(path))
#define CALL_STATAT(name, type) \
	WRAP(int, name, \
	     (int dir, const char *path, struct type *buf, int flags), \
	     (dir, path, buf, flags), INT, FILE_STAT, \
	     (dir, (unsigned int)flags), STRING(path))
#define CALL_XSTATAT(name, type) \
	WRAP(int, name, \
	     (int version, int dir, const char *path, struct type *buf, \
	      int flags), \
	     (version, dir, path, buf, flags), INT, FILE_STAT, \
	     (dir, (unsigned int)flags), STRING(path))
#define CALL_FSTAT(name, type, event) \
	WRAP(int, name, (int fd, struct type *buf), (fd, buf), INT, event, \
	     (fd), NOTHING)
#define CALL_FXSTAT(name, type) \
	WRAP(int, name, (int version, int fd, struct type *buf), \
	     (version, fd, buf), INT, FILE_FSTAT, (fd), NOTHING)
#define CALL_STATFS(name, type) \
	WRAP(int, name, (const char *path, struct type *buf), (path, buf), \
	     INT, FILE_STATFS, (), STRING(path))

#define CALL_ACCESS(name, flags) \
	WRAP(int, name, (const char *path, int mode), (path, mode), INT, \
	     FILE_ACCESS, (AT_FDCWD, (unsigned int)mode, flags), STRING(path))

/* A path and nothing else. */
#define CALL_PATH(name, event, ...) \
	WRAP(int, name, (const char *path), (path), INT, event, \
	     (__VA_ARGS__), STRING(path))
/* A path and a mode. */
#define CALL_MODE(name, event, ...) \
	WRAP(int, name, (const char *path, mode_t mode), (path, mode), INT, \
	     event, (AT_FDCWD, __VA_ARGS__), STRING(path))
#define CALL_MODEAT(name, event, ...) \
	WRAP(int, name, (int dir, const char *path, mode_t mode), \
	     (dir, path, mode), INT, event, (dir, __VA_ARGS__), STRING(path))
#define CALL_CHOWN(name, flags) \
	WRAP(int, name, (const char *path, uid_t uid, gid_t gid), \
	     (path, uid, gid), INT, FILE_CHOWN, \
	     (AT_FDCWD, (int)uid, (int)gid, flags), STRING(path))

#define CALL_TRUNCATE(name, type) \
	WRAP(int, name, (const char *path, type size), (path, size), INT, \
	     FILE_TRUNCATE, (size), STRING(path))
#define CALL_FTRUNCATE(name, type) \
	WRAP(int, name, (int fd, type size), (fd, size), INT, \
	     FILE_FTRUNCATE, (fd, size), NOTHING)

#define CALL_UTIMES(name, param, flags) \
	WRAP(int, name, (const char *path, param), (path, times), INT, \
	     FILE_UTIMES, (AT_FDCWD, flags), STRING(path))

#define CALL_FOPEN(name) \
	WRAP(FILE *, name, (const char *path, const char *mode), \
	     (path, mode), PTR, FILE_FOPEN, (), STRINGS2(path, mode))
#define CALL_FREOPEN(name) \
	WRAP(FILE *, name, \
	     (const char *path, const char *mode, FILE *stream), \
	     (path, mode, stream), PTR, FILE_FREOPEN, (P(stream)), \
	     STRINGS2(path, mode))
#define CALL_FDOPEN(name) \
	WRAP(FILE *, name, (int fd, const char *mode), (fd, mode), PTR, \
	     FILE_FDOPEN, (fd), STRING(mode))
#define CALL_FCLOSE(name) \
	WRAP(int, name, (FILE *stream), (stream), INT, FILE_FCLOSE, \
	     (P(stream)), NOTHING)
#define CALL_TMPFILE(name) \
	WRAP0(FILE *, name, PTR, FILE_TMPFILE, (), NOTHING)

#define CALL_MKSTEMP(name) \
	WRAP(int, name, (char *path), (path), INT, FILE_MKSTEMP, (0), \
	     STRING(path))
#define CALL_MKOSTEMP(name) \
	WRAP(int, name, (char *path, int flags), (path, flags), INT, \
	     FILE_MKSTEMP, ((unsigned int)flags), STRING(path))
#define CALL_MKSTEMPS(name) \
	WRAP(int, name, (char *path, int tail), (path, tail), INT, \
	     FILE_MKSTEMP, (0), STRING(path))
#define CALL_MKOSTEMPS(name) \
	WRAP(int, name, (char *path, int tail, int flags), \
	     (path, tail, flags), INT, FILE_MKSTEMP, ((unsigned int)flags), \
	     STRING(path))

#define CALL_GETXATTR(name, flags) \
	WRAP(ssize_t, name, \
	     (const char *path, const char *attr, void *buf, size_t size), \
	     (path, attr, buf, size), INT, FILE_GETXATTR, \
	     (AT_FDCWD, flags, (int64_t)size), STRINGS2(path, attr))
#define CALL_SETXATTR(name, flags) \
	WRAP(int, name, \
	     (const char *path, const char *attr, const void *buf, \
	      size_t size, int how), \
	     (path, attr, buf, size, how), INT, FILE_SETXATTR, \
	     (AT_FDCWD, flags, (int64_t)size), STRINGS2(path, attr))
#define CALL_LISTXATTR(name, flags) \
	WRAP(ssize_t, name, (const char *path, char *buf, size_t size), \
	     (path, buf, size), INT, FILE_LISTXATTR, \
	     (AT_FDCWD, flags, (int64_t)size), STRING(path))
#define CALL_REMOVEXATTR(name, flags) \
	WRAP(int, name, (const char *path, const char *attr), (path, attr), \
	     INT, FILE_REMOVEXATTR, (AT_FDCWD, flags), STRINGS2(path, attr))

/* ---- the table ---- */

CALL_OPEN(open)
CALL_OPEN(open64)
CALL_OPEN(__open)
CALL_OPEN(__open64)
CALL_OPEN_2(__open_2)
CALL_OPEN_2(__open64_2)
CALL_OPENAT(openat)
CALL_OPENAT(openat64)
CALL_OPENAT_2(__openat_2)
CALL_OPENAT_2(__openat64_2)
CALL_CREAT(creat)
CALL_CREAT(creat64)

CALL_FD(close, FILE_CLOSE)
CALL_FD(__close, FILE_CLOSE)
WRAP(int, close_range, (unsigned int first, unsigned int last, int flags),
     (first, last, flags), INT, FILE_CLOSE_RANGE,
     (first, (int)last, (unsigned int)flags), NOTHING)
WRAP_VOID(closefrom, (int first), (first), FILE_CLOSE_RANGE, first, -1, 0, 0, 0)

CALL_STAT(stat, stat, 0)
CALL_STAT(stat64, stat64, 0)
CALL_STAT(lstat, stat, AT_SYMLINK_NOFOLLOW)
CALL_STAT(lstat64, stat64, AT_SYMLINK_NOFOLLOW)
CALL_XSTAT(__xstat, stat, 0)
CALL_XSTAT(__xstat64, stat64, 0)
CALL_XSTAT(__lxstat, stat, AT_SYMLINK_NOFOLLOW)
CALL_XSTAT(__lxstat64, stat64, AT_SYMLINK_NOFOLLOW)
CALL_STATAT(fstatat, stat)
CALL_STATAT(fstatat64, stat64)
CALL_XSTATAT(__fxstatat, stat)
CALL_XSTATAT(__fxstatat64, stat64)
CALL_FSTAT(fstat, stat, FILE_FSTAT)
CALL_FSTAT(fstat64, stat64, FILE_FSTAT)
CALL_FXSTAT(__fxstat, stat)
CALL_FXSTAT(__fxstat64, stat64)
WRAP(int, statx, (int dir, const char *restrict path, int flags,
     unsigned int mask, struct statx *restrict buf),
     (dir, path, flags, mask, buf), INT, FILE_STAT,
     (dir, (unsigned int)flags), STRING(path))
CALL_STATFS(statfs, statfs)
CALL_STATFS(statfs64, statfs64)
CALL_STATFS(__statfs, statfs)
CALL_STATFS(statvfs, statvfs)
CALL_STATFS(statvfs64, statvfs64)
CALL_FSTAT(fstatfs, statfs, FILE_FSTATFS)
CALL_FSTAT(fstatfs64, statfs64, FILE_FSTATFS)
CALL_FSTAT(fstatvfs, statvfs, FILE_FSTATFS)
CALL_FSTAT(fstatvfs64, statvfs64, FILE_FSTATFS)

CALL_ACCESS(access, 0)
CALL_ACCESS(eaccess, AT_EACCESS)
CALL_ACCESS(euidaccess, AT_EACCESS)
WRAP(int, faccessat, (int dir, const char *path, int mode, int flags),
     (dir, path, mode, flags), INT, FILE_ACCESS,
     (dir, (unsigned int)mode, (unsigned int)flags), STRING(path))

CALL_MODE(mkdir, FILE_MKDIR, mode)
CALL_MODEAT(mkdirat, FILE_MKDIR, mode)
CALL_MODE(mkfifo, FILE_MKNOD, mode | S_IFIFO, 0)
CALL_MODEAT(mkfifoat, FILE_MKNOD, mode | S_IFIFO, 0)
WRAP(int, mknod, (const char *path, mode_t mode, dev_t dev),
     (path, mode, dev), INT, FILE_MKNOD, (AT_FDCWD, mode, (int64_t)dev),
     STRING(path))
WRAP(int, mknodat, (int dir, const char *path, mode_t mode, dev_t dev),
     (dir, path, mode, dev), INT, FILE_MKNOD, (dir, mode, (int64_t)dev),
     STRING(path))
WRAP(int, __xmknod, (int version, const char *path, mode_t mode, dev_t *dev),
     (version, path, mode, dev), INT, FILE_MKNOD,
     (AT_FDCWD, mode, ret == 0 ? (int64_t)*dev : 0), STRING(path))
WRAP(int, __xmknodat, (int version, int dir, const char *path, mode_t mode,
     dev_t *dev), (version, dir, path, mode, dev), INT, FILE_MKNOD,
     (dir, mode, ret == 0 ? (int64_t)*dev : 0), STRING(path))

CALL_PATH(unlink, FILE_UNLINK, AT_FDCWD, 0)
WRAP(int, unlinkat, (int dir, const char *path, int flags),
     (dir, path, flags), INT, FILE_UNLINK, (dir, (unsigned int)flags),
     STRING(path))
CALL_PATH(rmdir, FILE_RMDIR)
CALL_PATH(remove, FILE_REMOVE)

WRAP(int, rename, (const char *old, const char *new), (old, new), INT,
     FILE_RENAME, (AT_FDCWD, AT_FDCWD, 0), STRINGS2(old, new))
WRAP(int, renameat, (int olddir, const char *old, int newdir,
     const char *new), (olddir, old, newdir, new), INT, FILE_RENAME,
     (olddir, newdir, 0), STRINGS2(old, new))
WRAP(int, renameat2, (int olddir, const char *old, int newdir,
     const char *new, unsigned int flags), (olddir, old, newdir, new, flags),
     INT, FILE_RENAME, (olddir, newdir, flags), STRINGS2(old, new))
WRAP(int, link, (const char *old, const char *new), (old, new), INT,
     FILE_LINK, (AT_FDCWD, AT_FDCWD, 0), STRINGS2(old, new))
WRAP(int, linkat, (int olddir, const char *old, int newdir, const char *new,
     int flags), (olddir, old, newdir, new, flags), INT, FILE_LINK,
     (olddir, newdir, (unsigned int)flags), STRINGS2(old, new))
WRAP(int, symlink, (const char *target, const char *path), (target, path),
     INT, FILE_SYMLINK, (AT_FDCWD), STRINGS2(target, path))
WRAP(int, symlinkat, (const char *target, int dir, const char *path),
     (target, dir, path), INT, FILE_SYMLINK, (dir), STRINGS2(target, path))
WRAP(ssize_t, readlink, (const char *restrict path, char *restrict buf,
     size_t size), (path, buf, size), INT, FILE_READLINK,
     (AT_FDCWD, (int64_t)size), STRING(path))
WRAP(ssize_t, __readlink_chk, (const char *path, char *buf, size_t size,
     size_t room), (path, buf, size, room), INT, FILE_READLINK,
     (AT_FDCWD, (int64_t)size), STRING(path))
WRAP(ssize_t, readlinkat, (int dir, const char *restrict path,
     char *restrict buf, size_t size), (dir, path, buf, size), INT,
     FILE_READLINK, (dir, (int64_t)size), STRING(path))
WRAP(ssize_t, __readlinkat_chk, (int dir, const char *path, char *buf,
     size_t size, size_t room), (dir, path, buf, size, room), INT,
     FILE_READLINK, (dir, (int64_t)size), STRING(path))

CALL_MODE(chmod, FILE_CHMOD, mode, 0)
CALL_MODE(lchmod, FILE_CHMOD, mode, AT_SYMLINK_NOFOLLOW)
WRAP(int, fchmodat, (int dir, const char *path, mode_t mode, int flags),
     (dir, path, mode, flags), INT, FILE_CHMOD,
     (dir, mode, (unsigned int)flags), STRING(path))
WRAP(int, fchmod, (int fd, mode_t mode), (fd, mode), INT, FILE_FCHMOD,
     (fd, mode), NOTHING)
CALL_CHOWN(chown, 0)
CALL_CHOWN(lchown, AT_SYMLINK_NOFOLLOW)
WRAP(int, fchownat, (int dir, const char *path, uid_t uid, gid_t gid,
     int flags), (dir, path, uid, gid, flags), INT, FILE_CHOWN,
     (dir, (int)uid, (int)gid, (unsigned int)flags), STRING(path))
WRAP(int, fchown, (int fd, uid_t uid, gid_t gid), (fd, uid, gid), INT,
     FILE_FCHOWN, (fd, (int)uid, (int)gid), NOTHING)

CALL_TRUNCATE(truncate, off_t)
CALL_TRUNCATE(truncate64, off64_t)
CALL_FTRUNCATE(ftruncate, off_t)
CALL_FTRUNCATE(ftruncate64, off64_t)

CALL_UTIMES(utime, const struct utimbuf *times, 0)
CALL_UTIMES(utimes, const struct timeval times[2], 0)
CALL_UTIMES(lutimes, const struct timeval times[2], AT_SYMLINK_NOFOLLOW)
WRAP(int, futimesat, (int dir, const char *path, const struct timeval times[2]),
     (dir, path, times), INT, FILE_UTIMES, (dir, 0), STRING(path))
WRAP(int, utimensat, (int dir, const char *path, const struct timespec times[2],
     int flags), (dir, path, times, flags), INT, FILE_UTIMES,
     (dir, (unsigned int)flags), STRING(path))
WRAP(int, futimens, (int fd, const struct timespec times[2]), (fd, times), INT,
     FILE_FUTIMES, (fd), NOTHING)
WRAP(int, futimes, (int fd, const struct timeval times[2]), (fd, times), INT,
     FILE_FUTIMES, (fd), NOTHING)

CALL_PATH(chdir, FILE_CHDIR)
CALL_FD(fchdir, FILE_FCHDIR)
CALL_PATH(chroot, FILE_CHROOT)
WRAP(char *, getcwd, (char *buf, size_t size), (buf, size), PTR, FILE_GETCWD,
     (), STRING(ret))
WRAP(char *, __getcwd_chk, (char *buf, size_t size, size_t room),
     (buf, size, room), PTR, FILE_GETCWD, (), STRING(ret))
WRAP0(char *, get_current_dir_name, PTR, FILE_GETCWD, (), STRING(ret))
WRAP(char *, realpath, (const char *restrict path, char *restrict buf),
     (path, buf), PTR, FILE_REALPATH, (), STRINGS2(path, ret))
WRAP(char *, __realpath_chk, (const char *path, char *buf, size_t room),
     (path, buf, room), PTR, FILE_REALPATH, (), STRINGS2(path, ret))
WRAP(char *, canonicalize_file_name, (const char *path), (path), PTR,
     FILE_REALPATH, (), STRINGS2(path, ret))

WRAP(DIR *, opendir, (const char *path), (path), PTR, FILE_OPENDIR, (),
     STRING(path))
WRAP(DIR *, fdopendir, (int fd), (fd), PTR, FILE_FDOPENDIR, (fd), NOTHING)
WRAP(int, closedir, (DIR *dir), (dir), INT, FILE_CLOSEDIR, (P(dir)), NOTHING)

CALL_FOPEN(fopen)
CALL_FOPEN(fopen64)
CALL_FOPEN(_IO_fopen)
CALL_FREOPEN(freopen)
CALL_FREOPEN(freopen64)
CALL_FDOPEN(fdopen)
CALL_FDOPEN(_IO_fdopen)
CALL_FCLOSE(fclose)
CALL_FCLOSE(_IO_fclose)
CALL_TMPFILE(tmpfile)
CALL_TMPFILE(tmpfile64)

CALL_MKSTEMP(mkstemp)
CALL_MKSTEMP(mkstemp64)
CALL_MKOSTEMP(mkostemp)
CALL_MKOSTEMP(mkostemp64)
CALL_MKSTEMPS(mkstemps)
CALL_MKSTEMPS(mkstemps64)
CALL_MKOSTEMPS(mkostemps)
CALL_MKOSTEMPS(mkostemps64)
WRAP(char *, mkdtemp, (char *path), (path), PTR, FILE_MKDTEMP, (),
     STRING(path))

WRAP(int, mount, (const char *source, const char *target, const char *type,
     unsigned long flags, const void *data),
     (source, target, type, flags, data), INT, FILE_MOUNT, ((int64_t)flags),
     STRINGS3(source, target, type))
CALL_PATH(umount, FILE_UMOUNT, 0)
WRAP(int, umount2, (const char *target, int flags), (target, flags), INT,
     FILE_UMOUNT, ((unsigned int)flags), STRING(target))

CALL_GETXATTR(getxattr, 0)
CALL_GETXATTR(lgetxattr, AT_SYMLINK_NOFOLLOW)
WRAP(ssize_t, fgetxattr, (int fd, const char *attr, void *buf, size_t size),
     (fd, attr, buf, size), INT, FILE_GETXATTR, (fd, 0, (int64_t)size),
     STRINGS2("", attr))
CALL_SETXATTR(setxattr, 0)
CALL_SETXATTR(lsetxattr, AT_SYMLINK_NOFOLLOW)
WRAP(int, fsetxattr, (int fd, const char *attr, const void *buf, size_t size,
     int how), (fd, attr, buf, size, how), INT, FILE_SETXATTR,
     (fd, 0, (int64_t)size), STRINGS2("", attr))
CALL_LISTXATTR(listxattr, 0)
CALL_LISTXATTR(llistxattr, AT_SYMLINK_NOFOLLOW)
WRAP(ssize_t, flistxattr, (int fd, char *buf, size_t size), (fd, buf, size),
     INT, FILE_LISTXATTR, (fd, 0, (int64_t)size), STRING(""))
CALL_REMOVEXATTR(removexattr, 0)
CALL_REMOVEXATTR(lremovexattr, AT_SYMLINK_NOFOLLOW)
WRAP(int, fremovexattr, (int fd, const char *attr), (fd, attr), INT,
     FILE_REMOVEXATTR, (fd, 0), STRINGS2("", attr))

WRAP(mode_t, umask, (mode_t mask), (mask), NONE, FILE_UMASK, (mask), NOTHING)
WRAP(int, flock, (int fd, int op), (fd, op), INT, FILE_FLOCK,
     (fd, (unsigned int)op), NOTHING)
