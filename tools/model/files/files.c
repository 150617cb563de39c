/* SPDX-License-Identifier: MIT */
/*
 * Which file an event is about; see files.h.  A child has what its parent had
 * when it forked.  So a descriptor of which nothing is known was there before
 * the trace began, in the first of the processes that it was inherited from.
 */
#include "tools/model/files/files.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/model/files/descriptors.h"

struct ptl_files {
	struct ptl_hash by_name; /* struct ptl_file *, but for those replaced */
	struct ptl_file **file;
	size_t nr, room;
	struct ptl_descriptors *descriptors;
	const struct ptl_process *parent, *child; /* of a fork */
};

struct ptl_files *ptl_files_new(void)
{
	struct ptl_files *files = ptl_alloc(sizeof(*files));

	files->by_name.value_size = sizeof(struct ptl_file *);
	files->descriptors = ptl_descriptors_new();
	return files;
}

void ptl_files_free(struct ptl_files *files)
{
	for (size_t i = 0; i < files->nr; i++)
		free(files->file[i]);
	free(files->file);
	ptl_hash_clear(&files->by_name);
	ptl_descriptors_free(files->descriptors);
	free(files);
}

const char *ptl_file_kind_name(enum ptl_file_kind kind)
{
	static const char *const names[PTL_FILE_KINDS] = {
		[PTL_FILE_PATH] = "file",	[PTL_FILE_PIPE] = "pipe",
		[PTL_FILE_SOCKET] = "socket",	[PTL_FILE_OTHER] = "other",
		[PTL_FILE_UNKNOWN] = "unknown",
	};

	return names[kind];
}

static struct ptl_file *add(struct ptl_files *files, enum ptl_file_kind kind,
			    const char *host, const char *name)
{
	struct ptl_file *file = ptl_alloc(sizeof(*file));

	file->kind = kind;
	file->host = host;
	file->name = name;
	file->number = files->nr;
	files->file = ptl_grow(files->file, files->nr, &files->room,
			       sizeof(*files->file));
	files->file[files->nr++] = file;
	return file;
}

/* Each host has files of its own. */
static struct ptl_file **place_of(struct ptl_files *files, const char *host,
				  const char *name)
{
	const char *key[] = {host, name};

	return ptl_hash_get(&files->by_name, key, sizeof(key));
}

struct ptl_file *ptl_files_get(struct ptl_files *files,
			       const struct ptl_process *process,
			       enum ptl_file_kind kind, const char *name)
{
	struct ptl_file **file = place_of(files, process->host, name);

	if (*file == NULL)
		*file = add(files, kind, process->host, name);
	return *file;
}

static const struct ptl_process *first_of(const struct ptl_process *process)
{
	while (process->parent != NULL)
		process = process->parent;
	return process;
}

/* What was there before the trace began, in the first process of all. */
static struct ptl_file *get_unknown(struct ptl_files *files,
				    const struct ptl_process *process,
				    uint64_t fd)
{
	static const char *const standard[] = {"stdin", "stdout", "stderr"};
	struct ptl_file *file;
	char name[512];

	process = first_of(process);
	if (fd <= 2)
		snprintf(name, sizeof(name), "%s of %.400s[%d]", standard[fd],
			 ptl_process_program(process), process->pid);
	else
		snprintf(name, sizeof(name), "fd %llu of %.400s[%d]",
			 (unsigned long long)fd, ptl_process_program(process),
			 process->pid);
	file = ptl_files_get(files, process, PTL_FILE_UNKNOWN,
			     ptl_intern(name, sizeof(name)));
	file->owner = process;
	return file;
}

/* A child used it before its parent told of the child. */
static void learn_same(void *of, struct ptl_file *unknown,
		       struct ptl_file *file, uint64_t number)
{
	struct ptl_files *files = of;

	if (file == NULL)
		file = get_unknown(files, files->parent, number);
	if (unknown->kind != PTL_FILE_UNKNOWN ||
	    unknown->owner != files->child || unknown->same != NULL)
		return;
	/* Not in a circle. */
	if (ptl_file_same(file) != unknown)
		unknown->same = file;
}

const struct ptl_file *ptl_file_same(const struct ptl_file *file)
{
	while (file->same != NULL)
		file = file->same;
	return file;
}

struct ptl_file *ptl_files_of_fd(struct ptl_files *files,
				 const struct ptl_step *step, int64_t fd)
{
	struct ptl_descriptor *descriptor;

	if (fd < 0)
		return NULL;
	descriptor = ptl_descriptors_get(files->descriptors, step->process,
					 PTL_DESCRIPTOR_FD, (uint64_t)fd);
	if (descriptor->file == NULL)
		descriptor->file =
			get_unknown(files, step->process, (uint64_t)fd);
	return descriptor->file;
}

/*
 * A stream that no event made, with a descriptor that none opened, of a program
 * that was seen from its start, and nothing was lost so far: libc opened it for
 * popen() or one of its kin.
 */
static struct ptl_file *get_inner(struct ptl_files *files,
				  const struct ptl_step *step, int64_t fd)
{
	if (fd <= 2 || !step->process->is_sure || step->model->lost_at >= 0 ||
	    ptl_model_lacks(step->model, PTL_FAMILY_FILE))
		return ptl_files_of_fd(files, step, fd);
	return ptl_files_make(files, step, PTL_FILE_OTHER, "popen?", fd, -1);
}

/* Stdio tells of both: they are one file. */
struct ptl_file *ptl_files_of_stream(struct ptl_files *files,
				     const struct ptl_step *step,
				     uint64_t stream)
{
	int64_t fd = ptl_step_field(step, PTL_FIELD_FD, -1);
	struct ptl_descriptor *of_stream, *of_fd = NULL;

	if (stream == 0)
		return fd >= 0 ? ptl_files_of_fd(files, step, fd) : NULL;
	of_stream = ptl_descriptors_get(files->descriptors, step->process,
					PTL_DESCRIPTOR_STREAM, stream);
	if (fd >= 0)
		of_fd = ptl_descriptors_get(files->descriptors, step->process,
					    PTL_DESCRIPTOR_FD, (uint64_t)fd);
	if (fd >= 0) {
		of_stream->has_fd = true;
		of_stream->fd = (uint64_t)fd;
	}
	if (of_stream->file == NULL && of_fd != NULL && of_fd->file == NULL)
		of_stream->file = of_fd->file = get_inner(files, step, fd);
	else if (of_stream->file == NULL)
		of_stream->file = of_fd != NULL ? of_fd->file : NULL;
	else if (of_fd != NULL)
		of_fd->file = of_stream->file;
	return of_stream->file;
}

void ptl_files_set(struct ptl_files *files, const struct ptl_process *process,
		   enum ptl_descriptor_kind kind, uint64_t number,
		   struct ptl_file *file, bool is_cloexec)
{
	ptl_descriptors_set(files->descriptors, process, kind, number, file,
			    is_cloexec);
}

/* DIR/PATH, unless it begins with a slash; without ./ */
static const char *join(const char *dir, const char *path)
{
	char text[8192];
	size_t size;

	while (path[0] == '.' && path[1] == '/')
		for (path++; *path == '/';)
			path++;
	if (*path == '/' || dir == NULL)
		return path;
	size = strlen(dir);
	if (*path == '\0')
		return dir;
	snprintf(text, sizeof(text), "%s%s%s", dir,
		 size > 0 && dir[size - 1] == '/' ? "" : "/", path);
	return ptl_intern(text, sizeof(text));
}

/* The file of a path, below the directory that an argument says. */
struct ptl_file *ptl_files_of_path(struct ptl_files *files,
				   const struct ptl_step *step,
				   const char *path_name, const char *dir_name)
{
	const char *path = ptl_step_path(step, path_name), *base;
	int64_t dir = ptl_step_number(step, dir_name, AT_FDCWD);

	if (path == NULL)
		return NULL;
	if (*path == '/' || dir == AT_FDCWD || dir < 0)
		base = ptl_descriptors_cwd(files->descriptors, step->process);
	else
		base = ptl_files_of_fd(files, step, dir)->name;
	path = join(base, path);
	return ptl_files_get(files, step->process, PTL_FILE_PATH,
			     ptl_intern(path, strlen(path)));
}

/* "memfd:NAME" */
struct ptl_file *ptl_files_of_name(struct ptl_files *files,
				   const struct ptl_step *step)
{
	const char *name = ptl_step_string(step, "name");
	const char *type = strcmp(step->kind->name, "io:memfd_create") == 0 ?
				   "memfd" :
			   step->kind->family == PTL_FAMILY_MEM ? "shm" :
								  "mq";
	char text[512];

	snprintf(text, sizeof(text), "%s:%.400s", type,
		 name != NULL ? name : "?");
	return ptl_files_get(files, step->process, PTL_FILE_PATH,
			     ptl_intern(text, sizeof(text)));
}

/* What has no name of its own: it is named by what made it. */
struct ptl_file *ptl_files_make(struct ptl_files *files,
				const struct ptl_step *step,
				enum ptl_file_kind kind, const char *what,
				int64_t fd, int64_t other)
{
	char name[512], more[32] = "";

	if (other >= 0)
		snprintf(more, sizeof(more), ",%lld", (long long)other);
	snprintf(name, sizeof(name), "%s %lld%s of %.400s[%d]", what,
		 (long long)fd, more, ptl_process_program(step->process),
		 step->process->pid);
	return ptl_files_get(files, step->process, kind,
			     ptl_intern(name, sizeof(name)));
}

void ptl_files_rename(struct ptl_files *files, struct ptl_file *old,
		      struct ptl_file *new)
{
	struct ptl_file **of_old = place_of(files, old->host, old->name);
	struct ptl_file **of_new = place_of(files, new->host, new->name);

	*of_old = NULL;
	*of_new = old;
	new->is_replaced = true;
	old->old_name = old->name;
	old->name = new->name;
}

void ptl_files_fork(struct ptl_files *files, const struct ptl_process *parent,
		    const struct ptl_process *child)
{
	files->parent = parent;
	files->child = child;
	ptl_descriptors_inherit(files->descriptors, parent, child, learn_same,
				files);
}

struct ptl_descriptors *ptl_files_descriptors(struct ptl_files *files)
{
	return files->descriptors;
}

const char *ptl_file_title(const struct ptl_file *file)
{
	const char *host = file->host != NULL ? file->host : "";
	const char *colon = file->host != NULL ? ":" : "";
	char text[9000];

	if (file->is_replaced)
		snprintf(text, sizeof(text), "%s%s%s (replaced)", host, colon,
			 file->name);
	else if (file->old_name != NULL)
		snprintf(text, sizeof(text), "%s%s%s (was %s)", host, colon,
			 file->name, file->old_name);
	else if (file->host != NULL)
		snprintf(text, sizeof(text), "%s:%s", host, file->name);
	else
		return file->name;
	return ptl_intern(text, sizeof(text));
}
