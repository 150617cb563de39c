/* SPDX-License-Identifier: MIT */
/*
 * What reads programs and libraries, against any bytes: the names of their
 * functions and stubs, unpacked and demangled, for ptrace-dump; and in the
 * traced process what tells programs that can be traced from others.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/libc/elf.h"
#include "t/fuzz/fuzz.h"
#include "tools/symbolize/demangle.h"
#include "tools/symbolize/find.h"
#include "tools/symbolize/minidebug.h"
#include "tools/symbolize/plt.h"
#include "tools/symbolize/symtab.h"

struct input {
	void *bytes;
	size_t size;
};

static void look_up(const struct ptl_symtab *table)
{
	for (size_t i = 0; i < table->nr; i++) {
		const struct ptl_symbol *symbol = &table->symbol[i];

		if (symbol->end <= symbol->value ||
		    (i > 0 && symbol->value <= symbol[-1].value) ||
		    ptl_symtab_find(table, symbol->value) != symbol)
			abort();
		symbol = ptl_symtab_find(table, symbol->end);
		if (symbol && strlen(ptl_demangle(symbol->name)) == SIZE_MAX)
			abort();
	}
}

static int read_names(void *arg)
{
	struct input *input = arg;
	struct ptl_wanted wanted = {.path = "/lib/x", .id = NULL};
	struct ptl_elf_image image, mini;
	struct ptl_symtab table = {0};

	if (!ptl_image_open_bytes(&image, input->bytes, input->size))
		return 0;
	if (image.low > image.high || image.id_size > PTL_BUILD_ID_MAX)
		abort();
	ptl_symtab_read(&table, &image);
	ptl_plt_read(&table, &image);
	wanted.id = image.id;
	wanted.id_size = image.id_size;
	if (ptl_minidebug_open(&image, &mini)) {
		ptl_symtab_read(&table, &mini);
		ptl_image_keep(&mini);
	}
	if (ptl_find_debug(&wanted, &image, &mini))
		abort();
	ptl_image_keep(&image);
	ptl_symtab_sort(&table);
	look_up(&table);
	return 0;
}

static void look_at_program(const uint8_t *data, size_t size)
{
	struct ptl_elf elf = {.file = -1};
	char path[FUZZ_PATH];
	int fd;

	fuzz_file(data, size, path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (ptl_elf_check(fd, NULL, &elf) == 0 && elf.reason &&
	    strlen(elf.reason) > 64)
		abort();
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = {malloc(size + 1), size};

	if (!input.bytes)
		return 0;
	memcpy(input.bytes, data, size);
	fuzz_allow(NULL);
	fuzz_call(read_names, &input);
	fuzz_check_text(&fuzz_err);
	free(input.bytes);
	look_at_program(data, size);
	return 0;
}
