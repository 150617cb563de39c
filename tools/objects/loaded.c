/* SPDX-License-Identifier: MIT */
/*
 * What is loaded; see loaded.h.  Where the libraries of a program are only its
 * loader knows: it is asked, as by ldd(1), which does not run the program.
 */
#include "tools/objects/loaded.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/symbolize/image.h"

/* Of the interpreter of a script, and of its interpreter. */
#define MAX_SCRIPTS 4

/* The first program header of that kind. */
static bool find_header(Elf *elf, uint32_t type, GElf_Phdr *phdr)
{
	size_t nr = 0;

	elf_getphdrnum(elf, &nr);
	for (size_t i = 0; i < nr; i++)
		if (gelf_getphdr(elf, (int)i, phdr) != NULL &&
		    phdr->p_type == type)
			return true;
	return false;
}

/* What it has in the file, or NULL. */
static Elf_Data *data_of(Elf *elf, const GElf_Phdr *phdr, Elf_Type type)
{
	Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)phdr->p_offset,
					      phdr->p_filesz, type);

	return data != NULL && data->d_buf != NULL ? data : NULL;
}

/* The loader that an ELF file names, a new string; NULL: it has none. */
static char *loader_of(const char *program)
{
	struct ptl_elf_image image;
	char *loader = NULL;
	GElf_Phdr phdr;
	Elf_Data *data;

	if (!ptl_image_open(&image, NULL, program))
		return NULL;
	if (find_header(image.elf, PT_INTERP, &phdr) &&
	    (data = data_of(image.elf, &phdr, ELF_T_BYTE)) != NULL)
		loader = strndup(data->d_buf, data->d_size);
	ptl_image_close(&image);
	return loader;
}

/* Shared libraries have no loader, either. */
static bool is_pie(Elf *elf)
{
	Elf_Data *data;
	GElf_Phdr phdr;
	GElf_Dyn dyn;

	if (!find_header(elf, PT_DYNAMIC, &phdr) ||
	    (data = data_of(elf, &phdr, ELF_T_DYN)) == NULL)
		return false;
	for (int i = 0; gelf_getdyn(data, i, &dyn) != NULL; i++)
		if (dyn.d_tag == DT_FLAGS_1)
			return dyn.d_un.d_val & DF_1_PIE;
	return false;
}

bool ptl_loaded_is_static(const char *program)
{
	struct ptl_elf_image image;
	GElf_Phdr phdr;
	bool is_static;

	if (!ptl_image_open(&image, NULL, program))
		return false;
	is_static = !find_header(image.elf, PT_INTERP, &phdr) &&
		    (image.head.e_type == ET_EXEC || is_pie(image.elf));
	ptl_image_close(&image);
	return is_static;
}

static FILE *ask(const char *loader, const char *program, pid_t *pid)
{
	int ends[2], null;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return NULL;
	*pid = fork();
	if (*pid == 0) {
		null = open("/dev/null", O_RDWR);
		dup2(null, STDIN_FILENO);
		dup2(ends[1], STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		execl(loader, loader, "--list", program, (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	if (*pid > 0)
		return fdopen(ends[0], "r");
	close(ends[0]);
	return NULL;
}

/* "\tlibc.so.6 => /lib/libc.so.6 (0x7f...)", "\t/lib/ld.so (0x7f...)", and of
 * one that is needed by a path "\t./lib.so (0x7f...)". */
static char *path_in(char *line)
{
	char *path = strstr(line, "=> "), *end = strrchr(line, '(');

	path = path != NULL ? path + 3 : line + strspn(line, "\t ");
	if (end == NULL || end <= path + 1)
		return NULL;
	end[-1] = '\0';
	return strchr(path, '/') != NULL ? path : NULL;
}

static void load_elf(const char *program, const char *loader,
		     void (*fn)(const char *path, void *arg), void *arg)
{
	char *line = NULL, *path;
	size_t room = 0;
	pid_t pid;
	FILE *list = ask(loader, program, &pid);

	while (list != NULL && getline(&line, &room, list) > 0) {
		path = path_in(line);
		if (path != NULL)
			fn(path, arg);
	}
	free(line);
	if (list == NULL)
		return;
	fclose(list);
	waitpid(pid, NULL, 0);
}

/* The first word behind the #! of a script, or of `#!/usr/bin/env python3' the
 * second one, which is looked for; a new string or NULL. */
static char *interpreter_of(const char *script)
{
	char line[512], *save, *word = NULL, *path;
	FILE *file = fopen(script, "re");
	const char *dirs = getenv("PATH");

	if (file != NULL && fgets(line, sizeof(line), file) != NULL &&
	    strncmp(line, "#!", 2) == 0)
		word = strtok_r(line + 2, " \t\n", &save);
	if (file != NULL)
		fclose(file);
	if (word != NULL && strcmp(basename(word), "env") == 0)
		word = strtok_r(NULL, " \t\n", &save);
	if (word == NULL || strchr(word, '/') != NULL)
		return word != NULL ? strdup(word) : NULL;
	for (; dirs != NULL && *dirs != '\0'; dirs += strcspn(dirs, ":")) {
		dirs += *dirs == ':';
		if (asprintf(&path, "%.*s/%s", (int)strcspn(dirs, ":"), dirs,
			     word) < 0)
			return NULL;
		if (access(path, X_OK) == 0)
			return path;
		free(path);
	}
	return NULL;
}

void ptl_loaded_by(const char *program, void (*fn)(const char *path, void *arg),
		   void *arg)
{
	char *file = strdup(program), *loader = NULL, *next;

	for (int i = 0; i < MAX_SCRIPTS && file != NULL; i++) {
		loader = loader_of(file);
		if (loader != NULL)
			break;
		next = interpreter_of(file);
		free(file);
		file = next;
	}
	if (loader != NULL) {
		fn(file, arg);
		load_elf(file, loader, fn, arg);
	}
	free(loader);
	free(file);
}

char *ptl_loaded_program(const char *program)
{
	char *file = strdup(program), *next;
	struct ptl_elf_image image;
	struct stat st;

	for (int i = 0; i <= MAX_SCRIPTS && file != NULL; i++) {
		if (ptl_image_open(&image, NULL, file)) {
			ptl_image_close(&image);
			return file;
		}
		next = NULL;
		if (stat(file, &st) == 0 && S_ISREG(st.st_mode))
			next = interpreter_of(file);
		free(file);
		file = next;
	}
	free(file);
	return NULL;
}

/* The path in a line of /proc/PID/maps of what is executable, or NULL. */
static char *mapped_in(char *line)
{
	char *path = strchr(line, '/');

	if (path == NULL || strstr(line, " r-xp ") == NULL)
		return NULL;
	path[strcspn(path, "\n")] = '\0';
	return path;
}

void ptl_loaded_in(pid_t pid, void (*fn)(const char *path, void *arg),
		   void *arg)
{
	char name[64], *line = NULL, *path, *last = strdup("");
	size_t room = 0;
	FILE *maps;

	snprintf(name, sizeof(name), "/proc/%d/maps", (int)pid);
	maps = fopen(name, "re");
	while (maps != NULL && getline(&line, &room, maps) > 0) {
		path = mapped_in(line);
		if (path == NULL || (last != NULL && strcmp(path, last) == 0))
			continue;
		fn(path, arg);
		free(last);
		last = strdup(path);
	}
	if (maps != NULL)
		fclose(maps);
	free(line);
	free(last);
}
