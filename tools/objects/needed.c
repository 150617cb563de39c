/* SPDX-License-Identifier: MIT */
/*
 * What a file needs; see needed.h.  Its loader is not asked: a file that is
 * only named is perhaps looked at because it is not trusted, and it says itself
 * which program its loader is, and where that maps it.  So not all places are
 * known where a loader would find libraries.
 */
#include "tools/objects/needed.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/symbolize/image.h"

#define MAX_NEEDED 256

static const char *const usual =
#ifdef __x86_64__
	"/usr/local/lib:/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu:"
#elif defined(__aarch64__)
	"/usr/local/lib:/lib/aarch64-linux-gnu:/usr/lib/aarch64-linux-gnu:"
#endif
	"/lib64:/usr/lib64:/lib:/usr/lib";

struct search {
	void (*fn)(const char *path, void *arg);
	void *arg;
	char *seen[MAX_NEEDED];
	unsigned int nr;
};

static bool is_new(struct search *search, const char *path)
{
	for (unsigned int i = 0; i < search->nr; i++)
		if (strcmp(search->seen[i], path) == 0)
			return false;
	if (search->nr == MAX_NEEDED)
		return false;
	search->seen[search->nr] = strdup(path);
	return search->seen[search->nr++] != NULL;
}

/* In the directories of a list, of which $ORIGIN is that of the file. */
static bool find(char found[PATH_MAX], const char *dirs, const char *file,
		 const char *name)
{
	const char *slash = strrchr(file, '/');
	int size = slash != NULL ? (int)(slash - file) : 0, length;

	for (; dirs != NULL && *dirs != '\0'; dirs += *dirs == ':') {
		size_t end = strcspn(dirs, ":"), begin = 0;

		if (strncmp(dirs, "$ORIGIN", 7) == 0)
			begin = 7;
		else if (strncmp(dirs, "${ORIGIN}", 9) == 0)
			begin = 9;
		length = snprintf(found, PATH_MAX, "%.*s%.*s/%s",
				  begin > 0 ? size : 0, file,
				  (int)(end - begin), dirs + begin, name);
		if (length < PATH_MAX && access(found, R_OK) == 0)
			return true;
		dirs += end;
	}
	return false;
}

static void need(struct search *search, const char *path);

static void need_all(struct search *search, Elf *elf, size_t strings,
		     Elf_Data *data, const char *path)
{
	const char *own = NULL, *name;
	char found[PATH_MAX];
	GElf_Dyn dyn;

	for (int i = 0; gelf_getdyn(data, i, &dyn) != NULL; i++)
		if (dyn.d_tag == DT_RPATH || dyn.d_tag == DT_RUNPATH)
			own = elf_strptr(elf, strings, dyn.d_un.d_val);
	for (int i = 0; gelf_getdyn(data, i, &dyn) != NULL; i++) {
		if (dyn.d_tag == DT_NULL)
			return;
		if (dyn.d_tag != DT_NEEDED)
			continue;
		name = elf_strptr(elf, strings, dyn.d_un.d_val);
		if (name == NULL)
			continue;
		if (strchr(name, '/') != NULL)
			need(search, name);
		else if (find(found, getenv("LD_LIBRARY_PATH"), path, name) ||
			 find(found, own, path, name) ||
			 find(found, usual, path, name))
			need(search, found);
	}
}

static void need(struct search *search, const char *path)
{
	struct ptl_elf_image image;
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	if (!is_new(search, path) || !ptl_image_open(&image, NULL, path))
		return;
	search->fn(path, search->arg);
	while ((section = elf_nextscn(image.elf, section)) != NULL) {
		Elf_Data *data;

		if (gelf_getshdr(section, &header) == NULL ||
		    header.sh_type != SHT_DYNAMIC)
			continue;
		data = elf_getdata(section, NULL);
		if (data != NULL)
			need_all(search, image.elf, header.sh_link, data, path);
	}
	ptl_image_close(&image);
}

void ptl_needed_by(const char *path, void (*fn)(const char *path, void *arg),
		   void *arg)
{
	struct search search = {.fn = fn, .arg = arg};

	need(&search, path);
	while (search.nr > 0)
		free(search.seen[--search.nr]);
}
