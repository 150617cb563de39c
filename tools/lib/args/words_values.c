/* SPDX-License-Identifier: MIT */
/*
 * What calls point to, as strace shows it: structures, and what is one by what
 * another argument says.  The bytes are foreign: each is looked at only if it
 * is there.
 */
#include "tools/lib/args/words.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <termios.h>

#include "core/format/values.h"
#include "tools/lib/args/words_table.h"
#include "tools/lib/args/words_text.h"

static void put(struct ptl_words_buf *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void put(struct ptl_words_buf *text, const char *format, ...)
{
	char buf[128];
	va_list ap;

	va_start(ap, format);
	vsnprintf(buf, sizeof(buf), format, ap);
	va_end(ap);
	ptl_words_add(text, buf);
}

/* Is there room for one more structure, or what says that there were more? */
static bool has_room(const struct ptl_words_buf *text)
{
	return text->size < PTL_WORDS_MAX - 512;
}

/* A list ends: were there more than the `nr' that are in it? */
static void put_end(struct ptl_words_buf *text, size_t nr, bool is_whole)
{
	ptl_words_add(text, is_whole ? "]" : nr > 0 ? ", ...]" : "...]");
}

/* One that is negative is not looked at, whatever else it has. */
static void put_pollfd(struct ptl_words_buf *text, const struct pollfd *fd)
{
	if (fd->fd >= 0) {
		ptl_words_add(text, ", events=");
		ptl_words_put_flags(text, "poll", (unsigned short)fd->events);
	}
	if (fd->fd >= 0 && fd->revents != 0) {
		ptl_words_add(text, ", revents=");
		ptl_words_put_flags(text, "poll", (unsigned short)fd->revents);
	}
	ptl_words_add(text, "}");
}

static void put_pollfds(struct ptl_words_buf *text, const struct ptl_arg *arg)
{
	size_t nr = arg->size / sizeof(struct pollfd), i;
	struct pollfd fd;

	ptl_words_add(text, "[");
	for (i = 0; i < nr && has_room(text); i++) {
		memcpy(&fd, arg->bytes + i * sizeof(fd), sizeof(fd));
		put(text, "%s{fd=%d", i > 0 ? ", " : "", fd.fd);
		put_pollfd(text, &fd);
	}
	put_end(text, i, i == nr && !arg->is_cut);
}

static void put_epollfds(struct ptl_words_buf *text, const struct ptl_arg *arg)
{
	size_t nr = arg->size / PTL_EPOLLFD_SIZE, i;

	ptl_words_add(text, "[");
	for (i = 0; i < nr && has_room(text); i++) {
		const char *bytes = arg->bytes + i * PTL_EPOLLFD_SIZE;
		uint32_t events;
		uint64_t data;

		memcpy(&events, bytes, sizeof(events));
		memcpy(&data, bytes + sizeof(events), sizeof(data));
		put(text, "%s{events=", i > 0 ? ", " : "");
		ptl_words_put_flags(text, "epollevents", events);
		put(text, ", data=0x%llx}", (unsigned long long)data);
	}
	put_end(text, i, i == nr && !arg->is_cut);
}

static uint32_t selected_at(const struct ptl_arg *arg, size_t i)
{
	uint32_t entry;

	memcpy(&entry, arg->bytes + i * sizeof(entry), sizeof(entry));
	return entry;
}

/* A set, if there is something in it: "in [3 5]". */
static void put_set(struct ptl_words_buf *text, const struct ptl_arg *arg,
		    const char *name, uint32_t bit)
{
	size_t nr = arg->size / PTL_SELECTFD_SIZE;
	bool is_first = true;

	for (size_t i = 0; i < nr && has_room(text); i++) {
		uint32_t entry = selected_at(arg, i);

		if (!(entry & bit) || entry == PTL_SELECTFD_MORE)
			continue;
		if (is_first)
			put(text, "%s%s [", text->size > 0 ? " " : "", name);
		put(text, "%s%u", is_first ? "" : " ",
		    (unsigned int)(entry & PTL_SELECTFD_NUMBER));
		is_first = false;
	}
	if (!is_first)
		ptl_words_add(text, arg->is_cut ? " ...]" : "]");
}

static void put_selectfds(struct ptl_words_buf *text, const struct ptl_arg *arg)
{
	static const char *const names[] = {"in", "out", "err"};
	char buf[PTL_WORDS_MAX];
	struct ptl_words_buf ready = {buf, 0};

	for (unsigned int i = 0; i < 3; i++)
		put_set(text, arg, names[i], PTL_SELECTFD_ASKED(i));
	if (text->size == 0)
		ptl_words_add(text, "[]");
	for (unsigned int i = 0; i < 3; i++)
		put_set(&ready, arg, names[i], PTL_SELECTFD_READY(i));
	if (ready.size == 0 || text->size + ready.size + 8 > PTL_WORDS_MAX)
		return;
	ptl_words_add(text, ", ready ");
	memcpy(text->buf + text->size, buf, ready.size);
	text->size += ready.size;
}

static void put_passed(struct ptl_words_buf *text, const struct ptl_arg *arg)
{
	size_t nr = arg->size / PTL_PASSED_SIZE, i;
	int32_t fd = 0;

	ptl_words_add(text, "[");
	for (i = 0; i < nr && has_room(text); i++) {
		memcpy(&fd, arg->bytes + i * sizeof(fd), sizeof(fd));
		if (fd == -1)
			break;
		put(text, "%s%d", i > 0 ? ", " : "", fd);
	}
	put_end(text, i, i == nr && !arg->is_cut);
}

static void put_flock(struct ptl_words_buf *text, const struct ptl_arg *arg)
{
	static const char *const whence[] = {"SEEK_SET", "SEEK_CUR",
					     "SEEK_END"};
	struct flock lock;

	memcpy(&lock, arg->bytes, sizeof(lock));
	ptl_words_add(text, "{l_type=");
	ptl_words_put_flags(text, "flocktype", (uint64_t)lock.l_type);
	if (lock.l_whence >= 0 && lock.l_whence <= SEEK_END)
		put(text, ", l_whence=%s", whence[lock.l_whence]);
	else
		put(text, ", l_whence=%d", lock.l_whence);
	put(text, ", l_start=%lld, l_len=%lld", (long long)lock.l_start,
	    (long long)lock.l_len);
	if (lock.l_pid != 0)
		put(text, ", l_pid=%d", lock.l_pid);
	ptl_words_add(text, "}");
}

static void put_owner(struct ptl_words_buf *text, const struct ptl_arg *arg)
{
	struct f_owner_ex owner;

	memcpy(&owner, arg->bytes, sizeof(owner));
	ptl_words_add(text, "{type=");
	ptl_words_put_flags(text, "owner", (uint64_t)owner.type);
	put(text, ", pid=%d}", owner.pid);
}

static void put_winsize(struct ptl_words_buf *text, const struct ptl_arg *arg)
{
	struct winsize size;

	memcpy(&size, arg->bytes, sizeof(size));
	put(text, "{ws_row=%u, ws_col=%u, ws_xpixel=%u, ws_ypixel=%u}",
	    size.ws_row, size.ws_col, size.ws_xpixel, size.ws_ypixel);
}

static void put_cflag(struct ptl_words_buf *text, uint32_t flag)
{
	uint32_t numbers = CBAUD | CSIZE;

	ptl_words_put_flags(text, "baud", flag & CBAUD);
	ptl_words_add(text, "|");
	ptl_words_put_flags(text, "csize", flag & CSIZE);
	if ((flag & ~numbers) == 0)
		return;
	ptl_words_add(text, "|");
	ptl_words_put_flags(text, "cflag", flag & ~numbers);
}

/* The kernel's structure begins with these. */
static void put_termios(struct ptl_words_buf *text, const struct ptl_arg *arg)
{
	uint32_t flag[4];

	memcpy(flag, arg->bytes, sizeof(flag));
	ptl_words_add(text, "{c_iflag=");
	ptl_words_put_flags(text, "iflag", flag[0]);
	ptl_words_add(text, ", c_oflag=");
	ptl_words_put_flags(text, "oflag", flag[1]);
	ptl_words_add(text, ", c_cflag=");
	put_cflag(text, flag[2]);
	ptl_words_add(text, ", c_lflag=");
	ptl_words_put_flags(text, "lflag", flag[3]);
	ptl_words_add(text, "}");
}

/* The request is in `value'. */
static void put_ifreq(struct ptl_words_buf *text, const struct ptl_arg *arg)
{
	struct ptl_arg addr = {.type = PTL_ARG_BYTES};
	struct ifreq request;

	memcpy(&request, arg->bytes, sizeof(request));
	put(text, "{ifr_name=%.*s, ", IFNAMSIZ, request.ifr_name);
	switch (arg->value) {
	case SIOCGIFFLAGS:
		ptl_words_add(text, "ifr_flags=");
		ptl_words_put_flags(text, "iff",
				    (unsigned short)request.ifr_flags);
		break;
	case SIOCGIFINDEX:
		put(text, "ifr_ifindex=%d", request.ifr_ifindex);
		break;
	case SIOCGIFMTU:
		put(text, "ifr_mtu=%d", request.ifr_mtu);
		break;
	default:
		addr.bytes = (const char *)&request.ifr_addr;
		addr.size = sizeof(request.ifr_addr);
		ptl_words_add(text, "ifr_addr=");
		ptl_words_put_sockaddr(text, &addr);
		break;
	}
	ptl_words_add(text, "}");
}

static void put_linger(struct ptl_words_buf *text, const struct ptl_arg *arg)
{
	struct linger linger;

	memcpy(&linger, arg->bytes, sizeof(linger));
	put(text, "{l_onoff=%d, l_linger=%d}", linger.l_onoff, linger.l_linger);
}

static void put_timeval(struct ptl_words_buf *text, const struct ptl_arg *arg)
{
	struct timeval time;

	memcpy(&time, arg->bytes, sizeof(time));
	put(text, "{tv_sec=%lld, tv_usec=%lld}", (long long)time.tv_sec,
	    (long long)time.tv_usec);
}

static void put_ucred(struct ptl_words_buf *text, const struct ptl_arg *arg)
{
	struct ucred ucred;

	memcpy(&ucred, arg->bytes, sizeof(ucred));
	put(text, "{pid=%d, uid=%u, gid=%u}", ucred.pid, ucred.uid, ucred.gid);
}

static void put_value(struct ptl_words_buf *text, const struct ptl_arg *arg)
{
	static void (*const puts[])(struct ptl_words_buf *,
				    const struct ptl_arg *) = {
		[POLLFDS] = put_pollfds,
		[SELECTFDS] = put_selectfds,
		[EPOLLFDS] = put_epollfds,
		[FLOCK] = put_flock,
		[OWNER] = put_owner,
		[WINSIZE] = put_winsize,
		[TERMIOS] = put_termios,
		[IFREQ] = put_ifreq,
		[LINGER] = put_linger,
		[TIMEVAL] = put_timeval,
		[UCRED] = put_ucred,
		[RLIMITS] = ptl_words_put_rlimits,
		[SIGACTIONS] = ptl_words_put_sigactions,
		[CPUS] = ptl_words_put_cpus,
		[STAT] = ptl_words_put_stat,
		[FILETIMES] = ptl_words_put_filetimes,
		[STATFS] = ptl_words_put_statfs,
		[PASSED] = put_passed,
	};

	if (arg->type == PTL_ARG_BYTES && puts[arg->words->kind] != NULL)
		puts[arg->words->kind](text, arg);
}

/* Structures, which have no name in a field's type. */
static const struct ptl_words structures[] = {
	{"", FLOCK, sizeof(struct flock), NULL},
	{"", OWNER, sizeof(struct f_owner_ex), NULL},
	{"", WINSIZE, sizeof(struct winsize), NULL},
	{"", TERMIOS, PTL_TERMIOS_SIZE, NULL},
	{"", IFREQ, sizeof(struct ifreq), NULL},
	{"", LINGER, sizeof(struct linger), NULL},
	{"", TIMEVAL, sizeof(struct timeval), NULL},
	{"", UCRED, sizeof(struct ucred), NULL},
};

/* If it is all there; else it stays bytes. */
static void set_structure(struct ptl_arg *arg, enum ptl_words_kind kind)
{
	for (size_t i = 0; i < sizeof(structures) / sizeof(*structures); i++)
		if (structures[i].kind == kind &&
		    arg->size >= structures[i].base)
			arg->words = &structures[i];
}

/* Of 1, 4 or 8 bytes; any other stays bytes. */
static void set_number(struct ptl_arg *arg, const struct ptl_words *words)
{
	unsigned char byte = 0;
	int number = 0;

	if (arg->size == sizeof(arg->value)) {
		memcpy(&arg->value, arg->bytes, sizeof(arg->value));
	} else if (arg->size == sizeof(number)) {
		memcpy(&number, arg->bytes, sizeof(number));
		arg->value = number;
	} else if (arg->size == sizeof(byte)) {
		memcpy(&byte, arg->bytes, sizeof(byte));
		arg->value = byte;
	} else {
		return;
	}
	arg->type = PTL_ARG_INT;
	arg->words = words;
}

static void set_string(struct ptl_arg *arg)
{
	arg->type = PTL_ARG_STRING;
	arg->size = strnlen(arg->bytes, arg->size);
}

static int64_t value_of(const struct ptl_args *args, unsigned int at)
{
	return at < args->nr ? args->arg[at].value : -1;
}

static void settle_socket(struct ptl_arg *arg, int64_t option)
{
	switch (option) {
	case SO_ERROR:
		set_number(arg, ptl_words_find("errno", 5));
		break;
	case SO_TYPE:
		set_number(arg, ptl_words_find("sock", 4));
		break;
	case SO_DOMAIN:
		set_number(arg, ptl_words_find("af", 2));
		break;
	case SO_LINGER:
		set_structure(arg, LINGER);
		break;
	case SO_PEERCRED:
		set_structure(arg, UCRED);
		break;
	case SO_RCVTIMEO:
	case SO_SNDTIMEO:
		set_structure(arg, TIMEVAL);
		break;
	case SO_BINDTODEVICE:
	case SO_PEERSEC:
		set_string(arg);
		break;
	default:
		set_number(arg, NULL);
		break;
	}
}

/* The level and the option are before it. */
static void settle_sockval(struct ptl_args *args, struct ptl_arg *arg)
{
	int64_t level = value_of(args, 1), option = value_of(args, 2);

	if (level == SOL_SOCKET)
		settle_socket(arg, option);
	else if (level == IPPROTO_TCP &&
		 (option == TCP_CONGESTION || option == TCP_ULP))
		set_string(arg);
	else
		set_number(arg, NULL);
}

static void settle_fcntlval(struct ptl_args *args, struct ptl_arg *arg)
{
	int64_t cmd = value_of(args, 1);

	set_structure(arg,
		      cmd == F_GETOWN_EX || cmd == F_SETOWN_EX ? OWNER : FLOCK);
}

static void settle_ioctlval(struct ptl_args *args, struct ptl_arg *arg)
{
	int64_t request = value_of(args, 1);

	switch (request) {
	case TIOCGWINSZ:
	case TIOCSWINSZ:
		set_structure(arg, WINSIZE);
		break;
	case TCGETS:
	case TCSETS:
	case TCSETSW:
	case TCSETSF:
		set_structure(arg, TERMIOS);
		break;
	default:
		if (arg->size == sizeof(struct ifreq)) {
			set_structure(arg, IFREQ);
			arg->value = request;
		} else {
			set_number(arg, NULL);
		}
		break;
	}
}

/* Were there more of so many bytes each than are here? */
static void mark_cut(const struct ptl_args *args, struct ptl_arg *arg,
		     const char *field, size_t size)
{
	for (unsigned int i = 0; i < args->nr; i++)
		if (strcmp(args->arg[i].name, field) == 0 &&
		    args->arg[i].value > (int64_t)(arg->size / size))
			arg->is_cut = true;
}

static void settle_select(struct ptl_arg *arg)
{
	size_t nr = arg->size / PTL_SELECTFD_SIZE;

	arg->is_cut = nr > 0 && selected_at(arg, nr - 1) == PTL_SELECTFD_MORE;
}

/* Capabilities and lists of access are structures of the kernel's: they stay
 * bytes.  A string may have its null. */
static void settle_xattr(const struct ptl_args *args, struct ptl_arg *arg)
{
	size_t size = strnlen(arg->bytes, arg->size);

	/* What was set is `size' long, and 0 is returned. */
	if (arg->size == PTL_VALUE_MAX)
		mark_cut(args, arg, value_of(args, 3) == 0 ? "size" : "ret", 1);
	if (size + 1 < arg->size)
		return;
	for (size_t i = 0; i < size; i++)
		if ((unsigned char)arg->bytes[i] < ' ' || arg->bytes[i] == 127)
			return;
	set_string(arg);
}

static const struct ptl_words *words_of_option(int64_t level)
{
	const struct ptl_words *words = ptl_words_options;

	while (words->name != NULL && words->base != (uint64_t)level)
		words++;
	return words;
}

/* Nothing is known of what stays bytes: its words are gone. */
static void settle_bytes(struct ptl_args *args, struct ptl_arg *arg)
{
	enum ptl_words_kind kind = arg->words->kind;

	if (kind == POLLFDS)
		mark_cut(args, arg, "count", PTL_POLLFD_SIZE);
	else if (kind == EPOLLFDS)
		mark_cut(args, arg, "ret", PTL_EPOLLFD_SIZE);
	else if (kind == SELECTFDS)
		settle_select(arg);
	else if (kind < RLIMITS)
		arg->words = NULL;
	if (kind == TEXT) {
		mark_cut(args, arg, "ret", 1);
		set_string(arg);
	} else if (kind == XATTR) {
		settle_xattr(args, arg);
	} else if (kind == SOCKVAL) {
		settle_sockval(args, arg);
	} else if (kind == FCNTLVAL) {
		settle_fcntlval(args, arg);
	} else if (kind == IOCTLVAL) {
		settle_ioctlval(args, arg);
	}
}

size_t ptl_words_text(const struct ptl_arg *arg, char buf[PTL_WORDS_MAX])
{
	struct ptl_words_buf text = {buf, 0};

	if (!ptl_words_put(&text, arg))
		put_value(&text, arg);
	return text.size;
}

bool ptl_words_depend(const struct ptl_words *words)
{
	return words != NULL && words->kind >= SOCKOPT;
}

void ptl_words_settle(struct ptl_args *args)
{
	for (unsigned int i = 0; i < args->nr; i++) {
		struct ptl_arg *arg = &args->arg[i];

		if (!ptl_words_depend(arg->words))
			continue;
		if (arg->words->kind == SOCKOPT && i > 0)
			arg->words = words_of_option(args->arg[i - 1].value);
		else if (arg->type == PTL_ARG_BYTES)
			settle_bytes(args, arg);
		else
			arg->words = NULL;
	}
}

bool ptl_words_is_late_error(const struct ptl_arg *arg)
{
	return ptl_words_is_errno(arg) && arg->value != 0 &&
	       strcmp(arg->name, "value") == 0;
}
