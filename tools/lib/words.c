/* SPDX-License-Identifier: MIT */
/*
 * See words.h.  The names are those of the machine that shows the log, which
 * for some flags differ from one processor to another.
 */
#include "tools/lib/words.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

struct word {
	uint64_t value;
	const char *name;
};

struct ptl_words {
	const char *name;
	enum {
		ONE_OF,	  /* or a number */
		OR_OF,	  /* flags */
		ONE_OR,	  /* one value within `base', or'ed with flags */
		MODE,	  /* octal */
		TYPE,	  /* octal, with the type of a file in words */
		DIRFD,	  /* AT_FDCWD, or a number */
		ERROR,	  /* 0: none */
		BOOL,	  /* 0: false; -1: not known */
		SOCKADDR, /* bytes */
	} kind;
	uint64_t base;
	const struct word *word; /* up to one without a name */
};

/* clang-format off */
#define W(name) {(uint64_t)(name), #name}
#define END {0, NULL}

static const struct word open_words[] = {
	W(O_RDONLY), W(O_WRONLY), W(O_RDWR), W(O_CREAT), W(O_EXCL),
	W(O_NOCTTY), W(O_TRUNC), W(O_APPEND), W(O_NONBLOCK), W(O_SYNC),
	W(O_DSYNC), W(O_DIRECT), W(O_TMPFILE), W(O_DIRECTORY), W(O_NOFOLLOW),
	W(O_NOATIME), W(O_CLOEXEC), W(O_PATH), {0100000, "O_LARGEFILE"},
	W(O_ASYNC), END
};
static const struct word at_words[] = {
	W(AT_SYMLINK_NOFOLLOW), W(AT_REMOVEDIR), W(AT_SYMLINK_FOLLOW),
	W(AT_NO_AUTOMOUNT), W(AT_EMPTY_PATH), W(AT_STATX_FORCE_SYNC),
	W(AT_STATX_DONT_SYNC), END
};
/* In place of AT_REMOVEDIR, with the same value. */
static const struct word at_access_words[] = {
	W(AT_SYMLINK_NOFOLLOW), W(AT_EACCESS), W(AT_EMPTY_PATH), END
};
static const struct word access_words[] = {
	W(F_OK), W(X_OK), W(W_OK), W(R_OK), END
};
static const struct word rename_words[] = {
	{1, "RENAME_NOREPLACE"}, {2, "RENAME_EXCHANGE"},
	{4, "RENAME_WHITEOUT"}, END
};
static const struct word close_range_words[] = {
	W(CLOSE_RANGE_UNSHARE), W(CLOSE_RANGE_CLOEXEC), END
};
static const struct word flock_words[] = {
	W(LOCK_SH), W(LOCK_EX), W(LOCK_UN), W(LOCK_NB), END
};
static const struct word mount_words[] = {
	W(MS_RDONLY), W(MS_NOSUID), W(MS_NODEV), W(MS_NOEXEC),
	W(MS_SYNCHRONOUS), W(MS_REMOUNT), W(MS_MANDLOCK), W(MS_DIRSYNC),
	W(MS_NOATIME), W(MS_NODIRATIME), W(MS_BIND), W(MS_MOVE), W(MS_REC),
	W(MS_SILENT), W(MS_UNBINDABLE), W(MS_PRIVATE), W(MS_SLAVE),
	W(MS_SHARED), W(MS_RELATIME), W(MS_STRICTATIME), W(MS_LAZYTIME), END
};
static const struct word umount_words[] = {
	W(MNT_FORCE), W(MNT_DETACH), W(MNT_EXPIRE), W(UMOUNT_NOFOLLOW), END
};
static const struct word rwf_words[] = {
	W(RWF_HIPRI), W(RWF_DSYNC), W(RWF_SYNC), W(RWF_NOWAIT), W(RWF_APPEND),
	END
};
static const struct word whence_words[] = {
	W(SEEK_SET), W(SEEK_CUR), W(SEEK_END), W(SEEK_DATA), W(SEEK_HOLE), END
};
static const struct word fd_words[] = {
	W(O_CLOEXEC), W(O_NONBLOCK), W(O_DIRECT), W(O_APPEND), W(O_SYNC), END
};
static const struct word fcntl_words[] = {
	W(F_DUPFD), W(F_GETFD), W(F_SETFD), W(F_GETFL), W(F_SETFL),
	W(F_GETLK), W(F_SETLK), W(F_SETLKW), W(F_SETOWN), W(F_GETOWN),
	W(F_SETSIG), W(F_GETSIG), W(F_SETOWN_EX), W(F_GETOWN_EX),
	W(F_OFD_GETLK), W(F_OFD_SETLK), W(F_OFD_SETLKW), W(F_SETLEASE),
	W(F_GETLEASE), W(F_NOTIFY), W(F_DUPFD_CLOEXEC), W(F_SETPIPE_SZ),
	W(F_GETPIPE_SZ), W(F_ADD_SEALS), W(F_GET_SEALS), END
};
static const struct word ioctl_words[] = {
	W(TCGETS), W(TCSETS), W(TCSETSW), W(TCSETSF), W(TCSBRK), W(TCXONC),
	W(TCFLSH), W(TIOCSCTTY), W(TIOCGPGRP), W(TIOCSPGRP), W(TIOCOUTQ),
	W(TIOCSTI), W(TIOCGWINSZ), W(TIOCSWINSZ), W(FIONREAD), W(FIONBIO),
	W(TIOCNOTTY), W(FIONCLEX), W(FIOCLEX), W(FIOASYNC), W(TIOCGPTN),
	W(TIOCSPTLCK), W(TIOCGSID), W(SIOCGIFCONF), W(SIOCGIFFLAGS),
	W(SIOCGIFADDR), W(SIOCGIFINDEX), {0x40049409, "FICLONE"}, END
};
static const struct word splice_words[] = {
	W(SPLICE_F_MOVE), W(SPLICE_F_NONBLOCK), W(SPLICE_F_MORE),
	W(SPLICE_F_GIFT), END
};
static const struct word epoll_words[] = {
	W(EPOLL_CTL_ADD), W(EPOLL_CTL_DEL), W(EPOLL_CTL_MOD), END
};
static const struct word efd_words[] = {
	W(EFD_CLOEXEC), W(EFD_NONBLOCK), W(EFD_SEMAPHORE), END
};
static const struct word dlopen_words[] = {
	W(RTLD_LAZY), W(RTLD_NOW), W(RTLD_GLOBAL), W(RTLD_NODELETE),
	W(RTLD_NOLOAD), W(RTLD_DEEPBIND), END
};

static const struct word memfd_words[] = {
	W(MFD_CLOEXEC), W(MFD_ALLOW_SEALING), W(MFD_HUGETLB), END
};
static const struct word falloc_words[] = {
	W(FALLOC_FL_KEEP_SIZE), W(FALLOC_FL_PUNCH_HOLE),
	W(FALLOC_FL_COLLAPSE_RANGE), W(FALLOC_FL_ZERO_RANGE),
	W(FALLOC_FL_INSERT_RANGE), W(FALLOC_FL_UNSHARE_RANGE), END
};
static const struct word prot_words[] = {
	W(PROT_NONE), W(PROT_READ), W(PROT_WRITE), W(PROT_EXEC),
	W(PROT_GROWSDOWN), W(PROT_GROWSUP), END
};
static const struct word map_words[] = {
	W(MAP_SHARED), W(MAP_PRIVATE), W(MAP_SHARED_VALIDATE), W(MAP_FIXED),
	W(MAP_ANONYMOUS), W(MAP_GROWSDOWN), W(MAP_DENYWRITE),
	W(MAP_EXECUTABLE), W(MAP_LOCKED), W(MAP_NORESERVE), W(MAP_POPULATE),
	W(MAP_NONBLOCK), W(MAP_STACK), W(MAP_HUGETLB), W(MAP_SYNC),
	W(MAP_FIXED_NOREPLACE), END
};
static const struct word mremap_words[] = {
	W(MREMAP_MAYMOVE), W(MREMAP_FIXED), W(MREMAP_DONTUNMAP), END
};
static const struct word madvise_words[] = {
	W(MADV_NORMAL), W(MADV_RANDOM), W(MADV_SEQUENTIAL), W(MADV_WILLNEED),
	W(MADV_DONTNEED), W(MADV_FREE), W(MADV_REMOVE), W(MADV_DONTFORK),
	W(MADV_DOFORK), W(MADV_MERGEABLE), W(MADV_UNMERGEABLE),
	W(MADV_HUGEPAGE), W(MADV_NOHUGEPAGE), W(MADV_DONTDUMP),
	W(MADV_DODUMP), W(MADV_WIPEONFORK), W(MADV_KEEPONFORK), W(MADV_COLD),
	W(MADV_PAGEOUT), END
};
static const struct word msync_words[] = {
	W(MS_ASYNC), W(MS_SYNC), W(MS_INVALIDATE), END
};
static const struct word clock_words[] = {
	W(CLOCK_REALTIME), W(CLOCK_MONOTONIC), W(CLOCK_PROCESS_CPUTIME_ID),
	W(CLOCK_THREAD_CPUTIME_ID), W(CLOCK_MONOTONIC_RAW),
	W(CLOCK_REALTIME_COARSE), W(CLOCK_MONOTONIC_COARSE),
	W(CLOCK_BOOTTIME), W(CLOCK_REALTIME_ALARM), W(CLOCK_BOOTTIME_ALARM),
	W(CLOCK_TAI), END
};
static const struct word timer_words[] = {
	{1, "TIMER_ABSTIME"}, END
};
static const struct word tfd_words[] = {
	{O_CLOEXEC, "TFD_CLOEXEC"}, {O_NONBLOCK, "TFD_NONBLOCK"}, END
};
static const struct word tfdset_words[] = {
	{1, "TFD_TIMER_ABSTIME"}, {2, "TFD_TIMER_CANCEL_ON_SET"}, END
};
static const struct word itimer_words[] = {
	W(ITIMER_REAL), W(ITIMER_VIRTUAL), W(ITIMER_PROF), END
};
static const struct word af_words[] = {
	W(AF_UNSPEC), W(AF_UNIX), W(AF_INET), W(AF_INET6), W(AF_NETLINK),
	W(AF_PACKET), W(AF_VSOCK), W(AF_ALG), W(AF_BLUETOOTH), W(AF_CAN), END
};
static const struct word sock_words[] = {
	W(SOCK_STREAM), W(SOCK_DGRAM), W(SOCK_RAW), W(SOCK_RDM),
	W(SOCK_SEQPACKET), W(SOCK_PACKET), W(SOCK_CLOEXEC), W(SOCK_NONBLOCK),
	END
};
static const struct word msg_words[] = {
	W(MSG_OOB), W(MSG_PEEK), W(MSG_DONTROUTE), W(MSG_CTRUNC),
	W(MSG_TRUNC), W(MSG_DONTWAIT), W(MSG_EOR), W(MSG_WAITALL),
	W(MSG_CONFIRM), W(MSG_ERRQUEUE), W(MSG_NOSIGNAL), W(MSG_MORE),
	W(MSG_WAITFORONE), W(MSG_FASTOPEN), W(MSG_CMSG_CLOEXEC), END
};
static const struct word shut_words[] = {
	W(SHUT_RD), W(SHUT_WR), W(SHUT_RDWR), END
};
static const struct word level_words[] = {
	W(SOL_SOCKET), W(IPPROTO_IP), W(IPPROTO_TCP), W(IPPROTO_UDP),
	W(IPPROTO_IPV6), W(IPPROTO_RAW), {270, "SOL_NETLINK"}, END
};
static const struct word eai_words[] = {
	W(EAI_BADFLAGS), W(EAI_NONAME), W(EAI_AGAIN), W(EAI_FAIL),
	W(EAI_FAMILY), W(EAI_SOCKTYPE), W(EAI_SERVICE), W(EAI_MEMORY),
	W(EAI_SYSTEM), W(EAI_OVERFLOW), W(EAI_NODATA), W(EAI_ADDRFAMILY), END
};
static const struct word futex_words[] = {
	W(FUTEX_WAIT), W(FUTEX_WAKE), W(FUTEX_FD), W(FUTEX_REQUEUE),
	W(FUTEX_CMP_REQUEUE), W(FUTEX_WAKE_OP), W(FUTEX_LOCK_PI),
	W(FUTEX_UNLOCK_PI), W(FUTEX_TRYLOCK_PI), W(FUTEX_WAIT_BITSET),
	W(FUTEX_WAKE_BITSET), W(FUTEX_WAIT_REQUEUE_PI),
	W(FUTEX_CMP_REQUEUE_PI), W(FUTEX_PRIVATE_FLAG),
	W(FUTEX_CLOCK_REALTIME), END
};
static const struct word thrd_words[] = {
	{0, "thrd_success"}, {1, "thrd_busy"}, {2, "thrd_error"},
	{3, "thrd_nomem"}, {4, "thrd_timedout"}, END
};

static const struct ptl_words all[] = {
	{"errno", ERROR, 0, NULL},
	{"dirfd", DIRFD, 0, NULL},
	{"mode", MODE, 0, NULL},
	{"type", TYPE, 0, NULL},
	{"sockaddr", SOCKADDR, 0, NULL},
	{"open", ONE_OR, O_ACCMODE, open_words},
	{"at", OR_OF, 0, at_words},
	{"at_access", OR_OF, 0, at_access_words},
	{"access", OR_OF, 0, access_words},
	{"rename", OR_OF, 0, rename_words},
	{"close_range", OR_OF, 0, close_range_words},
	{"flock", OR_OF, 0, flock_words},
	{"mount", OR_OF, 0, mount_words},
	{"umount", OR_OF, 0, umount_words},
	{"rwf", OR_OF, 0, rwf_words},
	{"whence", ONE_OF, 0, whence_words},
	{"fd", OR_OF, 0, fd_words},
	{"fcntl", ONE_OF, 0, fcntl_words},
	{"ioctl", ONE_OF, 0, ioctl_words},
	{"splice", OR_OF, 0, splice_words},
	{"epoll", ONE_OF, 0, epoll_words},
	{"efd", OR_OF, 0, efd_words},
	{"dlopen", OR_OF, 0, dlopen_words},
	{"memfd", OR_OF, 0, memfd_words},
	{"falloc", OR_OF, 0, falloc_words},
	{"prot", OR_OF, 0, prot_words},
	{"map", ONE_OR, 3, map_words},
	{"mremap", OR_OF, 0, mremap_words},
	{"madvise", ONE_OF, 0, madvise_words},
	{"msync", OR_OF, 0, msync_words},
	{"clock", ONE_OF, 0, clock_words},
	{"timer", OR_OF, 0, timer_words},
	{"tfd", OR_OF, 0, tfd_words},
	{"tfdset", OR_OF, 0, tfdset_words},
	{"itimer", ONE_OF, 0, itimer_words},
	{"af", ONE_OF, 0, af_words},
	{"sock", ONE_OR, 0xf, sock_words},
	{"msg", OR_OF, 0, msg_words},
	{"shut", ONE_OF, 0, shut_words},
	{"level", ONE_OF, 0, level_words},
	{"eai", ONE_OF, 0, eai_words},
	{"thrd", ONE_OF, 0, thrd_words},
	{"futex", ONE_OR, 0x7f, futex_words},
	{"bool", BOOL, 0, NULL},
};
/* clang-format on */

const struct ptl_words *ptl_words_find(const char *name, size_t size)
{
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (strlen(all[i].name) == size &&
		    memcmp(all[i].name, name, size) == 0)
			return &all[i];
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
static bool is_part(const struct ptl_words *words, const struct word *word,
		    uint64_t left)
{
	for (const struct word *w = words->word; w->name != NULL; w++)
		if (w != word && (w->value & word->value) == word->value &&
		    w->value != word->value && (left & w->value) == w->value)
			return true;
	return false;
}

static void put_flags(struct text *text, const struct ptl_words *words,
		      uint64_t value)
{
	uint64_t left = value & ~words->base;

	for (const struct word *w = words->word; w->name != NULL; w++) {
		bool is_base = words->base != 0 && w->value <= words->base;

		if (is_base ? w->value == (value & words->base) :
			      w->value != 0 && (left & w->value) == w->value &&
				      !is_part(words, w, left)) {
			add_word(text, w->name);
			left &= ~w->value;
		} else if (!is_base && w->value == 0 && value == 0) {
			add_word(text, w->name);
		}
	}
	if (left != 0 || text->size == 0)
		add_number(text, left != 0 ? "x" : "d", (long long)left);
}

static void put_one(struct text *text, const struct ptl_arg *arg)
{
	for (const struct word *w = arg->words->word; w->name != NULL; w++)
		if (w->value == (uint64_t)arg->value) {
			add_word(text, w->name);
			return;
		}
	add_number(text, arg->type == PTL_ARG_HEX ? "x" : "d", arg->value);
}

static void put_type(struct text *text, unsigned int mode)
{
	static const struct word types[] = {
		W(S_IFIFO), W(S_IFCHR), W(S_IFDIR),  W(S_IFBLK),
		W(S_IFREG), W(S_IFLNK), W(S_IFSOCK),
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
	}
	return text.size;
}
