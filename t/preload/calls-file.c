/* SPDX-License-Identifier: MIT */
/* Files are opened, looked at, and given other names. */
#include "t/preload/calls.h"

static struct stat st;
static struct stat64 st64;
static struct statfs sfs;
static struct statfs64 sfs64;
static struct statvfs svfs;
static struct statvfs64 svfs64;
static struct statx stx;
static char path[32];

static char *template(const char *s)
{
	return strcpy(path, s);
}

void opens(void)
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

void stats(void)
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

void names(void)
{
	const struct timeval tv[2] = {{1, 2}, {3, 0}};
	const struct timespec ts[2] = {{1, UTIME_NOW}, {3, 4}};
	const struct utimbuf ut = {1, 3};
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
