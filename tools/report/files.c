/* SPDX-License-Identifier: MIT */
/*
 * Which file an event is about; see files.h.  A child has what its parent had
 * when it forked.  So a descriptor of which nothing is known was there before
 * the trace began, in the first of the processes that it was inherited from.
 */
#include "tools/report/files.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/report/descriptors.h"

struct ptl_files {
	struct ptl_map by_name; /* struct ptl_file *, but for those replaced */
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
	ptl_map_clear(&files->by_name);
	ptl_descriptors_free(files->descriptors);
	free(files);
}

size_t ptl_files_nr(const struct ptl_files *files)
{
	return files->nr;
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
			    const char *name)
{
	struct ptl_file *file = ptl_alloc(sizeof(*file));

	file->kind = kind;
	file->name = name;
	file->number = files->nr;
	files->file = ptl_grow(files->file, files->nr, &files->room,
			       sizeof(*files->file));
	files->file[files->nr++] = file;
	return file;
}

/* The file of that name, which has it still. */
static struct ptl_file *get(struct ptl_files *files, enum ptl_file_kind kind,
			    const char *name)
{
	struct ptl_file **file =
		ptl_map_get(&files->by_name, &name, sizeof(name));

	if (*file == NULL)
		*file = add(files, kind, name);
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
	file = get(files, PTL_FILE_UNKNOWN, ptl_map_string(name, sizeof(name)));
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

static struct ptl_file *file_of(struct ptl_files *files,
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

/* Stdio tells of both: they are one file. */
static struct ptl_file *file_of_stream(struct ptl_files *files,
				       const struct ptl_step *step,
				       uint64_t stream)
{
	int64_t fd = ptl_step_number(step, "fd", -1);
	struct ptl_descriptor *of_stream, *of_fd = NULL;

	if (stream == 0)
		return fd >= 0 ? file_of(files, step, fd) : NULL;
	of_stream = ptl_descriptors_get(files->descriptors, step->process,
					PTL_DESCRIPTOR_STREAM, stream);
	if (fd >= 0)
		of_fd = ptl_descriptors_get(files->descriptors, step->process,
					    PTL_DESCRIPTOR_FD, (uint64_t)fd);
	if (of_stream->file == NULL)
		of_stream->file = fd >= 0 ? file_of(files, step, fd) : NULL;
	else if (of_fd != NULL)
		of_fd->file = of_stream->file;
	return of_stream->file;
}

static void set(struct ptl_files *files, const struct ptl_process *process,
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
	return ptl_map_string(text, sizeof(text));
}

/* The file of a path, below the directory that an argument says. */
static struct ptl_file *file_of_path(struct ptl_files *files,
				     const struct ptl_step *step,
				     const char *path_name,
				     const char *dir_name)
{
	const char *path = ptl_step_string(step, path_name), *base;
	int64_t dir = ptl_step_number(step, dir_name, AT_FDCWD);

	if (path == NULL)
		return NULL;
	if (*path == '/' || dir == AT_FDCWD || dir < 0)
		base = ptl_descriptors_cwd(files->descriptors, step->process);
	else
		base = file_of(files, step, dir)->name;
	path = join(base, path);
	return get(files, PTL_FILE_PATH, ptl_map_string(path, SIZE_MAX));
}

/* "memfd:NAME" */
static struct ptl_file *file_of_name(struct ptl_files *files,
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
	return get(files, PTL_FILE_PATH, ptl_map_string(text, sizeof(text)));
}

/* What has no name of its own: it is named by what made it. */
static struct ptl_file *make(struct ptl_files *files,
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
	return get(files, kind, ptl_map_string(name, sizeof(name)));
}

static struct ptl_file_use used(struct ptl_file *file)
{
	return (struct ptl_file_use){.file = file};
}

static struct ptl_file_use opened(struct ptl_file *file, bool is_open)
{
	return (struct ptl_file_use){.file = file, .is_open = is_open};
}

static struct ptl_file_use learn_open(struct ptl_files *files,
				      const struct ptl_step *step)
{
	struct ptl_file *file = file_of_path(files, step, "path", "dir");
	int64_t flags = ptl_step_number(step, "flags", 0);
	int64_t fd = ptl_step_number(step, "ret", -1);

	if (file == NULL)
		file = file_of_name(files, step);
	if (fd >= 0)
		set(files, step->process, PTL_DESCRIPTOR_FD, (uint64_t)fd, file,
		    flags & O_CLOEXEC);
	return opened(file, fd >= 0);
}

/* fopen(), opendir(), tmpfile(), and what changes a stream's file. */
static struct ptl_file_use learn_fopen(struct ptl_files *files,
				       const struct ptl_step *step)
{
	struct ptl_file *file = file_of_path(files, step, "path", "dir");
	uint64_t stream = (uint64_t)ptl_step_number(step, "ret", 0);

	if (step->kind->act == PTL_ACT_FDOPEN)
		file = file_of(files, step, ptl_step_number(step, "fd", -1));
	else if (file == NULL)
		file = get(files, PTL_FILE_OTHER, "(temporary)");
	if (stream != 0)
		set(files, step->process, PTL_DESCRIPTOR_STREAM, stream, file,
		    false);
	return opened(file, stream != 0 && step->kind->act != PTL_ACT_FDOPEN);
}

static struct ptl_file_use learn_dup(struct ptl_files *files,
				     const struct ptl_step *step)
{
	int64_t fd = ptl_step_number(step, "fd", -1);
	int64_t ret = ptl_step_number(step, "ret", -1);
	int64_t flags = ptl_step_number(step, "flags", 0);
	struct ptl_file *file = file_of(files, step, fd);

	if (ret >= 0 && ret != fd)
		set(files, step->process, PTL_DESCRIPTOR_FD, (uint64_t)ret,
		    file, flags & O_CLOEXEC);
	return used(file);
}

static struct ptl_file_use learn_fcntl(struct ptl_files *files,
				       const struct ptl_step *step)
{
	int64_t fd = ptl_step_number(step, "fd", -1);
	int64_t cmd = ptl_step_number(step, "cmd", -1);
	int64_t arg = ptl_step_number(step, "arg", 0);
	int64_t ret = ptl_step_number(step, "ret", -1);
	struct ptl_file *file = file_of(files, step, fd);

	if (file == NULL || ret < 0)
		return used(file);
	if (cmd == F_DUPFD || cmd == F_DUPFD_CLOEXEC)
		set(files, step->process, PTL_DESCRIPTOR_FD, (uint64_t)ret,
		    file, cmd == F_DUPFD_CLOEXEC);
	if (cmd == F_SETFD)
		set(files, step->process, PTL_DESCRIPTOR_FD, (uint64_t)fd, file,
		    arg & FD_CLOEXEC);
	return used(file);
}

/* Two descriptors for the two ends of one thing. */
static struct ptl_file_use learn_pair(struct ptl_files *files,
				      const struct ptl_step *step,
				      enum ptl_file_kind kind, const char *what,
				      const char *first, const char *second,
				      bool is_cloexec)
{
	int64_t a = ptl_step_number(step, first, -1);
	int64_t b = ptl_step_number(step, second, -1);
	struct ptl_file *file;

	if (step->error != NULL || a < 0 || b < 0)
		return used(NULL);
	file = make(files, step, kind, what, a, b);
	set(files, step->process, PTL_DESCRIPTOR_FD, (uint64_t)a, file,
	    is_cloexec);
	set(files, step->process, PTL_DESCRIPTOR_FD, (uint64_t)b, file,
	    is_cloexec);
	return opened(file, true);
}

static struct ptl_file_use learn_socket(struct ptl_files *files,
					const struct ptl_step *step,
					enum ptl_file_kind kind,
					const char *what)
{
	const char *flags =
		step->kind->act == PTL_ACT_SOCKET ? "type" : "flags";
	int64_t fd = ptl_step_number(step, "ret", -1);
	struct ptl_file *file;

	if (fd < 0)
		return used(NULL);
	file = make(files, step, kind, what, fd, -1);
	set(files, step->process, PTL_DESCRIPTOR_FD, (uint64_t)fd, file,
	    ptl_step_number(step, flags, 0) & O_CLOEXEC);
	return opened(file, true);
}

/* All that are accepted from one are one: there may be millions. */
static struct ptl_file_use learn_accept(struct ptl_files *files,
					const struct ptl_step *step)
{
	struct ptl_file *file =
		file_of(files, step, ptl_step_number(step, "fd", -1));
	int64_t fd = ptl_step_number(step, "ret", -1);
	char name[1024];

	if (fd < 0 || file == NULL)
		return used(file);
	snprintf(name, sizeof(name), "accepted by %.900s", file->name);
	file = get(files, PTL_FILE_SOCKET, ptl_map_string(name, sizeof(name)));
	set(files, step->process, PTL_DESCRIPTOR_FD, (uint64_t)fd, file,
	    ptl_step_number(step, "flags", 0) & O_CLOEXEC);
	return opened(file, true);
}

/* It has that address from now on; so have those of other processes. */
static struct ptl_file_use learn_address(struct ptl_files *files,
					 const struct ptl_step *step)
{
	bool is_bind = strcmp(step->kind->name, "net:bind") == 0;
	int64_t fd = ptl_step_number(step, "fd", -1);
	const char *address = ptl_step_words(step, "addr");
	struct ptl_file *file = file_of(files, step, fd);
	struct ptl_descriptor *descriptor;
	char name[1024];

	if (file == NULL || address == NULL || (is_bind && step->error != NULL))
		return used(file);
	snprintf(name, sizeof(name), "socket %s %.900s", is_bind ? "at" : "to",
		 address);
	descriptor = ptl_descriptors_get(files->descriptors, step->process,
					 PTL_DESCRIPTOR_FD, (uint64_t)fd);
	descriptor->file =
		get(files, PTL_FILE_SOCKET, ptl_map_string(name, sizeof(name)));
	return used(descriptor->file);
}

static struct ptl_file_use learn_close(struct ptl_files *files,
				       const struct ptl_step *step,
				       enum ptl_descriptor_kind kind,
				       const char *argument)
{
	int64_t number = ptl_step_number(step, argument,
					 ptl_step_number(step, "mq", -1));
	struct ptl_file *file;

	if (kind == PTL_DESCRIPTOR_FD)
		file = file_of(files, step, number);
	else
		file = file_of_stream(files, step, (uint64_t)number);
	if (file != NULL && step->error == NULL)
		ptl_descriptors_close(files->descriptors, step->process, kind,
				      (uint64_t)number);
	return used(file);
}

/* The file keeps what it has, under its new name. */
static struct ptl_file_use learn_rename(struct ptl_files *files,
					const struct ptl_step *step)
{
	struct ptl_file *old = file_of_path(files, step, "old", "olddir");
	struct ptl_file *new = file_of_path(files, step, "new", "newdir");
	struct ptl_file **of_old, **of_new;

	if (old == NULL || new == NULL || old == new || step->error != NULL)
		return used(old);
	of_old = ptl_map_get(&files->by_name, &old->name, sizeof(old->name));
	of_new = ptl_map_get(&files->by_name, &new->name, sizeof(new->name));
	*of_old = NULL;
	*of_new = old;
	new->is_replaced = true;
	old->old_name = old->name;
	old->name = new->name;
	return used(old);
}

static struct ptl_file_use moved(struct ptl_file *file, int64_t bytes,
				 bool is_write)
{
	return (struct ptl_file_use){
		.file = file,
		.is_read = !is_write,
		.is_write = is_write,
		.bytes = bytes > 0 ? bytes : 0,
	};
}

/* Of a descriptor or a stream. */
static struct ptl_file_use learn_bytes(struct ptl_files *files,
				       const struct ptl_step *step,
				       int64_t bytes, bool is_write)
{
	int64_t fd =
		ptl_step_number(step, "fd", ptl_step_number(step, "mq", -1));
	uint64_t stream = (uint64_t)ptl_step_number(step, "stream", 0);

	return moved(stream != 0 ? file_of_stream(files, step, stream) :
				   file_of(files, step, fd),
		     bytes, is_write);
}

static unsigned int learn_move(struct ptl_files *files,
			       const struct ptl_step *step,
			       struct ptl_file_use use[PTL_FILE_USES])
{
	int64_t bytes = ptl_step_number(step, "ret", 0);

	use[0] = moved(file_of(files, step, ptl_step_number(step, "in", -1)),
		       bytes, false);
	use[1] = moved(file_of(files, step, ptl_step_number(step, "out", -1)),
		       bytes, true);
	return 2;
}

/* What is only about a file: by its descriptor, stream or name. */
static struct ptl_file_use learn_other(struct ptl_files *files,
				       const struct ptl_step *step)
{
	int64_t fd = ptl_step_number(step, "fd", -1);
	uint64_t stream = (uint64_t)ptl_step_number(step, "stream", 0);
	const char *cwd = ptl_step_string(step, "cwd");

	if (cwd != NULL && *cwd != '\0' && step->error == NULL)
		ptl_descriptors_chdir(files->descriptors, step->process, cwd);
	if (stream != 0)
		return used(file_of_stream(files, step, stream));
	if (fd >= 0)
		return used(file_of(files, step, fd));
	if (ptl_step_string(step, "new") != NULL)
		return used(file_of_path(files, step, "new", "newdir"));
	return used(file_of_path(files, step, "path", "dir"));
}

/* Of those that read or write: so many bytes. */
static int64_t bytes_of(const struct ptl_step *step)
{
	int64_t ret = ptl_step_number(step, "ret", 0);
	int64_t size, bytes;

	switch (step->kind->act) {
	case PTL_ACT_GETC:
	case PTL_ACT_PUTC:
		return ret >= 0;
	case PTL_ACT_FREAD:
	case PTL_ACT_FWRITE:
		size = ptl_step_number(step, "size", 0);
		return __builtin_mul_overflow(ret, size, &bytes) ? 0 : bytes;
	default:
		return ret;
	}
}

static struct ptl_file_use learn_one(struct ptl_files *files,
				     const struct ptl_step *step)
{
	switch (step->kind->act) {
	case PTL_ACT_OPEN:
		return learn_open(files, step);
	case PTL_ACT_FOPEN:
	case PTL_ACT_FREOPEN:
	case PTL_ACT_FDOPEN:
		return learn_fopen(files, step);
	case PTL_ACT_DUP:
		return learn_dup(files, step);
	case PTL_ACT_FCNTL:
		return learn_fcntl(files, step);
	case PTL_ACT_PIPE:
		return learn_pair(
			files, step, PTL_FILE_PIPE, "pipe", "read", "write",
			ptl_step_number(step, "flags", 0) & O_CLOEXEC);
	case PTL_ACT_SOCKETPAIR:
		return learn_pair(files, step, PTL_FILE_SOCKET, "sockets",
				  "first", "second",
				  ptl_step_number(step, "type", 0) & O_CLOEXEC);
	case PTL_ACT_SOCKET:
		return learn_socket(files, step, PTL_FILE_SOCKET, "socket");
	case PTL_ACT_ACCEPT:
		return learn_accept(files, step);
	case PTL_ACT_UNNAMED:
		return learn_socket(files, step, PTL_FILE_OTHER,
				    strchr(step->kind->name, ':') + 1);
	case PTL_ACT_CONNECT:
		return learn_address(files, step);
	case PTL_ACT_CLOSE:
		return learn_close(files, step, PTL_DESCRIPTOR_FD, "fd");
	case PTL_ACT_FCLOSE:
		return learn_close(files, step, PTL_DESCRIPTOR_STREAM,
				   ptl_step_number(step, "stream", 0) != 0 ?
					   "stream" :
					   "dir");
	case PTL_ACT_RENAME:
		return learn_rename(files, step);
	case PTL_ACT_READ:
	case PTL_ACT_FREAD:
	case PTL_ACT_GETC:
		return learn_bytes(files, step, bytes_of(step), false);
	case PTL_ACT_WRITE:
	case PTL_ACT_FWRITE:
	case PTL_ACT_PUTC:
		return learn_bytes(files, step, bytes_of(step), true);
	default:
		return learn_other(files, step);
	}
}

/* Is the event about files, if only for the descriptor that it returns? */
static bool is_about_files(const struct ptl_step *step)
{
	switch (step->kind->family) {
	case PTL_FAMILY_FILE:
	case PTL_FAMILY_IO:
	case PTL_FAMILY_NET:
		return step->kind->act != PTL_ACT_POLL;
	case PTL_FAMILY_MEM:
		return step->kind->act == PTL_ACT_OPEN;
	case PTL_FAMILY_TIME:
		return step->kind->act == PTL_ACT_UNNAMED;
	default:
		return false;
	}
}

unsigned int ptl_files_learn(struct ptl_files *files,
			     const struct ptl_step *step,
			     struct ptl_file_use use[PTL_FILE_USES])
{
	switch (step->kind->act) {
	case PTL_ACT_FORK:
		files->parent = step->process;
		files->child = ptl_processes_forked(step->model->processes);
		if (files->child != NULL)
			ptl_descriptors_inherit(files->descriptors,
						files->parent, files->child,
						learn_same, files);
		return 0;
	case PTL_ACT_START:
		ptl_descriptors_exec(files->descriptors, step->process,
				     step->process->last_image->cwd);
		return 0;
	case PTL_ACT_CLOSE_RANGE:
		ptl_descriptors_close_range(
			files->descriptors, step->process,
			(uint64_t)ptl_step_number(step, "first", 0),
			(uint64_t)ptl_step_number(step, "last", 0),
			ptl_step_number(step, "flags", 0) != 0);
		return 0;
	case PTL_ACT_MOVE:
		return learn_move(files, step, use);
	default:
		break;
	}
	if (!is_about_files(step))
		return 0;
	use[0] = learn_one(files, step);
	return use[0].file != NULL;
}
