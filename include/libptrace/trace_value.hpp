/* SPDX-License-Identifier: MIT */
/*
 * <libptrace/trace_value.hpp>: gauges and counters, for C++98 and later:
 *
 *	static const libptrace::gauge queue("queue");
 *	static const libptrace::counter bytes("bytes");
 *
 *	queue.set(jobs.size());
 *	bytes.add(answer.size());
 *
 * Nothing here throws; where no stream traces the process a call costs a load
 * and a test.  See posix_trace_eventid_open_fields_np(3).
 */
#ifndef _PTL_TRACE_VALUE_HPP
#define _PTL_TRACE_VALUE_HPP

#include <libptrace/trace.h>

/* So that events have the place in the program. */
#ifdef __GNUC__
#define _PTL_INSIDE __attribute__((__always_inline__)) inline
#else
#define _PTL_INSIDE inline
#endif
#if __cplusplus >= 201103L
#define _PTL_NOEXCEPT noexcept
#else
#define _PTL_NOEXCEPT throw()
#endif

namespace libptrace
{

/* How much of something there is. */
class gauge
{
      public:
	explicit gauge(const char *name) _PTL_NOEXCEPT
	    : id_(open(name, "value:f.gauge"))
	{
	}

	_PTL_INSIDE void set(double value) const _PTL_NOEXCEPT
	{
		if (id_ != 0)
			posix_trace_event(id_, &value, sizeof(value));
	}

      private:
	friend class counter;

	/* 0: there is no such type, and nothing is recorded. */
	static trace_event_id_t open(const char *name,
				     const char *fields) _PTL_NOEXCEPT
	{
		trace_event_id_t id;

#ifdef TRACE_WEAK
		if (!posix_trace_eventid_open_fields_np)
			return 0;
#endif
		return posix_trace_eventid_open_fields_np(name, fields, &id) ==
				       0 ?
			       id :
			       0;
	}

	trace_event_id_t id_;
};

/* How much more of it there is. */
class counter
{
      public:
	explicit counter(const char *name) _PTL_NOEXCEPT
	    : id_(gauge::open(name, "value:f.counter"))
	{
	}

	_PTL_INSIDE void add(double more = 1) const _PTL_NOEXCEPT
	{
		if (id_ != 0)
			posix_trace_event(id_, &more, sizeof(more));
	}

      private:
	trace_event_id_t id_;
};

} // namespace libptrace

#undef _PTL_NOEXCEPT
#undef _PTL_INSIDE

#endif
