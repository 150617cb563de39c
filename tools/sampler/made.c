/* SPDX-License-Identifier: MIT */
/* See made.h.  Names are others' words: perfmap.h has what is taken of them. */
#include "tools/sampler/made.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/format/sysevents.h"
#include "tools/lib/perfmap.h"
#include "tools/sampler/kernel.h"
#include "tools/sampler/numbers.h"
#include "tools/sampler/tell.h"

/* Of a process: what is more has no names. */
#define ADDRESSES_MOST 65536u
/* Descriptors of all processes. */
#define OPEN_MOST 512u
#define BEFORE_NS 1000u

static unsigned int open_files;

/* While the process is there. */
static void begin(struct ptl_sampled_made *made, pid_t pid, uint64_t when)
{
	struct stat status;
	char path[64];

	if (made->is_begun)
		return;
	made->is_begun = true;
	made->when = when;
	made->tmp = made->dump = -1;
	made->inner = ptl_numbers_of(pid, pid).pid;
	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	made->owner = stat(path, &status) == 0 ? status.st_uid : geteuid();
	if (open_files == OPEN_MOST)
		return;
	snprintf(path, sizeof(path), "/proc/%d/root/tmp", (int)pid);
	made->tmp = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (made->tmp < 0)
		made->tmp = open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	open_files += made->tmp >= 0;
}

bool ptl_made_is_dump(const char *path)
{
	const char *name = strrchr(path, '/');
	size_t digits;

	if (name == NULL || strncmp(name, "/jit-", 5) != 0)
		return false;
	digits = strspn(name + 5, "0123456789");
	return digits > 0 && strcmp(name + 5 + digits, ".dump") == 0;
}

void ptl_made_dump(struct ptl_sampled_made *made, pid_t pid, const char *path)
{
	char there[PATH_MAX + 32];

	begin(made, pid, UINT64_MAX);
	if (made->dump >= 0 || open_files == OPEN_MOST)
		return;
	snprintf(there, sizeof(there), "/proc/%d/root%s", (int)pid, path);
	made->dump = ptl_perfmap_open_path(AT_FDCWD, there, made->owner);
	if (made->dump < 0)
		made->dump = ptl_perfmap_open_path(AT_FDCWD, path, made->owner);
	open_files += made->dump >= 0;
}

void ptl_made_add(struct ptl_sampled_made *made, pid_t pid, uint64_t when,
		  uint64_t address)
{
	begin(made, pid, when);
	if (when < made->when)
		made->when = when;
	made->seen.value_size = 1;
	if (made->seen.nr < ADDRESSES_MOST)
		ptl_hash_get(&made->seen, &address, sizeof(address));
}

static void tell_name(const struct ptl_sampled_made *made, pid_t pid,
		      unsigned int image, const struct ptl_perfmap_name *name)
{
	static struct ptl_tell_data data;

	data.size = 0;
	ptl_tell_int(&data, name->start);
	ptl_tell_int(&data, name->size);
	ptl_tell_string(&data, name->name);
	ptl_tell(&(struct ptl_tell){
		.id = PTL_EV_CPU_SYMBOL,
		.pid = pid,
		.tid = pid,
		.image = image,
		/* Before the sample, by whatever the clock is. */
		.when = made->when - BEFORE_NS,
		.data = data.bytes,
		.size = data.size,
	});
}

/* Counts those who were told; each is told a function once. */
static unsigned int told;

static void tell_kernels(const struct ptl_sampled_made *made, pid_t pid,
			 unsigned int image, uint64_t address)
{
	struct ptl_kernel_function *function = ptl_kernel_find(address);

	if (function == NULL || function->told == told)
		return;
	function->told = told;
	tell_name(made, pid, image,
		  &(struct ptl_perfmap_name){
			  .start = function->start,
			  .size = function->end - function->start,
			  .name = function->name,
		  });
}

static void tell_names(const struct ptl_sampled_made *made, pid_t pid,
		       unsigned int image, struct ptl_perfmap *map)
{
	const void *seen = NULL;

	told++;
	while ((seen = ptl_hash_next(&made->seen, seen)) != NULL) {
		struct ptl_perfmap_name *name;
		uint64_t address;

		memcpy(&address, ptl_hash_key(&made->seen, seen),
		       sizeof(address));
		if (ptl_kernel_has(address)) {
			tell_kernels(made, pid, image, address);
			continue;
		}
		name = ptl_perfmap_find(map, address);
		if (name == NULL || name->is_told)
			continue;
		name->is_told = true;
		tell_name(made, pid, image, name);
	}
}

static void leave(int fd)
{
	if (fd < 0)
		return;
	close(fd);
	open_files--;
}

void ptl_made_tell(struct ptl_sampled_made *made, pid_t pid, unsigned int image)
{
	struct ptl_perfmap map = {0};
	int fd;

	if (!made->is_begun)
		return;
	if (made->seen.nr > 0) {
		fd = made->tmp < 0 ? -1 :
				     ptl_perfmap_open(made->tmp, made->inner,
						      made->owner);
		if (fd >= 0)
			ptl_perfmap_read(&map, fd);
		if (fd >= 0)
			close(fd);
		if (made->dump >= 0)
			ptl_perfmap_read(&map, made->dump);
		tell_names(made, pid, image, &map);
		ptl_perfmap_clear(&map);
	}
	leave(made->tmp);
	leave(made->dump);
	ptl_hash_clear(&made->seen);
	*made = (struct ptl_sampled_made){0};
}
