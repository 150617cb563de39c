/* SPDX-License-Identifier: MIT */
/*
 * Questions to a controller; see ask.h.  The file itself goes with one: so the
 * controller need not find it, in a container that it does not see, and looks
 * at what this process could have read.  What comes back writes code: it comes
 * from whoever made the stream, as what is in the stream does.
 */
#include "preload/patch/ask.h"

#include "core/format/patches.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

/* The code of a large program takes the controller some seconds. */
#define PATIENCE_S 10

/* A message with room for one descriptor, and not for two. */
union one_file {
	struct cmsghdr header;
	char room[CMSG_SPACE(sizeof(int))];
};

struct letter {
	struct msghdr message;
	struct iovec data[2];
	union one_file control;
};

/*
 * What the file is called.  Not on the stack: it is the program's, and may be
 * small.  One thread at a time loads an object; of a program that is to be
 * executed, as any thread may do, no name is sent.
 */
static char name[sizeof((struct ptl_patch_question *)NULL)->path] PTL_BULK;

static int connect_to(const char *path, int flags)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const struct timeval patience = {PATIENCE_S, 0};
	int fd = (int)ptl_sys(SYS_socket, AF_UNIX,
			      SOCK_SEQPACKET | SOCK_CLOEXEC | flags, 0, 0);
	long err;

	if (fd < 0)
		return fd;
	ptl_strcopy(address.sun_path, sizeof(address.sun_path), path);
	for (int option = SO_RCVTIMEO; option <= SO_SNDTIMEO; option++)
		ptl_sys6(SYS_setsockopt, fd, SOL_SOCKET, option,
			 (long)&patience, sizeof(patience), 0);
	err = ptl_sys(SYS_connect, fd, &address, sizeof(address), 0);
	if (err == 0)
		return fd;
	ptl_sys_close(fd);
	return (int)err;
}

static void begin(struct letter *letter, void *bytes, size_t size)
{
	memset(letter, 0, sizeof(*letter));
	letter->data[0] = (struct iovec){bytes, size};
	letter->message.msg_iov = letter->data;
	letter->message.msg_iovlen = 1;
	letter->message.msg_control = &letter->control;
	letter->message.msg_controllen = CMSG_LEN(sizeof(int));
}

/* Which thread is to begin with the recorder, and whether it is clean. */
struct start {
	uint32_t thread, is_clean;
};

static const struct start no_start;

static bool send_question(int to, char *path, uint32_t what, struct start start,
			  int file)
{
	uint32_t words[] = {PTL_PATCH_QUESTION, what, start.thread,
			    start.is_clean};
	struct letter letter;
	struct cmsghdr *header = &letter.control.header;
	long ret;

	static_assert(offsetof(struct ptl_patch_question, path) ==
			      sizeof(words),
		      "what is in front of the name");
	begin(&letter, words, sizeof(words));
	if (path) {
		letter.data[1] = (struct iovec){path, sizeof(name)};
		letter.message.msg_iovlen = 2;
	}
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(header), &file, sizeof(file));
	do
		ret = ptl_sys(SYS_sendmsg, to, &letter.message, MSG_NOSIGNAL,
			      0);
	while (ret == -EINTR);
	return ret >= (long)sizeof(words);
}

/* Returns how many bytes there are, or -errno; *file, or -1. */
static long receive_answer(int from, int *file)
{
	struct letter letter;
	const struct cmsghdr *header = &letter.control.header;
	char byte;
	long ret;

	begin(&letter, &byte, sizeof(byte));
	do
		ret = ptl_sys(SYS_recvmsg, from, &letter.message,
			      MSG_CMSG_CLOEXEC, 0);
	while (ret == -EINTR);
	*file = -1;
	if (ret >= 0 &&
	    letter.message.msg_controllen >= CMSG_LEN(sizeof(int)) &&
	    header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
		memcpy(file, CMSG_DATA(header), sizeof(*file));
	return ret;
}

/* What somebody could still cut would end us with SIGBUS. */
static bool map(int file, struct ptl_answer *answer)
{
	const long needed = F_SEAL_SHRINK | F_SEAL_WRITE;
	long seals = ptl_sys(SYS_fcntl, file, F_GET_SEALS, 0, 0);
	struct ptl_kstat st;
	void *bytes;

	if (seals < 0 || (seals & needed) != needed ||
	    ptl_sys_fstat(file, &st) != 0 || st.st_size <= 0)
		return false;
	bytes = ptl_sys_mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE,
			     file, 0);
	if (bytes == MAP_FAILED)
		return false;
	*answer = (struct ptl_answer){bytes, (size_t)st.st_size};
	return true;
}

static const char *hear(int from, struct ptl_answer *answer)
{
	int file;
	long size = receive_answer(from, &file);
	const char *why = NULL;

	if (size == -EAGAIN)
		return "it was not looked at in time";
	if (size <= 0)
		return "nobody is there to look at it";
	if (file < 0)
		return "it could not be looked at";
	if (!map(file, answer))
		why = "no memory";
	ptl_sys_close(file);
	return why;
}

static int open_file(const char *path, uint32_t what)
{
	int file = -ENOENT;

	if (what != PTL_PATCH_OBJECT && what != PTL_PATCH_INSIDE)
		file = ptl_sys_open(AT_FDCWD, "/proc/self/exe", O_RDONLY, 0);
	return file >= 0 ? file : ptl_sys_open(AT_FDCWD, path, O_RDONLY, 0);
}

const char *ptl_ask(const char *socket, const char *path, uint32_t what,
		    struct ptl_answer *answer)
{
	const char *why = "nobody is there to look at it";
	int file, to;

	/* As under a filter of system calls. */
	if (ptl_sys_door != PTL_DOOR_OPEN)
		return "a filter of system calls is there";
	file = open_file(path, what);
	if (file < 0)
		return "its file cannot be read";
	to = connect_to(socket, 0);
	ptl_strcopy(name, sizeof(name), path);
	if (to >= 0 && send_question(to, name, what, no_start, file))
		why = hear(to, answer);
	if (to >= 0)
		ptl_sys_close(to);
	ptl_sys_close(file);
	return why;
}

/* What has been sent is there also when we are gone. */
void ptl_ask_keep(const char *socket, const char *path, bool is_program)
{
	uint32_t of = is_program ? PTL_PATCH_PROGRAM : PTL_PATCH_OBJECT;
	int file, to;

	if (ptl_sys_door != PTL_DOOR_OPEN)
		return;
	file = open_file(path, of);
	if (file < 0)
		return;
	to = connect_to(socket, SOCK_NONBLOCK);
	if (to >= 0) {
		ptl_strcopy(name, sizeof(name), path);
		send_question(to, name, PTL_PATCH_KEEP, no_start, file);
		ptl_sys_close(to);
	}
	ptl_sys_close(file);
}

static bool hear_why(int from, char why[PTL_PATCH_WHY])
{
	long size;

	do
		size = ptl_sys_read(from, why, PTL_PATCH_WHY - 1);
	while (size == -EINTR);
	if (size > 0)
		why[size] = '\0';
	else
		ptl_strcopy(why, PTL_PATCH_WHY,
			    size == -EAGAIN ? "no answer in time" :
					      "nobody answers");
	return size > 0;
}

int ptl_ask_in(const char *socket, int file, bool by_child, bool is_clean,
	       char why[PTL_PATCH_WHY])
{
	uint32_t what = by_child ? PTL_PATCH_REACH_CHILD : PTL_PATCH_REACH;
	int to = ptl_sys_door == PTL_DOOR_OPEN ? connect_to(socket, 0) : -1;
	struct start start = {(uint32_t)ptl_sys(SYS_gettid, 0, 0, 0, 0),
			      is_clean};

	if (start.thread == (uint32_t)ptl_sys(SYS_getpid, 0, 0, 0, 0))
		start.thread = 0;
	ptl_strcopy(why, PTL_PATCH_WHY,
		    to == -ENOENT ? "its controller has ended, or is outside "
				    "of this root directory" :
				    "no controller");
	if (to < 0)
		return -1;
	if (send_question(to, NULL, what, start, file) && hear_why(to, why) &&
	    !*why)
		return to;
	ptl_sys_close(to);
	return -1;
}

void ptl_ask_out(int to)
{
	char byte = 0;
	long ret;

	ptl_sys_write(to, &byte, 1);
	do
		ret = ptl_sys_read(to, &byte, 1);
	while (ret == -EINTR);
	ptl_sys_close(to);
}

void ptl_ask_done(int to)
{
	ptl_sys_close(to);
}

void ptl_ask_return(const struct ptl_answer *answer)
{
	ptl_sys_munmap((void *)answer->bytes, answer->size); /* NOLINT */
}
