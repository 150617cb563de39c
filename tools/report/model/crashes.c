/* SPDX-License-Identifier: MIT */
/* Crashes; see crashes.h. */
#include "tools/report/model/crashes.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/read/signals.h"

/* A damaged log may have any number of them. */
#define MAX_CRASHES 10000

void ptl_crashes_learn(const struct ptl_step *step)
{
	struct ptl_crashes *crashes = &step->model->crashes;
	const struct ptl_arg *fault =
		ptl_decode_find(&step->view->args, "fault");
	struct ptl_crash *crash;

	if (step->process == NULL || crashes->nr == MAX_CRASHES)
		return;
	crashes->crash = ptl_grow(crashes->crash, crashes->nr, &crashes->room,
				  sizeof(*crash));
	crash = &crashes->crash[crashes->nr++];
	*crash = (struct ptl_crash){
		.process = step->process,
		.program = ptl_process_program(step->process),
		.tid = step->view->event->posix_tid_np,
		.at = step->now,
		.signo = ptl_step_number(step, "signo", 0),
		.code = ptl_step_number(step, "code", 0),
		.sender = ptl_step_number(step, "pid", 0),
		.has_address = fault != NULL,
		.address = fault != NULL ? (uint64_t)fault->value : 0,
		.message = ptl_step_string(step, "message"),
		.exception = ptl_step_string(step, "exception"),
		.stack = ptl_model_stack(step),
	};
	if (crash->sender == step->view->event->posix_pid)
		crash->sender = -1;
}

/* "(libc.so.6)" behind the name of a function. */
static bool is_in(const struct ptl_site *site, const char *library)
{
	const char *module = strrchr(site->function, '(');

	return module != NULL &&
	       strncmp(module + 1, library, strlen(library)) == 0;
}

static bool is_function(const struct ptl_site *site, const char *name)
{
	size_t size = strlen(name);

	return strncmp(site->function, name, size) == 0 &&
	       (site->function[size] == ' ' || site->function[size] == '(');
}

static bool is_libc(const struct ptl_site *site)
{
	return is_in(site, "libc.so") || is_in(site, "libc.musl") ||
	       is_in(site, "ld-musl") || is_in(site, "ld-linux") ||
	       is_in(site, "libpthread");
}

static bool gives_up(const struct ptl_site *site)
{
	return is_libc(site) || is_in(site, "libstdc++.so") ||
	       is_in(site, "libc++") || is_in(site, "libgcc_s.so");
}

/* Of a program that aborts: the first frame that is its own. */
static const struct ptl_stack *begin_of(const struct ptl_crash *crash)
{
	const struct ptl_stack *stack = crash->stack;
	const char *name = ptl_signals_name(crash->signo);

	if (name == NULL || strcmp(name, "SIGABRT") != 0)
		return stack;
	while (stack != NULL && gives_up(stack->site))
		stack = stack->caller;
	return stack != NULL ? stack : crash->stack;
}

static bool is_outside(const struct ptl_site *site)
{
	return is_libc(site) || is_function(site, "_start");
}

size_t ptl_crash_frames(const struct ptl_crash *crash,
			const struct ptl_site **frame, size_t max)
{
	const struct ptl_stack *begin = begin_of(crash), *stack;
	size_t nr = 0, inside = 1;

	for (stack = begin; stack != NULL; stack = stack->caller) {
		nr++;
		if (!is_outside(stack->site))
			inside = nr;
		if (is_function(stack->site, "main"))
			break;
	}
	if (nr > inside)
		nr = inside;
	stack = begin;
	for (size_t i = 0; i < nr && i < max; i++, stack = stack->caller)
		frame[i] = stack->site;
	return nr;
}

bool ptl_crash_is_uncaught(const struct ptl_crash *crash)
{
	const struct ptl_stack *stack = crash->stack;

	if (crash->exception == NULL)
		return false;
	for (; stack != NULL; stack = stack->caller)
		if (strncmp(stack->site->function, "std::terminate", 14) == 0 ||
		    is_function(stack->site, "_ZSt9terminatev") ||
		    is_function(stack->site, "__cxa_throw") ||
		    is_function(stack->site, "__cxa_rethrow"))
			return true;
	return false;
}
