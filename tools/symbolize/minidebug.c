/* SPDX-License-Identifier: MIT */
/* Compressed symbols in stripped files; see minidebug.h. */
#include "tools/symbolize/minidebug.h"

#ifdef HAVE_LZMA

#include <lzma.h>
#include <stdlib.h>

/* The limit, since a few bytes can claim to unpack to many. */
#define MAX_SIZE (256u << 20)
#define MAX_MEMORY (128u << 20)

/* Returns the unpacked bytes, or NULL. */
static unsigned char *unpack(const void *bytes, size_t size, size_t *unpacked)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	unsigned char *to = NULL, *grown;
	size_t room = 0;
	lzma_ret ret = lzma_stream_decoder(&stream, MAX_MEMORY, 0);

	stream.next_in = bytes;
	stream.avail_in = size;
	while (ret == LZMA_OK && room < MAX_SIZE) {
		grown = realloc(to, room == 0 ? 1u << 16 : 2 * room);
		if (grown == NULL)
			break;
		to = grown;
		stream.next_out = to + room;
		stream.avail_out = room == 0 ? 1u << 16 : room;
		room += stream.avail_out;
		ret = lzma_code(&stream, LZMA_FINISH);
	}
	*unpacked = stream.total_out;
	lzma_end(&stream);
	if (ret == LZMA_STREAM_END)
		return to;
	free(to);
	return NULL;
}

bool ptl_minidebug_open(const struct ptl_elf_image *image,
			struct ptl_elf_image *mini)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = ptl_image_section(image, ".gnu_debugdata", &shdr);
	Elf_Data *data = scn != NULL ? elf_rawdata(scn, NULL) : NULL;
	unsigned char *bytes = NULL;
	size_t size = 0;

	if (data != NULL && data->d_buf != NULL)
		bytes = unpack(data->d_buf, data->d_size, &size);
	if (bytes == NULL)
		return false;
	if (ptl_image_open_bytes(mini, bytes, size))
		return true;
	free(bytes);
	return false;
}

#else

bool ptl_minidebug_open(const struct ptl_elf_image *image,
			struct ptl_elf_image *mini)
{
	(void)image;
	(void)mini;
	return false;
}

#endif
