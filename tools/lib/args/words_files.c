/* SPDX-License-Identifier: MIT */
/*
 * What is known of a file, in words: what strace -v has of a struct stat
 * besides st_mode and st_size, and the times that a file was given.  See
 * core/format/values.h for the bytes, which are foreign.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>

#include "core/format/values.h"
#include "tools/lib/args/words.h"
#include "tools/lib/args/words_text.h"

#define NS 1000000000

/* Behind the number, as strace has it: a comment in C. */
static void add_date(struct ptl_words_buf *text, int64_t sec, int64_t ns)
{
	time_t time = (time_t)sec;
	char date[64], buf[96];
	struct tm tm;

	if (gmtime_r(&time, &tm) == NULL ||
	    strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm) == 0)
		return;
	if (ns != 0)
		snprintf(buf, sizeof(buf), " /* %s.%09" PRId64 "+0000 */", date,
			 ns);
	else
		snprintf(buf, sizeof(buf), " /* %s+0000 */", date);
	ptl_words_add(text, buf);
}

static void add_time(struct ptl_words_buf *text, const char *name,
		     uint64_t word)
{
	int64_t ns = (int64_t)word, rest = ns % NS, sec = ns / NS;
	char buf[64];

	if (rest < 0) {
		rest += NS;
		sec--;
	}
	snprintf(buf, sizeof(buf), "%s=%" PRId64, name, sec);
	ptl_words_add(text, buf);
	add_date(text, sec, rest);
	snprintf(buf, sizeof(buf), ", %s_nsec=%" PRId64, name, rest);
	ptl_words_add(text, buf);
}

static void add_number(struct ptl_words_buf *text, const char *name,
		       uint64_t word)
{
	char buf[64];

	snprintf(buf, sizeof(buf), "%s=%" PRIu64, name, word);
	ptl_words_add(text, buf);
}

static void add_device(struct ptl_words_buf *text, const char *name,
		       uint64_t word)
{
	char buf[64];

	snprintf(buf, sizeof(buf), "%s=makedev(%#x, %#x)", name, major(word),
		 minor(word));
	ptl_words_add(text, buf);
}

void ptl_words_put_stat(struct ptl_words_buf *text, const struct ptl_arg *arg)
{
	static const struct {
		const char *name;
		void (*add)(struct ptl_words_buf *, const char *, uint64_t);
	} members[PTL_STAT_WORDS] = {
		{"st_dev", add_device},	    {"st_ino", add_number},
		{"st_nlink", add_number},   {"st_uid", add_number},
		{"st_gid", add_number},	    {"st_rdev", add_device},
		{"st_blksize", add_number}, {"st_blocks", add_number},
		{"st_atime", add_time},	    {"st_mtime", add_time},
		{"st_ctime", add_time},	    {"st_btime", add_time},
	};
	uint64_t word;

	for (size_t i = 0;
	     i < PTL_STAT_WORDS && (i + 1) * sizeof(word) <= arg->size; i++) {
		memcpy(&word, arg->bytes + i * sizeof(word), sizeof(word));
		if (strcmp(members[i].name, "st_rdev") == 0 && word == 0)
			continue;
		if (i > 0)
			ptl_words_add(text, ", ");
		members[i].add(text, members[i].name, word);
	}
}

/* An fsid_t: two numbers of 32 bits. */
static void add_fsid(struct ptl_words_buf *text, const char *name,
		     uint64_t word)
{
	char buf[64];

	snprintf(buf, sizeof(buf), "%s={val=[%#x, %#x]}", name, (uint32_t)word,
		 (uint32_t)(word >> 32));
	ptl_words_add(text, buf);
}

static void add_fstype(struct ptl_words_buf *text, const char *name,
		       uint64_t word)
{
	ptl_words_add(text, name);
	ptl_words_add(text, "=");
	ptl_words_put_flags(text, "fstype", word);
}

static void add_fsflags(struct ptl_words_buf *text, const char *name,
			uint64_t word)
{
	ptl_words_add(text, name);
	ptl_words_add(text, "=");
	ptl_words_put_flags(text, "st", word);
}

void ptl_words_put_statfs(struct ptl_words_buf *text, const struct ptl_arg *arg)
{
	static const struct {
		const char *name;
		void (*add)(struct ptl_words_buf *, const char *, uint64_t);
	} members[PTL_STATFS_WORDS] = {
		{"f_type", add_fstype},	   {"f_bsize", add_number},
		{"f_blocks", add_number},  {"f_bfree", add_number},
		{"f_bavail", add_number},  {"f_files", add_number},
		{"f_ffree", add_number},   {"f_fsid", add_fsid},
		{"f_namelen", add_number}, {"f_frsize", add_number},
		{"f_flags", add_fsflags},
	};
	const char *between = "{";
	uint64_t word;

	for (size_t i = 0;
	     i < PTL_STATFS_WORDS && (i + 1) * sizeof(word) <= arg->size; i++) {
		memcpy(&word, arg->bytes + i * sizeof(word), sizeof(word));
		if (i == 0 && word == 0)
			continue;
		ptl_words_add(text, between);
		members[i].add(text, members[i].name, word);
		between = ", ";
	}
	ptl_words_add(text, *between == '{' ? "{}" : "}");
}

static void add_timespec(struct ptl_words_buf *text,
			 const struct timespec *time)
{
	char buf[96];

	if (time->tv_nsec == UTIME_NOW || time->tv_nsec == UTIME_OMIT) {
		ptl_words_add(text, time->tv_nsec == UTIME_NOW ? "UTIME_NOW" :
								 "UTIME_OMIT");
		return;
	}
	snprintf(buf, sizeof(buf), "{tv_sec=%lld, tv_nsec=%lld}",
		 (long long)time->tv_sec, (long long)time->tv_nsec);
	ptl_words_add(text, buf);
	if (time->tv_nsec >= 0 && time->tv_nsec < NS)
		add_date(text, time->tv_sec, time->tv_nsec);
}

void ptl_words_put_filetimes(struct ptl_words_buf *text,
			     const struct ptl_arg *arg)
{
	struct timespec time[2];

	if (arg->size < sizeof(time)) {
		ptl_words_add(text, "NULL");
		return;
	}
	memcpy(time, arg->bytes, sizeof(time));
	ptl_words_add(text, "[");
	add_timespec(text, &time[0]);
	ptl_words_add(text, ", ");
	add_timespec(text, &time[1]);
	ptl_words_add(text, "]");
}
