/* SPDX-License-Identifier: MIT */
/* Runs a fuzz target over files, where there is no fuzzer. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#ifndef PTL_FUZZER

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
		LLVMFuzzerTestOneInput(data, size);
		free(data);
	}
	return 0;
}

#endif
