/* SPDX-License-Identifier: MIT */
/* Files that slices are about; see paths.h. */
#include "tools/page/paths.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/quote.h"
#include "tools/lib/say.h"
#include "tools/model/files/uses.h"

#define NAME_MAX_BYTES 1000

void ptl_page_paths_begin(struct ptl_page_paths *paths)
{
	*paths = (struct ptl_page_paths){.files = ptl_files_new()};
}

void ptl_page_paths_free(struct ptl_page_paths *paths)
{
	ptl_files_free(paths->files);
	free(paths->file);
	free(paths->number);
}

static uint32_t number_of(struct ptl_page_paths *paths,
			  const struct ptl_file *file)
{
	while (paths->nr_numbers <= file->number) {
		paths->number =
			ptl_grow(paths->number, paths->nr_numbers,
				 &paths->numbers_room, sizeof(*paths->number));
		paths->number[paths->nr_numbers++] = 0;
	}
	if (paths->number[file->number] == 0 && paths->nr < PTL_PAGE_PATHS) {
		paths->file = ptl_grow(paths->file, paths->nr, &paths->room,
				       sizeof(*paths->file));
		paths->file[paths->nr++] = file;
		paths->number[file->number] = (uint32_t)paths->nr;
	}
	return paths->number[file->number];
}

uint32_t ptl_page_paths_learn(struct ptl_page_paths *paths,
			      const struct ptl_step *step)
{
	struct ptl_file_use use[PTL_FILE_USES];
	unsigned int nr;

	if (step->process == NULL)
		return 0;
	nr = ptl_uses_learn(paths->files, step, use);
	for (unsigned int i = 0; i < nr; i++)
		if (use[i].file != NULL)
			return number_of(paths, use[i].file);
	return 0;
}

void ptl_page_paths_json(const struct ptl_page_paths *paths,
			 struct ptl_out *out)
{
	ptl_out_str(out, "[\"\"");
	for (size_t i = 0; i < paths->nr; i++) {
		const char *title =
			ptl_file_title(ptl_file_same(paths->file[i]));

		ptl_out_char(out, ',');
		ptl_quote_json(out, title, strnlen(title, NAME_MAX_BYTES));
	}
	ptl_out_char(out, ']');
}
