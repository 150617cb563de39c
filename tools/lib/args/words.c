/* SPDX-License-Identifier: MIT */
/* See words.h; the names are in words_table.c. */
#include "tools/lib/args/words.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "tools/lib/out.h"
#include "tools/lib/args/words_table.h"
#include "tools/lib/args/words_text.h"

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

static void add(struct ptl_words_buf *text, const char *bytes, size_t size)
{
	if (size > PTL_WORDS_MAX - text->size)
		size = PTL_WORDS_MAX - text->size;
	memcpy(text->buf + text->size, bytes, size);
	text->size += size;
}

void ptl_words_add(struct ptl_words_buf *text, const char *string)
{
	add(text, string, strlen(string));
}

static void add_word(struct ptl_words_buf *text, const char *word)
{
	if (text->size > 0)
		add(text, "|", 1);
	add(text, word, strlen(word));
}

/* Most are the 0 of a call that did not fail. */
static void add_decimal(struct ptl_words_buf *text, int64_t value)
{
	char buf[24], *end = buf + sizeof(buf) - 1, *begin;

	*end = '\0';
	begin = ptl_out_before(
		end, value < 0 ? -(uint64_t)value : (uint64_t)value, 1);
	if (value < 0)
		*--begin = '-';
	add_word(text, begin);
}

static void add_hex(struct ptl_words_buf *text, uint64_t value)
{
	char buf[24];

	snprintf(buf, sizeof(buf), "0x%" PRIx64, value);
	add_word(text, buf);
}

static void add_octal(struct ptl_words_buf *text, uint64_t value)
{
	char buf[32];

	snprintf(buf, sizeof(buf), "0%03" PRIo64, value);
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
static void put_base(struct ptl_words_buf *text, const struct ptl_words *words,
		     uint64_t value)
{
	for (const struct ptl_word *w = words->word; w->name != NULL; w++)
		if (w->value == value) {
			add_word(text, w->name);
			return;
		}
	if (value != 0)
		add_hex(text, value);
}

static void put_flags(struct ptl_words_buf *text, const struct ptl_words *words,
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
	if (left != 0)
		add_hex(text, left);
	else if (text->size == 0)
		add_decimal(text, 0);
}

static void put_one(struct ptl_words_buf *text, const struct ptl_arg *arg)
{
	for (const struct ptl_word *w = arg->words->word; w->name != NULL; w++)
		if (w->value == (uint64_t)arg->value) {
			add_word(text, w->name);
			return;
		}
	if (arg->type == PTL_ARG_HEX)
		add_hex(text, (uint64_t)arg->value);
	else
		add_decimal(text, arg->value);
}

static void put_type(struct ptl_words_buf *text, unsigned int mode)
{
	static const struct ptl_word types[] = {
		{S_IFIFO, "S_IFIFO"},	{S_IFCHR, "S_IFCHR"},
		{S_IFDIR, "S_IFDIR"},	{S_IFBLK, "S_IFBLK"},
		{S_IFREG, "S_IFREG"},	{S_IFLNK, "S_IFLNK"},
		{S_IFSOCK, "S_IFSOCK"},
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if ((mode & S_IFMT) == types[i].value)
			add_word(text, types[i].name);
	add_octal(text, mode & 07777);
}

static void put_unix(struct ptl_words_buf *text, const struct ptl_arg *arg)
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

static void put_inet(struct ptl_words_buf *text, int family, const void *addr,
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

void ptl_words_put_sockaddr(struct ptl_words_buf *text,
			    const struct ptl_arg *arg)
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

unsigned int ptl_counts_nr(const struct ptl_arg *arg)
{
	size_t nr =
		arg->type == PTL_ARG_BYTES ? arg->size / sizeof(uint32_t) : 0;

	return nr < PTL_COUNTS_MAX ? (unsigned int)nr : PTL_COUNTS_MAX;
}

uint32_t ptl_counts_at(const struct ptl_arg *arg, unsigned int at)
{
	uint32_t nr = 0;

	memcpy(&nr, arg->bytes + at * sizeof(nr), sizeof(nr));
	return nr;
}

/* "2^6:17 2^7:3": of 17 the value is below 2^6, of 3 more below 2^7. */
static void put_counts(struct ptl_words_buf *text, const struct ptl_arg *arg)
{
	for (unsigned int i = 0; i < ptl_counts_nr(arg); i++) {
		char buf[32];
		uint32_t nr = ptl_counts_at(arg, i);

		if (nr == 0)
			continue;
		snprintf(buf, sizeof(buf), "%s2^%u:%u",
			 text->size > 0 ? " " : "", i, nr);
		add(text, buf, strlen(buf));
	}
}

/* As preload/hook/crash_record.c has them.  How many there are says of which
 * processor. */
static void put_registers(struct ptl_words_buf *text, const struct ptl_arg *arg)
{
	static const char names[2][31][7] = {
		{"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8",
		 "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rip",
		 "eflags"},
		{"x0",	"x1",  "x2",  "x3",  "x4",  "x5",  "x6",    "x7",
		 "x8",	"x9",  "x10", "x11", "x12", "x13", "x14",   "x15",
		 "x19", "x20", "x21", "x22", "x23", "x24", "x25",   "x26",
		 "x27", "x28", "fp",  "lr",  "sp",  "pc",  "pstate"}};
	size_t nr = arg->size / sizeof(uint64_t);
	bool is_aarch64 = nr == 31;
	uint64_t value;
	char buf[40];

	for (size_t i = 0; i < nr && (is_aarch64 || nr == 18); i++) {
		memcpy(&value, arg->bytes + i * sizeof(value), sizeof(value));
		snprintf(buf, sizeof(buf), "%s%s=0x%llx", i > 0 ? " " : "",
			 names[is_aarch64][i], (unsigned long long)value);
		add(text, buf, strlen(buf));
	}
}

static void put_signal(struct ptl_words_buf *text, const char *how, int signo)
{
	const char *name = sigabbrev_np(signo);
	char buf[40];

	if (name != NULL)
		snprintf(buf, sizeof(buf), "%s SIG%s", how, name);
	else
		snprintf(buf, sizeof(buf), "%s %d", how, signo);
	add_word(text, buf);
}

static void put_signo(struct ptl_words_buf *text, int64_t signo)
{
	const char *name =
		signo > 0 && signo < NSIG ? sigabbrev_np((int)signo) : NULL;

	if (name != NULL) {
		ptl_words_add(text, "SIG");
		ptl_words_add(text, name);
	} else {
		add_decimal(text, signo);
	}
}

/* What wait(2) told of a child. */
static void put_wstatus(struct ptl_words_buf *text, int status)
{
	char buf[24];

	if (WIFEXITED(status)) {
		snprintf(buf, sizeof(buf), "exited %d", WEXITSTATUS(status));
		add_word(text, buf);
	} else if (WIFCONTINUED(status)) {
		add_word(text, "continued");
	} else if (WIFSTOPPED(status)) {
		put_signal(text, "stopped", WSTOPSIG(status));
	} else {
		put_signal(text, "killed", WTERMSIG(status));
		if (WCOREDUMP(status))
			add_word(text, " (core dumped)");
	}
}

void ptl_words_put_flags(struct ptl_words_buf *text, const char *name,
			 uint64_t value)
{
	char buf[PTL_WORDS_MAX];
	struct ptl_words_buf flags = {buf, 0};

	put_flags(&flags, ptl_words_find(name, strlen(name)), value);
	add(text, buf, flags.size);
}

bool ptl_words_put(struct ptl_words_buf *text, const struct ptl_arg *arg)
{
	const struct ptl_words *words = arg->words;
	const char *name;

	switch (words->kind) {
	case ONE_OF:
		put_one(text, arg);
		break;
	case OR_OF:
	case ONE_OR:
		put_flags(text, words, (uint64_t)arg->value);
		break;
	case MODE:
		add_octal(text, (uint64_t)arg->value);
		break;
	case TYPE:
		put_type(text, (unsigned int)arg->value);
		break;
	case DIRFD:
		if (arg->value == AT_FDCWD)
			add_word(text, "AT_FDCWD");
		else
			add_decimal(text, arg->value);
		break;
	case ERROR:
		name = arg->value > 0 ? strerrorname_np((int)arg->value) : NULL;
		if (name != NULL && arg->value != 0)
			add_word(text, name);
		else
			add_decimal(text, arg->value);
		break;
	case BOOL:
		add_word(text, arg->value != 0 ? "true" : "false");
		break;
	case SIGNO:
		put_signo(text, arg->value);
		break;
	case WSTATUS:
		put_wstatus(text, (int)arg->value);
		break;
	case SOCKADDR:
		ptl_words_put_sockaddr(text, arg);
		break;
	case COUNTS:
		put_counts(text, arg);
		break;
	case REGISTERS:
		put_registers(text, arg);
		break;
	case SOCKOPT:
		add_decimal(text, arg->value);
		break;
	default:
		return false;
	}
	return true;
}
