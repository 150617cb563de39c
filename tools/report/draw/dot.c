/* SPDX-License-Identifier: MIT */
/*
 * The tree of processes for dot(1); see dot.h.  An arrow for each fork; in a
 * box the programs that the process ran, its times and its end.
 */
#include "tools/report/draw/dot.h"

#include <string.h>

#include "tools/lib/quote.h"
#include "tools/lib/number.h"

/* Arguments of a program in a box. */
#define ARGUMENTS_SIZE 40

/*
 * Foreign bytes inside of a string of dot's, where a backslash is special, too:
 * an escape for a quote or a backslash is the same there, all others are text.
 */
static void put_text(struct ptl_out *out, const char *text, size_t size)
{
	static struct ptl_out plain;

	ptl_out_init(&plain, -1, "", NULL);
	ptl_quote_plain(&plain, text, strnlen(text, size));
	for (size_t i = 0; i < plain.used; i++) {
		ptl_out_char(out, plain.buf[i]);
		if (plain.buf[i] != '\\')
			continue;
		i++;
		if (plain.buf[i] != '"' && plain.buf[i] != '\\')
			ptl_out_char(out, '\\');
		ptl_out_char(out, plain.buf[i]);
	}
}

static void put_program(struct ptl_out *out, const char *program,
			const char *arguments)
{
	put_text(out, program, ARGUMENTS_SIZE);
	if (*arguments != '\0') {
		ptl_out_char(out, ' ');
		put_text(out, arguments, ARGUMENTS_SIZE);
		if (strlen(arguments) > ARGUMENTS_SIZE)
			ptl_out_str(out, "...");
	}
	ptl_out_str(out, "\\n");
}

static void put_node(struct ptl_out *out, const struct ptl_process *process)
{
	char buf[PTL_NUMBER_SIZE], exit[16], rank[PTL_PROCESS_RANK_SIZE];
	int64_t cpu = ptl_process_cpu(process);

	ptl_out_str(out, "  p");
	ptl_out_uint(out, process->number);
	ptl_out_str(out, " [label=\"");
	ptl_out_str(out, ptl_process_rank(process, rank));
	if (process->image == NULL)
		put_program(out, ptl_process_program(process), "");
	for (const struct ptl_program *image = process->image; image != NULL;
	     image = image->next)
		put_program(out, image->program, image->arguments);
	if (process->host != NULL) {
		put_text(out, process->host, strlen(process->host));
		ptl_out_str(out, "  ");
	}
	ptl_out_str(out, "pid ");
	ptl_out_int(out, process->pid);
	ptl_out_str(out, "  wall ");
	ptl_out_str(out,
		    ptl_number_duration(buf, process->end - process->begin));
	ptl_out_str(out, process->is_ended ? "" : "+");
	if (cpu >= 0) {
		ptl_out_str(out, "  CPU ");
		ptl_out_str(out, ptl_number_duration(buf, cpu));
	}
	ptl_out_str(out, "  exit ");
	ptl_out_str(out, ptl_process_exit(process, exit));
	ptl_out_str(out, "\"");
	if (ptl_process_failed(process))
		ptl_out_str(out, ", color=red");
	else if (!process->is_ended)
		ptl_out_str(out, ", style=dashed");
	ptl_out_str(out, "];\n");
}

void ptl_dot_write(const struct ptl_model *model, struct ptl_out *out)
{
	const struct ptl_process *process =
		ptl_processes_first_traced(model->processes);

	ptl_out_str(out, "digraph processes {\n"
			 "  rankdir=LR;\n"
			 "  node [shape=box, fontname=\"sans-serif\"];\n");
	for (; process != NULL; process = ptl_process_next_traced(process)) {
		put_node(out, process);
		if (process->parent == NULL)
			continue;
		ptl_out_str(out, "  p");
		ptl_out_uint(out, process->parent->number);
		ptl_out_str(out, " -> p");
		ptl_out_uint(out, process->number);
		ptl_out_str(out, ";\n");
	}
	ptl_out_str(out, "}\n");
}
