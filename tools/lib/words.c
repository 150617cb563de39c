/* SPDX-License-Identifier: MIT */
/* See words.h; the names are in words_table.c. */
#include "tools/lib/words.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "tools/lib/words_table.h"

const struct ptl_words *ptl_words_find(const char *name, size_t size)
{
	for (const struct ptl_words *w = ptl_words_table; w->name; w++)
		if (strlen(w->name) == size && memcmp(w->name, name, size) == 0)
			return w;
	return NULL;
}

bool ptl_words_omit(const struct ptl_arg *arg)
{
	if (arg->words == NULL)
		return false;
	if (arg->words->kind == BOOL)
		return arg->value < 0;
	return arg->words->kind == ERROR && arg->value == 0 &&
	       strcmp(arg->name, "errno") == 0;
}

bool ptl_words_is_bool(const struct ptl_arg *arg)
{
	return arg->words != NULL && arg->words->kind == BOOL;
}

bool ptl_words_is_dirfd(const struct ptl_arg *arg)
{
	return arg->words != NULL && arg->words->kind == DIRFD;
}

bool ptl_words_is_errno(const struct ptl_arg *arg)
{
	return arg->words != NULL && arg->words->kind == ERROR;
}

bool ptl_words_is_option(const struct ptl_words *words)
{
	return words != NULL && words->kind == SOCKOPT;
}

const struct ptl_words *ptl_words_option(int64_t level)
{
	const struct ptl_words *words = ptl_words_options;

	while (words->name != NULL && words->base != (uint64_t)level)
		words++;
	return words;
}

/* A text that grows. */
struct text {
	char *buf;
	size_t size;
};

static void add(struct text *text, const char *bytes, size_t size)
{
	if (size > PTL_WORDS_MAX - text->size)
		size = PTL_WORDS_MAX - text->size;
	memcpy(text->buf + text->size, bytes, size);
	text->size += size;
}

static void add_word(struct text *text, const char *word)
{
	if (text->size > 0)
		add(text, "|", 1);
	add(text, word, strlen(word));
}

static void add_number(struct text *text, const char *format, long long value)
{
	char buf[32];

	/* Each format is one of ours. */
	snprintf(buf, sizeof(buf),
		 *format == 'o' ? "0%03llo" :
		 *format == 'x' ? "0x%llx" :
				  "%lld",
		 value);
	add_word(text, buf);
}

/* Is the flag a part of others?  It comes before them. */
static bool is_part(const struct ptl_words *words, const struct ptl_word *word,
		    uint64_t left)
{
	for (const struct ptl_word *w = words->word; w->name != NULL; w++)
		if (w != word && (w->value & word->value) == word->value &&
		    w->value != word->value && (left & w->value) == w->value)
			return true;
	return false;
}

/* The one value among the flags, by its name or its number. */
static void put_base(struct text *text, const struct ptl_words *words,
		     uint64_t value)
{
	for (const struct ptl_word *w = words->word; w->name != NULL; w++)
		if (w->value == value) {
			add_word(text, w->name);
			return;
		}
	if (value != 0)
		add_number(text, "x", (long long)value);
}

static void put_flags(struct text *text, const struct ptl_words *words,
		      uint64_t value)
{
	uint64_t left = value & ~words->base;

	if (words->base != 0)
		put_base(text, words, value & words->base);
	for (const struct ptl_word *w = words->word; w->name != NULL; w++) {
		if (words->base != 0 && w->value <= words->base)
			continue;
		if (w->value != 0 && (left & w->value) == w->value &&
		    !is_part(words, w, left)) {
			add_word(text, w->name);
			left &= ~w->value;
		} else if (w->value == 0 && value == 0) {
			add_word(text, w->name);
		}
	}
	if (left != 0 || text->size == 0)
		add_number(text, left != 0 ? "x" : "d", (long long)left);
}

static void put_one(struct text *text, const struct ptl_arg *arg)
{
	for (const struct ptl_word *w = arg->words->word; w->name != NULL; w++)
		if (w->value == (uint64_t)arg->value) {
			add_word(text, w->name);
			return;
		}
	add_number(text, arg->type == PTL_ARG_HEX ? "x" : "d", arg->value);
}

static void put_type(struct text *text, unsigned int mode)
{
	static const struct ptl_word types[] = {
		{S_IFIFO, "S_IFIFO"}, {S_IFCHR, "S_IFCHR"},
		{S_IFDIR, "S_IFDIR"}, {S_IFBLK, "S_IFBLK"},
		{S_IFREG, "S_IFREG"}, {S_IFLNK, "S_IFLNK"},
		{S_IFSOCK, "S_IFSOCK"},
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if ((mode & S_IFMT) == types[i].value)
			add_word(text, types[i].name);
	add_number(text, "o", mode & 07777);
}

static void put_unix(struct text *text, const struct ptl_arg *arg)
{
	size_t begin = offsetof(struct sockaddr_un, sun_path);
	const char *path = arg->bytes + begin;
	size_t size = arg->size > begin ? arg->size - begin : 0;

	add(text, "unix:", 5);
	if (size > 0 && *path == '\0') {
		add(text, "@", 1);
		add(text, path + 1, size - 1);
	} else {
		add(text, path, strnlen(path, size));
	}
}

static void put_inet(struct text *text, int family, const void *addr,
		     in_port_t port)
{
	char buf[INET6_ADDRSTRLEN] = "", tail[16];

	inet_ntop(family, addr, buf, sizeof(buf));
	if (family == AF_INET6)
		add(text, "[", 1);
	add(text, buf, strlen(buf));
	if (family == AF_INET6)
		add(text, "]", 1);
	snprintf(tail, sizeof(tail), ":%u", ntohs(port));
	add(text, tail, strlen(tail));
}

static void put_sockaddr(struct text *text, const struct ptl_arg *arg)
{
	struct sockaddr_in6 in6;
	struct sockaddr_in in;
	sa_family_t family;

	if (arg->size < sizeof(family))
		return;
	memcpy(&family, arg->bytes, sizeof(family));
	if (family == AF_UNIX) {
		put_unix(text, arg);
	} else if (family == AF_INET && arg->size >= sizeof(in)) {
		memcpy(&in, arg->bytes, sizeof(in));
		put_inet(text, AF_INET, &in.sin_addr, in.sin_port);
	} else if (family == AF_INET6 && arg->size >= sizeof(in6)) {
		memcpy(&in6, arg->bytes, sizeof(in6));
		put_inet(text, AF_INET6, &in6.sin6_addr, in6.sin6_port);
	} else {
		struct ptl_arg number = {.type = PTL_ARG_INT,
					 .words = ptl_words_find("af", 2),
					 .value = family};

		put_one(text, &number);
	}
}

size_t ptl_words_text(const struct ptl_arg *arg, char buf[PTL_WORDS_MAX])
{
	const struct ptl_words *words = arg->words;
	struct text text = {buf, 0};
	const char *name;

	switch (words->kind) {
	case ONE_OF:
		put_one(&text, arg);
		break;
	case OR_OF:
	case ONE_OR:
		put_flags(&text, words, (uint64_t)arg->value);
		break;
	case MODE:
		add_number(&text, "o", arg->value);
		break;
	case TYPE:
		put_type(&text, (unsigned int)arg->value);
		break;
	case DIRFD:
		if (arg->value == AT_FDCWD)
			add_word(&text, "AT_FDCWD");
		else
			add_number(&text, "d", arg->value);
		break;
	case ERROR:
		name = arg->value > 0 ? strerrorname_np((int)arg->value) : NULL;
		if (name != NULL && arg->value != 0)
			add_word(&text, name);
		else
			add_number(&text, "d", arg->value);
		break;
	case BOOL:
		add_word(&text, arg->value != 0 ? "true" : "false");
		break;
	case SOCKADDR:
		put_sockaddr(&text, arg);
		break;
	case SOCKOPT:
		add_number(&text, "d", arg->value);
		break;
	}
	return text.size;
}
