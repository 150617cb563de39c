/* SPDX-License-Identifier: MIT */
/*
 * Records what probes tell: a word for each argument, as the note of the probe
 * says where that is.  While this runs the vector registers are the program's.
 */
#include "preload/patch/entry.h"

#include "core/core.h"
#include "core/sys/text.h"

#include "preload/hook/pages.h"
#include "preload/patch/probes.h"
#include "preload/patch/told.h"

#include <errno.h>

#define STACK_POINTER 4
#define PAGE 4096
#define STRING_MAX 256 /* bytes that are recorded of one, with its null */
#define DATA_MAX 1024  /* of an event that has some */
static_assert(DATA_MAX > PTL_PATCH_ARGUMENTS * sizeof(uint64_t) + STRING_MAX,
	      "each has room for some");

PTL_INLINE struct ptl_probe_known *known_of(uintptr_t mark)
{
	return *(struct ptl_probe_known *const *)(ptl_told_words(mark) + 1);
}

/* ---- types ----------------------------------------------------------- */

/* No probes of static programs are patched. */
#if defined(PTL_STATIC)
static uint32_t open_type(struct ptl_probe_known *known)
{
	(void)known;
	return POSIX_TRACE_UNNAMED_USEREVENT;
}
#else

/* Another file has a type of that name with other fields: one with a name that
 * says which it has. */
static int open_other(const struct ptl_probe_known *known, uint32_t *type)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	size_t size = ptl_strcopy(name, sizeof(name), known->name);

	if (size + PTL_PATCH_ARGUMENTS + 2 > sizeof(name))
		return ENAMETOOLONG;
	name[size++] = '.';
	for (const char *at = known->fields; *at; at++)
		if (at[0] == ':')
			name[size++] = at[1];
	name[size] = '\0';
	return posix_trace_eventid_open_fields_np(name, known->fields, type);
}

/* Once for each probe.  Threads that come by at the same time get the same. */
static __attribute__((noinline, cold)) uint32_t
open_type(struct ptl_probe_known *known)
{
	uint32_t type;
	int error = !*known->fields ?
			    posix_trace_eventid_open(known->name, &type) :
			    posix_trace_eventid_open_fields_np(
				    known->name, known->fields, &type);

	if (error == EEXIST)
		error = open_other(known, &type);
	if (error)
		type = POSIX_TRACE_UNNAMED_USEREVENT;
	atomic_store_explicit(&known->type, type, memory_order_relaxed);
	return type;
}

#endif

PTL_INLINE uint32_t type_of(struct ptl_probe_known *known)
{
	uint32_t type =
		atomic_load_explicit(&known->type, memory_order_relaxed);

	return PTL_LIKELY(type) ? type : open_type(known);
}

/* ---- values ---------------------------------------------------------- */

#if defined(__x86_64__)
static uint64_t vector(unsigned int number)
{
	uint64_t word = 0;

	switch (number) {
#define VECTOR(n) \
	case n: \
		__asm__("movq %%xmm" #n ", %0" : "=r"(word)); \
		break;
		VECTOR(0)
		VECTOR(1)
		VECTOR(2)
		VECTOR(3)
		VECTOR(4)
		VECTOR(5)
		VECTOR(6)
		VECTOR(7)
		VECTOR(8)
		VECTOR(9)
		VECTOR(10)
		VECTOR(11)
		VECTOR(12)
		VECTOR(13)
		VECTOR(14)
		VECTOR(15)
#undef VECTOR
	default:
		break;
	}
	return word;
}
#else
static uint64_t vector(unsigned int number)
{
	(void)number;
	return 0;
}
#endif

/* Of what cannot be read, 0: a program reads what it hands to a probe. */
static uint64_t load(const struct ptl_patch_argument *argument,
		     const uint64_t *reg)
{
	uintptr_t at = (uintptr_t)argument->value;
	uint64_t word = 0;

	if (argument->base != PTL_PATCH_NO_REGISTER)
		at += reg[argument->base];
	if (argument->index != PTL_PATCH_NO_REGISTER)
		at += reg[argument->index] * argument->scale;
	if (argument->base != STACK_POINTER &&
	    (!ptl_pages_know(at) || !ptl_pages_know(at + argument->size - 1)))
		return 0;
	__builtin_memcpy(&word, (const void *)at, argument->size);
	return word;
}

/* A number of 32 bits with a point as one of 64. */
static uint64_t widen(uint32_t word)
{
	uint64_t sign = (uint64_t)(word >> 31) << 63;
	uint64_t fraction = word & 0x7fffff, exponent = word >> 23 & 0xff;

	if (exponent == 0xff)
		return sign | UINT64_C(0x7ff) << 52 | fraction << 29;
	if (exponent == 0 && fraction == 0)
		return sign;
	if (exponent == 0) {
		unsigned int shift =
			(unsigned int)__builtin_clz((uint32_t)fraction) - 8;

		fraction = fraction << shift & 0x7fffff;
		exponent = 1 - (uint64_t)shift;
	}
	return sign | (exponent + 1023 - 127) << 52 | fraction << 29;
}

static uint64_t cut(uint64_t word, const struct ptl_patch_argument *argument)
{
	unsigned int unused = 64 - 8 * argument->size;

	if (argument->how & PTL_PATCH_SIGNED)
		return (uint64_t)((int64_t)(word << unused) >> unused);
	return word << unused >> unused;
}

static uint64_t value_of(const struct ptl_patch_argument *argument,
			 const uint64_t *reg)
{
	uint64_t word = 0;

	switch (argument->kind) {
	case PTL_ARGUMENT_CONSTANT:
		word = (uint64_t)argument->value;
		break;
	case PTL_ARGUMENT_REGISTER:
		word = reg[argument->base] >>
		       (argument->how & PTL_PATCH_HIGH ? 8 : 0);
		break;
	case PTL_ARGUMENT_VECTOR:
		word = vector(argument->base);
		break;
	case PTL_ARGUMENT_MEMORY:
		word = load(argument, reg);
		break;
	default:
		break;
	}
	if (!(argument->how & PTL_PATCH_FLOAT))
		return cut(word, argument);
	/* As its field is, in which a probe elsewhere may have no such. */
	return argument->size == 4 ? widen((uint32_t)word) : word;
}

/* ---- data ------------------------------------------------------------ */

/* Copies as much of a string as there is room for; of one that goes on, with
 * dots at its end.  Returns how many bytes that is, with the null. */
static size_t put_string(unsigned char *to, size_t room, uintptr_t from)
{
	size_t size = 0;

	room = PTL_MIN(room, STRING_MAX);
	for (; size + 1 < room; size++) {
		if ((size == 0 || (from + size) % PAGE == 0) &&
		    !ptl_pages_know(from + size))
			break;
		to[size] = *(const volatile unsigned char *)(from + size);
		if (to[size] == '\0')
			return size + 1;
	}
	for (size_t i = 1; size + 1 == room && i <= 3; i++)
		to[size - i] = '.';
	to[size] = '\0';
	return size + 1;
}

/* Each string has room for its null, and dots. */
static __attribute__((noinline)) void
tell_strings(const struct ptl_probe_known *known, uint32_t type,
	     const uint64_t *reg)
{
	unsigned char data[DATA_MAX];
	size_t size = 0;

	for (uint32_t i = 0; i < known->nr; i++) {
		const struct ptl_patch_argument *argument = &known->argument[i];
		uint64_t value = value_of(argument, reg);
		size_t left = (known->nr - 1 - i) * sizeof(value);

		if (argument->how & PTL_PATCH_STRING) {
			size += put_string(data + size,
					   sizeof(data) - left - size, value);
		} else {
			__builtin_memcpy(data + size, &value, sizeof(value));
			size += sizeof(value);
		}
	}
	ptl_core_typed_event(type, data, size, (const void *)(known->at + 1));
}

void ptl_told_probe(uintptr_t mark, const uint64_t *reg)
{
	struct ptl_probe_known *known = known_of(mark);
	uint64_t words[PTL_PATCH_ARGUMENTS];
	uint32_t type = type_of(known);

	if (PTL_UNLIKELY(known->has_strings)) {
		tell_strings(known, type, reg);
		return;
	}
	for (uint32_t i = 0; i < known->nr; i++)
		words[i] = value_of(&known->argument[i], reg);
	/* As a call would return there: stacks begin so. */
	ptl_core_typed_event(type, words, known->nr * sizeof(*words),
			     (const void *)(known->at + 1));
}
