/* SPDX-License-Identifier: MIT */
/*
 * Folded stacks, for flame graphs: a line "PROGRAM;OUTER;INNER;EVENT N" for
 * each stack that events have, N of them; or N ns that were spent there, or
 * bytes that were allocated, and are there at the peak or at the end.  The
 * stack is the one that was recorded, else the calls that the thread is in.
 * What is kept grows with the number of different stacks.
 */
#include <stdlib.h>
#include <string.h>

#include "core/format/values.h"
#include "tools/dump/export/bytes.h"
#include "tools/dump/parts/look.h"
#include "tools/dump/parts/sink.h"
#include "tools/lib/quote.h"
#include "tools/lib/say.h"
#include "tools/model/heaps.h"
#include "tools/model/modules.h"
#include "tools/model/view.h"

struct stack {
	struct stack *next;
	uint64_t hash;
	uint64_t worth;
	size_t size;
	bool is_sampled;
	char text[];
};

/* What is kept with a call while it goes on. */
struct open_call {
	const char *name;
	struct stack *stack;
	uint64_t inner; /* ns that calls inside of it took */
};

static struct stack **table;   /* by hash */
static size_t nr_stacks, room; /* room is a power of two */
/* Where there are samples, they are all that is shown: a stack counts what it
 * computed, and no events. */
static bool has_samples;
static struct ptl_calls_user user;
static enum ptl_look_weight weight;
static struct ptl_heaps *heaps; /* NULL: they are not asked for */

/* The stack that is being put together. */
static struct ptl_bytes text;

/* No semicolons in a frame: they are between frames. */
static void add_frame(const char *name, size_t size)
{
	size_t at;

	if (text.used > 0)
		ptl_bytes_put(&text, ";", 1);
	at = text.used;
	ptl_bytes_put(&text, name, size);
	for (; at < text.used; at++)
		if (text.bytes[at] == ';')
			text.bytes[at] = ':';
}

static void add_name(const char *name)
{
	if (name == NULL)
		name = "[unknown]";
	add_frame(name, strlen(name));
}

/* "function+0x1c (module)" without what tells two calls of it apart. */
static void add_function(const char *sym)
{
	const char *plus = NULL;

	for (const char *p = strstr(sym, "+0x"); p != NULL;
	     p = strstr(p + 1, "+0x"))
		plus = p;
	add_frame(sym, plus != NULL ? (size_t)(plus - sym) : strlen(sym));
}

static void add_own_frame(const struct ptl_view_frame *frame)
{
	const char *name = ptl_view_frame_name(frame), *module;

	if (name != NULL) {
		add_function(name);
		return;
	}
	if (frame->file == NULL) {
		add_name(NULL);
		return;
	}
	module = ptl_symfile_module(frame->file);
	add_frame("[", 1);
	ptl_bytes_put(&text, module, strlen(module));
	ptl_bytes_put(&text, "]", 1);
}

/* The function, and then those that are inlined there. */
static void add_recorded_frame(const struct ptl_view *view, size_t i)
{
	struct ptl_view_frame frame = ptl_view_frame(view, i);
	const struct ptl_srcline *line;
	size_t nr = ptl_view_frame_lines(&frame, &line);

	add_own_frame(&frame);
	for (nr--; nr > 0; nr--)
		add_name(line[nr - 1].function);
}

/* Is the outer end of its stack not there?  A sample says so. */
static bool is_cut(const struct ptl_view *view)
{
	const struct ptl_arg *mode;

	if (view->type->kind->act != PTL_ACT_CPU_SAMPLE)
		return view->source->nr_stack == POSIX_TRACE_STACK_MAX_NP;
	mode = ptl_decode_find(&view->args, "mode");
	return mode != NULL && mode->value & PTL_SAMPLE_CUT;
}

static void add_recorded(const struct ptl_view *view)
{
	const struct ptl_source *source = view->source;

	if (is_cut(view))
		add_name("[truncated stack]");
	for (size_t i = source->nr_stack; i > 0; i--)
		add_recorded_frame(view, i - 1);
}

/* The call and what it is in, the outermost first.  Each is kept with its name,
 * if its begin was shown. */
static void add_calls(const struct ptl_step *step, const struct ptl_call *call)
{
	static const char **name;
	static size_t names_room;
	size_t nr = 0;

	for (; call != NULL;
	     call = ptl_calls_outer(step->moment.thread, call)) {
		const struct open_call *open = call->of[user.number];

		if (open == NULL)
			continue;
		name = ptl_grow(name, nr, &names_room, sizeof(*name));
		name[nr++] = open->name;
	}
	while (nr > 0)
		add_name(name[--nr]);
}

/* What a call took is the time of it and of what it was in; of one whose end
 * was not seen it is not known. */
static void leave(void *of, struct ptl_thread *thread, struct ptl_call *call,
		  struct ptl_call *outer, uint64_t at, enum ptl_call_end how)
{
	struct open_call *open = call->of[user.number];
	struct open_call *around =
		outer != NULL ? outer->of[user.number] : NULL;
	uint64_t took = at > call->begin ? at - call->begin : 0;

	(void)of;
	(void)thread;
	if (open == NULL)
		return;
	call->of[user.number] = NULL;
	if (how != PTL_CALL_LEFT && around != NULL)
		around->inner += took;
	if (how != PTL_CALL_LEFT && weight == PTL_LOOK_TIME &&
	    open->stack != NULL && took > open->inner)
		open->stack->worth += took - open->inner;
	free(open);
}

static struct open_call *open_call(const char *name)
{
	struct open_call *open = ptl_alloc(sizeof(*open));

	open->name = name;
	return open;
}

/* A call is a frame from its begin on; its end, if that has an event, is no
 * other call, but for those whose begin was not seen. */
static bool is_end(const struct ptl_step *step)
{
	return step->kind->act == PTL_ACT_LEAVE && step->moment.took >= 0 &&
	       !step->moment.begins;
}

static void add_event(const struct ptl_step *step)
{
	const struct ptl_moment *moment = &step->moment;
	const struct ptl_arg *function =
		ptl_decode_find(&step->view->args, "function");
	const char *name = step->kind->name;

	if (ptl_act_enters(step->kind->act) ||
	    step->kind->act == PTL_ACT_LEAVE ||
	    step->kind->act == PTL_ACT_SUMMARY)
		name = function != NULL	    ? function->bytes :
		       moment->call != NULL ? "[unknown]" :
					      name;
	if (moment->begins)
		moment->call->of[user.number] = open_call(name);
	if (step->view->source->nr_stack > 0)
		add_recorded(step->view);
	else if (moment->call != NULL && !moment->ends)
		add_calls(step, moment->call);
	else
		add_calls(step, moment->outer);
	if (step->kind->act == PTL_ACT_CPU_SAMPLE)
		return;
	/* Who calls is known, and no more. */
	if (step->kind->act == PTL_ACT_SUMMARY && step->view->sym != NULL)
		add_function(step->view->sym);
	if (step->view->source->nr_stack > 0 || moment->call == NULL ||
	    moment->ends)
		add_name(name);
}

static struct stack **place(uint64_t hash)
{
	struct stack **at = &table[hash & (room - 1)];

	while (*at != NULL &&
	       ((*at)->hash != hash || (*at)->size != text.used ||
		memcmp((*at)->text, text.bytes, text.used) != 0))
		at = &(*at)->next;
	return at;
}

static void make_room(void)
{
	struct stack **old = table;
	size_t old_room = room;

	room = old_room > 0 ? 2 * old_room : 1024;
	table = ptl_alloc(room * sizeof(struct stack *));
	for (size_t i = 0; i < old_room; i++) {
		for (struct stack *stack = old[i], *next; stack != NULL;
		     stack = next) {
			struct stack **at = &table[stack->hash & (room - 1)];

			next = stack->next;
			stack->next = *at;
			*at = stack;
		}
	}
	free(old);
}

/* How often the sampled state is there. */
static uint64_t weight_of(const struct ptl_view *view)
{
	const struct ptl_arg *times = ptl_decode_find(&view->args, "weight");

	return times != NULL && times->value > 0 ? (uint64_t)times->value : 0;
}

static struct stack *find_stack(void)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	struct stack **at;

	for (size_t i = 0; i < text.used; i++)
		hash = (hash ^ text.bytes[i]) * UINT64_C(0x100000001b3);
	if (nr_stacks >= room)
		make_room();
	at = place(hash);
	if (*at == NULL) {
		*at = ptl_alloc(sizeof(**at) + text.used);
		(*at)->hash = hash;
		(*at)->size = text.used;
		memcpy((*at)->text, text.bytes, text.used);
		nr_stacks++;
	}
	return *at;
}

static void weigh_sample(struct stack *stack, const struct ptl_view *view)
{
	if (weight != PTL_LOOK_EITHER && weight != PTL_LOOK_CPU)
		return;
	stack->is_sampled = has_samples = true;
	stack->worth += weight_of(view);
}

/* Of calls that were summed up: how many, or how long without what they call.
 */
static void weigh_summary(struct stack *stack, const struct ptl_step *step)
{
	int64_t worth = 0;

	if (weight == PTL_LOOK_COUNT || weight == PTL_LOOK_EITHER)
		worth = ptl_step_number(step, "calls", 0);
	else if (weight == PTL_LOOK_TIME)
		worth = ptl_step_number(step, "self", 0);
	if (worth > 0)
		stack->worth += (uint64_t)worth;
}

/* The time of a call is known when it is over. */
static void weigh(struct stack *stack, const struct ptl_step *step)
{
	const struct ptl_moment *moment = &step->moment;
	struct open_call *open =
		moment->begins ? moment->call->of[user.number] : NULL;

	if (step->kind->act == PTL_ACT_CPU_SAMPLE) {
		weigh_sample(stack, step->view);
		return;
	}
	if (step->kind->act == PTL_ACT_SUMMARY) {
		weigh_summary(stack, step);
		return;
	}
	if (open != NULL)
		open->stack = stack;
	if (heaps != NULL)
		ptl_heaps_learn(heaps, step, stack);
	else if (weight == PTL_LOOK_BYTES)
		stack->worth += (uint64_t)ptl_step_allocated(step);
	else if (weight == PTL_LOOK_COUNT || weight == PTL_LOOK_EITHER)
		stack->worth++;
	else if (weight == PTL_LOOK_TIME && open == NULL && step->duration > 0)
		stack->worth += (uint64_t)step->duration;
}

static void begin(struct ptl_sink *sink)
{
	text = (struct ptl_bytes){0};
	table = NULL;
	nr_stacks = room = 0;
	weight = sink->look->weight;
	has_samples = false;
	heaps = weight == PTL_LOOK_PEAK || weight == PTL_LOOK_LEAKED ?
			ptl_heaps_new() :
			NULL;
	user = (struct ptl_calls_user){.wants_libc = true, .leave = leave};
	ptl_calls_add_user(sink->model->calls, &user);
}

static void put_event(struct ptl_sink *sink, const struct ptl_step *step)
{
	(void)sink;
	if (is_end(step))
		return;
	text.used = 0;
	if (step->view->source->host != NULL)
		add_name(step->view->source->host);
	add_name(step->process != NULL ? step->process->label->name : NULL);
	add_event(step);
	weigh(find_stack(), step);
}

/* Each process at its own peak. */
static void weigh_heaps(const struct ptl_model *model)
{
	const struct ptl_heap_site *site = NULL;

	if (heaps == NULL)
		return;
	if (weight == PTL_LOOK_LEAKED && model->lost_at >= 0)
		ptl_say("events were lost: what they freed counts as leaked");
	ptl_heaps_end(heaps);
	while ((site = ptl_heaps_next_site(heaps, site)) != NULL) {
		struct stack *stack = site->at;

		if (weight == PTL_LOOK_PEAK)
			stack->worth += (uint64_t)site->at_peak;
		else if (!site->heap->is_replaced)
			stack->worth += (uint64_t)site->live;
	}
	ptl_heaps_free(heaps);
}

static int by_text(const void *a, const void *b)
{
	const struct stack *one = *(struct stack *const *)a;
	const struct stack *other = *(struct stack *const *)b;
	size_t size = one->size < other->size ? one->size : other->size;
	int order = memcmp(one->text, other->text, size);

	return order != 0 ?
		       order :
		       (one->size > other->size) - (one->size < other->size);
}

/* A log can have nothing of what is asked for. */
static void say_missing(const struct ptl_sink *sink)
{
	bool is_of_heap = heaps != NULL || weight == PTL_LOOK_BYTES;

	if (is_of_heap && ptl_model_lacks(sink->model, PTL_FAMILY_MEM))
		ptl_say("no allocations were recorded: ptrace-run -e +mem "
			"records those of malloc(), --allocator LIST those of "
			"other functions");
	else if (weight == PTL_LOOK_CPU && !has_samples)
		ptl_say("no samples were recorded: ptrace-run --sample does");
}

static void end(struct ptl_sink *sink)
{
	struct stack **sorted = ptl_alloc((nr_stacks + 1) * sizeof(*sorted));
	size_t nr = 0;

	ptl_calls_finish(sink->model->calls);
	say_missing(sink);
	weigh_heaps(sink->model);
	for (size_t i = 0; i < room; i++)
		for (struct stack *stack = table[i]; stack != NULL;
		     stack = stack->next)
			sorted[nr++] = stack;
	qsort(sorted, nr, sizeof(*sorted), by_text);
	for (size_t i = 0; i < nr; i++) {
		if (sorted[i]->worth > 0 &&
		    (!has_samples || sorted[i]->is_sampled)) {
			ptl_quote_plain(&sink->out, sorted[i]->text,
					sorted[i]->size);
			ptl_out_char(&sink->out, ' ');
			ptl_out_uint(&sink->out, sorted[i]->worth);
			ptl_out_char(&sink->out, '\n');
		}
		free(sorted[i]);
	}
	free(sorted);
	free(table);
	ptl_bytes_free(&text);
}

const struct ptl_format ptl_format_folded = {
	.name = "folded",
	.wants_processes = true,
	.begin = begin,
	.event = put_event,
	.end = end,
};
