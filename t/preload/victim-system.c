/* SPDX-License-Identifier: MIT */
/* victim-system normal|clear|null: system(), popen() and wordexp(). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

static const char *state(char **before)
{
	return environ == before ? "untouched" : "changed";
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "normal";
	char **before, line[100];
	wordexp_t words;
	FILE *file;
	int status;

	setvbuf(stdout, NULL, _IONBF, 0);
	if (strcmp(mode, "clear") == 0)
		clearenv();
	else if (strcmp(mode, "null") == 0)
		environ = NULL;
	before = environ;

	printf("shell %d\n", system(NULL) != 0);
	status = system("/bin/echo from system; exit 3");
	printf("status %d, environ %s\n", WEXITSTATUS(status), state(before));
	file = popen("/bin/echo from popen; exit 4", "r");
	if (!file || !fgets(line, sizeof(line), file))
		return 2;
	status = pclose(file);
	printf("%sstatus %d, environ %s\n", line, WEXITSTATUS(status),
	       state(before));
	if (wordexp("$(/bin/echo from wordexp)", &words, 0) == 0)
		printf("%zu words, environ %s\n", words.we_wordc,
		       state(before));
	printf("variable %s\n", getenv("PTRACE_STREAMS") && before == NULL ?
					"added" :
					"not added");
	return 0;
}
