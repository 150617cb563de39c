/* SPDX-License-Identifier: MIT */
/*
 * victim-vopen FILE: executes cat by vfork, as a shell does for
 * cat <FILE: the child's first call takes longer than others.  Not linked with
 * libptrace.
 */
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	pid_t pid = vfork();
	int fd;

	if (pid == 0) {
		fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
		dup2(fd, 0);
		close(fd);
		execlp("cat", "cat", (char *)NULL);
		_exit(1);
	}
	return waitpid(pid, NULL, 0) != pid;
}
