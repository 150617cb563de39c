/* SPDX-License-Identifier: MIT */
/*
 * --files: who read and wrote what: files by their paths, pipes, sockets.  With
 * --path for each file also by process.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/report/show/json.h"
#include "tools/lib/number.h"
#include "tools/report/view/report.h"
#include "tools/report/show/screen.h"
#include "tools/model/files/uses.h"

struct sums {
	uint64_t opens, failed;
	int64_t read, written; /* bytes; -1: it was not read, or written */
	int64_t time;	       /* Σ of durations */
};

/* What a program, or a process, did with a file. */
struct user {
	struct user *next;
	const struct ptl_label *program;
	const struct ptl_process *process; /* only with --path */
	struct sums sums;
};

struct one {
	const struct ptl_file *file;
	struct sums sums;
	struct user *users; /* of the file, the newest first */
	const struct state *state;
};

struct state {
	const char *glob; /* of --path, or NULL */
	struct ptl_files *files;
	struct ptl_hash sums;  /* struct one, by file */
	struct ptl_hash users; /* struct user, by file and program or process */
	struct ptl_hash merged; /* the same, by names that are known by now */
};

static const struct ptl_column columns[] = {
	{"OPENS", "opens", PTL_COLUMN_COUNT},
	{"READ", "read", PTL_COLUMN_BYTES},
	{"WRITTEN", "written", PTL_COLUMN_BYTES},
	{"ERR", "err", PTL_COLUMN_ERRORS},
	{"TIME", "time", PTL_COLUMN_DURATION},
	{"", "bytes", PTL_COLUMN_BYTES},
	{"BY", "by", PTL_COLUMN_TEXT},
	{"PATH", "path", PTL_COLUMN_PATH},
	{0},
};

static void *begin(const struct ptl_report_settings *settings,
		   struct ptl_model *model)
{
	struct state *state = ptl_alloc(sizeof(*state));

	(void)model;
	state->glob = settings->path;
	state->files = ptl_files_new();
	state->sums.value_size = sizeof(struct one);
	state->users.value_size = sizeof(struct user);
	state->merged.value_size = sizeof(struct user);
	return state;
}

static void add(struct sums *sums, const struct sums *more)
{
	sums->opens += more->opens;
	sums->failed += more->failed;
	sums->read += more->read;
	sums->written += more->written;
	sums->time += more->time;
}

static void add_use(struct state *state, const struct ptl_step *step,
		    const struct ptl_file_use *use)
{
	const struct sums more = {
		.opens = use->is_open,
		.failed = step->error != NULL,
		.read = use->is_read ? use->bytes : 0,
		.written = use->is_write ? use->bytes : 0,
		.time = step->duration > 0 ? step->duration : 0,
	};
	const void *key[] = {use->file, state->glob != NULL ?
						(void *)step->process :
						(void *)step->process->label};
	struct user *user = ptl_hash_get(&state->users, key, sizeof(key));

	user->program = step->process->label;
	user->process = step->process;
	add(&user->sums, &more);
}

/* Which files descriptors stand for. */
static void learn_uses(void *of, const struct ptl_step *step)
{
	struct ptl_file_use use[PTL_FILE_USES];
	struct state *state = of;

	if (step->process != NULL)
		ptl_uses_learn(state->files, step, use);
}

static void learn(void *of, const struct ptl_step *step)
{
	struct ptl_file_use use[PTL_FILE_USES];
	struct state *state = of;
	unsigned int nr;

	if (step->process == NULL)
		return;
	nr = ptl_uses_learn(state->files, step, use);
	for (unsigned int i = 0; i < nr; i++)
		if (use[i].file != NULL)
			add_use(state, step, &use[i]);
}

/* Users of each file together; programs whose name was learned late are those
 * of that name. */
static void merge_users(struct state *state)
{
	const struct user *user = NULL;

	while ((user = ptl_hash_next(&state->users, user)) != NULL) {
		const struct ptl_file *const *key =
			ptl_hash_key(&state->users, user);
		const struct ptl_file *file = ptl_file_same(*key);
		const struct ptl_label *program = ptl_label_same(user->program);
		const void *by[] = {file, state->glob != NULL ?
						  (const void *)user->process :
						  (const void *)program};
		struct one *one =
			ptl_hash_get(&state->sums, &file, sizeof(file));
		struct user *merged =
			ptl_hash_get(&state->merged, by, sizeof(by));

		if (merged->program == NULL) {
			merged->next = one->users;
			one->users = merged;
		}
		one->file = file;
		add(&one->sums, &user->sums);
		merged->program = program;
		merged->process = user->process;
		add(&merged->sums, &user->sums);
	}
}

static bool is_named_before(const struct user *users, const struct user *user)
{
	for (; users != user; users = users->next)
		if (users->program == user->program)
			return true;
	return false;
}

/* "cc1, cc": the programs of all users. */
static const char *programs_of(const struct one *one)
{
	char text[256];
	size_t used = 0, more = 0;

	text[0] = '\0';
	for (const struct user *user = one->users; user != NULL;
	     user = user->next) {
		const char *name = ptl_label_name(user->program);

		if (is_named_before(one->users, user))
			continue;
		if (used + strlen(name) + 24 > sizeof(text)) {
			more++;
			continue;
		}
		used += (size_t)sprintf(text + used, "%s%s",
					used > 0 ? ", " : "", name);
	}
	if (more > 0)
		sprintf(text + used, " +%zu", more);
	return ptl_intern(text, sizeof(text));
}

static void make_rows(void *of, struct ptl_model *model,
		      struct ptl_table *table)
{
	struct state *state = of;
	struct one *one = NULL;

	merge_users(state);
	while ((one = ptl_hash_next(&state->sums, one)) != NULL) {
		const struct sums *sums = &one->sums;
		struct ptl_row *row;

		if (state->glob != NULL &&
		    fnmatch(state->glob, one->file->name, 0) != 0)
			continue;
		one->state = state;
		row = ptl_table_row(table, one);
		if (!ptl_model_lacks(model, PTL_FAMILY_FILE))
			row->cell[0] = ptl_cell_number((int64_t)sums->opens);
		if (!ptl_model_lacks(model, PTL_FAMILY_IO)) {
			row->cell[1] = ptl_cell_number(sums->read);
			row->cell[2] = ptl_cell_number(sums->written);
			row->cell[5] =
				ptl_cell_number(sums->read + sums->written);
		}
		row->cell[3] = ptl_cell_number((int64_t)sums->failed);
		row->cell[4] = ptl_cell_number(sums->time);
		row->cell[6] = ptl_cell_text(programs_of(one));
		row->cell[7] = ptl_cell_text(ptl_file_title(one->file));
	}
}

/* With --path: what each process did. */
static void print_users(const void *row_of, size_t column)
{
	const struct one *one = row_of;
	char read[PTL_NUMBER_SIZE], written[PTL_NUMBER_SIZE];

	if (one->state->glob == NULL)
		return;
	for (const struct user *user = one->users; user != NULL;
	     user = user->next) {
		if (user->sums.opens == 0 && user->sums.read == 0 &&
		    user->sums.written == 0)
			continue;
		ptl_line_to(column);
		ptl_line("  ");
		ptl_line_name(ptl_label_name(user->program));
		ptl_line("[%d] read %s, wrote %s", user->process->pid,
			 ptl_number_bytes(read, user->sums.read),
			 ptl_number_bytes(written, user->sums.written));
		ptl_line_end();
	}
}

static void print_above(void *of, struct ptl_model *model)
{
	(void)of;
	(void)model;
	ptl_line_words(
		"bytes that calls read and wrote; what is mapped (mmap) or "
		"inside of libc is not seen");
}

static void put_more(struct ptl_out *out, const void *row_of)
{
	const struct one *one = row_of;

	ptl_json_text(out, "kind", ptl_file_kind_name(one->file->kind));
	ptl_json_text(out, "name", one->file->name);
	if (one->file->host != NULL)
		ptl_json_text(out, "host", one->file->host);
	ptl_json_key(out, "users", false);
	ptl_out_char(out, '[');
	for (const struct user *user = one->users; user != NULL;
	     user = user->next) {
		ptl_out_str(out, user == one->users ? "{" : ",{");
		ptl_json_key(out, "opens", true);
		ptl_out_uint(out, user->sums.opens);
		ptl_json_number(out, "read", user->sums.read);
		ptl_json_number(out, "written", user->sums.written);
		ptl_json_number(out, "err", (int64_t)user->sums.failed);
		ptl_json_number(out, "time", user->sums.time);
		ptl_json_text(out, "program", ptl_label_name(user->program));
		ptl_json_maybe(out, "pid",
			       one->state->glob != NULL ? user->process->pid :
							  -1);
		ptl_out_char(out, '}');
	}
	ptl_out_char(out, ']');
}

static void end(void *of)
{
	struct state *state = of;

	ptl_files_free(state->files);
	ptl_hash_clear(&state->sums);
	ptl_hash_clear(&state->users);
	ptl_hash_clear(&state->merged);
	free(state);
}

const struct ptl_report_view ptl_report_files = {
	.name = "files",
	.about = "files, pipes, sockets: who read and wrote how much",
	.needs = (const enum ptl_family[]){PTL_FAMILY_FILE, PTL_FAMILY_IO, 0},
	.column = columns,
	.sort = "bytes",
	.identity = "path",
	.begin = begin,
	.event = learn,
	.learn = learn_uses,
	.rows = make_rows,
	.free = end,
	.above = print_above,
	.below = print_users,
	.more = put_more,
};
