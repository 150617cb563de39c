/* SPDX-License-Identifier: MIT */
/*
 * Included before all else in the recorder's files as t/unit/record/model has
 * them: each access to memory that others may change, another thread or a
 * handler of the same, is a point at which the model may let others go on.
 */
#ifndef PTL_T_UNIT_RECORD_MODEL_POINTS_H
#define PTL_T_UNIT_RECORD_MODEL_POINTS_H

/* What is done by assembly and by plain loads is done by these for
 * ThreadSanitizer. */
#ifndef __SANITIZE_THREAD__
#define __SANITIZE_THREAD__ 1
#endif

/* What must be so where a state changes is asked. */
#ifndef PTL_CHECKS
#define PTL_CHECKS 1
#endif

#include <stdatomic.h>
#include <stdbool.h>

/* Before memory at `at' is looked at or changed; NULL: between two steps, of
 * which the thread's own handlers alone see what is between. */
void model_point(const volatile void *at);

#define __atomic_load_n(p, order) (model_point(p), __atomic_load_n(p, order))
#define __atomic_store_n(p, value, order) \
	(model_point(p), __atomic_store_n(p, value, order))
#define __atomic_fetch_add(p, value, order) \
	(model_point(p), __atomic_fetch_add(p, value, order))
#define __atomic_fetch_or(p, value, order) \
	(model_point(p), __atomic_fetch_or(p, value, order))
#define __atomic_compare_exchange_n(p, old, value, weak, yes, no) \
	(model_point(p), \
	 __atomic_compare_exchange_n(p, old, value, weak, yes, no))

#undef atomic_load_explicit
#undef atomic_store_explicit
#undef atomic_fetch_add_explicit
#undef atomic_fetch_or_explicit
#undef atomic_compare_exchange_strong_explicit
#undef atomic_compare_exchange_weak_explicit
#ifdef __clang__
#define MODEL_(name) __c11_atomic_##name
#define atomic_load_explicit(p, order) (model_point(p), MODEL_(load)(p, order))
#define atomic_store_explicit(p, value, order) \
	(model_point(p), MODEL_(store)(p, value, order))
#define atomic_fetch_add_explicit(p, value, order) \
	(model_point(p), MODEL_(fetch_add)(p, value, order))
#define atomic_fetch_or_explicit(p, value, order) \
	(model_point(p), MODEL_(fetch_or)(p, value, order))
#define atomic_compare_exchange_strong_explicit(p, old, value, yes, no) \
	(model_point(p), \
	 MODEL_(compare_exchange_strong)(p, old, value, yes, no))
#else
#define atomic_load_explicit(p, order) __atomic_load_n(p, order)
#define atomic_store_explicit(p, value, order) __atomic_store_n(p, value, order)
#define atomic_fetch_add_explicit(p, value, order) \
	__atomic_fetch_add(p, value, order)
#define atomic_fetch_or_explicit(p, value, order) \
	__atomic_fetch_or(p, value, order)
#define atomic_compare_exchange_strong_explicit(p, old, value, yes, no) \
	__atomic_compare_exchange_n(p, old, value, false, yes, no)
#endif
#define atomic_compare_exchange_weak_explicit(p, old, value, yes, no) \
	atomic_compare_exchange_strong_explicit(p, old, value, yes, no)

#include "core/base.h"

#undef PTL_HANDLER_FENCE
#define PTL_HANDLER_FENCE() model_point(0)

/* Which threads live is the model's business. */
#define ptl_tid_alive model_tid_alive

#endif
