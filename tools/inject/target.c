/* SPDX-License-Identifier: MIT */
#include "tools/inject/target.h"

#if defined(__x86_64__)

#include <dirent.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tools/inject/file.h"
#include "tools/inject/lock.h"
#include "tools/inject/maps.h"

#define LOADER "ld-linux-x86-64.so.2"
#define KCMP_VM 1 /* of <linux/kcmp.h> */

static char why[160];

/* ---- may it be done ------------------------------------------------ */

static bool is_apart(pid_t pid, const char *file)
{
	struct stat ours, its;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
	if (stat(path, &its) != 0)
		return true;
	snprintf(path, sizeof(path), "/proc/self/%s", file);
	return stat(path, &ours) != 0 || ours.st_dev != its.st_dev ||
	       ours.st_ino != its.st_ino;
}

/* Real, effective, saved, and of files. */
static const char *refuse_user(pid_t pid)
{
	FILE *status = ptl_maps_open(pid, "status");
	unsigned int uid[4] = {~0u, ~0u, ~0u, ~0u};
	char line[256];

	while (status != NULL && fgets(line, sizeof(line), status) != NULL)
		if (sscanf(line, "Uid: %u %u %u %u", &uid[0], &uid[1], &uid[2],
			   &uid[3]) == 4)
			break;
	if (status == NULL)
		return "no such process";
	fclose(status);
	for (int i = 0; i < 4; i++) {
		if (uid[i] == geteuid())
			continue;
		snprintf(why, sizeof(why), "it is user %u's", uid[i]);
		return why;
	}
	return NULL;
}

/* The process's auxiliary vector says it; unknown counts as yes. */
static bool is_privileged(pid_t pid)
{
	FILE *file = ptl_maps_open(pid, "auxv");
	Elf64_auxv_t entry;
	bool secure = true;

	while (file != NULL && fread(&entry, sizeof(entry), 1, file) == 1)
		if (entry.a_type == AT_SECURE)
			secure = entry.a_un.a_val != 0;
	if (file != NULL)
		fclose(file);
	return secure;
}

/* The auxiliary vector of such a process, and much else, looks otherwise. */
static bool is_32_bit(pid_t pid)
{
	FILE *program = ptl_maps_open(pid, "exe");
	unsigned char ident[EI_NIDENT] = {0};
	bool is_read =
		program != NULL && fread(ident, sizeof(ident), 1, program) == 1;

	if (program != NULL)
		fclose(program);
	return is_read && memcmp(ident, ELFMAG, SELFMAG) == 0 &&
	       ident[EI_CLASS] == ELFCLASS32;
}

/* Files of a process that may not be looked into are root's. */
static bool is_hidden(pid_t pid)
{
	struct stat st;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	return stat(path, &st) == 0 && st.st_uid != geteuid();
}

/* Does any thread have a filter? */
static bool is_filtered(pid_t pid)
{
	char path[300];
	bool filtered = false;
	struct dirent *entry;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	tasks = opendir(path);
	while (tasks != NULL && (entry = readdir(tasks)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "task/%s/status", entry->d_name);
		filtered |= ptl_maps_status(pid, path, "Seccomp:", 10) > 0;
	}
	if (tasks != NULL)
		closedir(tasks);
	return filtered;
}

static bool has_shadow_stack(pid_t pid)
{
	FILE *status = ptl_maps_open(pid, "status");
	char line[256];
	bool has = false;

	while (status != NULL && fgets(line, sizeof(line), status) != NULL)
		has |= strncmp(line, "x86_Thread_features:", 20) == 0 &&
		       strstr(line, "shstk") != NULL;
	if (status != NULL)
		fclose(status);
	return has;
}

/* Between vfork() and exec. */
static bool shares_memory(pid_t pid)
{
	long parent = ptl_maps_status(pid, "status", "PPid:", 10);

	return parent > 0 && syscall(SYS_kcmp, pid, parent, KCMP_VM, 0, 0) == 0;
}

const char *ptl_target_refuse(pid_t pid)
{
	const char *user = refuse_user(pid);
	long tracer;

	if (user != NULL)
		return user;
	if (is_hidden(pid))
		return "it does not let itself be looked into (prctl(2), "
		       "PR_SET_DUMPABLE)";
	if (is_apart(pid, "ns/mnt") || is_apart(pid, "root/"))
		return "it is in another mount namespace, or chroot";
	if (is_32_bit(pid))
		return "it is a 32-bit program";
	if (is_privileged(pid))
		return "its program has privileges of its own (setuid, "
		       "capabilities), or cannot be looked into";
	tracer = ptl_maps_status(pid, "status", "TracerPid:", 10);
	if (tracer > 0) {
		snprintf(why, sizeof(why),
			 "process %ld traces it already, by ptrace(2)", tracer);
		return why;
	}
	if (is_filtered(pid))
		return "it has a seccomp filter";
	if (has_shadow_stack(pid))
		return "it has a shadow stack";
	if (shares_memory(pid))
		return "it has its parent's memory (vfork)";
	return NULL;
}

/* ---- what is where ------------------------------------------------- */

/* mov offset(%rip),%rax; add %fs:0,%rax: how libc finds errno. */
static bool find_errno(struct ptl_inject_target *target, uintptr_t location)
{
	static const unsigned char add[] = {0x64, 0x48, 0x03, 0x04, 0x25,
					    0,	  0,	0,    0};
	unsigned char code[32];
	int32_t distance;
	size_t at = 0;

	if (!ptl_target_read(target->pid, location, code, sizeof(code)))
		return false;
	if (memcmp(code, "\xf3\x0f\x1e\xfa", 4) == 0)
		at = 4;
	if (memcmp(code + at, "\x48\x8b\x05", 3) != 0 ||
	    memcmp(code + at + 7, add, sizeof(add)) != 0)
		return false;
	memcpy(&distance, code + at + 3, sizeof(distance));
	return ptl_target_read(
		target->pid, location + at + 7 + (uintptr_t)(intptr_t)distance,
		&target->errno_at, sizeof(target->errno_at));
}

static const char *open_libc(struct ptl_inject_target *target)
{
	/* mov $15,%rax; syscall */
	static const unsigned char restorer[] = {0x48, 0xc7, 0xc0, 15,	0,
						 0,    0,    0x0f, 0x05};
	struct ptl_mapping mapping;
	uintptr_t location = 0, *const function[] = {
					&target->dlopen, &target->swab,
					&target->sigreturn, &location};
	struct ptl_elf_file elf;

	if (!ptl_maps_file(target->pid, "libc.so.6", &mapping) ||
	    mapping.offset != 0)
		return "it has no GNU libc: another libc, or linked statically";
	if (!ptl_elf_open(&elf, mapping.path, mapping.inode))
		return "its libc was updated or removed since it was started";
	target->dlopen = ptl_elf_symbol(&elf, "dlopen", NULL);
	target->swab = ptl_elf_symbol(&elf, "swab", NULL);
	target->sigreturn = ptl_elf_code(&elf, restorer, sizeof(restorer));
	location = ptl_elf_symbol(&elf, "__errno_location", NULL);
	ptl_elf_close(&elf);
	for (size_t i = 0; i < sizeof(function) / sizeof(*function); i++) {
		if (*function[i] == 0)
			return "its libc is too old (glibc 2.34 or later)";
		*function[i] += mapping.from;
	}
	if (!ptl_maps_at(target->pid, location, &mapping) ||
	    !find_errno(target, location))
		return "its libc is unknown to us";
	target->libc = mapping.from;
	target->libc_end = mapping.to;
	return NULL;
}

static const char *open_loader(struct ptl_inject_target *target)
{
	struct ptl_mapping its, ours;
	struct ptl_elf_file elf;
	uintptr_t locks;

	if (!ptl_maps_file(target->pid, LOADER, &its) || its.offset != 0 ||
	    !ptl_maps_file(getpid(), LOADER, &ours) ||
	    its.inode != ours.inode || !ptl_elf_open(&elf, its.path, its.inode))
		return "its dynamic loader is not ours: another libc, or "
		       "updated since it was started";
	locks = ptl_lock_find(&elf);
	ptl_elf_close(&elf);
	target->locks = its.from + locks;
	return locks != 0 ? NULL : "its dynamic loader is unknown to us";
}

const char *ptl_target_open(struct ptl_inject_target *target, pid_t pid)
{
	const char *missing;

	target->pid = pid;
	missing = open_libc(target);
	return missing != NULL ? missing : open_loader(target);
}

bool ptl_target_is_free(const struct ptl_inject_target *target)
{
	unsigned char locks[PTL_LOCK_SIZE];

	return ptl_target_read(target->pid, target->locks, locks,
			       sizeof(locks)) &&
	       ptl_lock_is_free(locks);
}

bool ptl_target_read(pid_t pid, uintptr_t from, void *to, size_t size)
{
	struct iovec here = {to, size}, there = {(void *)from, size};

	return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)size;
}

bool ptl_target_write(pid_t pid, uintptr_t to, const void *from, size_t size)
{
	struct iovec here = {(void *)(uintptr_t)from, size};
	struct iovec there = {(void *)to, size};

	return process_vm_writev(pid, &here, 1, &there, 1, 0) == (ssize_t)size;
}

#endif
