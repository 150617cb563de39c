/* SPDX-License-Identifier: MIT */
/* How the output is to look: what options, locale and terminal say. */
#ifndef PTL_TOOLS_DUMP_PARTS_LOOK_H
#define PTL_TOOLS_DUMP_PARTS_LOOK_H

#include <stdbool.h>
#include <stdint.h>

enum ptl_look_time {
	PTL_LOOK_RELATIVE, /* to the first event of the logs */
	PTL_LOOK_ABSOLUTE,
	PTL_LOOK_DELTA, /* to the line before */
	PTL_LOOK_CLOCK,
};

enum ptl_look_color {
	PTL_LOOK_AUTO,
	PTL_LOOK_ALWAYS,
	PTL_LOOK_NEVER,
};

/* What a folded stack is worth. */
enum ptl_look_weight {
	PTL_LOOK_EITHER, /* samples, if there are any; else a count */
	PTL_LOOK_COUNT,
	PTL_LOOK_TIME,
	PTL_LOOK_BYTES,
	PTL_LOOK_PEAK,
	PTL_LOOK_LEAKED,
	PTL_LOOK_CPU,
};

struct ptl_look {
	/* By the options. */
	enum ptl_look_time time;
	enum ptl_look_color color;
	enum ptl_look_weight weight;
	bool is_verbose;
	bool has_no_pager;
	bool is_following;  /* lines come as they are recorded */
	bool is_indented;   /* calls inside of calls */
	bool decodes_fds;   /* what descriptors stand for */
	bool is_raw;	    /* JSON: the data, too, where there are fields */
	bool is_flat;	    /* JSON: no object for the arguments */
	bool has_arguments; /* otlp: of commands */
	int64_t slower;	    /* otlp: calls of so many ns are spans */
	bool is_all;	    /* types were asked for by name: none is noise */
	bool lists_types;   /* in --info */

	/* By ptl_look_decide(). */
	bool is_utf8;
	bool is_terminal;
	bool is_colored;
	unsigned int width; /* in columns; 0: no limit */
};

/* False: no such word. */
bool ptl_look_set_time(struct ptl_look *look, const char *word);
bool ptl_look_set_color(struct ptl_look *look, const char *word);
bool ptl_look_set_weight(struct ptl_look *look, const char *word);

/* For an output that goes to this descriptor, or to a file. */
void ptl_look_decide(struct ptl_look *look, int fd, bool is_fd);

#endif
