/* SPDX-License-Identifier: MIT */
/* What the descriptors of calls stand for; see text_paths.h. */
#include "tools/dump/text/text_paths.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "tools/model/model.h"
#include "tools/model/files/uses.h"

static struct ptl_files *files; /* NULL: nobody wants to know */

/* Of each argument of the last event; NULL: none. */
static const char *names[PTL_ARGS];

void ptl_text_paths_begin(bool is_wanted)
{
	files = is_wanted ? ptl_files_new() : NULL;
}

void ptl_text_paths_end(void)
{
	if (files == NULL)
		return;
	ptl_files_free(files);
	files = NULL;
}

/* What was opened before the trace began has no name. */
static const char *name_of(const struct ptl_file *file)
{
	if (file == NULL)
		return NULL;
	file = ptl_file_same(file);
	return file->kind != PTL_FILE_UNKNOWN ? file->name : NULL;
}

static const char *name_of_fd(const struct ptl_step *step, int64_t fd)
{
	if (fd == AT_FDCWD)
		return ptl_descriptors_cwd(ptl_files_descriptors(files),
					   step->process);
	return name_of(ptl_files_of_fd(files, step, fd));
}

static bool is_one_of(const char *name, const char *const *names_of)
{
	for (; *names_of != NULL; names_of++)
		if (strcmp(name, *names_of) == 0)
			return true;
	return false;
}

/* What the call is given: it may not be there when it has returned.  That of a
 * stream is known from the stream. */
static void find_given(const struct ptl_step *step)
{
	static const char *const given[] = {"fd",     "dir", "olddir",
					    "newdir", "in",  "out",
					    "epoll",  "mq",  NULL};
	const struct ptl_args *args = &step->view->args;

	if (ptl_decode_find(args, "stream") != NULL)
		return;
	for (unsigned int i = 0; i < args->nr; i++)
		if (args->arg[i].type == PTL_ARG_INT &&
		    is_one_of(args->arg[i].name, given))
			names[i] = name_of_fd(step, args->arg[i].value);
}

static bool is_duplicate(const struct ptl_step *step)
{
	int64_t cmd = ptl_step_number(step, "cmd", -1);

	return cmd == F_DUPFD || cmd == F_DUPFD_CLOEXEC;
}

static bool returns_fd(const struct ptl_step *step)
{
	switch (step->kind->act) {
	case PTL_ACT_OPEN:
	case PTL_ACT_DUP:
	case PTL_ACT_SOCKET:
	case PTL_ACT_ACCEPT:
	case PTL_ACT_UNNAMED:
		return true;
	case PTL_ACT_FCNTL:
		return is_duplicate(step);
	default:
		return false;
	}
}

/* What it has made; and the file of a stream, which the call tells of now. */
static void find_made(const struct ptl_step *step,
		      const struct ptl_file_use *use)
{
	static const char *const made[] = {"read", "write", "first", "second",
					   NULL};
	bool is_pair = step->kind->act == PTL_ACT_PIPE ||
		       step->kind->act == PTL_ACT_SOCKETPAIR;
	const struct ptl_args *args = &step->view->args;
	bool has_stream = ptl_decode_find(args, "stream") != NULL;

	for (unsigned int i = 0; i < args->nr; i++) {
		const struct ptl_arg *arg = &args->arg[i];

		if ((is_pair && is_one_of(arg->name, made)) ||
		    (returns_fd(step) && strcmp(arg->name, "ret") == 0))
			names[i] = name_of_fd(step, arg->value);
		else if (use != NULL && step->kind->act == PTL_ACT_FCLOSE &&
			 arg->type == PTL_ARG_HEX &&
			 strcmp(arg->name, "dir") == 0)
			names[i] = name_of(use->file);
		else if (has_stream && use != NULL &&
			 (strcmp(arg->name, "stream") == 0 ||
			  (strcmp(arg->name, "fd") == 0 && arg->value >= 0)))
			names[i] = name_of(use->file);
	}
}

void ptl_text_paths_learn(const struct ptl_step *step)
{
	struct ptl_file_use use[PTL_FILE_USES];
	unsigned int nr;

	if (files == NULL)
		return;
	memset(names, 0, sizeof(names));
	if (step->process == NULL)
		return;
	if (step->kind->act != PTL_ACT_CLOSE_RANGE)
		find_given(step);
	nr = ptl_uses_learn(files, step, use);
	if (step->error == NULL)
		find_made(step, nr > 0 ? use : NULL);
}

const char *ptl_text_paths_of(const struct ptl_view *view,
			      const struct ptl_arg *arg)
{
	return files != NULL ? names[arg - view->args.arg] : NULL;
}
