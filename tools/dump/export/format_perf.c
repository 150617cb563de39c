/* SPDX-License-Identifier: MIT */
/*
 * Samples as `perf script -F +pid' prints them, which speedscope, the Firefox
 * Profiler and the scripts of FlameGraph read: a line for each sample, its
 * stack below, innermost first, and an empty line.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/format/values.h"
#include "tools/dump/parts/sink.h"
#include "tools/lib/say.h"
#include "tools/model/view.h"

#define NS_PER_S UINT64_C(1000000000)
/* Where a log does not say how many samples there are in a second. */
#define HZ_USUAL 999

static uint64_t hz, nr_samples;
/* What perf calls the event: those of timers have no name of its own. */
static bool is_timer, has_kernel;

static int64_t number(const struct ptl_view *view, const char *name)
{
	const struct ptl_arg *arg = ptl_decode_find(&view->args, name);

	return arg != NULL && arg->value > 0 ? arg->value : 0;
}

static void begin(struct ptl_sink *sink)
{
	(void)sink;
	hz = HZ_USUAL;
	nr_samples = 0;
	is_timer = has_kernel = false;
}

/* Of names, what readers take for an end of the field is not in it. */
static void put_plain(struct ptl_out *out, const char *name, size_t size)
{
	for (size_t i = 0; i < size; i++)
		ptl_out_char(out, name[i] == '\n' || name[i] == '\r' ? '?' :
								       name[i]);
}

/* "cpu-clock:u", without the u where samples of the kernel are among them. */
static const char *event_name(const struct ptl_view *view)
{
	if (has_kernel || number(view, "mode") & PTL_SAMPLE_KERNEL)
		return "cpu-clock";
	return is_timer ? "cpu-timer:u" : "cpu-clock:u";
}

/* "python3 41/42 [001] 12.345678: 1001001 cpu-clock:u:" */
static void put_head(struct ptl_out *out, const struct ptl_step *step)
{
	const struct ptl_view *view = step->view;
	uint64_t at = step->now > 0 ? (uint64_t)step->now : 0;
	const char *program = view->program != NULL ? view->program : "?";
	char line[160];

	put_plain(out, program, strlen(program));
	snprintf(line, sizeof(line), " %d/%d [%03d] %llu.%06llu: %llu %s: \n",
		 (int)view->event->posix_pid, (int)view->event->posix_tid_np,
		 (int)(number(view, "cpu") & INT32_MAX),
		 (unsigned long long)(at / NS_PER_S),
		 (unsigned long long)(at % NS_PER_S / 1000),
		 (unsigned long long)((uint64_t)number(view, "weight") *
				      (NS_PER_S / hz)),
		 event_name(view));
	ptl_out_str(out, line);
}

/* "function+0x12 (kernel)", with the kernel as perf calls it: by that readers
 * know its functions. */
static bool put_kernels(struct ptl_out *out, uint64_t address, const char *name)
{
	static const char module[] = " (kernel)";
	size_t size = strlen(name);

	if ((int64_t)address >= 0 || size < sizeof(module) - 1 ||
	    strcmp(name + size - (sizeof(module) - 1), module) != 0)
		return false;
	put_plain(out, name, size - (sizeof(module) - 1));
	ptl_out_str(out, " ([kernel.kallsyms])");
	return true;
}

/* "<tab>7f0012 function+0x12 (module)" */
static void put_frame(struct ptl_out *out, const struct ptl_view *view,
		      size_t i)
{
	struct ptl_view_frame frame = ptl_view_frame(view, i);
	const char *name = ptl_view_frame_name(&frame);
	char address[32];

	snprintf(address, sizeof(address), "\t%16llx ",
		 (unsigned long long)frame.address);
	ptl_out_str(out, address);
	if (name != NULL) {
		if (!put_kernels(out, frame.address, name))
			put_plain(out, name, strlen(name));
	} else {
		ptl_out_str(out, "[unknown] (");
		ptl_out_str(out, frame.file != NULL ?
					 ptl_symfile_module(frame.file) :
					 "[unknown]");
		ptl_out_char(out, ')');
	}
	ptl_out_char(out, '\n');
}

static bool is_text(const struct ptl_arg *arg, const char *text)
{
	return arg != NULL && arg->bytes != NULL && arg->size == strlen(text) &&
	       memcmp(arg->bytes, text, arg->size) == 0;
}

/* How many there are in a second, and of what, an event says that may not be
 * wanted itself. */
static void learn(struct ptl_sink *sink, const struct ptl_step *step)
{
	(void)sink;
	if (step->kind->act != PTL_ACT_CPU_SAMPLING ||
	    number(step->view, "hz") <= 0)
		return;
	hz = (uint64_t)number(step->view, "hz");
	has_kernel = number(step->view, "kernel") != 0;
	is_timer = is_text(ptl_decode_find(&step->view->args, "source"),
			   PTL_SAMPLE_TIMER);
}

static void put_event(struct ptl_sink *sink, const struct ptl_step *step)
{
	const struct ptl_view *view = step->view;
	struct ptl_out *out = &sink->out;

	learn(sink, step);
	if (step->kind->act != PTL_ACT_CPU_SAMPLE)
		return;
	nr_samples++;
	put_head(out, step);
	for (size_t i = 0; i < view->source->nr_stack; i++)
		put_frame(out, view, i);
	if (number(view, "mode") & PTL_SAMPLE_CUT)
		ptl_out_str(out, "\t               0 [truncated stack] "
				 "([unknown])\n");
	ptl_out_char(out, '\n');
}

static void end(struct ptl_sink *sink)
{
	(void)sink;
	if (nr_samples == 0)
		ptl_say("no samples: ptrace-run --sample records them");
}

const struct ptl_format ptl_format_perf = {
	.name = "perf-script",
	.wants_processes = true,
	.begin = begin,
	.event = put_event,
	.learn = learn,
	.end = end,
};
