/* SPDX-License-Identifier: MIT */
/*
 * A process whose children do things that can be traced, one after the other,
 * until its input ends.  Somebody may change what they record to: they can die
 * of that.
 */
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	char byte;
	pid_t child;

	fcntl(0, F_SETFL, O_NONBLOCK);
	while (read(0, &byte, 1) != 0) {
		child = fork();
		if (child == 0) {
			for (int i = 0; i < 200; i++)
				close(open("/nowhere", O_RDONLY));
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
	return 0;
}
