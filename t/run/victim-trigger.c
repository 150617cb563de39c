/* SPDX-License-Identifier: MIT */
/*
 * victim-trigger: reads letters, one after the other, and says ">" when each is
 * done.  o: opens /other; p: parse(), which opens /parse; s: request(), of 600
 * ms, which opens /slow; q: the same of none; f: a child opens /child.  Ends
 * with status 3.
 */
#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>
#include <trace.h>
#include <unistd.h>

static trace_event_id_t request_type;

static void touch(const char *path)
{
	int fd = open(path, O_RDONLY);

	if (fd >= 0)
		close(fd);
}

void parse(void);
void __attribute__((noinline)) parse(void)
{
	touch("/parse");
}

static void request(const char *path, long ms)
{
	const struct timespec time = {0, ms * 1000000};
	trace_span_np_t span;

	posix_trace_span_begin_np(request_type, path, 5, &span);
	touch(path);
	if (ms > 0)
		nanosleep(&time, NULL);
	posix_trace_span_end_np(span);
}

static void make_child(void)
{
	pid_t child = fork();

	if (child == 0) {
		touch("/child");
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static void obey(char letter)
{
	switch (letter) {
	case 'p':
		parse();
		break;
	case 's':
		request("/slow", 600);
		break;
	case 'q':
		request("/quick", 0);
		break;
	case 'f':
		make_child();
		break;
	default:
		touch("/other");
	}
}

int main(void)
{
	char letter;

	if (posix_trace_eventid_open("request", &request_type) != 0)
		return 1;
	while (read(STDIN_FILENO, &letter, 1) == 1) {
		obey(letter);
		if (write(STDOUT_FILENO, ">", 1) != 1)
			return 1;
	}
	return 3;
}
