/* SPDX-License-Identifier: MIT */
/*
 * Calls of functions; see calls.h.  Each thread has a stack of the calls that
 * have not returned.  An exit ends the innermost call of that function and
 * what is inside it: those were left by a jump, or have no exit events.
 */
#include "tools/read/calls.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

#define THREADS_HASH 4096

/*
 * A stack of this depth is tidied up before it grows; and at most this many
 * calls are searched for the one that returns.
 */
#define TIDY_DEPTH 65536
#define SEARCH_DEPTH 131072

struct call {
	uint64_t callee;
	uint64_t since;
	uint64_t end; /* NOT_KNOWN yet */
	size_t outer; /* as thread.inner, of those that it is in */
	void *tag;
};
#define NOT_KNOWN UINT64_MAX

struct thread {
	struct thread *next;
	pid_t pid, tid;
	pthread_t thread;
	unsigned int pidns, image;
	struct call *call;
	size_t nr, room;
	size_t inner; /* the innermost whose end is known: its number + 1; or 0
		       */
};

/* A set of functions, by hash: a wrong member does no harm. */
struct set {
	unsigned char bit[4096];
};

struct ptl_calls {
	struct thread *hash[THREADS_HASH];
	struct thread *last;  /* the one found last: most lookups repeat */
	struct set returning; /* functions that had an exit event */
	bool any_returns, any_tags;

	ptl_calls_over *over; /* or NULL: nobody tags calls */
	void *ended;	      /* the tag of the call that has just returned */
	size_t at;	      /* the call of the last event, in `last' */
};

static bool is_member(const struct set *set, uint64_t callee)
{
	uint64_t hash = callee * UINT64_C(0x9e3779b97f4a7c15) >> 49;

	return set->bit[hash / 8] & 1 << hash % 8;
}

static void add_member(struct set *set, uint64_t callee)
{
	uint64_t hash = callee * UINT64_C(0x9e3779b97f4a7c15) >> 49;

	set->bit[hash / 8] |= (unsigned char)(1 << hash % 8);
}

struct ptl_calls *ptl_calls_new(void)
{
	return ptl_alloc(sizeof(struct ptl_calls));
}

void ptl_calls_free(struct ptl_calls *calls)
{
	for (size_t i = 0; calls != NULL && i < THREADS_HASH; i++) {
		struct thread *thread, *next;

		for (thread = calls->hash[i]; thread != NULL; thread = next) {
			next = thread->next;
			free(thread->call);
			free(thread);
		}
	}
	free(calls);
}

static bool is_of(const struct thread *thread,
		  const struct posix_trace_event_info *event)
{
	return thread->tid == event->posix_tid_np &&
	       thread->pidns == event->posix_pidns_np;
}

/* The calls from number `first' on are over. */
static void cut(struct ptl_calls *calls, struct thread *thread, size_t first)
{
	size_t i = thread->nr;

	thread->nr = first;
	while (thread->inner > first)
		thread->inner = thread->call[thread->inner - 1].outer;
	if (calls->over == NULL)
		return;
	while (i-- > first)
		if (thread->call[i].tag != NULL)
			calls->over(thread->call[i].tag, false);
}

/* In ns, without a sign: a damaged log may be of any year. */
static uint64_t time_of(const struct posix_trace_event_info *event)
{
	const struct timespec *time = &event->posix_timestamp;

	return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec;
}

/* Those that are over by now, and what is inside of them. */
static void cut_ended(struct ptl_calls *calls, struct thread *thread,
		      uint64_t now)
{
	while (thread->inner > 0 && thread->call[thread->inner - 1].end <= now)
		cut(calls, thread, thread->inner - 1);
}

/* That one is among those whose end is known. */
static void link_ended(struct thread *thread, size_t i)
{
	size_t *inner = &thread->inner;

	while (*inner > i + 1)
		inner = &thread->call[*inner - 1].outer;
	thread->call[i].outer = *inner;
	*inner = i + 1;
}

/* The thread of an event; an older one of the same number is forgotten. */
static struct thread *get_thread(struct ptl_calls *calls,
				 const struct posix_trace_event_info *event)
{
	unsigned int hash =
		((unsigned int)event->posix_tid_np + event->posix_pidns_np) %
		THREADS_HASH;
	struct thread *thread = calls->last;

	if (thread == NULL || !is_of(thread, event))
		for (thread = calls->hash[hash]; thread != NULL;
		     thread = thread->next)
			if (is_of(thread, event))
				break;
	if (thread == NULL) {
		thread = ptl_alloc(sizeof(*thread));
		thread->tid = event->posix_tid_np;
		thread->pidns = event->posix_pidns_np;
		thread->next = calls->hash[hash];
		calls->hash[hash] = thread;
	}
	if (thread->pid != event->posix_pid ||
	    thread->image != event->posix_image_np ||
	    thread->thread != event->posix_thread_id)
		cut(calls, thread, 0);
	thread->pid = event->posix_pid;
	thread->image = event->posix_image_np;
	thread->thread = event->posix_thread_id;
	cut_ended(calls, thread, time_of(event));
	calls->last = thread;
	return thread;
}

/*
 * Many calls have no exit events, since the user did not ask for them (-l, not
 * -r).  Of a function that had none so far only the outermost call is kept.
 */
static void tidy_up(struct ptl_calls *calls, struct thread *thread)
{
	static struct set seen;
	size_t nr = 0;

	memset(&seen, 0, sizeof(seen));
	for (size_t i = 0; i < thread->nr; i++) {
		uint64_t callee = thread->call[i].callee;

		if (!is_member(&calls->returning, callee) &&
		    is_member(&seen, callee)) {
			if (thread->call[i].tag != NULL)
				calls->over(thread->call[i].tag, false);
			continue;
		}
		add_member(&seen, callee);
		thread->call[nr++] = thread->call[i];
	}
	thread->nr = nr;
	thread->inner = 0;
	for (size_t i = 0; i < nr; i++)
		if (thread->call[i].end != NOT_KNOWN)
			link_ended(thread, i);
}

static void enter(struct ptl_calls *calls, struct thread *thread,
		  uint64_t callee, uint64_t now)
{
	if (thread->nr == thread->room) {
		if (thread->nr >= TIDY_DEPTH)
			tidy_up(calls, thread);
		/* No need to if that has made room for many. */
		if (2 * thread->nr >= thread->room)
			thread->call =
				ptl_grow(thread->call, thread->room,
					 &thread->room, sizeof(struct call));
	}
	calls->at = thread->nr;
	thread->call[thread->nr++] =
		(struct call){.callee = callee, .since = now, .end = NOT_KNOWN};
}

/* The innermost call of the function that has not ended, or NULL. */
static struct call *find(const struct thread *thread, uint64_t callee)
{
	size_t last = 0;

	if (thread->nr > SEARCH_DEPTH)
		last = thread->nr - SEARCH_DEPTH;
	for (size_t i = thread->nr; i > last; i--)
		if (thread->call[i - 1].callee == callee &&
		    thread->call[i - 1].end == NOT_KNOWN)
			return &thread->call[i - 1];
	return NULL;
}

static int64_t leave(struct ptl_calls *calls, struct thread *thread,
		     uint64_t callee, uint64_t now)
{
	const struct call *call = find(thread, callee);
	size_t i;

	if (call == NULL)
		return -1;
	i = (size_t)(call - thread->call);
	cut(calls, thread, i + 1);
	calls->ended = call->tag;
	thread->nr = i;
	return (int64_t)(now - call->since);
}

/* The call has just begun; this says when it will end.  What came since then,
 * if anything, is inside of it. */
static void leave_later(struct ptl_calls *calls, struct thread *thread,
			uint64_t callee, uint64_t now, int64_t took)
{
	struct call *call = find(thread, callee);

	if (call == NULL) {
		enter(calls, thread, callee, now);
		call = &thread->call[thread->nr - 1];
	}
	call->end = now + (uint64_t)took;
	calls->ended = call->tag;
	call->tag = NULL;
	calls->at = (size_t)(call - thread->call);
	link_ended(thread, calls->at);
}

/* Other threads of a process that ends return no more. */
static void end_process(struct ptl_calls *calls,
			const struct posix_trace_event_info *event)
{
	for (size_t i = 0; i < THREADS_HASH; i++)
		for (struct thread *thread = calls->hash[i]; thread != NULL;
		     thread = thread->next)
			if (thread->pid == event->posix_pid &&
			    thread->pidns == event->posix_pidns_np)
				cut(calls, thread, 0);
}

int64_t ptl_calls_learn(struct ptl_calls *calls, enum ptl_act act,
			const struct posix_trace_event_info *event,
			const struct ptl_args *args, int64_t took)
{
	const struct ptl_arg *arg;
	struct thread *thread;
	uint64_t callee;

	if (calls->ended != NULL)
		calls->over(ptl_calls_ended(calls), true);
	if (act == PTL_ACT_THREAD_EXIT)
		cut(calls, get_thread(calls, event), 0);
	if (act == PTL_ACT_EXIT && calls->over != NULL)
		end_process(calls, event);
	if (act != PTL_ACT_ENTER && act != PTL_ACT_LEAVE)
		return -1;
	arg = ptl_decode_find(args, "callee");
	if (arg == NULL)
		return -1;
	thread = get_thread(calls, event);
	callee = (uint64_t)arg->value;
	if (act == PTL_ACT_ENTER) {
		enter(calls, thread, callee, time_of(event));
		return -1;
	}
	add_member(&calls->returning, callee);
	calls->any_returns = true;
	if (took < 0)
		return leave(calls, thread, callee, time_of(event));
	leave_later(calls, thread, callee, time_of(event), took);
	return took;
}

void ptl_calls_watch(struct ptl_calls *calls, ptl_calls_over *over)
{
	calls->over = over;
}

void ptl_calls_tag(struct ptl_calls *calls, void *tag)
{
	struct thread *thread = calls->last;

	calls->any_tags = true;
	if (thread != NULL && thread->nr > calls->at)
		thread->call[calls->at].tag = tag;
}

void *ptl_calls_ended(struct ptl_calls *calls)
{
	void *tag = calls->ended;

	calls->ended = NULL;
	return tag;
}

void *ptl_calls_inner(struct ptl_calls *calls,
		      const struct posix_trace_event_info *event)
{
	const struct thread *thread;

	if (!calls->any_tags)
		return NULL;
	thread = get_thread(calls, event);
	for (size_t i = thread->nr; i > 0; i--)
		if (thread->call[i - 1].tag != NULL)
			return thread->call[i - 1].tag;
	return NULL;
}

bool ptl_calls_returns(const struct ptl_calls *calls, uint64_t callee)
{
	return callee == 0 ? calls->any_returns :
			     is_member(&calls->returning, callee);
}

void ptl_calls_finish(struct ptl_calls *calls)
{
	if (calls->ended != NULL)
		calls->over(ptl_calls_ended(calls), true);
	for (size_t i = 0; i < THREADS_HASH; i++)
		for (struct thread *thread = calls->hash[i]; thread != NULL;
		     thread = thread->next)
			cut(calls, thread, 0);
}

/* Without it nothing can be said of arguments and results. */
static void set_code(struct ptl_args *args, const char *code)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < args->nr; i++) {
		struct ptl_arg *arg = &args->arg[i];
		bool is_void = arg->type == PTL_ARG_RESULT && code != NULL &&
			       *code == 'v';

		arg->code = code;
		if ((arg->type == PTL_ARG_ARGUMENTS ||
		     arg->type == PTL_ARG_RESULT) &&
		    (code == NULL || is_void))
			continue;
		args->arg[nr++] = *arg;
	}
	args->nr = nr;
}

void ptl_calls_describe(struct ptl_modules *modules, enum ptl_act act,
			const struct posix_trace_event_info *event,
			int64_t duration, struct ptl_args *args)
{
	const struct ptl_arg *callee;
	struct ptl_callee known;

	if (act != PTL_ACT_ENTER && act != PTL_ACT_LEAVE)
		return;
	callee = ptl_decode_find(args, "callee");
	if (callee == NULL)
		return;
	known = ptl_modules_function(modules, event, (uint64_t)callee->value);
	set_code(args, known.code);
	ptl_decode_insert(args, 0, "library", known.library);
	ptl_decode_insert(args, 0, "function", known.function);
	if (duration >= 0 && args->nr < PTL_ARGS)
		args->arg[args->nr++] = (struct ptl_arg){
			.name = "duration",
			.type = PTL_ARG_INT,
			.value = duration,
		};
}
