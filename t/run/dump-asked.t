#!/bin/sh
# SPDX-License-Identifier: MIT
# Of a call no argument is shown that it has not, nor an address that it was not
# told; a thread starts in its function, not in the one before that; and what a
# process has used is not asked for where nobody wants to know.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
${CC:-cc} --version >/dev/null 2>&1 || skip_all "no compiler"
plan 8

cat >asked.c <<'END'
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/socket.h>

__attribute__((aligned(16))) void *before(void *arg);
void *before(void *arg)
{
	return arg;
}

__attribute__((aligned(16))) void *begin(void *arg);
void *begin(void *arg)
{
	return arg;
}

int main(void)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	struct sockaddr_in at;
	socklen_t size = sizeof(at);
	pthread_t thread;

	getpeername(fd, (struct sockaddr *)&at, &size);
	size = sizeof(at);
	getsockname(fd, (struct sockaddr *)&at, &size);
	fcntl(fd, F_GETFD, 0x1234);
	fcntl(fd, F_SETFD, 0);
	pthread_create(&thread, NULL, begin, NULL);
	return pthread_join(thread, NULL);
}
END
# shellcheck disable=SC2086 # words
${CC:-cc} -O0 -fno-reorder-functions -pthread -o asked asked.c || exit
run -e net,io,thread ./asked
dump -f text >out
like "$(cat out)" ' getpeername\([0-9]+\) = -1 ENOTCONN' "no address, none shown"
like "$(cat out)" ' getsockname\([0-9]+, 0\.0\.0\.0:0\) = 0' "an address"
like "$(cat out)" ' fcntl\([0-9]+, F_GETFD\) = 0' "no argument"
like "$(cat out)" ' fcntl\([0-9]+, F_SETFD, 0\) = 0' "an argument that is 0"
dump -f json >lines
is "$(grep -c '"cmd":"F_GETFD","arg":"0x0"' lines)" 1 \
	"what is none is not recorded either"
like "$(grep '"thread:start"' lines)" '"sym":"begin\+0x0 \(asked\)"' \
	"a thread starts in its function"

# asks OPTION...: how often ./asked asks the kernel what it has used.
asks() {
	strace -f -o calls -e trace=getrusage "$PTRACE_RUN" -q -o log "$@" \
		./asked
	grep -c getrusage calls
}
if strace -o calls true 2>/dev/null && [ -s calls ]; then
	is "$(asks -e thread,process)" 2 "at its begin, and at its end"
	is "$(asks -e thread)" 0 "... but not for nothing"
else
	skip "getrusage" "strace does not work here" 2
fi
