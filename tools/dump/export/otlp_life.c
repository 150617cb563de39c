/* SPDX-License-Identifier: MIT */
/* Programs as resources and spans; see otlp_life.h. */
#include "tools/dump/export/otlp_life.h"
#include "tools/lib/clock.h"

#include <stdio.h>
#include <string.h>

/* So many spans a line has at most: what SDKs send. */
#define SPANS_MOST 512

static struct ptl_hash lives;
static const struct ptl_model *model;
static struct ptl_out *out;
static bool wants_arguments;
/* What is put together: spans of lives, for the next line. */
static struct ptl_bytes line, scratch;
static unsigned int nr_in_line;

static uint64_t ns_at(int64_t since_first)
{
	return ptl_ns(&model->first) + (uint64_t)since_first;
}

void ptl_otlp_lives_begin(const struct ptl_model *of, struct ptl_out *to,
			  bool has_arguments)
{
	lives = (struct ptl_hash){.value_size = sizeof(struct ptl_otlp_life)};
	model = of;
	out = to;
	wants_arguments = has_arguments;
	line = scratch = (struct ptl_bytes){0};
	nr_in_line = 0;
}

/* ---- programs -------------------------------------------------------- */

static struct ptl_otlp_life *life_of(const struct ptl_process *process,
				     const struct ptl_program *image,
				     struct ptl_source *source)
{
	const void *key[2] = {process, image == process->image ? NULL : image};
	struct ptl_otlp_life *life = ptl_hash_get(&lives, key, sizeof(key));

	if (life->process == NULL) {
		int64_t begin = key[1] != NULL ? image->begin : process->begin;
		uint64_t hash = ptl_otlp_hash(ns_at(begin), &process->pid,
					      sizeof(process->pid));

		life->process = process;
		life->image = key[1];
		life->source = source;
		hash = ptl_otlp_hash(hash, &process->pidns,
				     sizeof(process->pidns));
		life->id = ptl_otlp_hash(hash, source->host_name,
					 strlen(source->host_name));
	}
	return life;
}

static const struct ptl_program *image_of(const struct ptl_otlp_life *life)
{
	return life->image != NULL ? life->image : life->process->image;
}

static int64_t begin_of(const struct ptl_otlp_life *life)
{
	return life->image != NULL ? life->image->begin : life->process->begin;
}

struct ptl_otlp_life *ptl_otlp_life_of(const struct ptl_step *step)
{
	return life_of(step->process, step->process->last_image,
		       step->view->source);
}

void ptl_otlp_life_is(struct ptl_otlp_life *life, const char *own)
{
	struct ptl_otlp_trace trace;
	uint64_t span;

	if (!ptl_otlp_parse_parent(own, &trace, &span))
		return;
	life->own = own;
	life->id = span;
}

void ptl_otlp_life_forked(const struct ptl_process *process,
			  struct ptl_source *source, uint64_t span)
{
	life_of(process, NULL, source)->inside = span;
}

/* What its parent ran when it was forked; NULL: it has none. */
static struct ptl_otlp_life *parent_of(const struct ptl_otlp_life *life)
{
	struct ptl_process *parent = life->process->parent;
	const struct ptl_program *image = NULL;

	if (parent == NULL)
		return NULL;
	for (const struct ptl_program *at = parent->image;
	     at != NULL && at->begin <= life->process->begin; at = at->next)
		image = at;
	return life_of(parent, image, life->source);
}

/* The program that was executed from; NULL: it was not. */
static struct ptl_otlp_life *before(struct ptl_otlp_life *life)
{
	const struct ptl_program *image = life->process->image;

	if (life->image == NULL || life->before != NULL)
		return life->before;
	while (image->next != NULL && image->next != life->image)
		image = image->next;
	life->before = life_of(life->process, image, life->source);
	return life->before;
}

/* Has a process that it comes from handed that span on as its own? */
static bool is_inherited(struct ptl_otlp_life *life, uint64_t span)
{
	for (; life != NULL; life = parent_of(life))
		for (struct ptl_otlp_life *at = life; at != NULL;
		     at = before(at))
			if (at->id == span)
				return true;
	return false;
}

/* The span that a program was begun in, by its environment, if it is none that
 * its parent knows of: it was given it, to be part of another trace.  0: it was
 * not. */
static uint64_t given_span(struct ptl_otlp_life *life,
			   const struct ptl_otlp_life *parent)
{
	struct ptl_otlp_trace given;
	uint64_t span;

	if (life->traceparent == NULL ||
	    !ptl_otlp_parse_parent(life->traceparent, &given, &span))
		return 0;
	/* An executed program is beside the one before it. */
	for (struct ptl_otlp_life *at = before(life);
	     at != NULL && at->id == span; at = before(at))
		if (at->traceparent == NULL ||
		    !ptl_otlp_parse_parent(at->traceparent, &given, &span))
			return 0;
	if (life->own != NULL)
		return is_inherited(life, span) ? 0 : span;
	return parent == NULL || parent->traceparent != life->traceparent ?
		       span :
		       0;
}

/* Logs that are read together are one trace. */
static void own_trace(struct ptl_otlp_trace *trace)
{
	uint64_t time = ns_at(0);
	const char *host = model->merge->source->host_name;
	uint64_t high = ptl_otlp_hash(time, host, strlen(host));
	uint64_t low = ptl_otlp_hash(high, &time, sizeof(time));

	memcpy(trace->id, &high, sizeof(high));
	memcpy(trace->id + sizeof(high), &low, sizeof(low));
}

const struct ptl_otlp_trace *ptl_otlp_life_trace(struct ptl_otlp_life *life)
{
	struct ptl_otlp_life *top = life, *parent;
	const char *told;
	uint64_t span;

	while (!top->has_trace) {
		top->has_trace = true;
		parent = parent_of(top);
		told = top->own != NULL ? top->own : top->traceparent;
		if (told != NULL &&
		    ptl_otlp_parse_parent(told, &top->trace, &span))
			break;
		if (parent == NULL) {
			own_trace(&top->trace);
			break;
		}
		top = parent;
	}
	/* What is between them has what the topmost has. */
	for (; life != top; life = parent_of(life))
		life->trace = top->trace;
	return &top->trace;
}

/* ---- lines ----------------------------------------------------------- */

static const char *name_of(const struct ptl_otlp_life *life)
{
	const struct ptl_program *image = image_of(life);
	const char *name = image != NULL ? image->program :
					   ptl_process_program(life->process);

	return name != NULL ? name : "[unknown]";
}

static void put_resource(struct ptl_out *to, const struct ptl_otlp_life *life)
{
	const struct ptl_process *process = life->process;
	const struct ptl_program *image = image_of(life);
	const char *host = life->source->host_name;

	ptl_out_str(to, "{\"resource\":{");
	ptl_otlp_open_list(to, "attributes");
	ptl_otlp_text(to, "service.name",
		      life->service != NULL ? life->service : name_of(life));
	if (strcmp(host, "?") != 0)
		ptl_otlp_text(to, "host.name", host);
	ptl_otlp_int(to, "process.pid", process->pid);
	if (process->ppid > 0)
		ptl_otlp_int(to, "process.parent_pid", process->ppid);
	for (const struct ptl_tag *tag = process->tags.first; tag != NULL;
	     tag = tag->next)
		ptl_otlp_text(to, tag->key, tag->value);
	ptl_otlp_text(to, "process.executable.name", name_of(life));
	ptl_otlp_text(to, "process.executable.path", life->exe);
	if (image != NULL)
		ptl_otlp_text(to, "process.working_directory", image->cwd);
	if (wants_arguments && image != NULL)
		ptl_otlp_text(to, "process.command_line", image->arguments);
	ptl_otlp_close_list(to);
	ptl_out_str(to, "},\"scopeSpans\":[{\"scope\":{\"name\":\"libptrace\","
			"\"version\":\"" PACKAGE_VERSION "\"},\"spans\":[");
}

static void end_line(void)
{
	if (nr_in_line == 0)
		return;
	ptl_out_str(out, "{\"resourceSpans\":[");
	ptl_out_bytes(out, line.bytes, line.used);
	ptl_out_str(out, "]}\n");
	line.used = 0;
	nr_in_line = 0;
}

/* The life's spans so far go into the line. */
static void tell(struct ptl_otlp_life *life)
{
	struct ptl_out *to;

	if (nr_in_line + life->nr_spans > SPANS_MOST)
		end_line();
	to = ptl_otlp_write_to(&line);
	if (nr_in_line > 0)
		ptl_out_char(to, ',');
	put_resource(to, life);
	ptl_out_bytes(to, life->spans.bytes, life->spans.used);
	ptl_out_str(to, "]}]}");
	ptl_otlp_written();
	nr_in_line += life->nr_spans;
	life->nr_spans = 0;
	life->spans.used = 0;
}

void ptl_otlp_life_add(struct ptl_otlp_life *life,
		       const struct ptl_otlp_span *span,
		       const struct ptl_bytes *attributes)
{
	struct ptl_out *to = ptl_otlp_write_to(&life->spans);

	if (life->nr_spans++ > 0)
		ptl_out_char(to, ',');
	ptl_otlp_span(to, span, attributes);
	ptl_otlp_written();
	if (life->nr_spans == SPANS_MOST)
		tell(life);
}

/* ---- the end --------------------------------------------------------- */

static bool is_last(const struct ptl_otlp_life *life)
{
	const struct ptl_program *image = image_of(life);

	return image == NULL || image->next == NULL;
}

/* "exit 3", or "killed by SIGKILL"; NULL: it did not fail. */
static const char *failure_of(const struct ptl_otlp_life *life, char text[32])
{
	char status[16];

	if (!is_last(life) || !ptl_process_failed(life->process))
		return NULL;
	snprintf(text, 32, "%s %s",
		 life->process->signal > 0 ? "killed by" : "exit",
		 ptl_process_exit(life->process, status));
	return text;
}

static void put_life_attributes(const struct ptl_otlp_life *life)
{
	struct ptl_out *to = ptl_otlp_write_to(&scratch);
	const struct ptl_process *process = life->process;
	char status[16];

	ptl_otlp_open_list(to, "attributes");
	if (is_last(life) && process->is_ended && process->status >= 0)
		ptl_otlp_int(to, "process.exit.code", process->status);
	if (is_last(life) && process->is_ended && process->signal > 0)
		ptl_otlp_text(to, "error.type",
			      ptl_process_exit(process, status));
	if (is_last(life) && process->user_us >= 0)
		ptl_otlp_int(to, "libptrace.user_us", process->user_us);
	if (is_last(life) && process->sys_us >= 0)
		ptl_otlp_int(to, "libptrace.sys_us", process->sys_us);
	ptl_otlp_close_list(to);
	ptl_otlp_written();
}

/* The span that it is in; 0: none. */
static uint64_t parent_span(struct ptl_otlp_life *life)
{
	struct ptl_otlp_life *parent = parent_of(life);
	uint64_t span = given_span(life, parent);

	if (span != 0 || parent == NULL)
		return span;
	span = life_of(life->process, NULL, life->source)->inside;
	return span != 0 ? span : parent->id;
}

static void put_life(struct ptl_otlp_life *life)
{
	const struct ptl_program *image = image_of(life);
	const struct ptl_otlp_life *from = before(life);
	char text[32];
	struct ptl_otlp_span span = {
		.trace = *ptl_otlp_life_trace(life),
		.id = life->id,
		.parent = parent_span(life),
		.linked = from != NULL ? from->id : 0,
		.name = name_of(life),
		.begin = ns_at(begin_of(life)),
		.end = ns_at(image != NULL ? image->end : life->process->end),
		.events = &life->events,
		.dropped = life->dropped,
		.message = failure_of(life, text),
	};

	span.failed = span.message != NULL;
	if (span.end < span.begin)
		span.end = span.begin;
	scratch.used = 0;
	put_life_attributes(life);
	ptl_otlp_life_add(life, &span, &scratch);
	if (life->nr_spans > 0)
		tell(life);
}

void ptl_otlp_lives_end(void)
{
	struct ptl_otlp_life *life = NULL;

	while ((life = ptl_hash_next(&lives, life)) != NULL)
		put_life(life);
	end_line();
	while ((life = ptl_hash_next(&lives, life)) != NULL) {
		ptl_bytes_free(&life->spans);
		ptl_bytes_free(&life->events);
	}
	ptl_hash_clear(&lives);
	ptl_bytes_free(&line);
	ptl_bytes_free(&scratch);
}
