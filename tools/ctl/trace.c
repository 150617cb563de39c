/* SPDX-License-Identifier: MIT */
/*
 * Finding controllers, and asking them.  The directory is the user's, who may
 * have put anything there; root asks nothing that is not a socket on which that
 * very user listens.
 */
#include "tools/ctl/trace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <trace.h>
#include <unistd.h>

#include "tools/lib/say.h"

/* How often to ask whether the controller runs at all, and for how long to wait
 * for one that does. */
#define LOOK_MS 100
#define PATIENCE_MS 10000
#define LONG_PATIENCE_MS 60000

static const char stopped[] =
	"its controller is stopped (SIGCONT lets it go on)";
static const char busy[] = "its controller does not answer";

/* Is what the descriptor refers to a socket of that user's? */
static bool is_socket_of(int fd, uid_t uid)
{
	struct stat status;

	return fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode) &&
	       status.st_uid == uid;
}

/* By a descriptor, so that what is connected to is what was looked at. */
static int connect_inode(int fd, const char *path, uid_t uid)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int inode = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC), error;

	if (inode < 0)
		return errno;
	error = is_socket_of(inode, uid) ? 0 : ENOENT;
	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d",
		 inode);
	if (error == 0 &&
	    connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
		error = errno;
	close(inode);
	return error;
}

/* Where there is no /proc: in a directory that is ours alone. */
static int connect_path(int fd, const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	return connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0 ?
		       0 :
		       errno;
}

static bool is_peer(int fd, uid_t uid, pid_t *pid)
{
	socklen_t size = sizeof(struct ucred);
	struct ucred peer;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 ||
	    peer.uid != uid)
		return false;
	*pid = peer.pid;
	return true;
}

/* Returns the descriptor, or -1 with errno. */
static int connect_to(const char *path, uid_t uid, pid_t *pid)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK,
			0);
	int error;

	if (fd < 0)
		return -1;
	error = connect_inode(fd, path, uid);
	if (error == ENOENT && uid == geteuid() && access("/proc/self", F_OK))
		error = connect_path(fd, path);
	if (error == 0 && !is_peer(fd, uid, pid))
		error = EPERM;
	if (error == 0)
		return fd;
	close(fd);
	errno = error;
	return -1;
}

/* By /proc/PID/stat: its state is behind the last parenthesis. */
static bool is_stopped(pid_t pid)
{
	char path[64], text[512];
	const char *state;
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	fd = pid > 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return false;
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[got > 0 ? got : 0] = '\0';
	state = strrchr(text, ')');
	return state != NULL && (state[1] == ' ') &&
	       (state[2] == 'T' || state[2] == 't');
}

static enum ptl_answer wait_for_reply(int fd, pid_t pid, bool is_slow,
				      const char **why)
{
	struct pollfd reply = {fd, POLLIN, 0};
	int left = is_slow ? LONG_PATIENCE_MS : PATIENCE_MS;

	for (; left > 0; left -= LOOK_MS) {
		if (poll(&reply, 1, LOOK_MS) > 0)
			return PTL_ANSWER_OK;
		*why = stopped;
		if (is_stopped(pid))
			return PTL_ANSWER_SILENT;
	}
	*why = busy;
	return PTL_ANSWER_SILENT;
}

static enum ptl_answer take_reply(int fd, struct ptl_talk *reply,
				  const char **why)
{
	const char *word;
	size_t at = 0;
	int file;

	*why = "its controller is of another version";
	if (!ptl_talk_receive(fd, reply, &file))
		return errno == EBADMSG || errno == EMSGSIZE ?
			       PTL_ANSWER_FAILED :
			       PTL_ANSWER_GONE;
	if (file >= 0)
		close(file);
	ptl_talk_next(reply, &at);
	word = ptl_talk_next(reply, &at);
	if (word != NULL && strcmp(word, PTL_TALK_OK) == 0)
		return PTL_ANSWER_OK;
	if (word != NULL && strcmp(word, PTL_TALK_FAILED) == 0) {
		word = ptl_talk_next(reply, &at);
		*why = word != NULL ? word : "it could not be done";
	}
	return PTL_ANSWER_FAILED;
}

static enum ptl_answer ask(int fd, pid_t pid, const struct ptl_talk *request,
			   int file, bool is_slow, struct ptl_talk *reply,
			   const char **why)
{
	enum ptl_answer answer;

	if (!ptl_talk_send(fd, request, file)) {
		*why = strerror(errno);
		return errno == EPIPE || errno == ECONNRESET ?
			       PTL_ANSWER_GONE :
			       PTL_ANSWER_FAILED;
	}
	answer = wait_for_reply(fd, pid, is_slow, why);
	return answer == PTL_ANSWER_OK ? take_reply(fd, reply, why) : answer;
}

enum ptl_answer ptl_trace_ask(const struct ptl_trace *trace,
			      const struct ptl_talk *request, int file,
			      bool is_slow, struct ptl_talk *reply,
			      const char **why)
{
	enum ptl_answer answer;
	pid_t pid = 0;
	int fd = connect_to(trace->path, trace->uid, &pid);

	if (fd < 0) {
		/* The socket's queue is full: nobody accepts. */
		*why = is_stopped(trace->pid) ? stopped : busy;
		return errno == EAGAIN ? PTL_ANSWER_SILENT : PTL_ANSWER_GONE;
	}
	answer = ask(fd, pid, request, file, is_slow, reply, why);
	close(fd);
	return answer;
}

/* Takes up one that is there; what is left of a dead one is removed. */
static void meet(struct ptl_traces *traces, const char *path, uid_t uid)
{
	struct ptl_trace trace = {.uid = uid};
	struct ptl_talk request;
	enum ptl_answer answer;
	int fd = connect_to(path, uid, &trace.pid);

	if (fd < 0 && errno == ECONNREFUSED && uid == geteuid())
		unlink(path);
	if (fd < 0 && errno != EAGAIN)
		return;
	trace.about = ptl_alloc(sizeof(*trace.about));
	trace.why_silent = busy;
	ptl_talk_begin(&request);
	ptl_talk_add(&request, "list");
	answer = fd < 0 ? PTL_ANSWER_SILENT :
			  ask(fd, trace.pid, &request, -1, false, trace.about,
			      &trace.why_silent);
	if (fd >= 0)
		close(fd);
	if (answer != PTL_ANSWER_OK) {
		free(trace.about);
		trace.about = NULL;
	}
	if (answer == PTL_ANSWER_GONE)
		return;
	trace.path = ptl_alloc(strlen(path) + 1);
	strcpy(trace.path, path);
	traces->trace = ptl_grow(traces->trace, traces->nr, &traces->room,
				 sizeof(*traces->trace));
	traces->trace[traces->nr++] = trace;
}

void ptl_traces_find(struct ptl_traces *traces, uid_t uid)
{
	char directory[64], path[sizeof(directory) + NAME_MAX + 1];
	struct dirent *entry;
	DIR *dir;

	if (posix_trace_directory_np(uid, 0, directory, sizeof(directory)) != 0)
		return;
	dir = opendir(directory);
	if (dir == NULL)
		return;
	while ((entry = readdir(dir)) != NULL) {
		if (strncmp(entry->d_name, "ctl.", 4) != 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		meet(traces, path, uid);
	}
	closedir(dir);
}

const char *ptl_trace_log(const struct ptl_trace *trace)
{
	const char *log = NULL;

	if (trace->about != NULL)
		log = ptl_talk_find(trace->about, "log");
	return log != NULL ? log : "?";
}

int ptl_trace_pid(const struct ptl_trace *trace)
{
	const char *pid = NULL;

	if (trace->pid == 0 && trace->about != NULL)
		pid = ptl_talk_find(trace->about, "controller");
	return pid != NULL ? atoi(pid) : (int)trace->pid;
}
