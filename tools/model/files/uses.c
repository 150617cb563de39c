/* SPDX-License-Identifier: MIT */
/* What an event does with which files; see uses.h. */
#include "tools/model/files/uses.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "tools/model/files/descriptors.h"

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
	struct ptl_file *file = ptl_files_of_path(files, step, "path", "dir");
	int64_t flags = ptl_step_field(step, PTL_FIELD_FLAGS, 0);
	int64_t fd = ptl_step_field(step, PTL_FIELD_RESULT, -1);

	if (file == NULL)
		file = ptl_files_of_name(files, step);
	if (fd >= 0)
		ptl_files_set(files, step->process, PTL_DESCRIPTOR_FD,
			      (uint64_t)fd, file, flags & O_CLOEXEC);
	return opened(file, fd >= 0);
}

/* fopen(), opendir(), tmpfile(), and what changes a stream's file. */
static struct ptl_file_use learn_fopen(struct ptl_files *files,
				       const struct ptl_step *step)
{
	struct ptl_file *file = ptl_files_of_path(files, step, "path", "dir");
	uint64_t stream = (uint64_t)ptl_step_field(step, PTL_FIELD_RESULT, 0);
	int64_t fd = ptl_step_field(step, PTL_FIELD_FD, -1);
	const char *mode = ptl_step_string(step, "mode");

	if (step->kind->act == PTL_ACT_FDOPEN)
		file = ptl_files_of_fd(files, step, fd);
	else if (file == NULL)
		file = ptl_files_get(files, step->process, PTL_FILE_OTHER,
				     "(temporary)");
	if (stream != 0)
		ptl_files_set(files, step->process, PTL_DESCRIPTOR_STREAM,
			      stream, file, false);
	if (stream != 0 && fd >= 0 && step->kind->act != PTL_ACT_FDOPEN)
		ptl_files_set(files, step->process, PTL_DESCRIPTOR_FD,
			      (uint64_t)fd, file,
			      mode != NULL && strchr(mode, 'e') != NULL);
	/* Which of its descriptors the stream will close. */
	if (stream != 0 && (fd >= 0 || step->kind->act == PTL_ACT_FDOPEN))
		ptl_files_of_stream(files, step, stream);
	return opened(file, stream != 0 && step->kind->act != PTL_ACT_FDOPEN);
}

static struct ptl_file_use learn_dup(struct ptl_files *files,
				     const struct ptl_step *step)
{
	int64_t fd = ptl_step_field(step, PTL_FIELD_FD, -1);
	int64_t ret = ptl_step_field(step, PTL_FIELD_RESULT, -1);
	int64_t flags = ptl_step_field(step, PTL_FIELD_FLAGS, 0);
	struct ptl_file *file = ptl_files_of_fd(files, step, fd);

	if (ret >= 0 && ret != fd)
		ptl_files_set(files, step->process, PTL_DESCRIPTOR_FD,
			      (uint64_t)ret, file, flags & O_CLOEXEC);
	return used(file);
}

static struct ptl_file_use learn_fcntl(struct ptl_files *files,
				       const struct ptl_step *step)
{
	int64_t fd = ptl_step_field(step, PTL_FIELD_FD, -1);
	int64_t cmd = ptl_step_number(step, "cmd", -1);
	int64_t arg = ptl_step_number(step, "arg", 0);
	int64_t ret = ptl_step_field(step, PTL_FIELD_RESULT, -1);
	struct ptl_file *file = ptl_files_of_fd(files, step, fd);

	if (file == NULL || ret < 0)
		return used(file);
	if (cmd == F_DUPFD || cmd == F_DUPFD_CLOEXEC)
		ptl_files_set(files, step->process, PTL_DESCRIPTOR_FD,
			      (uint64_t)ret, file, cmd == F_DUPFD_CLOEXEC);
	if (cmd == F_SETFD)
		ptl_files_set(files, step->process, PTL_DESCRIPTOR_FD,
			      (uint64_t)fd, file, arg & FD_CLOEXEC);
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
	file = ptl_files_make(files, step, kind, what, a, b);
	ptl_files_set(files, step->process, PTL_DESCRIPTOR_FD, (uint64_t)a,
		      file, is_cloexec);
	ptl_files_set(files, step->process, PTL_DESCRIPTOR_FD, (uint64_t)b,
		      file, is_cloexec);
	return opened(file, true);
}

static struct ptl_file_use learn_socket(struct ptl_files *files,
					const struct ptl_step *step,
					enum ptl_file_kind kind,
					const char *what)
{
	const char *flags =
		step->kind->act == PTL_ACT_SOCKET ? "type" : "flags";
	int64_t fd = ptl_step_field(step, PTL_FIELD_RESULT, -1);
	struct ptl_file *file;

	if (fd < 0)
		return used(NULL);
	file = ptl_files_make(files, step, kind, what, fd, -1);
	ptl_files_set(files, step->process, PTL_DESCRIPTOR_FD, (uint64_t)fd,
		      file, ptl_step_number(step, flags, 0) & O_CLOEXEC);
	return opened(file, true);
}

/* All that are accepted from one are one: there may be millions. */
static struct ptl_file_use learn_accept(struct ptl_files *files,
					const struct ptl_step *step)
{
	struct ptl_file *file = ptl_files_of_fd(
		files, step, ptl_step_field(step, PTL_FIELD_FD, -1));
	int64_t fd = ptl_step_field(step, PTL_FIELD_RESULT, -1);
	char name[1024];

	if (fd < 0 || file == NULL)
		return used(file);
	snprintf(name, sizeof(name), "accepted by %.900s", file->name);
	file = ptl_files_get(files, step->process, PTL_FILE_SOCKET,
			     ptl_intern(name, sizeof(name)));
	ptl_files_set(files, step->process, PTL_DESCRIPTOR_FD, (uint64_t)fd,
		      file,
		      ptl_step_field(step, PTL_FIELD_FLAGS, 0) & O_CLOEXEC);
	return opened(file, true);
}

/* The socket has that address from now on; so have those of other processes. */
static struct ptl_file_use learn_address(struct ptl_files *files,
					 const struct ptl_step *step)
{
	bool is_bind = strcmp(step->kind->name, "net:bind") == 0;
	int64_t fd = ptl_step_field(step, PTL_FIELD_FD, -1);
	const char *address = ptl_step_words(step, "addr");
	struct ptl_file *file = ptl_files_of_fd(files, step, fd);
	struct ptl_descriptor *descriptor;
	char name[1024];

	if (file == NULL || address == NULL || (is_bind && step->error != NULL))
		return used(file);
	snprintf(name, sizeof(name), "socket %s %.900s", is_bind ? "at" : "to",
		 address);
	descriptor =
		ptl_descriptors_get(ptl_files_descriptors(files), step->process,
				    PTL_DESCRIPTOR_FD, (uint64_t)fd);
	descriptor->file = ptl_files_get(files, step->process, PTL_FILE_SOCKET,
					 ptl_intern(name, sizeof(name)));
	return used(descriptor->file);
}

static struct ptl_file_use learn_close(struct ptl_files *files,
				       const struct ptl_step *step,
				       enum ptl_descriptor_kind kind,
				       const char *argument)
{
	int64_t number = ptl_step_number(
		step, argument, ptl_step_field(step, PTL_FIELD_QUEUE, -1));
	struct ptl_file *file;

	if (kind == PTL_DESCRIPTOR_FD)
		file = ptl_files_of_fd(files, step, number);
	else
		file = ptl_files_of_stream(files, step, (uint64_t)number);
	if (file != NULL && step->error == NULL)
		ptl_descriptors_close(ptl_files_descriptors(files),
				      step->process, kind, (uint64_t)number);
	return used(file);
}

static struct ptl_file_use learn_rename(struct ptl_files *files,
					const struct ptl_step *step)
{
	struct ptl_file *old = ptl_files_of_path(files, step, "old", "olddir");
	struct ptl_file *new = ptl_files_of_path(files, step, "new", "newdir");

	if (old != NULL && new != NULL && old != new && step->error == NULL)
		ptl_files_rename(files, old, new);
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
	int64_t fd = ptl_step_field(step, PTL_FIELD_FD,
				    ptl_step_field(step, PTL_FIELD_QUEUE, -1));
	uint64_t stream = (uint64_t)ptl_step_field(step, PTL_FIELD_STREAM, 0);

	return moved(stream != 0 ? ptl_files_of_stream(files, step, stream) :
				   ptl_files_of_fd(files, step, fd),
		     bytes, is_write);
}

static unsigned int learn_move(struct ptl_files *files,
			       const struct ptl_step *step,
			       struct ptl_file_use use[PTL_FILE_USES])
{
	int64_t bytes = ptl_step_field(step, PTL_FIELD_RESULT, 0);

	use[0] = moved(
		ptl_files_of_fd(files, step, ptl_step_number(step, "in", -1)),
		bytes, false);
	use[1] = moved(
		ptl_files_of_fd(files, step, ptl_step_number(step, "out", -1)),
		bytes, true);
	return 2;
}

/* What is only about a file: by its descriptor, stream or name. */
static struct ptl_file_use learn_other(struct ptl_files *files,
				       const struct ptl_step *step)
{
	int64_t fd = ptl_step_field(step, PTL_FIELD_FD, -1);
	uint64_t stream = (uint64_t)ptl_step_field(step, PTL_FIELD_STREAM, 0);
	const char *cwd = ptl_step_string(step, "cwd");

	if (cwd != NULL && *cwd != '\0' && step->error == NULL)
		ptl_descriptors_chdir(ptl_files_descriptors(files),
				      step->process, cwd);
	if (stream != 0)
		return used(ptl_files_of_stream(files, step, stream));
	if (fd >= 0)
		return used(ptl_files_of_fd(files, step, fd));
	if (ptl_step_string(step, "new") != NULL)
		return used(ptl_files_of_path(files, step, "new", "newdir"));
	return used(ptl_files_of_path(files, step, "path", "dir"));
}

/* Of those that read or write: so many bytes. */
static int64_t bytes_of(const struct ptl_step *step)
{
	int64_t ret = ptl_step_field(step, PTL_FIELD_RESULT, 0);
	int64_t size, bytes;

	switch (step->kind->act) {
	case PTL_ACT_GETC:
	case PTL_ACT_PUTC:
		return ret >= 0;
	case PTL_ACT_FREAD:
	case PTL_ACT_FWRITE:
		size = ptl_step_field(step, PTL_FIELD_SIZE, 0);
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
			ptl_step_field(step, PTL_FIELD_FLAGS, 0) & O_CLOEXEC);
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
				   ptl_step_field(step, PTL_FIELD_STREAM, 0) !=
						   0 ?
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

unsigned int ptl_uses_learn(struct ptl_files *files,
			    const struct ptl_step *step,
			    struct ptl_file_use use[PTL_FILE_USES])
{
	struct ptl_descriptors *descriptors = ptl_files_descriptors(files);
	const struct ptl_process *forked;

	switch (step->kind->act) {
	case PTL_ACT_FORK:
		forked = ptl_processes_forked(step->model->processes);
		if (forked != NULL)
			ptl_files_fork(files, step->process, forked);
		return 0;
	case PTL_ACT_START:
		ptl_descriptors_exec(descriptors, step->process,
				     step->process->last_image->cwd);
		return 0;
	case PTL_ACT_EXIT:
		ptl_descriptors_end(descriptors, step->process);
		return 0;
	case PTL_ACT_CLOSE_RANGE:
		ptl_descriptors_close_range(
			descriptors, step->process,
			(uint64_t)ptl_step_number(step, "first", 0),
			(uint64_t)ptl_step_number(step, "last", 0),
			ptl_step_field(step, PTL_FIELD_FLAGS, 0) != 0);
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
