/* SPDX-License-Identifier: MIT */
/*
 * The parts of text for people.  A line is
 *
 *	TIME DUR PROGRAM[PID/TID] EVENT at PLACE
 *
 * The columns are text_columns.c's, the event is text_calls.c's if it is a call
 * and text_events.c's if not, the place is text_place.c's; text_values.c has
 * what all of these need.
 */
#ifndef PTL_TOOLS_DUMP_TEXT_TEXT_H
#define PTL_TOOLS_DUMP_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/dump/parts/look.h"
#include "tools/lib/args/arg.h"
#include "tools/lib/number.h"
#include "tools/lib/out.h"
#include "tools/model/view.h"

struct ptl_text {
	const struct ptl_look *look;
	struct ptl_out *out;
	uint64_t first;	    /* the time of the logs' first event, ns */
	uint64_t last;	    /* the time of the line before */
	unsigned int hosts; /* the width of their column; 0: there is none */
	size_t hidden;	    /* bytes of the line that take no column */
	unsigned int depth; /* how far the event is indented, in steps */
	bool closes;	    /* it is a call's end, whose begin has a line */
	bool is_late;	    /* ... and is not joined with it */
	unsigned long long shown;		 /* events, so far */
	const char *arrow, *dots, *dash, *group; /* as the locale has them */
};

/* text_values.c */

/* What stands for a value: as C has it, flags by their names. */
void ptl_text_value(struct ptl_text *text, const struct ptl_view *view,
		    const struct ptl_arg *arg);
void ptl_text_string(struct ptl_text *text, const char *bytes, size_t size,
		     bool is_cut);
/* "-1 ENOENT (No such file or directory)" without the -1. */
void ptl_text_error(struct ptl_text *text, int error);
void ptl_text_size(struct ptl_text *text, uint64_t bytes);
/* "3.10us", in the characters that the output may have. */
const char *ptl_text_duration(const struct ptl_text *text, int64_t ns,
			      char buf[PTL_NUMBER_SIZE]);
/* The value of the argument of that name; `otherwise' if there is none. */
int64_t ptl_text_find(const struct ptl_view *view, const char *name,
		      int64_t otherwise);
/* How many columns the bytes take. */
unsigned int ptl_text_columns(const char *bytes, size_t size);
/* An event that has no syntax of its own: name key=value ... */
void ptl_text_fields(struct ptl_text *text, const struct ptl_view *view);
/* The contexts of its thread, "  {request=17}", but for those that the event
 * itself says. */
void ptl_text_context(struct ptl_text *text, const struct ptl_view *view);

/* text_columns.c: all that stands before the event; `line' if it is held, and
 * its duration not known. */
struct ptl_held;
void ptl_text_prefix(struct ptl_text *text, const struct ptl_view *view,
		     struct ptl_held *line);
/* "  began 0.071204", of an event that stands where it ended. */
void ptl_text_began(struct ptl_text *text, const struct ptl_view *view);
void ptl_text_duration_column(struct ptl_text *text, int64_t ns);
/* How many columns these take, and the line above them. */
struct ptl_merge;
/* Is there a column for them, and how wide is it? */
void ptl_text_find_hosts(struct ptl_text *text, const struct ptl_merge *merge);
unsigned int ptl_text_prefix_width(const struct ptl_text *text);
void ptl_text_heading(struct ptl_text *text);

/* text_totals.c: the last line. */
/* 41 213 */
void ptl_text_count(struct ptl_text *text, unsigned long long n);
void ptl_text_totals(struct ptl_text *text, struct ptl_merge *merge);

/* text_place.c */

/* Where the event was recorded, behind so many blanks as were said to be. */
void ptl_text_place(struct ptl_text *text, const struct ptl_view *view,
		    unsigned int blanks);
/* At least 2, behind an event that began at `start' in the buffer; 0: not known
 * where. */
unsigned int ptl_text_place_blanks(struct ptl_text *text,
				   const struct ptl_view *view, size_t start);
/* A line for each frame. */
void ptl_text_stack(struct ptl_text *text, const struct ptl_view *view);

/* text_calls.c: false if the event is no call of libc. */
bool ptl_text_call(struct ptl_text *text, const struct ptl_view *view);
/* Before other logs are read: their types may be others. */
void ptl_text_call_forget(void);

/* text_events.c */

/* Does the event say nothing of what the program does? */
bool ptl_text_is_noise(const struct ptl_view *view);
/* Is its address that of a call? */
bool ptl_text_has_place(const struct ptl_view *view);
void ptl_text_event(struct ptl_text *text, const struct ptl_view *view);
/* " = 3", of a call:exit. */
void ptl_text_returned(struct ptl_text *text, const struct ptl_view *view);

/* text_spans.c */

/* A begin or an end. */
void ptl_text_span_link(struct ptl_text *text, const struct ptl_view *view);
void ptl_text_span(struct ptl_text *text, const struct ptl_view *view);
/* After the last event: of those that were shown, a line for each that has no
 * end. */
struct ptl_model;
void ptl_text_open_spans(struct ptl_text *text, const struct ptl_model *model);

#endif
