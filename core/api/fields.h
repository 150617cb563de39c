/* SPDX-License-Identifier: MIT */
/* What users declare of the data of their events. */
#ifndef PTL_CORE_API_FIELDS_H
#define PTL_CORE_API_FIELDS_H

#include "core/base.h"

/* The most fields that there can be, and bytes of a name with the null. */
#define PTL_FIELDS_MAX 16
#define PTL_FIELDS_NAME 32

/*
 * Words NAME:TYPE, one or more, with one blank between; of the types of
 * posix_trace_eventid_get_fields_np() those that are not about calls.  A word
 * on how to show it may follow; gauge and counter only for i and f, context for
 * neither v nor b.
 */
bool ptl_fields_valid(const char *fields);

#endif
