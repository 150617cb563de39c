/* SPDX-License-Identifier: MIT */
/* Runs a fuzz target over files, where there is no fuzzer: a process for each,
 * for tools keep things until their end. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#ifndef PTL_FUZZER

static bool runs(const uint8_t *data, size_t size)
{
	pid_t child = fork();
	int status;

	if (child == 0)
		exit(LLVMFuzzerTestOneInput(data, size));
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		FILE *file = fopen(argv[i], "rb");
		uint8_t *data = NULL;
		size_t size = 0, n;

		if (!file) {
			perror(argv[i]);
			return 1;
		}
		do {
			data = realloc(data, size + 65536);
			if (!data)
				return 1;
			n = fread(data + size, 1, 65536, file);
			size += n;
		} while (n > 0);
		fclose(file);
		if (!runs(data, size)) {
			fprintf(stderr, "%s\n", argv[i]);
			return 1;
		}
		free(data);
	}
	return 0;
}

#endif
