/* SPDX-License-Identifier: MIT */
/* reach-world WORLD PROGRAM...: executes a program where code may not be
 * written (mdwe), or a filter of system calls is there that allows all
 * (filter).
 */
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define MDWE 65

int main(int argc, char **argv)
{
	struct sock_filter allow[] = {
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {1, allow};
	int failed;

	if (argc < 3)
		return 2;
	if (strcmp(argv[1], "mdwe") == 0)
		failed = prctl(MDWE, 1, 0, 0, 0);
	else
		failed = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
			 prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
	if (failed)
		return 77;
	execv(argv[2], argv + 2);
	perror(argv[2]);
	return 1;
}
