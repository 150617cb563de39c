/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_eventid_open_fields_np: what it refuses; what a type has been
 * given it keeps, in the log, too; ptrace-dump shows its fields, and says if
 * there are not data for all of them.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIELDS "n:i x:x t:f who:s raw:b"

static int open_as(const char *name, const char *fields)
{
	trace_event_id_t id = 0;

	return posix_trace_eventid_open_fields_np(name, fields, &id);
}

static void refuse(void)
{
	static const char *const wrong[] = {"",
					    "n",
					    "n:",
					    ":i",
					    "n:q",
					    "n:a",
					    "n:ii",
					    "n:i ",
					    " n:i",
					    "n:i  m:i",
					    "n-m:i",
					    "n:i.",
					    "n:i:x",
					    "n:s.gauge",
					    "n:x.gauge",
					    "n:b.counter",
					    "n:v.counter",
					    "n:v.context",
					    "n:b.context"};
	char fields[512] = "", name[TRACE_EVENT_NAME_MAX + 2];
	trace_event_id_t id;
	int bad = 0;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		if (open_as("refused", wrong[i]) != EINVAL) {
			diag("'%s'", wrong[i]);
			bad++;
		}
	is_int(bad, 0, "layouts that are none");
	is_int(open_as("marked",
		       "n:i.gauge m:f.counter s:s.gauges x:x.context"),
	       0, "gauges, counters, contexts, and other words");
	for (int i = 0; i < 16; i++)
		sprintf(fields + strlen(fields), "%sf%d:i", i ? " " : "", i);
	is_int(open_as("sixteen", fields), 0, "sixteen fields");
	strcat(fields, " g:i");
	is_int(open_as("more", fields), EINVAL, "not more");
	is_int(open_as("process:mine", "n:i") + open_as("call:x", "n:i"),
	       2 * EINVAL, "families of the library's own");
	is_int(open_as("posix_trace_mine", "n:i"), EINVAL, "the standard's");
	is_int(open_as("processes:mine", "n:i"), 0, "another family");
	is_int(open_as("", "n:i"), EINVAL, "no name");
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	is_int(open_as(name, "n:i"), ENAMETOOLONG, "a name too long");
	memset(fields, 'n', sizeof(fields) - 1);
	is_int(open_as("long", fields), ENAMETOOLONG, "fields too long");
	is_int(posix_trace_eventid_open_fields_np(NULL, "n:i", &id) +
		       posix_trace_eventid_open_fields_np("n", NULL, &id) +
		       posix_trace_eventid_open_fields_np("n", "n:i", NULL),
	       3 * EINVAL, "null pointers");
}

/* What ptrace-dump shows of the events of that name, as JSON or text. */
static const char *dumped(const char *file, const char *format)
{
	static char out[4096];
	char command[8192];
	const char *top = getenv("abs_top_builddir");
	FILE *pipe;

	snprintf(command, sizeof(command),
		 "%s/tools/ptrace-dump -f %s -n typed %s", top ? top : ".",
		 format, file);
	pipe = popen(command, "re");
	memset(out, 0, sizeof(out));
	if (!pipe || fread(out, 1, sizeof(out) - 1, pipe) == 0)
		diag("nothing from %s", command);
	if (pipe)
		pclose(pipe);
	return out;
}

static void record(trace_event_id_t id)
{
	struct {
		long long n;
		unsigned long long x;
		double t;
		char who[8];
	} data = {-3, 0x2a, 1.25, "me\0\002\001\002"};

	posix_trace_event(id, &data, 24 + 3 + 3);
	posix_trace_event(id, &data, 24 + 2);
	posix_trace_event(id, &data, 10);
}

int main(void)
{
	char fields[256], file[64];
	const char *text;
	trace_event_id_t id, again;
	trace_id_t trid;
	int fd;

	plan(20);
	refuse();
	is_int(posix_trace_eventid_open_fields_np("typed", FIELDS, &id), 0,
	       "a type with fields");
	is_int(posix_trace_eventid_open("typed", &again) == 0 && again == id, 1,
	       "by its name it is the same");
	is_int(open_as("typed", FIELDS), 0, "once more");
	is_int(open_as("typed", "n:i"), EEXIST, "not with others");
	is_int(posix_trace_eventid_open("plain", &again), 0, "one without");
	is_int(open_as("plain", "n:i"), EEXIST, "gets none");
	fd = file_make();
	trid = stream_run_log(NULL, fd);
	posix_trace_eventid_get_fields_np(trid, id, fields, sizeof(fields));
	is_str(fields, FIELDS, "the stream knows them");
	record(id);
	stream_end(trid);
	snprintf(file, sizeof(file), "/proc/%d/fd/%d", (int)getpid(), fd);
	text = dumped(file, "raw");
	ok(strstr(text, " typed n=-3 x=0x2a t=1.25 who=\"me\" raw=0102 @ ") &&
		   strstr(text, " who=\"me\"... @ ") &&
		   strstr(text, " typed n=-3... @ "),
	   "text has them, and says if data are missing");
	text = dumped(file, "json");
	ok(strstr(text, "\"trunc\":\"none\",\"len\":30,") &&
		   strstr(text, "\"args\":{\"n\":-3,\"x\":\"0x2a\",\"t\":1.25,"
				"\"who\":\"me\",\"raw\":\"0102\"}") &&
		   strstr(text, "\"trunc\":\"record\",\"len\":10,"),
	   "so has JSON");
	return done();
}
