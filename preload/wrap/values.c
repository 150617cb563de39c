/* SPDX-License-Identifier: MIT */
/* What calls point to; see values.h. */
#include "preload/wrap/values.h"

#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <time.h>

#define SETS 3
#define PAGE 4096

/* So many bits of a set are looked at, which are in two pages. */
#define SET_BITS (PAGE * 8)
#define WORD_BITS 64

/* Of unknown protocols the kernel may tell another size than it wrote. */
#define OPTION_MAX 64

static uint64_t word_of(const fd_set *set, unsigned int word)
{
	uint64_t bits = 0;

	if (set)
		__builtin_memcpy(&bits, (const char *)set + word * sizeof(bits),
				 sizeof(bits));
	return bits;
}

static void add(struct ptl_selected *selected, uint32_t entry)
{
	if (selected->nr == PTL_ARRAY_SIZE(selected->entry))
		selected->entry[selected->nr - 1] = PTL_SELECTFD_MORE;
	else
		selected->entry[selected->nr++] = entry;
}

static void add_word(struct ptl_selected *selected, unsigned int word,
		     const uint64_t bits[SETS], uint64_t among)
{
	uint64_t any = (bits[0] | bits[1] | bits[2]) & among;

	for (; any; any &= any - 1) {
		unsigned int bit = (unsigned int)__builtin_ctzll(any);
		uint32_t entry = word * WORD_BITS + bit;

		for (unsigned int i = 0; i < SETS; i++)
			if (bits[i] >> bit & 1)
				entry |= PTL_SELECTFD_ASKED(i);
		add(selected, entry);
	}
}

static bool is_readable(const void *at, size_t size)
{
	return at && ptl_call_readable(at, size);
}

/* The kernel is not asked twice for one page: *page is the one that could be
 * read last.  Most often all is on the caller's stack. */
static bool is_readable_by(uintptr_t *page, const void *at, size_t size)
{
	uintptr_t first = (uintptr_t)at / PAGE,
		  last = ((uintptr_t)at + size - 1) / PAGE;

	if (at && first == *page && last == *page)
		return true;
	if (!is_readable(at, size))
		return false;
	*page = last;
	return true;
}

static int64_t time_asked(const void *at, bool is_timespec, uintptr_t *page)
{
	long time[2];

	if (!at)
		return -1;
	if (!is_readable_by(page, at, sizeof(time)))
		return 0;
	__builtin_memcpy(time, at, sizeof(time));
	return (int64_t)((uint64_t)time[0] * 1000 +
			 (uint64_t)(time[1] / (is_timespec ? 1000000 : 1000)));
}

void ptl_selected_ask(struct ptl_selected *selected, int count,
		      fd_set *const set[3], const void *time, bool is_timespec)
{
	unsigned int nr =
		count > 0 ? PTL_MIN((unsigned int)count, SET_BITS) : 0;
	unsigned int words = (nr + WORD_BITS - 1) / WORD_BITS;
	const fd_set *good[SETS];
	uintptr_t page = UINTPTR_MAX; /* none: bad pointers lead to 0 */

	selected->nr = 0;
	selected->timeout = time_asked(time, is_timespec, &page);
	for (unsigned int i = 0; i < SETS; i++)
		good[i] = nr && is_readable_by(&page, set[i],
					       words * sizeof(uint64_t)) ?
				  set[i] :
				  NULL;
	for (unsigned int word = 0; word < words; word++) {
		const uint64_t bits[SETS] = {word_of(good[0], word),
					     word_of(good[1], word),
					     word_of(good[2], word)};
		unsigned int left = nr - word * WORD_BITS;

		add_word(selected, word, bits,
			 left < WORD_BITS ? (UINT64_C(1) << left) - 1 :
					    UINT64_MAX);
	}
}

struct ptl_call_bytes ptl_selected_told(struct ptl_selected *selected,
					fd_set *const set[3], bool failed)
{
	for (unsigned int i = 0; i < selected->nr && !failed; i++) {
		uint32_t entry = selected->entry[i];
		unsigned int fd = entry & PTL_SELECTFD_NUMBER;

		if (entry == PTL_SELECTFD_MORE)
			break;
		for (unsigned int at = 0; at < SETS; at++)
			if (entry & PTL_SELECTFD_ASKED(at) &&
			    word_of(set[at], fd / WORD_BITS) >>
					    (fd % WORD_BITS) &
				    1)
				selected->entry[i] |= PTL_SELECTFD_READY(at);
	}
	return (struct ptl_call_bytes){selected->entry,
				       selected->nr * sizeof(*selected->entry)};
}

struct ptl_call_bytes ptl_epolled_told(struct ptl_epolled *epolled,
				       const struct epoll_event *events,
				       int count)
{
	unsigned char *to = epolled->bytes;

	for (int i = 0; i < count && i < PTL_EPOLLFDS_MAX; i++) {
		uint32_t what = events[i].events;
		uint64_t data = events[i].data.u64;

		__builtin_memcpy(to, &what, sizeof(what));
		__builtin_memcpy(to + sizeof(what), &data, sizeof(data));
		to += PTL_EPOLLFD_SIZE;
	}
	return (struct ptl_call_bytes){epolled->bytes,
				       (size_t)(to - epolled->bytes)};
}

/* Descriptors of one control message, behind the `nr' that are there.  Returns
 * how many are there then. */
static size_t add_passed(struct ptl_passed_fds *passed, size_t nr,
			 const char *at, size_t size)
{
	for (; size >= sizeof(int32_t) && nr < PTL_PASSED_MAX; nr++) {
		__builtin_memcpy(&passed->fd[nr], at, sizeof(int32_t));
		at += sizeof(int32_t);
		size -= sizeof(int32_t);
	}
	if (size >= sizeof(int32_t))
		passed->fd[PTL_PASSED_MAX - 1] = -1;
	return nr;
}

/* The kernel has looked at the same bytes; another thread may have changed them
 * since. */
struct ptl_call_bytes ptl_passed_with(struct ptl_passed_fds *passed,
				      const struct msghdr *msg, bool failed)
{
	size_t left = failed ? 0 : msg->msg_controllen, nr = 0;
	const char *at = failed ? NULL : msg->msg_control;
	struct cmsghdr head;

	while (at && left >= sizeof(head)) {
		__builtin_memcpy(&head, at, sizeof(head));
		if (head.cmsg_len < sizeof(head) || head.cmsg_len > left)
			break;
		if (head.cmsg_level == SOL_SOCKET &&
		    head.cmsg_type == SCM_RIGHTS)
			nr = add_passed(passed, nr, at + sizeof(head),
					head.cmsg_len - sizeof(head));
		if (CMSG_ALIGN(head.cmsg_len) > left)
			break;
		at += CMSG_ALIGN(head.cmsg_len);
		left -= CMSG_ALIGN(head.cmsg_len);
	}
	return (struct ptl_call_bytes){passed->fd, nr * PTL_PASSED_SIZE};
}

static struct ptl_call_bytes if_readable(const void *at, size_t size)
{
	struct ptl_call_bytes bytes = {at, size};

	if (!size || !is_readable(at, size))
		bytes.size = 0;
	return bytes;
}

struct ptl_call_bytes ptl_fcntl_value(int cmd, const void *arg)
{
	switch (cmd) {
	case F_GETLK:
	case F_SETLK:
	case F_SETLKW:
	case F_OFD_GETLK:
	case F_OFD_SETLK:
	case F_OFD_SETLKW:
		return if_readable(arg, sizeof(struct flock));
	case F_GETOWN_EX:
	case F_SETOWN_EX:
		return if_readable(arg, sizeof(struct f_owner_ex));
	default:
		return (struct ptl_call_bytes){NULL, 0};
	}
}

/* What the program says. */
static size_t size_given(unsigned long request)
{
	switch (request) {
	case FIONBIO:
	case FIOASYNC:
	case TIOCSPGRP:
	case TIOCSPTLCK:
		return sizeof(int);
	case TIOCSWINSZ:
		return sizeof(struct winsize);
	case TCSETS:
	case TCSETSW:
	case TCSETSF:
		return PTL_TERMIOS_SIZE;
	default:
		return 0;
	}
}

/* What it is told. */
static size_t size_told(unsigned long request)
{
	switch (request) {
	case FIONREAD:
	case TIOCOUTQ:
	case TIOCGPGRP:
	case TIOCGPTN:
	case TIOCGSID:
	case SIOCATMARK:
		return sizeof(int);
	case TIOCGWINSZ:
		return sizeof(struct winsize);
	case TCGETS:
		return PTL_TERMIOS_SIZE;
	case SIOCGIFFLAGS:
	case SIOCGIFADDR:
	case SIOCGIFINDEX:
	case SIOCGIFMTU:
	case SIOCGIFHWADDR:
	case SIOCGIFNETMASK:
	case SIOCGIFBRDADDR:
		return sizeof(struct ifreq);
	default:
		return 0;
	}
}

/* A driver may have given the number to something else. */
struct ptl_call_bytes ptl_ioctl_value(unsigned long request, const void *arg,
				      bool failed)
{
	size_t size = size_given(request);

	if (!size && !failed)
		size = size_told(request);
	return if_readable(arg, size);
}

/* Of TCP: MD5SIG, MD5SIG_EXT, FASTOPEN_KEY, AO_ADD_KEY to AO_GET_KEYS, which
 * not all headers have. */
static bool has_key(int option)
{
	return option == 14 || option == 32 || option == 33 ||
	       (option >= 38 && option <= 41);
}

/* Options also tell keys (of TLS, AF_ALG, SCTP): only of levels that are known
 * to have none is anything recorded.  The size of a filter is in instructions.
 */
static bool is_open(int level, int option)
{
	switch (level) {
	case SOL_SOCKET:
		return option != SO_ATTACH_FILTER;
	case IPPROTO_TCP:
		return !has_key(option);
	case IPPROTO_IP:
	case IPPROTO_IPV6:
	case IPPROTO_UDP:
	case SOL_NETLINK:
	case SOL_PACKET:
		return true;
	default:
		return false;
	}
}

/* Options of these levels are as long as the kernel says, if that is little. */
struct ptl_call_bytes ptl_option_told(int level, int option, const void *value,
				      socklen_t size)
{
	struct ptl_call_bytes bytes = {value, size};

	if (!is_open(level, option))
		return (struct ptl_call_bytes){NULL, 0};
	if (size <= sizeof(struct timeval) &&
	    (level == SOL_SOCKET || level == IPPROTO_TCP))
		return bytes;
	return if_readable(value, PTL_MIN(size, (socklen_t)OPTION_MAX));
}

/* Of these levels the kernel has read an int, whatever the option is. */
struct ptl_call_bytes ptl_option_given(int level, int option, const void *value,
				       socklen_t size, bool failed)
{
	struct ptl_call_bytes bytes = {value, size};

	if (!is_open(level, option))
		return (struct ptl_call_bytes){NULL, 0};
	if (!failed && size == sizeof(int) &&
	    (level == SOL_SOCKET || level == IPPROTO_TCP))
		return bytes;
	return if_readable(value, PTL_MIN(size, (socklen_t)OPTION_MAX));
}

static void change(struct ptl_changed *changed, unsigned int which,
		   const uint64_t *word, size_t nr)
{
	size_t at = changed->size ? changed->size / sizeof(*word) : 1;

	changed->word[0] = (at > 1 ? changed->word[0] : 0) | which;
	for (size_t i = 0; i < nr; i++)
		changed->word[at++] = word[i];
	changed->size = at * sizeof(*word);
}

/* What was before is told only if the call succeeded; into what was given, if
 * both are one. */
bool(ptl_limits_changed)(struct ptl_changed *changed, const void *new,
			 const void *old, bool failed)
{
	changed->size = 0;
	if (new && (failed || new != old) &&
	    (!failed || is_readable(new, sizeof(struct rlimit64))))
		change(changed, PTL_VALUE_NEW, new, PTL_RLIMIT_WORDS);
	if (old && !failed)
		change(changed, PTL_VALUE_OLD, old, PTL_RLIMIT_WORDS);
	return changed->size;
}

static void change_action(struct ptl_changed *changed, unsigned int which,
			  const struct sigaction *action)
{
	uint64_t word[PTL_SIGACTION_WORDS] = {(uintptr_t)action->sa_handler,
					      (unsigned int)action->sa_flags};

	__builtin_memcpy(&word[2], &action->sa_mask, sizeof(word[2]));
	change(changed, which, word, PTL_SIGACTION_WORDS);
}

void ptl_actions_changed(struct ptl_changed *changed,
			 const struct sigaction *new,
			 const struct sigaction *old)
{
	changed->size = 0;
	if (new)
		change_action(changed, PTL_VALUE_NEW, new);
	if (old)
		change_action(changed, PTL_VALUE_OLD, old);
}

/* A time of the kernel's; years beyond 2262 are what they are modulo 2^64. */
static uint64_t ns_since(int64_t sec, uint64_t nsec)
{
	return (uint64_t)sec * 1000000000 + nsec;
}

#define STAT_WORDS(st) \
	{ \
		st->st_dev, st->st_ino, st->st_nlink, st->st_uid, st->st_gid, \
			st->st_rdev, (uint64_t)st->st_blksize, \
			(uint64_t)st->st_blocks, \
			ns_since(st->st_atim.tv_sec, \
				 (uint64_t)st->st_atim.tv_nsec), \
			ns_since(st->st_mtim.tv_sec, \
				 (uint64_t)st->st_mtim.tv_nsec), \
			ns_since(st->st_ctim.tv_sec, \
				 (uint64_t)st->st_ctim.tv_nsec) \
	}

struct ptl_call_bytes(ptl_stat_told)(struct ptl_stat *told, const void *stat)
{
	const struct ptl_kstat *st = stat;

	*told = (struct ptl_stat){STAT_WORDS(st)};
	return (struct ptl_call_bytes){told->word,
				       sizeof(told->word) - sizeof(uint64_t)};
}

#if __SIZEOF_POINTER__ < 8

struct ptl_call_bytes ptl_narrow_stat_told(struct ptl_stat *told,
					   const struct stat *st)
{
	*told = (struct ptl_stat){STAT_WORDS(st)};
	return (struct ptl_call_bytes){told->word,
				       sizeof(told->word) - sizeof(uint64_t)};
}

static const struct rlimit64 *widen(struct rlimit64 *to,
				    const struct rlimit *from)
{
	if (!from)
		return NULL;
	to->rlim_cur = from->rlim_cur == RLIM_INFINITY ? RLIM64_INFINITY :
							 from->rlim_cur;
	to->rlim_max = from->rlim_max == RLIM_INFINITY ? RLIM64_INFINITY :
							 from->rlim_max;
	return to;
}

bool ptl_narrow_limits_changed(struct ptl_changed *changed, const void *new,
			       const void *old, bool failed)
{
	struct rlimit64 before, after;

	changed->size = 0;
	if (new && !is_readable(new, sizeof(struct rlimit)))
		return false;
	return (ptl_limits_changed)(changed,
				    new == old && !failed ? NULL :
							    widen(&after, new),
				    failed ? NULL : widen(&before, old),
				    failed);
}

#endif

/* As makedev() has it, which is a function. */
static uint64_t device(uint64_t major, uint64_t minor)
{
	return (major & ~UINT64_C(0xfff)) << 32 | (major & 0xfff) << 8 |
	       (minor & ~UINT64_C(0xff)) << 12 | (minor & 0xff);
}

struct ptl_call_bytes ptl_statx_told(struct ptl_stat *told,
				     const struct statx *st)
{
	size_t size = sizeof(told->word);

	*told = (struct ptl_stat){
		{device(st->stx_dev_major, st->stx_dev_minor), st->stx_ino,
		 st->stx_nlink, st->stx_uid, st->stx_gid,
		 device(st->stx_rdev_major, st->stx_rdev_minor),
		 st->stx_blksize, st->stx_blocks,
		 ns_since(st->stx_atime.tv_sec, st->stx_atime.tv_nsec),
		 ns_since(st->stx_mtime.tv_sec, st->stx_mtime.tv_nsec),
		 ns_since(st->stx_ctime.tv_sec, st->stx_ctime.tv_nsec),
		 ns_since(st->stx_btime.tv_sec, st->stx_btime.tv_nsec)}};
	if (!(st->stx_mask & STATX_BTIME))
		size -= sizeof(uint64_t);
	return (struct ptl_call_bytes){told->word, size};
}

struct ptl_call_bytes(ptl_statfs_told)(struct ptl_statfs *told, const void *fs)
{
	const struct statfs64 *of = fs;
	uint64_t id;

	__builtin_memcpy(&id, &of->f_fsid, sizeof(id));
	*told = (struct ptl_statfs){
		{(uint64_t)of->f_type, (uint64_t)of->f_bsize, of->f_blocks,
		 of->f_bfree, of->f_bavail, of->f_files, of->f_ffree, id,
		 (uint64_t)of->f_namelen, (uint64_t)of->f_frsize,
		 (uint64_t)of->f_flags}};
	return (struct ptl_call_bytes){told->word, sizeof(told->word)};
}

struct ptl_call_bytes(ptl_statvfs_told)(struct ptl_statfs *told, const void *fs)
{
	const struct statvfs64 *of = fs;

	*told = (struct ptl_statfs){{0, of->f_bsize, of->f_blocks, of->f_bfree,
				     of->f_bavail, of->f_files, of->f_ffree,
				     of->f_fsid, of->f_namemax, of->f_frsize,
				     of->f_flag}};
	return (struct ptl_call_bytes){told->word, sizeof(told->word)};
}

#if __SIZEOF_POINTER__ < 8

struct ptl_call_bytes ptl_narrow_statfs_told(struct ptl_statfs *told,
					     const struct statfs *fs)
{
	const struct statfs64 wide = {.f_type = fs->f_type,
				      .f_bsize = fs->f_bsize,
				      .f_blocks = fs->f_blocks,
				      .f_bfree = fs->f_bfree,
				      .f_bavail = fs->f_bavail,
				      .f_files = fs->f_files,
				      .f_ffree = fs->f_ffree,
				      .f_fsid = fs->f_fsid,
				      .f_namelen = fs->f_namelen,
				      .f_frsize = fs->f_frsize,
				      .f_flags = fs->f_flags};

	return (ptl_statfs_told)(told, &wide);
}

struct ptl_call_bytes ptl_narrow_statvfs_told(struct ptl_statfs *told,
					      const struct statvfs *fs)
{
	const struct statvfs64 wide = {.f_bsize = fs->f_bsize,
				       .f_frsize = fs->f_frsize,
				       .f_blocks = fs->f_blocks,
				       .f_bfree = fs->f_bfree,
				       .f_bavail = fs->f_bavail,
				       .f_files = fs->f_files,
				       .f_ffree = fs->f_ffree,
				       .f_fsid = fs->f_fsid,
				       .f_flag = fs->f_flag,
				       .f_namemax = fs->f_namemax};

	return (ptl_statvfs_told)(told, &wide);
}

#endif

struct ptl_call_bytes ptl_cpus(const void *set, size_t size, bool failed)
{
	struct ptl_call_bytes bytes = {set,
				       PTL_MIN(size, (size_t)PTL_CPUS_SIZE)};

	return failed ? if_readable(set, bytes.size) : bytes;
}
