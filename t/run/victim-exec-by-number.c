/* SPDX-License-Identifier: MIT */
/* victim-exec-by-number PROGRAM [ARG...]: by syscall(2), with no environment. */
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char *none[] = {NULL};

	if (argc > 1)
		syscall(SYS_execve, argv[1], argv + 1, none);
	return 9;
}
