/* SPDX-License-Identifier: MIT */
/* What libc does for itself; see inside.h. */
#include "preload/raw/inside.h"

#include "core/sys/text.h"

#include "preload/hook/loaded.h"
#include "preload/libc/image.h"
#include "preload/patch/patch.h"

#include <sys/syscall.h>

#if defined(__x86_64__)

/* Functions of which libc has other instances for itself. */
static const char functions[][16] = {
	"open",	      "open64",	  "openat",	"openat64",
	"creat",      "access",	  "faccessat",	"readlink",
	"readlinkat", "__open_2", "__open64_2", "__openat_2",
};

static struct range {
	uintptr_t begin, end;
} called[PTL_ARRAY_SIZE(functions)];

bool ptl_inside_means(long number)
{
	return number == SYS_open || number == SYS_openat ||
	       number == SYS_access || number == SYS_faccessat ||
	       number == SYS_readlink || number == SYS_readlinkat;
}

bool ptl_inside_is_called(const void *caller)
{
	uintptr_t at = (uintptr_t)caller;

	for (size_t i = 0; i < PTL_ARRAY_SIZE(called); i++)
		if (at > called[i].begin && at <= called[i].end)
			return true;
	return false;
}

static void find_called(const struct dl_phdr_info *info)
{
	struct ptl_image image;

	if (!ptl_image_read(&image, info))
		return;
	for (size_t i = 0; i < PTL_ARRAY_SIZE(functions); i++) {
		const ElfW(Sym) *sym =
			ptl_image_find(&image, functions[i], NULL);

		if (!sym)
			continue;
		called[i].begin = info->dlpi_addr + sym->st_value;
		called[i].end = called[i].begin + sym->st_size;
	}
}

static bool is_meant(const struct dl_phdr_info *info)
{
	const char *name =
		info->dlpi_name ? ptl_loaded_base_name(info->dlpi_name) : "";

	if (ptl_strpre(name, "libc.so.")) {
		find_called(info);
		return true;
	}
	return ptl_strpre(name, "ld-linux");
}

bool ptl_inside_begin(void (*entry)(void))
{
	return ptl_patch_inside(is_meant, entry);
}

#endif
