/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_attr_*(): the attributes object.  It holds the attributes as a
 * stream will, behind a mark that only an initialised object has.  Sizes are
 * taken as they are given: whether there is room for them is a question to
 * posix_trace_create().
 */
#include "core/stream/attr.h"

#include <errno.h>
#include <string.h>

#include "core/defaults.h"
#include "core/format/record.h"
#include "core/sys/clock.h"
#include "core/sys/text.h"

#define ATTR_MAGIC UINT64_C(0x525454414c5450ba)

struct attr {
	uint64_t magic;
	struct ptl_shm_attr shm;
};
static_assert(sizeof(struct attr) <= sizeof(trace_attr_t), "public ABI");
static_assert(_Alignof(struct attr) <= _Alignof(trace_attr_t), "public ABI");
static_assert(TRACE_NAME_MAX + 1 == PTL_NAME_SIZE, "whole names are kept");

/* The contents of an initialised object, or NULL. */
static struct ptl_shm_attr *attr_of(trace_attr_t *attr)
{
	struct attr *a = (struct attr *)attr;

	return a && a->magic == ATTR_MAGIC ? &a->shm : NULL;
}

static const struct ptl_shm_attr *const_attr_of(const trace_attr_t *attr)
{
	const struct attr *a = (const struct attr *)attr;

	return a && a->magic == ATTR_MAGIC ? &a->shm : NULL;
}

static void set_defaults(struct ptl_shm_attr *shm)
{
	*shm = (struct ptl_shm_attr){
		.stream_size = (uint64_t)PTL_DEFAULT_STREAM_KIB << 10,
		.log_size = (uint64_t)PTL_DEFAULT_LOG_GIB << 30,
		.max_data = PTL_DEFAULT_DATA_BYTES,
		.log_policy = POSIX_TRACE_LOOP,
		.inherited = POSIX_TRACE_CLOSE_FOR_CHILD,
		.resolution = ptl_clock_resolution(),
		.version = PTL_GENERATION,
	};
}

int ptl_attr_get(const trace_attr_t *attr, struct ptl_shm_attr *out)
{
	const struct ptl_shm_attr *shm = const_attr_of(attr);

	if (!attr) {
		set_defaults(out);
		return 0;
	}
	if (!shm)
		return EINVAL;
	*out = *shm;
	/* Of the stream that the object was read from, not of the next one. */
	out->create_sec = 0;
	out->create_nsec = 0;
	return 0;
}

void ptl_attr_put(trace_attr_t *attr, const struct ptl_shm_attr *in)
{
	struct attr *a = (struct attr *)attr;

	memset(attr, 0, sizeof(*attr));
	a->magic = ATTR_MAGIC;
	a->shm = *in;
	a->shm.name[sizeof(a->shm.name) - 1] = '\0';
	a->shm.version[sizeof(a->shm.version) - 1] = '\0';
}

PTL_EXPORT int posix_trace_attr_init(trace_attr_t *attr)
{
	struct ptl_shm_attr shm;

	if (!attr)
		return EINVAL;
	set_defaults(&shm);
	ptl_attr_put(attr, &shm);
	return 0;
}

PTL_EXPORT int posix_trace_attr_destroy(trace_attr_t *attr)
{
	if (!attr_of(attr))
		return EINVAL;
	memset(attr, 0, sizeof(*attr));
	return 0;
}

PTL_EXPORT int posix_trace_attr_getgenversion(const trace_attr_t *attr,
					      char *genversion)
{
	const struct ptl_shm_attr *shm = const_attr_of(attr);

	if (!shm || !genversion)
		return EINVAL;
	ptl_strcopy(genversion, sizeof(shm->version), shm->version);
	return 0;
}

PTL_EXPORT int posix_trace_attr_getclockres(const trace_attr_t *attr,
					    struct timespec *resolution)
{
	const struct ptl_shm_attr *shm = const_attr_of(attr);

	if (!shm || !resolution)
		return EINVAL;
	resolution->tv_sec = 0;
	resolution->tv_nsec = shm->resolution;
	return 0;
}

PTL_EXPORT int posix_trace_attr_getcreatetime(const trace_attr_t *attr,
					      struct timespec *createtime)
{
	const struct ptl_shm_attr *shm = const_attr_of(attr);

	if (!shm || !createtime)
		return EINVAL;
	createtime->tv_sec = shm->create_sec;
	createtime->tv_nsec = shm->create_nsec;
	return 0;
}

PTL_EXPORT int posix_trace_attr_getname(const trace_attr_t *attr,
					char *tracename)
{
	const struct ptl_shm_attr *shm = const_attr_of(attr);

	if (!shm || !tracename)
		return EINVAL;
	ptl_strcopy(tracename, sizeof(shm->name), shm->name);
	return 0;
}

PTL_EXPORT int posix_trace_attr_setname(trace_attr_t *attr,
					const char *tracename)
{
	struct ptl_shm_attr *shm = attr_of(attr);
	bool too_long;

	if (!shm || !tracename)
		return EINVAL;
	/* To "one less than" TRACE_NAME_MAX: it may come back into an array
	 * of so many bytes. */
	too_long = ptl_strnlen(tracename, PTL_NAME_SIZE) == PTL_NAME_SIZE;
	ptl_strcopy(shm->name, sizeof(shm->name) - too_long, tracename);
	return 0;
}

PTL_EXPORT int posix_trace_attr_getinherited(const trace_attr_t *restrict attr,
					     int *restrict inheritancepolicy)
{
	const struct ptl_shm_attr *shm = const_attr_of(attr);

	if (!shm || !inheritancepolicy)
		return EINVAL;
	*inheritancepolicy = (int)shm->inherited;
	return 0;
}

PTL_EXPORT int posix_trace_attr_setinherited(trace_attr_t *attr,
					     int inheritancepolicy)
{
	struct ptl_shm_attr *shm = attr_of(attr);

	if (!shm || (inheritancepolicy != POSIX_TRACE_CLOSE_FOR_CHILD &&
		     inheritancepolicy != POSIX_TRACE_INHERITED))
		return EINVAL;
	shm->inherited = (uint32_t)inheritancepolicy;
	return 0;
}

PTL_EXPORT int
posix_trace_attr_getlogfullpolicy(const trace_attr_t *restrict attr,
				  int *restrict logpolicy)
{
	const struct ptl_shm_attr *shm = const_attr_of(attr);

	if (!shm || !logpolicy)
		return EINVAL;
	*logpolicy = (int)shm->log_policy;
	return 0;
}

PTL_EXPORT int posix_trace_attr_setlogfullpolicy(trace_attr_t *attr,
						 int logpolicy)
{
	struct ptl_shm_attr *shm = attr_of(attr);

	if (!shm || (logpolicy != POSIX_TRACE_LOOP &&
		     logpolicy != POSIX_TRACE_UNTIL_FULL &&
		     logpolicy != POSIX_TRACE_APPEND))
		return EINVAL;
	shm->log_policy = (uint32_t)logpolicy;
	return 0;
}

PTL_EXPORT int
posix_trace_attr_getstreamfullpolicy(const trace_attr_t *restrict attr,
				     int *restrict streampolicy)
{
	const struct ptl_shm_attr *shm = const_attr_of(attr);

	if (!shm || !streampolicy)
		return EINVAL;
	/* The object does not know yet whether there will be a log. */
	*streampolicy =
		shm->stream_policy ? (int)shm->stream_policy : POSIX_TRACE_LOOP;
	return 0;
}

PTL_EXPORT int posix_trace_attr_setstreamfullpolicy(trace_attr_t *attr,
						    int streampolicy)
{
	struct ptl_shm_attr *shm = attr_of(attr);

	if (!shm || (streampolicy != POSIX_TRACE_LOOP &&
		     streampolicy != POSIX_TRACE_UNTIL_FULL &&
		     streampolicy != POSIX_TRACE_FLUSH &&
		     streampolicy != POSIX_TRACE_BLOCK_NP))
		return EINVAL;
	shm->stream_policy = (uint32_t)streampolicy;
	return 0;
}

PTL_EXPORT int posix_trace_attr_getlogsize(const trace_attr_t *restrict attr,
					   size_t *restrict logsize)
{
	const struct ptl_shm_attr *shm = const_attr_of(attr);

	if (!shm || !logsize)
		return EINVAL;
	*logsize = shm->log_size;
	return 0;
}

PTL_EXPORT int posix_trace_attr_setlogsize(trace_attr_t *attr, size_t logsize)
{
	struct ptl_shm_attr *shm = attr_of(attr);

	if (!shm)
		return EINVAL;
	shm->log_size = logsize;
	return 0;
}

PTL_EXPORT int
posix_trace_attr_getmaxdatasize(const trace_attr_t *restrict attr,
				size_t *restrict maxdatasize)
{
	const struct ptl_shm_attr *shm = const_attr_of(attr);

	if (!shm || !maxdatasize)
		return EINVAL;
	*maxdatasize = shm->max_data;
	return 0;
}

PTL_EXPORT int posix_trace_attr_setmaxdatasize(trace_attr_t *attr,
					       size_t maxdatasize)
{
	struct ptl_shm_attr *shm = attr_of(attr);

	if (!shm)
		return EINVAL;
	shm->max_data = maxdatasize;
	return 0;
}

PTL_EXPORT int posix_trace_attr_getstreamsize(const trace_attr_t *restrict attr,
					      size_t *restrict streamsize)
{
	const struct ptl_shm_attr *shm = const_attr_of(attr);

	if (!shm || !streamsize)
		return EINVAL;
	*streamsize = shm->stream_size;
	return 0;
}

PTL_EXPORT int posix_trace_attr_setstreamsize(trace_attr_t *attr,
					      size_t streamsize)
{
	struct ptl_shm_attr *shm = attr_of(attr);

	if (!shm)
		return EINVAL;
	shm->stream_size = streamsize;
	return 0;
}

/*
 * An event of that many bytes of data may need the long header, and a span
 * record of its own, if each event is another thread's.
 */
static size_t event_size(size_t data_size)
{
	const size_t span = PTL_RECORD_HEADER + sizeof(struct ptl_shm_span);

	if (data_size > SIZE_MAX - PTL_RECORD_HEADER_EXT - 7 - span -
				PTL_RECORD_HEADER - 8 * PTL_STACK_MAX)
		return SIZE_MAX;
	return ptl_record_bytes(data_size, true) + span;
}

static size_t stack_size(const struct ptl_shm_attr *shm)
{
	return ptl_record_stack_bytes(PTL_MIN(shm->stack_depth, PTL_STACK_MAX));
}

PTL_EXPORT int
posix_trace_attr_getmaxusereventsize(const trace_attr_t *restrict attr,
				     size_t data_len,
				     size_t *restrict eventsize)
{
	const struct ptl_shm_attr *shm = const_attr_of(attr);

	if (!shm || !eventsize)
		return EINVAL;
	*eventsize = event_size(PTL_MIN(data_len, shm->max_data));
	if (*eventsize != SIZE_MAX)
		*eventsize += stack_size(shm);
	return 0;
}

PTL_EXPORT int
posix_trace_attr_getmaxsystemeventsize(const trace_attr_t *restrict attr,
				       size_t *restrict eventsize)
{
	const struct ptl_shm_attr *shm = const_attr_of(attr);
	size_t ours;

	if (!shm || !eventsize)
		return EINVAL;
	ours = event_size(
		PTL_MIN(shm->max_data, (uint64_t)PTL_SYSEVENT_DATA_MAX));
	ours += stack_size(shm);
	/* POSIX_TRACE_FILTER carries the old set and the new, never cut. */
	*eventsize = PTL_MAX(ours, event_size(2 * sizeof(trace_event_set_t)));
	return 0;
}

static_assert(POSIX_TRACE_STACK_MAX_NP == PTL_STACK_MAX, "public ABI");

PTL_EXPORT int posix_trace_attr_getstackdepth_np(const trace_attr_t *attr,
						 unsigned int *depth)
{
	const struct ptl_shm_attr *shm = const_attr_of(attr);

	if (!shm || !depth)
		return EINVAL;
	*depth = shm->stack_depth;
	return 0;
}

PTL_EXPORT int posix_trace_attr_setstackdepth_np(trace_attr_t *attr,
						 unsigned int depth)
{
	struct ptl_shm_attr *shm = attr_of(attr);

	if (!shm || depth > POSIX_TRACE_STACK_MAX_NP)
		return EINVAL;
	shm->stack_depth = (uint16_t)depth;
	return 0;
}

PTL_EXPORT int posix_trace_attr_getcalls_np(const trace_attr_t *attr,
					    int *calls)
{
	const struct ptl_shm_attr *shm = const_attr_of(attr);

	if (!shm || !calls)
		return EINVAL;
	*calls = shm->calls;
	return 0;
}

PTL_EXPORT int posix_trace_attr_setcalls_np(trace_attr_t *attr, int calls)
{
	struct ptl_shm_attr *shm = attr_of(attr);

	if (!shm || calls < 0 || calls > PTL_CALLS_NO_HEAP)
		return EINVAL;
	shm->calls = (uint16_t)calls;
	return 0;
}
