/* SPDX-License-Identifier: MIT */
/*
 * Calls every function that is only recorded, and prints the events that must
 * come of it, in their order.  Which it prints depends on nothing; whether a
 * call succeeds does not matter, only that its errno is there after it.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <mqueue.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

/* Forms and other names that no header has. */
int __open(const char *, int, ...);
int __open64(const char *, int, ...);
int __open_2(const char *, int);
int __open64_2(const char *, int);
int __openat_2(int, const char *, int);
int __openat64_2(int, const char *, int);
int __close(int);
int __xstat(int, const char *, struct stat *);
int __xstat64(int, const char *, struct stat64 *);
int __lxstat(int, const char *, struct stat *);
int __lxstat64(int, const char *, struct stat64 *);
int __fxstat(int, int, struct stat *);
int __fxstat64(int, int, struct stat64 *);
int __fxstatat(int, int, const char *, struct stat *, int);
int __fxstatat64(int, int, const char *, struct stat64 *, int);
int __statfs(const char *, struct statfs *);
int __xmknod(int, const char *, mode_t, dev_t *);
int __xmknodat(int, int, const char *, mode_t, dev_t *);
ssize_t __readlink_chk(const char *, char *, size_t, size_t);
ssize_t __readlinkat_chk(int, const char *, char *, size_t, size_t);
char *__getcwd_chk(char *, size_t, size_t);
char *__realpath_chk(const char *, char *, size_t);
FILE *_IO_fopen(const char *, const char *);
FILE *_IO_fdopen(int, const char *);
int _IO_fclose(FILE *);
ssize_t __read(int, void *, size_t);
ssize_t __read_chk(int, void *, size_t, size_t);
ssize_t __write(int, const void *, size_t);
ssize_t __pread64(int, void *, size_t, off64_t);
ssize_t __pread_chk(int, void *, size_t, off_t, size_t);
ssize_t __pread64_chk(int, void *, size_t, off64_t, size_t);
ssize_t __pwrite64(int, const void *, size_t, off64_t);
off_t __lseek(int, off_t, int);
off64_t llseek(int, off64_t, int);
int __dup2(int, int);
int __pipe(int *);
int __fcntl(int, int, ...);
int __poll(struct pollfd *, nfds_t, int);
int __poll_chk(struct pollfd *, nfds_t, int, size_t);
int __ppoll_chk(struct pollfd *, nfds_t, const struct timespec *,
		const sigset_t *, size_t);
int __select(int, fd_set *, fd_set *, fd_set *, struct timeval *);
size_t _IO_fread(void *, size_t, size_t, FILE *);
size_t __fread_chk(void *, size_t, size_t, size_t, FILE *);
size_t __fread_unlocked_chk(void *, size_t, size_t, size_t, FILE *);
size_t _IO_fwrite(const void *, size_t, size_t, FILE *);
int _IO_fflush(FILE *);
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void __libc_free(void *);
void *__libc_memalign(size_t, size_t);
void *__libc_valloc(size_t);
void *__libc_pvalloc(size_t);
void *__sbrk(intptr_t);
int __nanosleep(const struct timespec *, struct timespec *);
int __gettimeofday(struct timeval *, void *);
int __connect(int, const struct sockaddr *, socklen_t);
ssize_t __send(int, const void *, size_t, int);
ssize_t __recv_chk(int, void *, size_t, size_t, int);
ssize_t __recvfrom_chk(int, void *, size_t, size_t, int, struct sockaddr *,
		       socklen_t *);
mqd_t __mq_open_2(const char *, int);
int __pthread_mutex_lock(pthread_mutex_t *);
int __pthread_mutex_trylock(pthread_mutex_t *);
int __pthread_mutex_unlock(pthread_mutex_t *);
int __pthread_rwlock_rdlock(pthread_rwlock_t *);
int __pthread_rwlock_tryrdlock(pthread_rwlock_t *);
int __pthread_rwlock_wrlock(pthread_rwlock_t *);
int __pthread_rwlock_trywrlock(pthread_rwlock_t *);
int __pthread_rwlock_unlock(pthread_rwlock_t *);

static char told[65536];
static size_t told_size;

static void tell(const char *s)
{
	while (*s)
		told[told_size++] = *s++;
	told[told_size++] = '\n';
}

/* Names for programs that were linked long ago. */
#define OLD(name) ((__typeof__(&name))dlsym(RTLD_DEFAULT, #name))

/* An event, and the call it comes of. */
#define E(event, call) (tell(event), (call))

static struct stat st;
static struct stat64 st64;
static struct statfs sfs;
static struct statfs64 sfs64;
static struct statvfs svfs;
static struct statvfs64 svfs64;
static struct statx stx;
static char buf[8192];
static char path[32];

static char *template(const char *s)
{
	return strcpy(path, s);
}

static void opens(void)
{
	int fd;

#define O(call) (fd = E("file:open", call), E("file:close", close(fd)))
	O(open("f", O_CREAT | O_RDWR, 0600));
	O(open64("f", O_RDWR));
	O(__open("f", O_RDWR));
	O(__open64("f", O_RDWR));
	O(__open_2("f", O_RDWR));
	O(__open64_2("f", O_RDWR));
	O(openat(AT_FDCWD, "f", O_RDWR));
	O(openat64(AT_FDCWD, "f", O_RDWR));
	O(__openat_2(AT_FDCWD, "f", O_RDWR));
	O(__openat64_2(AT_FDCWD, "f", O_RDWR));
	O(creat("f", 0600));
	O(creat64("f", 0600));
	fd = E("file:open", open("f", O_RDWR));
	E("file:close", __close(fd));
	E("file:close_range", close_range(900, 910, 0));
	tell("file:close_range");
	closefrom(900);
	E("file:fopen", (void)fopen("/no/such", "r"));
	FILE *f = E("file:fopen", fopen("f", "r+"));
	E("io:fread", fread(buf, 1, 1, f));
	E("io:fread", (fread_unlocked)(buf, 1, 1, f));
	E("io:fread", _IO_fread(buf, 1, 1, f));
	E("io:fread", __fread_chk(buf, 9, 1, 1, f));
	E("io:fread", __fread_unlocked_chk(buf, 9, 1, 1, f));
	E("io:fwrite", fwrite("x", 1, 1, f));
	E("io:fwrite", (fwrite_unlocked)("x", 1, 1, f));
	E("io:fwrite", _IO_fwrite("x", 1, 1, f));
	E("io:fflush", fflush(f));
	E("io:fflush", fflush_unlocked(f));
	E("io:fflush", _IO_fflush(f));
	f = E("file:freopen", freopen("f", "r", f));
	f = E("file:freopen", freopen64("f", "r", f));
	E("file:fclose", fclose(f));
	f = E("file:fopen", fopen64("f", "r"));
	E("file:fclose", _IO_fclose(f));
	f = E("file:fopen", _IO_fopen("f", "r"));
	E("file:fclose", fclose(f));
	fd = E("file:open", open("f", O_RDONLY));
	f = E("file:fdopen", fdopen(fd, "r"));
	E("file:fclose", fclose(f));
	E("file:fdopen", (void)_IO_fdopen(-1, "r"));
	f = E("file:tmpfile", tmpfile());
	E("file:fclose", fclose(f));
	f = E("file:tmpfile", tmpfile64());
	E("file:fclose", fclose(f));
#define M(call) (fd = E("file:mkstemp", call), E("file:close", close(fd)))
	M(mkstemp(template("aXXXXXX")));
	M(mkstemp64(template("aXXXXXX")));
	M(mkostemp(template("aXXXXXX"), O_CLOEXEC));
	M(mkostemp64(template("aXXXXXX"), O_CLOEXEC));
	M(mkstemps(template("aXXXXXX.c"), 2));
	M(mkstemps64(template("aXXXXXX.c"), 2));
	M(mkostemps(template("aXXXXXX.c"), 2, O_CLOEXEC));
	M(mkostemps64(template("aXXXXXX.c"), 2, O_CLOEXEC));
	E("file:mkdtemp", mkdtemp(template("dXXXXXX")));
}

static void stats(void)
{
	E("file:stat", stat("f", &st));
	E("file:stat", stat64("f", &st64));
	E("file:stat", lstat("f", &st));
	E("file:stat", lstat64("f", &st64));
	E("file:stat", fstatat(AT_FDCWD, "f", &st, 0));
	E("file:stat", fstatat64(AT_FDCWD, "f", &st64, 0));
	E("file:stat", __xstat(1, "f", &st));
	E("file:stat", __xstat64(1, "f", &st64));
	E("file:stat", __lxstat(1, "f", &st));
	E("file:stat", __lxstat64(1, "f", &st64));
	E("file:stat", __fxstatat(1, AT_FDCWD, "f", &st, 0));
	E("file:stat", __fxstatat64(1, AT_FDCWD, "f", &st64, 0));
	E("file:stat", statx(AT_FDCWD, "f", 0, STATX_SIZE, &stx));
	E("file:fstat", fstat(0, &st));
	E("file:fstat", fstat64(0, &st64));
	E("file:fstat", __fxstat(1, 0, &st));
	E("file:fstat", __fxstat64(1, 0, &st64));
	E("file:statfs", statfs("f", &sfs));
	E("file:statfs", statfs64("f", &sfs64));
	E("file:statfs", __statfs("f", &sfs));
	E("file:statfs", statvfs("f", &svfs));
	E("file:statfs", statvfs64("f", &svfs64));
	E("file:fstatfs", fstatfs(0, &sfs));
	E("file:fstatfs", fstatfs64(0, &sfs64));
	E("file:fstatfs", fstatvfs(0, &svfs));
	E("file:fstatfs", fstatvfs64(0, &svfs64));
	E("file:access", access("f", R_OK | W_OK));
	E("file:access", eaccess("f", F_OK));
	E("file:access", euidaccess("f", F_OK));
	E("file:access", faccessat(AT_FDCWD, "f", F_OK, 0));
}

static void names(void)
{
	const struct timeval tv[2] = {{1, 0}, {1, 0}};
	const struct timespec ts[2] = {{1, 0}, {1, 0}};
	const struct utimbuf ut = {1, 1};
	dev_t dev = 0;

	E("file:mkdir", mkdir("d", 0700));
	E("file:mkdir", mkdirat(AT_FDCWD, "d2", 0700));
	E("file:mknod", mkfifo("p", 0600));
	E("file:mknod", mkfifoat(AT_FDCWD, "p2", 0600));
	E("file:mknod", mknod("p3", S_IFREG | 0600, 0));
	E("file:mknod", mknodat(AT_FDCWD, "p4", S_IFREG | 0600, 0));
	E("file:mknod", __xmknod(0, "p5", S_IFREG | 0600, &dev));
	E("file:mknod", __xmknodat(0, AT_FDCWD, "p6", S_IFREG | 0600, &dev));
	E("file:unlink", unlink("p"));
	E("file:unlink", unlinkat(AT_FDCWD, "d2", AT_REMOVEDIR));
	E("file:rmdir", rmdir("d2"));
	E("file:remove", remove("p2"));
	E("file:rename", rename("p3", "q3"));
	E("file:rename", renameat(AT_FDCWD, "q3", AT_FDCWD, "p3"));
	E("file:rename", renameat2(AT_FDCWD, "p3", AT_FDCWD, "q3", 1));
	E("file:link", link("f", "l"));
	E("file:link", linkat(AT_FDCWD, "f", AT_FDCWD, "l2", 0));
	E("file:symlink", symlink("to", "s"));
	E("file:symlink", symlinkat("to", AT_FDCWD, "s2"));
	E("file:readlink", readlink("s", buf, 10));
	E("file:readlink", readlinkat(AT_FDCWD, "s", buf, 10));
	E("file:readlink", __readlink_chk("s", buf, 10, 10));
	E("file:readlink", __readlinkat_chk(AT_FDCWD, "s", buf, 10, 10));
	E("file:chmod", chmod("f", 0640));
	E("file:chmod", lchmod("f", 0640));
	E("file:chmod", fchmodat(AT_FDCWD, "f", 0640, 0));
	E("file:fchmod", fchmod(-1, 0600));
	E("file:chown", chown("f", -1, -1));
	E("file:chown", lchown("f", -1, -1));
	E("file:chown", fchownat(AT_FDCWD, "f", -1, -1, 0));
	E("file:fchown", fchown(-1, -1, -1));
	E("file:truncate", truncate("f", 10));
	E("file:truncate", truncate64("f", 10));
	E("file:ftruncate", ftruncate(-1, 10));
	E("file:ftruncate", ftruncate64(-1, 10));
	E("file:utimes", utime("f", &ut));
	E("file:utimes", utimes("f", tv));
	E("file:utimes", lutimes("f", tv));
	E("file:utimes", futimesat(AT_FDCWD, "f", tv));
	E("file:utimes", utimensat(AT_FDCWD, "f", ts, 0));
	E("file:futimes", futimens(-1, ts));
	E("file:futimes", futimes(-1, tv));
	E("file:chdir", chdir("d"));
	E("file:chdir", chdir(".."));
	E("file:fchdir", fchdir(-1));
	E("file:chroot", chroot("/no/such"));
	E("file:getcwd", getcwd(buf, sizeof(buf)));
	E("file:getcwd", __getcwd_chk(buf, sizeof(buf), sizeof(buf)));
	E("file:getcwd", (void)get_current_dir_name());
	E("file:realpath", realpath("f", buf));
	E("file:realpath", __realpath_chk("f", buf, sizeof(buf)));
	E("file:realpath", (void)canonicalize_file_name("f"));
	DIR *dir = E("file:opendir", opendir("."));
	E("file:closedir", closedir(dir));
	E("file:fdopendir", (void)fdopendir(-1));
	E("file:mount", mount("none", "/no/such", "tmpfs", MS_RDONLY, ""));
	E("file:umount", umount("/no/such"));
	E("file:umount", umount2("/no/such", MNT_DETACH));
	E("file:getxattr", getxattr("f", "user.x", buf, 1));
	E("file:getxattr", lgetxattr("f", "user.x", buf, 1));
	E("file:getxattr", fgetxattr(-1, "user.x", buf, 1));
	E("file:setxattr", setxattr("f", "user.x", "v", 1, 0));
	E("file:setxattr", lsetxattr("f", "user.x", "v", 1, 0));
	E("file:setxattr", fsetxattr(-1, "user.x", "v", 1, 0));
	E("file:listxattr", listxattr("f", buf, 1));
	E("file:listxattr", llistxattr("f", buf, 1));
	E("file:listxattr", flistxattr(-1, buf, 1));
	E("file:removexattr", removexattr("f", "user.x"));
	E("file:removexattr", lremovexattr("f", "user.x"));
	E("file:removexattr", fremovexattr(-1, "user.x"));
	E("file:umask", umask(022));
	E("file:flock", flock(-1, LOCK_EX | LOCK_NB));
}

static void io(void)
{
	const struct timespec now = {0, 0}, seconds = {2, 3456789};
	struct timeval none = {0, 0};
	struct iovec iov = {buf, 4};
	struct epoll_event event = {0};
	struct pollfd pfd = {0};
	int fd, fd2, p[2];
	off_t zero = 0;
	fd_set set;

	fd = E("file:open", open("f", O_RDWR));
	E("io:read", read(fd, buf, 4));
	E("io:read", __read(fd, buf, 4));
	E("io:read", __read_chk(fd, buf, 4, 4));
	E("io:write", write(fd, buf, 4));
	E("io:write", __write(fd, buf, 4));
	E("io:pread", pread(fd, buf, 4, 0));
	E("io:pread", pread64(fd, buf, 4, 0));
	E("io:pread", __pread64(fd, buf, 4, 0));
	E("io:pread", __pread_chk(fd, buf, 4, 0, 4));
	E("io:pread", __pread64_chk(fd, buf, 4, 0, 4));
	E("io:pwrite", pwrite(fd, buf, 4, 0));
	E("io:pwrite", pwrite64(fd, buf, 4, 0));
	E("io:pwrite", __pwrite64(fd, buf, 4, 0));
	E("io:readv", readv(fd, &iov, 1));
	E("io:writev", writev(fd, &iov, 1));
	E("io:preadv", preadv(fd, &iov, 1, 0));
	E("io:preadv", preadv64(fd, &iov, 1, 0));
	E("io:preadv", preadv2(fd, &iov, 1, 0, 0));
	E("io:preadv", preadv64v2(fd, &iov, 1, 0, 0));
	E("io:pwritev", pwritev(fd, &iov, 1, 0));
	E("io:pwritev", pwritev64(fd, &iov, 1, 0));
	E("io:pwritev", pwritev2(fd, &iov, 1, 0, 0));
	E("io:pwritev", pwritev64v2(fd, &iov, 1, 0, 0));
	E("io:lseek", lseek(fd, 0, SEEK_SET));
	E("io:lseek", lseek64(fd, 0, SEEK_SET));
	E("io:lseek", __lseek(fd, 0, SEEK_SET));
	E("io:lseek", OLD(llseek)(fd, 0, SEEK_SET));
	fd2 = E("io:dup", dup(fd));
	E("io:dup", dup2(fd, fd2));
	E("io:dup", __dup2(fd, fd2));
	E("io:dup", dup3(fd, fd2, O_CLOEXEC));
	E("file:close", close(fd2));
	E("io:pipe", pipe2(p, O_CLOEXEC));
	E("io:splice", splice(fd, NULL, p[1], NULL, 4, 0));
	E("io:splice", tee(p[0], p[1], 4, 0));
	E("io:sendfile", sendfile(p[1], fd, &zero, 1));
	E("io:sendfile", sendfile64(p[1], fd, &zero, 1));
	E("file:close", close(p[0]));
	E("file:close", close(p[1]));
	E("io:pipe", pipe(p));
	E("file:close", close(p[0]));
	E("file:close", close(p[1]));
	E("io:pipe", __pipe(p));
	E("file:close", close(p[0]));
	E("file:close", close(p[1]));
	E("io:copy_file_range", copy_file_range(fd, NULL, -1, NULL, 1, 0));
	E("io:fcntl", fcntl(fd, F_GETFD));
	E("io:fcntl", fcntl64(fd, F_SETFD, FD_CLOEXEC));
	E("io:fcntl", __fcntl(fd, F_GETFL));
	E("io:ioctl", ioctl(fd, TCGETS, buf));
	E("io:fsync", fsync(-1));
	E("io:fsync", fdatasync(-1));
	E("io:fsync", syncfs(-1));
	E("io:fallocate", fallocate(-1, 0, 0, 1));
	E("io:fallocate", fallocate64(-1, 0, 0, 1));
	E("io:fallocate", posix_fallocate(-1, 0, 1));
	E("io:fallocate", posix_fallocate64(-1, 0, 1));
	E("io:poll", poll(&pfd, 0, 0));
	E("io:poll", __poll(&pfd, 0, 0));
	E("io:poll", __poll_chk(&pfd, 0, 0, sizeof(pfd)));
	E("io:ppoll", ppoll(&pfd, 0, &now, NULL));
	E("io:ppoll", __ppoll_chk(&pfd, 0, &now, NULL, sizeof(pfd)));
	FD_ZERO(&set);
	E("io:select", select(0, &set, NULL, NULL, &none));
	E("io:select", __select(0, &set, NULL, NULL, &none));
	E("io:select", pselect(0, &set, NULL, NULL, &now, NULL));
	fd2 = E("io:epoll_create", epoll_create(1));
	E("file:close", close(fd2));
	fd2 = E("io:epoll_create", epoll_create1(EPOLL_CLOEXEC));
	E("io:epoll_ctl", epoll_ctl(fd2, EPOLL_CTL_ADD, fd, &event));
	E("io:epoll_wait", epoll_wait(fd2, &event, 1, 0));
	E("io:epoll_wait", epoll_pwait(fd2, &event, 1, 0, NULL));
	E("io:epoll_wait", epoll_pwait2(-1, &event, 1, &seconds, NULL));
	E("io:epoll_wait",
	  epoll_pwait2(fd2, &event, 1, (const struct timespec *)1, NULL));
	E("file:close", close(fd2));
	fd2 = E("io:eventfd", eventfd(1, EFD_CLOEXEC));
	E("file:close", close(fd2));
	fd2 = E("io:inotify_init", inotify_init());
	E("io:inotify_add_watch", inotify_add_watch(fd2, "f", IN_OPEN));
	E("file:close", close(fd2));
	fd2 = E("io:inotify_init", inotify_init1(IN_CLOEXEC));
	E("file:close", close(fd2));
	fd2 = E("io:memfd_create", memfd_create("m", MFD_CLOEXEC));
	E("file:close", close(fd2));
	E("file:close", close(fd));
}

/* There may be no message queues here. */
static void queues(void)
{
	struct mq_attr attr = {.mq_maxmsg = 3, .mq_msgsize = 10};
	const struct timespec past = {0, 0};
	char name[32];
	mqd_t mq;

	snprintf(name, sizeof(name), "/ptrace-calls.%d", (int)getpid());
	E("io:mq_open", mq_open("/ptrace no such", O_RDWR));
	E("io:mq_open", __mq_open_2("/ptrace no such", O_RDONLY));
	mq = E("io:mq_open", mq_open(name, O_CREAT | O_RDWR, 0600, &attr));
	E("io:mq_send", mq_send(mq, "data", 4, 5));
	E("io:mq_send", mq_timedsend(mq, "more", 4, 6, &past));
	E("io:mq_receive", mq_receive(mq, buf, sizeof(buf), NULL));
	E("io:mq_receive", mq_timedreceive(mq, buf, 9, NULL, &past));
	E("io:mq_close", mq_close(mq));
	E("io:mq_unlink", mq_unlink(name));
}

static void mem(void)
{
	void *p;

	p = E("mem:malloc", malloc(10));
	p = E("mem:realloc", realloc(p, 20));
	p = E("mem:realloc", reallocarray(p, 3, 10));
	E("mem:free", free(p));
	p = E("mem:calloc", calloc(3, 4));
	E("mem:free", free(p));
	p = E("mem:malloc", __libc_malloc(10));
	p = E("mem:realloc", __libc_realloc(p, 20));
	E("mem:free", __libc_free(p));
	E("mem:calloc", (void)__libc_calloc(3, 4));
	E("mem:aligned", (void)aligned_alloc(64, 128));
	E("mem:aligned", (void)memalign(64, 100));
	E("mem:aligned", (void)__libc_memalign(64, 100));
	E("mem:aligned", (void)valloc(100));
	E("mem:aligned", (void)__libc_valloc(100));
	E("mem:aligned", (void)pvalloc(100));
	E("mem:aligned", (void)__libc_pvalloc(100));
	E("mem:aligned", posix_memalign(&p, 64, 100));
	E("mem:aligned", posix_memalign(&p, 3, 100));
	p = E("mem:mmap", mmap(NULL, 8192, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	E("mem:mprotect", mprotect(p, 4096, PROT_READ));
	E("mem:mprotect", pkey_mprotect(p, 4096, PROT_READ, -1));
	E("mem:madvise", madvise(p, 4096, MADV_DONTNEED));
	E("mem:madvise", posix_madvise(p, 4096, POSIX_MADV_NORMAL));
	E("mem:msync", msync(p, 4096, MS_ASYNC));
	E("mem:mlock", mlock(p, 4096));
	E("mem:mlock", mlock2(p, 4096, 0));
	E("mem:munlock", munlock(p, 4096));
	p = E("mem:mremap", mremap(p, 8192, 16384, MREMAP_MAYMOVE));
	E("mem:munmap", munmap(p, 16384));
	E("mem:mmap", mmap64(NULL, 0, 0, MAP_PRIVATE, -1, 0));
	p = E("mem:sbrk", sbrk(0));
	E("mem:sbrk", __sbrk(0));
	E("mem:brk", brk(p));
	E("mem:shm_open", shm_open("/ptrace no such", O_RDWR, 0600));
	E("mem:shm_unlink", shm_unlink("/ptrace no such"));
}

static void *thread(void *arg)
{
	return arg;
}

static pthread_t start(void)
{
	pthread_t id;

	pthread_create(&id, NULL, thread, NULL);
	return id;
}

static void sync_all(void)
{
	const struct timespec past = {1, 0};
	static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
	static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
	static pthread_barrier_t b;
	static pthread_spinlock_t s;
	static sem_t sem;
	sem_t *named;
	char name[32];
	static mtx_t mtx;
	static cnd_t cnd;

#define MUTEX(event, call) \
	(E(event, call), E("sync:unlock", pthread_mutex_unlock(&m)))
	MUTEX("sync:lock", pthread_mutex_lock(&m));
	MUTEX("sync:trylock", pthread_mutex_trylock(&m));
	MUTEX("sync:timedlock", pthread_mutex_timedlock(&m, &past));
	MUTEX("sync:timedlock",
	      pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &past));
	MUTEX("sync:lock", OLD(__pthread_mutex_lock)(&m));
	E("sync:trylock", OLD(__pthread_mutex_trylock)(&m));
	E("sync:unlock", OLD(__pthread_mutex_unlock)(&m));
#define RW(event, call) \
	(E(event, call), E("sync:rwunlock", pthread_rwlock_unlock(&rw)))
	RW("sync:rdlock", pthread_rwlock_rdlock(&rw));
	RW("sync:rdlock", OLD(__pthread_rwlock_rdlock)(&rw));
	RW("sync:rdlock", pthread_rwlock_timedrdlock(&rw, &past));
	RW("sync:rdlock",
	   pthread_rwlock_clockrdlock(&rw, CLOCK_MONOTONIC, &past));
	RW("sync:tryrdlock", pthread_rwlock_tryrdlock(&rw));
	RW("sync:tryrdlock", OLD(__pthread_rwlock_tryrdlock)(&rw));
	RW("sync:wrlock", pthread_rwlock_wrlock(&rw));
	RW("sync:wrlock", OLD(__pthread_rwlock_wrlock)(&rw));
	RW("sync:wrlock", pthread_rwlock_timedwrlock(&rw, &past));
	RW("sync:wrlock",
	   pthread_rwlock_clockwrlock(&rw, CLOCK_MONOTONIC, &past));
	RW("sync:trywrlock", pthread_rwlock_trywrlock(&rw));
	E("sync:trywrlock", OLD(__pthread_rwlock_trywrlock)(&rw));
	E("sync:rwunlock", OLD(__pthread_rwlock_unlock)(&rw));
	E("sync:lock", pthread_mutex_lock(&m));
	E("sync:timedwait", pthread_cond_timedwait(&c, &m, &past));
	E("sync:timedwait",
	  pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &past));
	E("sync:unlock", pthread_mutex_unlock(&m));
	E("sync:signal", pthread_cond_signal(&c));
	E("sync:broadcast", pthread_cond_broadcast(&c));
	snprintf(name, sizeof(name), "/ptrace-calls.%d", (int)getpid());
	sem_init(&sem, 0, 0);
	E("sync:sem_trywait", sem_trywait(&sem));
	E("sync:sem_timedwait", sem_timedwait(&sem, &past));
	E("sync:sem_timedwait", sem_clockwait(&sem, CLOCK_MONOTONIC, &past));
	E("sync:sem_post", sem_post(&sem));
	E("sync:sem_wait", sem_wait(&sem));
	E("sync:sem_open", (void)sem_open("/ptrace no such", 0));
	named = E("sync:sem_open", sem_open(name, O_CREAT | O_EXCL, 0600, 3));
	E("sync:sem_wait", sem_wait(named));
	E("sync:sem_close", sem_close(named));
	E("sync:sem_unlink", sem_unlink(name));
	pthread_barrier_init(&b, NULL, 1);
	E("sync:barrier", pthread_barrier_wait(&b));
	pthread_spin_init(&s, 0);
	E("sync:spin_lock", pthread_spin_lock(&s));
	E("sync:spin_trylock", pthread_spin_trylock(&s));
	E("sync:spin_unlock", pthread_spin_unlock(&s));
	mtx_init(&mtx, mtx_timed);
	E("sync:mtx_lock", mtx_lock(&mtx));
	E("sync:mtx_trylock", mtx_trylock(&mtx));
	cnd_init(&cnd);
	E("sync:cnd_wait", cnd_timedwait(&cnd, &mtx, &past));
	E("sync:mtx_unlock", mtx_unlock(&mtx));
	E("sync:mtx_lock", mtx_timedlock(&mtx, &past));
	E("sync:cnd_signal", cnd_signal(&cnd));
	E("sync:cnd_broadcast", cnd_broadcast(&cnd));
	E("sync:join", pthread_join(start(), NULL));
	E("sync:join", pthread_tryjoin_np(pthread_self(), NULL));
	E("sync:join", pthread_timedjoin_np(pthread_self(), NULL, &past));
	E("sync:join",
	  pthread_clockjoin_np(pthread_self(), NULL, CLOCK_MONOTONIC, &past));
	E("sync:detach", pthread_detach(start()));
}

/* These wait for somebody who wakes them, so there are two threads, in whose
 * order nothing is told. */
static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t shared_cond = PTHREAD_COND_INITIALIZER;
static mtx_t shared_mtx;
static cnd_t shared_cnd;
static int turn;

static void *waker(void *arg)
{
	pthread_mutex_lock(&shared);
	turn = 1;
	pthread_cond_signal(&shared_cond);
	pthread_mutex_unlock(&shared);
	mtx_lock(&shared_mtx);
	turn = 2;
	cnd_signal(&shared_cnd);
	mtx_unlock(&shared_mtx);
	return arg;
}

static void waits(void)
{
	pthread_t id;

	mtx_init(&shared_mtx, mtx_plain);
	cnd_init(&shared_cnd);
	pthread_mutex_lock(&shared);
	mtx_lock(&shared_mtx);
	pthread_create(&id, NULL, waker, NULL);
	while (turn < 1)
		pthread_cond_wait(&shared_cond, &shared);
	pthread_mutex_unlock(&shared);
	while (turn < 2)
		cnd_wait(&shared_cnd, &shared_mtx);
	mtx_unlock(&shared_mtx);
	pthread_join(id, NULL);
}

static void times_all(void)
{
	const struct timespec one = {0, 1};
	struct itimerspec its = {{0, 0}, {0, 0}};
	struct itimerval itv = {{0, 0}, {0, 0}};
	struct sigevent none = {.sigev_notify = SIGEV_NONE};
	struct timespec ts;
	struct timeval tv;
	timer_t timer;
	int fd;

	E("time:nanosleep", nanosleep(&one, NULL));
	E("time:nanosleep", __nanosleep(&one, NULL));
	E("time:nanosleep", clock_nanosleep(CLOCK_MONOTONIC, 0, &one, NULL));
	E("time:thrd_sleep", thrd_sleep(&one, NULL));
	E("time:sleep", sleep(0));
	E("time:usleep", usleep(1));
	E("time:alarm", alarm(0));
	E("time:setitimer", setitimer(ITIMER_REAL, &itv, NULL));
	E("time:timer_create", timer_create(CLOCK_MONOTONIC, &none, &timer));
	E("time:timer_settime", timer_settime(timer, 0, &its, NULL));
	E("time:timer_delete", timer_delete(timer));
	fd = E("time:timerfd_create", timerfd_create(CLOCK_MONOTONIC, 0));
	E("time:timerfd_settime", timerfd_settime(fd, 0, &its, NULL));
	E("file:close", close(fd));
	E("time:clock_gettime", clock_gettime(CLOCK_MONOTONIC, &ts));
	E("time:clock_settime", clock_settime(CLOCK_MONOTONIC, &ts));
	E("time:gettimeofday", gettimeofday(&tv, NULL));
	E("time:gettimeofday", __gettimeofday(&tv, NULL));
	E("time:time", time(NULL));
}

static void net(void)
{
	struct sockaddr_un un = {.sun_family = AF_UNIX, .sun_path = "sock"};
	struct sockaddr *at = (struct sockaddr *)&un;
	struct sockaddr_storage peer;
	struct msghdr msg = {0};
	struct mmsghdr mm = {0};
	struct addrinfo *list;
	socklen_t size;
	int fd, fd2, p[2], one = 1;

	fd = E("net:socket", socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
	E("net:bind", bind(fd, at, sizeof(un)));
	E("net:listen", listen(fd, 5));
	fd2 = E("net:socket", socket(AF_UNIX, SOCK_STREAM, 0));
	E("net:connect", connect(fd2, at, sizeof(un)));
	E("net:connect", __connect(fd2, at, sizeof(un)));
	size = sizeof(peer);
	E("net:accept", accept(fd, (struct sockaddr *)&peer, &size));
	E("io:fcntl", fcntl(fd, F_SETFL, O_NONBLOCK));
	E("net:accept", accept4(fd, NULL, NULL, SOCK_CLOEXEC));
	size = sizeof(peer);
	E("net:getsockname", getsockname(fd, (struct sockaddr *)&peer, &size));
	size = sizeof(peer);
	E("net:getpeername", getpeername(fd2, (struct sockaddr *)&peer, &size));
	E("net:socketpair", socketpair(AF_UNIX, SOCK_DGRAM, 0, p));
	E("net:send", send(p[0], "12", 2, 0));
	E("net:recv", recv(p[1], buf, 9, 0));
	E("net:send", __send(p[0], "12", 2, 0));
	E("net:recv", __recv_chk(p[1], buf, 9, 9, 0));
	E("net:sendto", sendto(p[0], "12", 2, MSG_NOSIGNAL, NULL, 0));
	E("net:recvfrom", recvfrom(p[1], buf, 9, 0, NULL, NULL));
	E("net:sendmsg", sendmsg(p[0], &msg, 0));
	E("net:recvfrom", __recvfrom_chk(p[1], buf, 9, 9, 0, NULL, NULL));
	E("net:sendmmsg", sendmmsg(p[0], &mm, 1, 0));
	E("net:recvmsg", recvmsg(p[1], &msg, 0));
	E("net:recvmmsg", recvmmsg(p[1], &mm, 1, MSG_DONTWAIT, NULL));
	size = sizeof(one);
	E("net:getsockopt", getsockopt(fd, SOL_SOCKET, SO_TYPE, &one, &size));
	E("net:setsockopt",
	  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)));
	E("net:shutdown", shutdown(fd2, SHUT_RDWR));
	E("net:getaddrinfo", getaddrinfo("127.0.0.1", "80", NULL, &list));
	E("net:getnameinfo", getnameinfo(list->ai_addr, list->ai_addrlen, buf,
					 100, NULL, 0, NI_NUMERICHOST));
}

/* Pointers that nobody may read, and errors that were before. */
static void bad(void)
{
	const char *none = (const char *)1;
	int fail = 0;

#define BAD(call, error) \
	(errno = 0, fail += (intptr_t)(call) != -1 || errno != (error))
	BAD(open(none, O_RDONLY), EFAULT);
	BAD(openat(-1, none, O_RDONLY), EFAULT);
	BAD(unlinkat(AT_FDCWD, none, 0xffff), EINVAL);
	BAD(rename("/no/such", none), ENOENT);
	BAD(renameat2(AT_FDCWD, none, AT_FDCWD, none, 0xffff), EINVAL);
	BAD(symlink(none, none), EFAULT);
	BAD(mount(none, none, none, 0, NULL), EFAULT);
	BAD(connect(-1, (void *)none, 100), EBADF);
	BAD(nanosleep((void *)none, NULL), EFAULT);
	BAD(accept(-1, (void *)none, (void *)none), EBADF);
	BAD(read(-1, buf, 1), EBADF);
	errno = ERANGE;
	free(malloc(1));
	access("/", F_OK);
	fail += errno != ERANGE;
	tell(fail ? "bad" : "good");
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "file") == 0)
		opens(), stats(), names();
	else if (strcmp(what, "io") == 0)
		E("file:open", open("f", O_CREAT | O_RDWR, 0600)), io(),
			queues();
	else if (strcmp(what, "mem") == 0)
		mem();
	else if (strcmp(what, "sync") == 0)
		sync_all();
	else if (strcmp(what, "waits") == 0)
		waits();
	else if (strcmp(what, "time") == 0)
		times_all();
	else if (strcmp(what, "net") == 0)
		net();
	else
		bad();
	/* Past the wrappers. */
	syscall(SYS_write, 1, told, told_size);
	return 0;
}
