/* SPDX-License-Identifier: MIT */
/* What a program can see of itself: all that a tracer might have changed. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void show_status(void)
{
	static const char *const names[] = {
		"Threads:", "SigQ:",   "SigPnd:", "ShdPnd:",	 "SigBlk:",
		"SigIgn:",  "SigCgt:", "CapEff:", "NoNewPrivs:", "Seccomp:"};
	FILE *file = fopen("/proc/self/status", "r");
	char line[512];

	while (file && fgets(line, sizeof(line), file))
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (strncmp(line, names[i], strlen(names[i])) == 0 &&
			    strcmp(names[i], "SigQ:") != 0)
				fputs(line, stdout);
	if (file)
		fclose(file);
}

static void show_entries(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	int nr = 0;

	while (dir && (entry = readdir(dir)))
		nr++;
	if (dir)
		closedir(dir);
	printf("%s: %d\n", path, nr);
}

static void show_children(void)
{
	int status;

	errno = 0;
	printf("waitpid %d, %s\n", (int)waitpid(-1, &status, WNOHANG),
	       strerror(errno));
	errno = 0;
	printf("with all kinds %d, %s\n",
	       (int)waitpid(-1, &status, WNOHANG | 0x40000000 /* __WALL */),
	       strerror(errno));
}

static void show_errno(void)
{
	const char *volatile bad = (const char *)1;

	errno = 1234;
	printf("fork+wait: %d", fork() == 0 ? (_exit(0), 0) : 1);
	errno = 1234;
	wait(NULL);
	printf(", errno %d\n", errno);
	errno = 1234;
	printf("system: %d", system("exit 1"));
	printf(", errno %d\n", errno);
	execl("/nonexistent", "x", NULL);
	printf("execl: errno %d\n", errno);
	execlp("victim-that-is-not-there", "x", NULL);
	printf("execlp: errno %d\n", errno);
	execl("/etc/passwd", "x", NULL);
	printf("execl of no program: errno %d\n", errno);
	execl(bad, "x", NULL);
	printf("execl of a bad pointer: errno %d\n", errno);
	printf("waitpid: %d", (int)waitpid(-1, NULL, 0));
	printf(", errno %d\n", errno);
}

int main(int argc, char **argv)
{
	int fd;

	setvbuf(stdout, NULL, _IONBF, 0);
	fd = open("/dev/null", O_RDONLY);
	printf("first descriptor %d\n", fd);
	show_entries("/proc/self/fd");
	show_entries("/proc/self/task");
	show_status();
	show_children();
	show_errno();
	for (int i = 1; i < argc; i++)
		printf("argument %s\n", argv[i]);
	return 17;
}
