/* SPDX-License-Identifier: MIT */
/*
 * <libptrace/trace_span.hpp>: an object whose life is a span, for C++98 and
 * later:
 *
 *	static const libptrace::span_type request("request");
 *
 *	void serve()
 *	{
 *		libptrace::span span(request, path);
 *		...
 *	}
 *
 * The span ends with its scope, also by an exception, or by end().  Nothing
 * here throws; see posix_trace_span_begin_np(3).
 */
#ifndef _PTL_TRACE_SPAN_HPP
#define _PTL_TRACE_SPAN_HPP

#include <libptrace/trace.h>
#include <string.h>

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

/* A user event type, which names spans; without a type of its own, if it cannot
 * be opened, they are POSIX_TRACE_UNNAMED_USEREVENT. */
class span_type
{
      public:
	explicit span_type(const char *name) _PTL_NOEXCEPT
	{
		if (posix_trace_eventid_open(name, &id_) != 0)
			id_ = POSIX_TRACE_UNNAMED_USEREVENT;
	}

	trace_event_id_t id() const _PTL_NOEXCEPT
	{
		return id_;
	}

      private:
	trace_event_id_t id_;
};

class span
{
      public:
	_PTL_INSIDE explicit span(const span_type &type) _PTL_NOEXCEPT
	{
		posix_trace_span_begin_np(type.id(), 0, 0, &number_);
	}

	_PTL_INSIDE span(const span_type &type, const char *text) _PTL_NOEXCEPT
	{
		posix_trace_span_begin_np(type.id(), text, strlen(text),
					  &number_);
	}

	_PTL_INSIDE span(const span_type &type, const void *data,
			 size_t size) _PTL_NOEXCEPT
	{
		posix_trace_span_begin_np(type.id(), data, size, &number_);
	}

	_PTL_INSIDE ~span()
	{
		end();
	}

	/* Before its scope ends. */
	_PTL_INSIDE void end() _PTL_NOEXCEPT
	{
		trace_span_np_t number = release();

		if (number != 0)
			posix_trace_span_end_np(number);
	}

	/* For links from other spans; 0: it is not recorded. */
	trace_span_np_t number() const _PTL_NOEXCEPT
	{
		return number_;
	}

	/* The other one has caused this, or came before it:
	 * POSIX_TRACE_SPAN_CAUSE_NP, POSIX_TRACE_SPAN_FOLLOWS_NP. */
	_PTL_INSIDE void link(trace_span_np_t to,
			      int kind = POSIX_TRACE_SPAN_CAUSE_NP) const
		_PTL_NOEXCEPT
	{
		if (number_ != 0 && to != 0)
			posix_trace_span_link_np(number_, to, kind);
	}

	/* For others, who end it: another thread, another process. */
	trace_span_np_t release() _PTL_NOEXCEPT
	{
		trace_span_np_t number = number_;

		number_ = 0;
		return number;
	}

#if __cplusplus >= 201103L
	span(span &&other) noexcept : number_(other.release())
	{
	}

	_PTL_INSIDE span &operator=(span &&other) noexcept
	{
		if (this != &other) {
			end();
			number_ = other.release();
		}
		return *this;
	}
#endif

      private:
	span(const span &);
	span &operator=(const span &);

	trace_span_np_t number_;
};

} // namespace libptrace

#undef _PTL_NOEXCEPT
#undef _PTL_INSIDE

#endif
