/* SPDX-License-Identifier: MIT */
/* See follow.h.  Records are the kernel's; but names of files are others', and
 * so is what is in the files. */
#include "tools/sampler/follow.h"

#include <stdio.h>
#include <string.h>
#include <trace.h>

#include "core/format/sysevents.h"
#include "core/format/values.h"
#include "tools/sampler/kernel.h"
#include "tools/sampler/numbers.h"
#include "tools/sampler/origins.h"
#include "tools/sampler/process.h"
#include "tools/sampler/tell.h"
#include "tools/sampler/threads.h"

/* ---- what is in a record ------------------------------------------- */

/* A record without its head, taken from the beginning. */
struct body {
	const unsigned char *at, *end;
};

static struct body body_of(const struct perf_event_header *record)
{
	const unsigned char *bytes = (const unsigned char *)record;

	return (struct body){bytes + sizeof(*record), bytes + record->size};
}

static uint64_t take(struct body *body, size_t size)
{
	uint64_t value = 0;

	if ((size_t)(body->end - body->at) < size) {
		body->at = body->end;
		return 0;
	}
	memcpy(&value, body->at, size);
	body->at += size;
	return value;
}

/* Up to its null; NULL: there is none. */
static const char *take_text(struct body *body)
{
	const char *text = (const char *)body->at;

	if (memchr(body->at, '\0', (size_t)(body->end - body->at)) == NULL)
		return NULL;
	return text;
}

/* ---- processes ------------------------------------------------------ */

/* Which thread a record is made by, and when. */
static struct ptl_threads_at made_by(const struct perf_event_header *record)
{
	struct ptl_threads_at at = {.when = ptl_events_time(record)};

	ptl_events_origin(record, &at.pid, &at.tid, &at.cpu);
	return at;
}

static void follow_fork(struct ptl_follow *follow,
			const struct perf_event_header *record)
{
	struct body body = body_of(record);
	struct ptl_threads_at at = made_by(record);
	pid_t parent, parent_tid;

	at.pid = (pid_t)take(&body, 4);
	parent = (pid_t)take(&body, 4);
	at.tid = (pid_t)take(&body, 4);
	parent_tid = (pid_t)take(&body, 4);
	ptl_origins_fork(parent_tid, at.tid);
	if (at.pid == parent)
		ptl_process_get(at.pid)->threads += !ptl_origins_is_own(at.tid);
	else
		ptl_process_fork(parent, at.pid, at.when);
	follow->forks += at.pid != parent && follow->has_children;
	ptl_numbers_learn(at.pid, at.tid);
	if (at.pid == parent || follow->has_children)
		ptl_threads_begin(&at);
}

/*
 * Who may not look into what a process executes has no events of it from then
 * on: that is told as its end, before anything is mapped.
 */
static bool is_secure(const struct ptl_follow *follow,
		      const struct ptl_sampled_process *process)
{
	return follow->lost == 0 && process->image > 0 && !process->has_code &&
	       process->threads == 1;
}

static void tell_of(const struct ptl_sampled_process *process, uint32_t id,
		    uint64_t when, const struct ptl_tell_data *data)
{
	ptl_tell(&(struct ptl_tell){
		.id = id,
		.pid = process->pid,
		.tid = process->pid,
		.image = process->image,
		.when = when,
		.data = data->bytes,
		.size = data->size,
	});
}

static void tell_unsampled(const struct ptl_follow *follow,
			   const struct ptl_sampled_process *process,
			   uint64_t when, const char *reason)
{
	static struct ptl_tell_data data;

	data.size = 0;
	ptl_tell_int(&data, follow->hz);
	ptl_tell_int(&data, follow->stack);
	ptl_tell_int(&data, follow->has_kernel);
	ptl_tell_string(&data, PTL_SAMPLE_CLOCK);
	ptl_tell_string(&data, reason);
	tell_of(process, PTL_EV_CPU_SAMPLING, when, &data);
}

static void tell_unswitched(const struct ptl_sampled_process *process,
			    uint64_t when, const char *reason, uint64_t least)
{
	static struct ptl_tell_data data;

	data.size = 0;
	ptl_tell_int(&data, (int64_t)least);
	ptl_tell_string(&data, reason);
	tell_of(process, PTL_EV_SCHED_RECORDING, when, &data);
}

static void tell_secure(const struct ptl_follow *follow,
			const struct ptl_sampled_process *process,
			uint64_t when)
{
	char reason[64];

	snprintf(reason, sizeof(reason), "%s" PTL_SAMPLE_SECURE, process->name);
	if (follow->has_samples)
		tell_unsampled(follow, process, when, reason);
	if (follow->least > 0)
		tell_unswitched(process, when, reason, follow->least);
}

static void follow_exit(const struct ptl_follow *follow,
			const struct perf_event_header *record)
{
	struct body body = body_of(record);
	struct ptl_threads_at at = made_by(record);
	struct ptl_sampled_process *process;

	at.pid = (pid_t)take(&body, 4);
	take(&body, 4);
	at.tid = (pid_t)take(&body, 4);
	ptl_origins_end(at.tid);
	ptl_threads_end(&at);
	if (at.tid != at.pid)
		ptl_numbers_forget(at.tid);
	process = ptl_process_get(at.pid);
	if (is_secure(follow, process))
		tell_secure(follow, process, at.when);
	ptl_process_thread_ends(process);
}

static void follow_switch(const struct perf_event_header *record)
{
	const struct ptl_threads_at at = made_by(record);

	if (record->misc & PERF_RECORD_MISC_SWITCH_OUT)
		ptl_threads_off(&at,
				record->misc &
					PERF_RECORD_MISC_SWITCH_OUT_PREEMPT);
	else
		ptl_threads_on(&at);
}

static void follow_name(const struct perf_event_header *record)
{
	struct body body = body_of(record);
	struct ptl_sampled_process *process =
		ptl_process_get((pid_t)take(&body, 4));
	pid_t tid = (pid_t)take(&body, 4);
	const char *name = take_text(&body);

	if (record->misc & PERF_RECORD_MISC_COMM_EXEC) {
		const struct ptl_threads_at at = made_by(record);

		ptl_threads_exec(&at);
		ptl_process_exec(process);
	}
	/* Threads have names of their own. */
	if (name != NULL && tid == process->pid)
		snprintf(process->name, sizeof(process->name), "%s", name);
}

static void take_id(struct body *body, bool has_build_id,
		    struct ptl_image_id *id)
{
	if (has_build_id) {
		uint64_t size = take(body, 1);

		id->build_id_size = (uint8_t)(size < PTL_IMAGE_BUILD_ID ?
						      size :
						      PTL_IMAGE_BUILD_ID);
		take(body, 3);
		memcpy(id->build_id, body->at, PTL_IMAGE_BUILD_ID);
		body->at += PTL_IMAGE_BUILD_ID;
	} else {
		take(body, 8); /* the device's numbers: not those of stat(2) */
		id->inode = take(body, 8);
		take(body, 8);
	}
}

static void follow_map(const struct ptl_follow *follow,
		       const struct perf_event_header *record)
{
	struct body body = body_of(record);
	pid_t pid = (pid_t)take(&body, 4);
	struct ptl_sampled_process *process = ptl_process_get(pid);
	struct ptl_sampled_code mapped = {.when = ptl_events_time(record)};
	struct ptl_image_id id = {0};
	uint64_t offset;
	const char *path;

	/* Data. */
	if (record->size < sizeof(*record) + 64 + 32 ||
	    record->misc & PERF_RECORD_MISC_MMAP_DATA)
		return;
	process->has_code = true;
	if (!follow->has_samples)
		return;
	take(&body, 4);
	mapped.start = take(&body, 8);
	mapped.end = mapped.start + take(&body, 8);
	offset = take(&body, 8);
	take_id(&body, record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID, &id);
	take(&body, 8); /* protection and flags */
	path = take_text(&body);
	if (path == NULL || mapped.end <= mapped.start)
		return;
	if (ptl_made_is_dump(path))
		ptl_made_dump(&process->made, pid, path);
	else if (path[0] == '/' || strcmp(path, "[vdso]") == 0)
		mapped.image = ptl_image_get(pid, path, &id);
	if (mapped.image != NULL &&
	    !ptl_image_bias(mapped.image, mapped.start, offset, &mapped.bias))
		mapped.image = NULL;
	ptl_process_map(process, &mapped);
}

/* Of a stack, at most, and of these the innermost that are kept. */
#define FRAMES_MOST 1024
#define INNER_FRAMES 40
#define KERNEL_MOST 128

/* ---- samples -------------------------------------------------------- */

#if defined(__x86_64__)

/* DWARF's numbers of registers in the kernel's. */
static const unsigned char numbers[PTL_DWARF_REGS] = {
	0, 3, 2, 1, 4, 5, 6, 7, 12, 13, 14, 15, 16, 17, 18, 19, 8};
#define IP 8

#else

/* x29, x31 and pc stand for what PTL_CFI_RBP, RSP and RIP are. */
static const unsigned char numbers[PTL_DWARF_REGS] = {
	[PTL_CFI_RBP] = 29,
	[PTL_CFI_RSP] = 31,
	[PTL_CFI_RIP] = 32,
};
#define IP 32

#endif

struct sample {
	pid_t pid, tid;
	unsigned int cpu;
	uint64_t when, ip;
	uint64_t reg[PTL_DWARF_REGS];
	const unsigned char *stack;
	size_t stack_size;
	bool has_registers, is_in_kernel;
	/* Of the kernel, innermost first, as return addresses. */
	uint64_t kernel[KERNEL_MOST];
	size_t nr_kernel;
};

/* Before each part of it is a number that says of what it is. */
static void take_chain(struct body *body, struct sample *sample)
{
	uint64_t nr = take(body, 8);

	for (uint64_t i = 0; i < nr && body->at < body->end; i++) {
		uint64_t ip = take(body, 8);

		if (ip >= (uint64_t)PERF_CONTEXT_MAX || !ptl_kernel_has(ip) ||
		    sample->nr_kernel == KERNEL_MOST)
			continue;
		sample->kernel[sample->nr_kernel] =
			ip + (sample->nr_kernel == 0);
		sample->nr_kernel++;
	}
}

static void take_sample(const struct perf_event_header *record,
			struct sample *sample)
{
	struct body body = body_of(record);
	uint64_t regs[PTL_EVENTS_REGS], abi, size, used = 0;

	*sample = (struct sample){.ip = take(&body, 8)};
	sample->is_in_kernel = (record->misc & PERF_RECORD_MISC_CPUMODE_MASK) ==
			       PERF_RECORD_MISC_KERNEL;
	sample->pid = (pid_t)take(&body, 4);
	sample->tid = (pid_t)take(&body, 4);
	sample->when = take(&body, 8);
	take(&body, 8); /* the event's number */
	sample->cpu = (unsigned int)take(&body, 4);
	take(&body, 4);
	if (ptl_events_have_chains)
		take_chain(&body, sample);
	abi = take(&body, 8);
	for (size_t i = 0;
	     abi != PERF_SAMPLE_REGS_ABI_NONE && i < PTL_EVENTS_REGS; i++)
		regs[i] = take(&body, 8);
	size = take(&body, 8);
	if (abi != PERF_SAMPLE_REGS_ABI_64 ||
	    size > (size_t)(body.end - body.at))
		return;
	sample->has_registers = true;
	for (size_t i = 0; i < PTL_DWARF_REGS; i++)
		sample->reg[i] = regs[numbers[i]];
	sample->ip = regs[IP];
	sample->stack = body.at;
	body.at += size;
	if (size > 0)
		used = take(&body, 8);
	sample->stack_size = used < size ? used : size;
}

static void tell_map(const struct ptl_sampled_process *process,
		     struct ptl_sampled_code *mapped)
{
	static struct ptl_tell_data data;
	const struct ptl_sampled_file *image = mapped->image;

	mapped->is_told = true;
	data.size = 0;
	ptl_tell_int(&data, mapped->bias);
	ptl_tell_int(&data, image->size);
	ptl_tell_string(&data, image->path);
	ptl_tell_bytes(&data, image->id.build_id, image->id.build_id_size);
	ptl_tell(&(struct ptl_tell){
		.id = PTL_EV_DL_MAP,
		.pid = process->pid,
		.tid = process->pid,
		.image = process->image,
		.when = mapped->when,
		.data = data.bytes,
		.size = data.size,
	});
}

/*
 * Whose child it is, and what it is called, as far as that is known: what tells
 * of the fork in the trace may come later than its first sample, or not at all.
 */
static void tell_child(struct ptl_sampled_process *process)
{
	static struct ptl_tell_data data;
	struct ptl_numbers own = ptl_numbers_of(process->pid, process->pid);
	struct ptl_numbers parent =
		ptl_numbers_of(process->parent, process->parent);

	process->parent = 0;
	/* A number there says nothing here: the fork is in the trace. */
	if (own.pidns != parent.pidns)
		return;
	data.size = 0;
	ptl_tell_int(&data, (uint64_t)parent.pid);
	ptl_tell_string(&data, process->name);
	ptl_tell(&(struct ptl_tell){
		.id = PTL_EV_PROCESS_CHILD,
		.pid = process->pid,
		.tid = process->pid,
		.image = process->image,
		.when = process->begun,
		.data = data.bytes,
		.size = data.size,
	});
}

static bool is_untold(const struct ptl_sampled_code *mapped)
{
	return mapped != NULL && !mapped->is_told && mapped->image != NULL &&
	       mapped->image->path[0] == '/';
}

/* The program's own first: it names the process. */
static void tell_program(struct ptl_sampled_process *process)
{
	struct ptl_sampled_code *mapped =
		ptl_process_at(process, process->program.start);

	tell_map(process, &process->program);
	if (mapped != NULL && mapped->image == process->program.image)
		mapped->is_told = true;
}

/* The names of addresses come from the file that is mapped there. */
static void tell_maps(struct ptl_sampled_process *process,
		      const uint64_t *frame, size_t nr)
{
	if (process->parent != 0)
		tell_child(process);
	if (is_untold(&process->program))
		tell_program(process);
	for (size_t i = 0; i < nr; i++) {
		struct ptl_sampled_code *mapped =
			ptl_process_at(process, frame[i] - 1);

		if (is_untold(mapped))
			tell_map(process, mapped);
	}
}

/* What no file has, the process may have a name for. */
static void note_made(struct ptl_sampled_process *process, uint64_t when,
		      const uint64_t *frame, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct ptl_sampled_code *mapped =
			ptl_process_at(process, frame[i] - 1);

		if (mapped == NULL || mapped->image == NULL)
			ptl_made_add(&process->made, process->pid, when,
				     frame[i] - 1);
	}
}

/* Of a deep stack the middle is left out, which is recursion mostly: where it
 * began and what it came to remains.  Returns how many frames are. */
static size_t shorten(uint64_t *frame, size_t *nr)
{
	const size_t outer = POSIX_TRACE_STACK_MAX_NP - INNER_FRAMES - 1;
	size_t left;

	if (*nr <= POSIX_TRACE_STACK_MAX_NP)
		return 0;
	left = *nr - INNER_FRAMES - outer;
	frame[INNER_FRAMES] = PTL_FRAME_LEFT_OUT;
	memmove(frame + INNER_FRAMES + 1, frame + *nr - outer,
		outer * sizeof(*frame));
	*nr = POSIX_TRACE_STACK_MAX_NP;
	return left;
}

static void follow_sample(const struct perf_event_header *record)
{
	static struct sample sample;
	static struct ptl_tell_data data;
	static uint64_t frame[FRAMES_MOST];
	struct ptl_sampled_process *process;
	enum ptl_foreign_end end = PTL_FOREIGN_LOST;
	size_t nr = 1, left, inner;

	take_sample(record, &sample);
	process = ptl_process_get(sample.pid);
	inner = sample.nr_kernel;
	memcpy(frame, sample.kernel, inner * sizeof(*frame));
	frame[inner] = sample.ip + 1;
	if (sample.has_registers)
		nr = ptl_foreign_unwind(
			&(struct ptl_foreign){
				.reg = sample.reg,
				.stack = sample.stack,
				.stack_size = sample.stack_size,
				.find = ptl_process_find,
				.read = ptl_process_read,
				.arg = process,
			},
			frame + inner, FRAMES_MOST - inner, &end);
	nr += inner;
	tell_maps(process, frame, nr);
	note_made(process, sample.when, frame, nr);
	left = shorten(frame, &nr);
	data.size = 0;
	ptl_tell_int(&data, sample.cpu);
	ptl_tell_int(&data, 1);
	ptl_tell_int(&data,
		     (end == PTL_FOREIGN_WHOLE ? 0 : PTL_SAMPLE_CUT) |
			     (sample.is_in_kernel ? PTL_SAMPLE_KERNEL : 0));
	if (left > 0)
		ptl_tell_int(&data, left);
	ptl_tell(&(struct ptl_tell){
		.id = left > 0 ? PTL_EV_CPU_SAMPLE_LEFT : PTL_EV_CPU_SAMPLE,
		.pid = sample.pid,
		.tid = sample.tid,
		.image = process->image,
		.when = sample.when,
		.addr = frame[0],
		.frame = frame,
		.nr = nr,
		.data = data.bytes,
		.size = data.size,
	});
}

/* Of a thread that waited for a page. */
static void follow_page(const struct perf_event_header *record)
{
	struct body body = body_of(record);
	uint64_t ip = take(&body, 8);
	struct ptl_threads_at at = {.when = ptl_events_time(record)};

	at.pid = (pid_t)take(&body, 4);
	at.tid = (pid_t)take(&body, 4);
	ptl_threads_page(&at, ip + 1);
}

/* ---- losses --------------------------------------------------------- */

static void tell_loss(const struct ptl_follow *follow, uint64_t when,
		      uint32_t id, uint64_t count)
{
	static struct ptl_tell_data data;

	data.size = 0;
	ptl_tell_int(&data, count);
	ptl_tell(&(struct ptl_tell){
		.id = id,
		.pid = follow->target,
		.tid = follow->target,
		.image = ptl_process_get(follow->target)->image,
		.when = when,
		.data = data.bytes,
		.size = data.size,
	});
}

/* Of which kind the lost records were is not known. */
static void lose(struct ptl_follow *follow, uint64_t when, uint64_t count)
{
	follow->lost += count;
	if (follow->has_samples)
		tell_loss(follow, when, PTL_EV_CPU_LOST, count);
	if (follow->least == 0)
		return;
	tell_loss(follow, when, PTL_EV_SCHED_LOST, count);
	ptl_threads_lose();
}

static void follow_loss(struct ptl_follow *follow,
			const struct perf_event_header *record)
{
	struct body body = body_of(record);

	if (record->type == PERF_RECORD_LOST)
		take(&body, 8);
	lose(follow, ptl_events_time(record), take(&body, 8));
}

void ptl_follow_lost(struct ptl_follow *follow, uint64_t lost, uint64_t when)
{
	if (lost > follow->lost)
		lose(follow, when, lost - follow->lost);
}

/* Is it told by another event, too?  A loss is that of a ring. */
static bool is_double(const struct perf_event_header *record)
{
	const struct ptl_threads_at at = made_by(record);

	if (record->type == PERF_RECORD_LOST ||
	    record->type == PERF_RECORD_LOST_SAMPLES)
		return false;
	return ptl_origins_is_double(record->type == PERF_RECORD_SAMPLE ?
					     ptl_events_sampled(record) :
					     at.tid,
				     ptl_events_id(record));
}

void ptl_follow_record(void *arg, const struct perf_event_header *record)
{
	const struct ptl_follow *follow = arg;

	if (is_double(record))
		return;
	switch (record->type) {
	case PERF_RECORD_FORK:
		follow_fork(arg, record);
		break;
	case PERF_RECORD_EXIT:
		follow_exit(follow, record);
		break;
	case PERF_RECORD_COMM:
		follow_name(record);
		break;
	case PERF_RECORD_MMAP2:
		follow_map(follow, record);
		break;
	case PERF_RECORD_SWITCH:
		follow_switch(record);
		break;
	case PERF_RECORD_SAMPLE:
		if (ptl_events_is_page(follow->events, record))
			follow_page(record);
		else if (!follow->is_paused)
			follow_sample(record);
		break;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		follow_loss(arg, record);
		break;
	}
}
