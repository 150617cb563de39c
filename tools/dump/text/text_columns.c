/* SPDX-License-Identifier: MIT */
/* What stands before the event: time, duration, who; see text.h. */
#include <string.h>
#include <time.h>

#include "tools/dump/parts/kept.h"
#include "tools/dump/text/text.h"
#include "tools/dump/text/text_color.h"
#include "tools/dump/text/text_held.h"
#include "tools/lib/clock.h"
#include "tools/lib/quote.h"
#include "tools/read/merge.h"
#include "tools/model/modules.h"

#define DURATION_WIDTH 7
#define WHO_WIDTH 24
/* On a narrow terminal the event needs the room more. */
#define WHO_NARROW 18
#define NARROW 100
#define GAP 2
/* At most. */
#define HOST_WIDTH 16
#define INDENT 2

#define NS_PER_S UINT64_C(1000000000)

static unsigned int nr_decimals(const struct ptl_text *text)
{
	return text->look->is_verbose ? 9 : 6;
}

static unsigned int time_width(const struct ptl_text *text)
{
	switch (text->look->time) {
	case PTL_LOOK_ABSOLUTE:
		return 20 + nr_decimals(text);
	case PTL_LOOK_CLOCK:
		return 9 + nr_decimals(text);
	default:
		return 6 + nr_decimals(text);
	}
}

static unsigned int who_width(const struct ptl_text *text)
{
	unsigned int width = text->look->width;

	return width > 0 && width < NARROW ? WHO_NARROW : WHO_WIDTH;
}

unsigned int ptl_text_prefix_width(const struct ptl_text *text)
{
	return time_width(text) + GAP + 1 + DURATION_WIDTH + GAP + text->hosts +
	       who_width(text) + GAP;
}

static const char blanks[] = "                                ";

/* A size that is a constant is copied without a call. */
static void put_blanks(struct ptl_out *out, unsigned int nr)
{
	for (; nr > 32; nr -= 32)
		ptl_out_bytes(out, blanks, 32);
	memcpy(ptl_out_room(out, 32), blanks, 32);
	out->used += nr;
}

/* The fraction of a second, so that it ends before `end'; what is not shown is
 * cut, not rounded, so that no line is after the one that follows. */
static char *put_fraction(const struct ptl_text *text, char *end, uint64_t ns)
{
	unsigned int digits = nr_decimals(text);

	end = ptl_out_before(end, digits == 9 ? ns : ns / 1000, digits);
	*--end = '.';
	return end;
}

/* In front of the point, as wide as that; most events share their second. */
static unsigned int put_whole(char room[32], uint64_t seconds, bool is_negative,
			      unsigned int width)
{
	static struct {
		uint64_t seconds;
		unsigned int width, columns;
		bool is_negative;
		char text[32];
	} last;
	char *to;

	if (last.columns == 0 || last.seconds != seconds ||
	    last.width != width || last.is_negative != is_negative) {
		last.seconds = seconds;
		last.width = width;
		last.is_negative = is_negative;
		last.columns = ptl_out_digits(seconds) + is_negative;
		if (last.columns < width)
			last.columns = width;
		memcpy(last.text, blanks, 32);
		to = ptl_out_before(last.text + last.columns, seconds, 1);
		if (is_negative)
			*--to = '-';
	}
	memcpy(room, last.text, 32);
	return last.columns;
}

/* Width is that of all that is in front of the point. */
static void put_seconds(struct ptl_text *text, uint64_t ns, unsigned int width)
{
	bool is_negative = (int64_t)ns < 0;
	char *room = ptl_out_room(text->out, 64);
	unsigned int columns;

	if (is_negative)
		ns = -ns;
	columns = put_whole(room, ns / NS_PER_S, is_negative, width);
	columns += 1 + nr_decimals(text);
	put_fraction(text, room + columns, ns % NS_PER_S);
	text->out->used += columns;
}

/* Converting takes long, and most events share their second. */
static void put_date(struct ptl_text *text, const struct timespec *time)
{
	static time_t second;
	static char date[64];
	static size_t size;
	const char *from = date;
	unsigned int columns = 1 + nr_decimals(text);
	struct tm tm;

	if (size == 0 || second != time->tv_sec) {
		second = time->tv_sec;
		if (localtime_r(&second, &tm) == NULL)
			memset(&tm, 0, sizeof(tm));
		size = strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &tm);
	}
	if (text->look->time == PTL_LOOK_CLOCK && size > 8)
		from = date + size - 8;
	ptl_out_bytes(text->out, from, size - (size_t)(from - date));
	put_fraction(text, ptl_out_room(text->out, columns) + columns,
		     (uint64_t)time->tv_nsec % NS_PER_S);
	text->out->used += columns;
}

/* Of times in seconds, what is in front of the point. */
static unsigned int seconds_width(const struct ptl_text *text)
{
	return time_width(text) - nr_decimals(text) - 1;
}

void ptl_text_began(struct ptl_text *text, const struct ptl_view *view)
{
	if (view->duration < 0)
		return;
	ptl_out_str(text->out, "  began ");
	put_seconds(text,
		    ptl_ns(&view->event->posix_timestamp) -
			    (uint64_t)view->duration - text->first,
		    0);
}

static void put_time(struct ptl_text *text, const struct timespec *time)
{
	uint64_t now = ptl_ns(time);

	switch (text->look->time) {
	case PTL_LOOK_ABSOLUTE:
	case PTL_LOOK_CLOCK:
		put_date(text, time);
		return;
	case PTL_LOOK_DELTA:
		put_seconds(text, now - text->last, seconds_width(text));
		text->last = now;
		return;
	case PTL_LOOK_RELATIVE:
		put_seconds(text, now - text->first, seconds_width(text));
		return;
	}
}

/* A lock that was free did not wait: there is nothing to show. */
void ptl_text_duration_column(struct ptl_text *text, int64_t ns)
{
	char buf[PTL_NUMBER_SIZE];
	unsigned int columns;

	if (ns <= 0) {
		put_blanks(text->out, GAP + 1 + DURATION_WIDTH);
		return;
	}
	ptl_text_duration(text, ns, buf);
	columns = ptl_text_columns(buf, strlen(buf));
	put_blanks(text->out, columns < DURATION_WIDTH ?
				      GAP + 1 + DURATION_WIDTH - columns :
				      GAP + 1);
	ptl_out_str(text->out, buf);
}

/* The name, cut so that what follows has its room. */
static void put_program(struct ptl_text *text, const char *program,
			unsigned int room)
{
	size_t size = strlen(program), cut = 0;

	if (ptl_text_columns(program, size) <= room) {
		ptl_quote_plain(text->out, program, size);
		return;
	}
	room -= text->look->is_utf8 ? 1 : 3;
	while (room > 0) {
		cut++;
		if ((program[cut] & 0xc0) != 0x80)
			room--;
	}
	ptl_quote_plain(text->out, program, cut);
	ptl_out_str(text->out, text->dots);
}

/* "[pid/tid]", each with its namespace if that is not the controller's. */
static void put_numbers(struct ptl_text *text,
			const struct posix_trace_event_info *event)
{
	ptl_out_char(text->out, '[');
	ptl_out_int(text->out, event->posix_pid);
	if (event->posix_tid_np != event->posix_pid) {
		ptl_out_char(text->out, '/');
		ptl_out_int(text->out, event->posix_tid_np);
	}
	if (event->posix_pidns_np != 0) {
		ptl_out_char(text->out, '@');
		ptl_out_uint(text->out, event->posix_pidns_np);
	}
	ptl_out_char(text->out, ']');
}

static void put_host(struct ptl_text *text, const char *host)
{
	unsigned int width;

	if (text->hosts == 0)
		return;
	width = ptl_text_columns(host, strlen(host));
	put_program(text, host, text->hosts - GAP);
	put_blanks(text->out,
		   width < text->hosts - GAP ? text->hosts - width : GAP);
}

static void make_who(struct ptl_text *text,
		     const struct posix_trace_event_info *event,
		     const struct ptl_kept_key *key)
{
	struct ptl_out *out = text->out;
	const char *program = key->what != NULL ? key->what : "?";
	unsigned int numbers =
		2 + ptl_out_digits((unsigned int)event->posix_pid);
	unsigned int width = who_width(text), columns;
	size_t start = out->used;

	if (event->posix_tid_np != event->posix_pid)
		numbers +=
			1 + ptl_out_digits((unsigned int)event->posix_tid_np);
	if (event->posix_pidns_np != 0)
		numbers += 1 + ptl_out_digits(event->posix_pidns_np);
	put_host(text, key->where);
	width += text->hosts;
	numbers += text->hosts;
	put_program(text, program, numbers + 4 < width ? width - numbers : 4);
	put_numbers(text, event);
	columns = ptl_text_columns(out->buf + start, out->used - start);
	put_blanks(out, columns < width ? width - columns : 0);
}

static void put_who(struct ptl_text *text, const struct ptl_view *view)
{
	static struct ptl_kept lately[PTL_KEPT];
	static struct ptl_kept_key last;
	struct ptl_kept_key key = ptl_kept_who(view);
	struct ptl_kept *kept;

	ptl_text_color(text,
		       ptl_kept_is(&key, &last) ? PTL_TEXT_DIM : PTL_TEXT_BOLD);
	last = key;
	kept = ptl_kept_put(lately, &key, text->out);
	if (kept != NULL) {
		make_who(text, view->event, &key);
		ptl_kept_end(kept, text->out);
	}
	ptl_text_color(text, PTL_TEXT_PLAIN);
	put_blanks(text->out, GAP);
}

void ptl_text_find_hosts(struct ptl_text *text, const struct ptl_merge *merge)
{
	text->hosts = 0;
	for (size_t i = 0; i < merge->nr_sources; i++) {
		const char *host = merge->source[i].host;
		unsigned int width =
			host != NULL ? ptl_text_columns(host, strlen(host)) : 0;

		width = width > HOST_WIDTH ? HOST_WIDTH : width < 4 ? 4 : width;
		if (host != NULL && width + GAP > text->hosts)
			text->hosts = width + GAP;
	}
}

void ptl_text_prefix(struct ptl_text *text, const struct ptl_view *view,
		     struct ptl_held *line)
{
	ptl_text_color(text, PTL_TEXT_DIM);
	put_time(text, &view->event->posix_timestamp);
	ptl_text_color(text, PTL_TEXT_PLAIN);
	if (line != NULL)
		ptl_held_mark(line, 0);
	else
		ptl_text_duration_column(text, view->duration);
	put_blanks(text->out, GAP);
	put_who(text, view);
	if (text->depth > 0)
		put_blanks(text->out, INDENT * text->depth);
}

static void put_right(struct ptl_out *out, const char *word, unsigned int width)
{
	put_blanks(out, width - (unsigned int)strlen(word));
	ptl_out_str(out, word);
}

void ptl_text_heading(struct ptl_text *text)
{
	static const char who[] = "PROGRAM[PID/TID]";
	static const char *const times[] = {"TIME(s)", "TIME", "DELTA(s)",
					    "TIME"};
	struct ptl_out *out = text->out;

	ptl_text_color(text, PTL_TEXT_DIM);
	put_right(out, times[text->look->time], time_width(text));
	put_right(out, "DUR", GAP + 1 + DURATION_WIDTH);
	put_blanks(out, GAP);
	if (text->hosts > 0) {
		ptl_out_str(out, "HOST");
		put_blanks(out, text->hosts - 4);
	}
	ptl_out_str(out, who);
	put_blanks(out, who_width(text) + GAP - (unsigned int)strlen(who));
	ptl_out_str(out, "EVENT");
	ptl_text_color(text, PTL_TEXT_PLAIN);
	ptl_out_char(out, '\n');
}
