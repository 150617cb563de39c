/* SPDX-License-Identifier: MIT */
/* What is known of probes; see probes.h.  What a block says is foreign, and
 * read once. */
#include "preload/patch/probes.h"

#include "core/sys/syscall.h"

#include <string.h>

/* A name and fields, each with its null. */
static bool are_texts(const struct ptl_patch_view *block,
		      const struct ptl_patch_probe *probe)
{
	const unsigned char *text = block->texts + probe->text;
	size_t size = probe->text_size, nr = 0;

	if ((uint64_t)probe->text + size > block->head.texts_size ||
	    size == 0 || text[size - 1] != '\0')
		return false;
	for (size_t i = 0; i < size; i++)
		nr += text[i] == '\0';
	return nr >= 2;
}

static bool is_within(const struct ptl_patch_view *block,
		      const struct ptl_patch_probe *probe)
{
	return (uint64_t)probe->word + 1 < block->head.nr_words &&
	       probe->nr_arguments <= PTL_PATCH_ARGUMENTS &&
	       (uint64_t)probe->argument + probe->nr_arguments <=
		       block->head.nr_arguments &&
	       are_texts(block, probe);
}

static bool is_register(uint8_t number, bool may_be_none)
{
	return number < 16 || (may_be_none && number == PTL_PATCH_NO_REGISTER);
}

static bool is_argument(const struct ptl_patch_argument *argument)
{
	uint8_t size = argument->size;

	if (size != 1 && size != 2 && size != 4 && size != 8)
		return false;
	switch (argument->kind) {
	case PTL_ARGUMENT_CONSTANT:
	case PTL_ARGUMENT_DATA:
		return true;
	case PTL_ARGUMENT_REGISTER:
	case PTL_ARGUMENT_VECTOR:
		return is_register(argument->base, false);
	case PTL_ARGUMENT_MEMORY:
		return is_register(argument->base, true) &&
		       is_register(argument->index, true);
	default:
		return false;
	}
}

/* Addresses are those of the process from now on. */
static bool know(struct ptl_probe_known *known,
		 const struct ptl_patch_probe *probe,
		 struct ptl_patch_argument *argument, const char *text,
		 uintptr_t base)
{
	known->nr = probe->nr_arguments;
	known->name = text;
	known->fields = text + strlen(text) + 1;
	known->argument = argument;
	for (uint32_t i = 0; i < known->nr; i++, argument++) {
		if (!is_argument(argument))
			return false;
		known->has_strings |= argument->how & PTL_PATCH_STRING;
		if (argument->kind != PTL_ARGUMENT_DATA)
			continue;
		argument->kind = PTL_ARGUMENT_MEMORY;
		argument->base = argument->index = PTL_PATCH_NO_REGISTER;
		argument->value = (int64_t)(base + (uint64_t)argument->value);
	}
	return true;
}

static bool know_all(const struct ptl_patch_view *block, uint64_t *word,
		     uintptr_t base, struct ptl_probe_known *known)
{
	uint64_t nr = block->head.nr_probes;
	struct ptl_patch_argument *argument = (void *)(known + nr);
	char *texts = (char *)(argument + block->head.nr_arguments);

	memcpy(argument, block->argument,
	       block->head.nr_arguments * sizeof(*argument));
	memcpy(texts, block->texts, block->head.texts_size);
	for (uint64_t i = 0; i < nr; i++) {
		struct ptl_patch_probe probe = block->probe[i];

		if (!is_within(block, &probe) ||
		    !know(&known[i], &probe, argument + probe.argument,
			  texts + probe.text, base))
			return false;
		known[i].at = word[probe.word];
		word[probe.word + 1] = (uintptr_t)&known[i];
	}
	return true;
}

const char *ptl_probes_make(const struct ptl_patch_view *block, uint64_t *word,
			    uintptr_t base)
{
	const struct ptl_patch_block *head = &block->head;
	size_t size = head->nr_probes * sizeof(struct ptl_probe_known) +
		      head->nr_arguments * sizeof(struct ptl_patch_argument) +
		      head->texts_size;
	struct ptl_probe_known *known;

	if (head->nr_probes == 0)
		return NULL;
	known = ptl_sys_mmap(NULL, size, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (known == MAP_FAILED)
		return "no memory";
	if (know_all(block, word, base, known))
		return NULL;
	ptl_sys_munmap(known, size);
	return "its probes are damaged";
}

void ptl_probes_take(const struct ptl_patch_view *block, uint64_t *word,
		     const uint64_t *before)
{
	for (uint64_t i = 0; i < block->head.nr_probes; i++) {
		struct ptl_patch_probe probe = block->probe[i];

		if (is_within(block, &probe))
			word[probe.word + 1] = before[probe.word + 1];
	}
}

static bool is_in(const ElfW(Phdr) * ph, uint64_t at)
{
	return at >= ph->p_vaddr && at - ph->p_vaddr < ph->p_memsz &&
	       ph->p_memsz - (at - ph->p_vaddr) >= sizeof(uint16_t);
}

/* Data of the object that the program may write, also when it is relocated. */
static bool is_data(const struct dl_phdr_info *info, uint64_t at)
{
	bool is_written = false;

	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];

		if (ph->p_type == PT_GNU_RELRO && is_in(ph, at))
			return false;
		if (ph->p_type == PT_LOAD && is_in(ph, at))
			is_written =
				(ph->p_flags & (PF_R | PF_W)) == (PF_R | PF_W);
	}
	return is_written;
}

void ptl_probes_switch_on(const struct ptl_patch_view *block,
			  const struct dl_phdr_info *info)
{
	for (uint64_t i = 0; i < block->head.nr_probes; i++) {
		uint64_t at = block->probe[i].semaphore;
		uint16_t *counter;

		if (at == 0 || at % sizeof(*counter) != 0 || !is_data(info, at))
			continue;
		counter = (uint16_t *)(info->dlpi_addr + at);
		if (*counter != UINT16_MAX)
			++*counter;
	}
}
