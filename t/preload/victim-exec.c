/* SPDX-License-Identifier: MIT */
/*
 * victim-exec ENV WAY: runs itself by each function of the exec family and of
 * spawn, and shows what arrived.
 * ENV: keep, empty, null, many (4000 variables), other (another LD_PRELOAD),
 * twice (two of them), clear (clearenv()).  WAY: fork, vfork, thread (vfork
 * on a 16 KiB stack), spawn.
 */
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MANY 4000

static char self[4096];
static char *many[MANY + 2];
static char *const empty[] = {NULL};
static char *const other[] = {(char *)"MARK=1", (char *)"LD_PRELOAD=libm.so.6",
			      NULL};
static char *const twice[] = {(char *)"LD_PRELOAD=libnone.so", (char *)"MARK=1",
			      (char *)"LD_PRELOAD=libm.so.6", NULL};
static char *const *env;
static char name[16];
static const char *way;

static const char *const calls[] = {"execl",  "execlp",	 "execle",
				    "execv",  "execvp",	 "execvpe",
				    "execve", "fexecve", "execveat"};
#define NR_CALLS (sizeof(calls) / sizeof(calls[0]))

/* Is a file of this name mapped? */
static int has_map(const char *what)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[8192];
	int found = 0;

	while (maps && fgets(line, sizeof(line), maps))
		found |= strstr(line, what) != NULL;
	if (maps)
		fclose(maps);
	return found;
}

/* Our own variables are not shown: the program did not ask for them. */
static int show(int argc, char **argv)
{
	int nr = 0;

	for (char **e = environ; *e; e++)
		if (strncmp(*e, "LD_PRELOAD=", 11) != 0 &&
		    strncmp(*e, "ASAN_OPTIONS=", 13) != 0 &&
		    strncmp(*e, "PTRACE_", 7) != 0)
			nr++;
	printf("%s: %d arguments, %s variables, mark %s, libm %d\n", argv[2],
	       argc,
	       nr >= MANY ? "many" :
	       nr	  ? "some" :
			    "no",
	       getenv("MARK") ? getenv("MARK") : "none", has_map("/libm.so"));
	/* Standard error: differs between traced and not. */
	if (access("show-traced", F_OK) == 0)
		fprintf(stderr, "%s\n",
			has_map("libptrace.so") ? "traced" : "untraced");
	return 0;
}

static void call(size_t i)
{
	char *args[] = {(char *)"victim-exec", (char *)"show", name,
			(char *)"a",	       (char *)"b",    NULL};
	int fd;

	switch (i) {
	case 0:
		execl(self, "victim-exec", "show", name, "a", "b", NULL);
		break;
	case 1:
		execlp(self, "victim-exec", "show", name, "a", "b", NULL);
		break;
	case 2:
		execle(self, "victim-exec", "show", name, "a", "b", NULL, env);
		break;
	case 3:
		execv(self, args);
		break;
	case 4:
		execvp(self, args);
		break;
	case 5:
		execvpe(self, args, env);
		break;
	case 6:
		execve(self, args, env);
		break;
	case 7:
		fd = open(self, O_RDONLY);
		fexecve(fd, args, env);
		break;
	case 8:
		execveat(AT_FDCWD, self, args, env, 0);
		break;
	}
	_exit(127);
}

static void spawn(int search)
{
	char *args[] = {(char *)"victim-exec", (char *)"show", name, NULL};
	pid_t pid = -1;
	int error;

	strcpy(name, search ? "posix_spawnp" : "posix_spawn");
	error = (search ? posix_spawnp : posix_spawn)(&pid, self, NULL, NULL,
						      args, env);
	if (error)
		printf("%s: %s\n", name, strerror(error));
	else
		waitpid(pid, NULL, 0);
}

static void *run(void *arg)
{
	int status;

	(void)arg;
	for (volatile size_t i = 0; i < NR_CALLS; i++) {
		pid_t pid;

		strcpy(name, calls[i]);
		fflush(stdout);
		pid = strcmp(way, "fork") == 0 ? fork() : vfork();
		if (pid == 0)
			call(i);
		waitpid(pid, &status, 0);
		if (status)
			printf("%s: status %x\n", calls[i], status);
	}
	return NULL;
}

static void run_on_small_stack(void)
{
	pthread_attr_t attr;
	pthread_t id;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 16384);
	if (pthread_create(&id, &attr, run, NULL) == 0)
		pthread_join(id, NULL);
}

static void choose(const char *which)
{
	env = environ;
	if (strcmp(which, "empty") == 0) {
		env = empty;
	} else if (strcmp(which, "null") == 0) {
		env = NULL;
		environ = NULL;
	} else if (strcmp(which, "other") == 0) {
		env = other;
	} else if (strcmp(which, "twice") == 0) {
		env = twice;
	} else if (strcmp(which, "clear") == 0) {
		clearenv();
		env = environ;
	} else if (strcmp(which, "many") == 0) {
		for (int i = 0; i < MANY; i++)
			if (asprintf(&many[i], "VARIABLE_%d=%d", i, i) < 0)
				exit(2);
		many[MANY] = (char *)"MARK=2";
		env = many;
		environ = many;
	}
}

int main(int argc, char **argv)
{
	ssize_t size = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (size < 0 || argc < 3)
		return 2;
	if (strcmp(argv[1], "show") == 0)
		return show(argc, argv);
	setvbuf(stdout, NULL, _IONBF, 0);
	way = argv[2];
	choose(argv[1]);
	if (strcmp(way, "spawn") == 0) {
		spawn(0);
		spawn(1);
	} else if (strcmp(way, "thread") == 0) {
		run_on_small_stack();
	} else {
		run(NULL);
	}
	return 0;
}
