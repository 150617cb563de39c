/* SPDX-License-Identifier: MIT */
/*
 * What unwinds stacks against any tables: an object of any bytes lies between
 * pages where nothing is, so that a read outside of it ends us without a
 * sanitizer too.  In front of its bytes are the address, where the table is,
 * which registers are known, and at which end there is nothing.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/unwind/cache.h"
#include "core/unwind/cfi.h"
#include "t/fuzz/fuzz.h"

#define ROOM (64u << 10)
#define PAGE 4096u

struct input {
	int32_t pc; /* from the table on */
	uint32_t table, known;
	uint32_t is_front;
};

#if defined(__x86_64__)

static unsigned char *room(void)
{
	static unsigned char *bytes;

	if (!bytes) {
		bytes = mmap(NULL, ROOM + 2 * PAGE, PROT_NONE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (bytes == MAP_FAILED ||
		    mprotect(bytes + PAGE, ROOM, PROT_READ | PROT_WRITE) != 0)
			abort();
		bytes += PAGE;
	}
	return bytes;
}

/* The stack is in the object too: the last of it. */
static bool load(void *arg, uint64_t addr, uint64_t *value)
{
	const struct ptl_unwind_object *object = arg;
	uint64_t at = addr - (uintptr_t)object->begin;
	size_t size = (size_t)(object->end - object->begin);

	if (size < sizeof(*value) || at > size - sizeof(*value))
		return false;
	memcpy(value, object->begin + at, sizeof(*value));
	return true;
}

static void apply(struct ptl_unwind_object *object,
		  const struct ptl_cfi_row *row,
		  const struct ptl_cfi_rule *rule,
		  const struct ptl_dwarf_regs *regs)
{
	uint64_t at = (uintptr_t)row->base + (uint64_t)(int64_t)rule->value,
		 value;
	struct ptl_dwarf_operands operands;

	if (rule->how != PTL_CFI_EXPRESSION &&
	    rule->how != PTL_CFI_VAL_EXPRESSION)
		return;
	if (at - (uintptr_t)object->begin >=
	    (size_t)(object->end - object->begin))
		abort();
	ptl_dwarf_evaluate(&operands, row->base + rule->value, regs,
			   (uintptr_t)object->begin, load, object, &value);
}

static void look_up(struct ptl_unwind_object *object, const struct input *input)
{
	uint64_t table = (uintptr_t)object->begin + input->table;
	struct ptl_dwarf_regs regs = {.known = input->known};
	static struct ptl_cfi_row row;
	static struct ptl_cfi_run run;

	if (!ptl_cfi_find(object, table, table + (uint64_t)(int64_t)input->pc,
			  &row, &run))
		return;
	for (size_t i = 0; i < PTL_DWARF_REGS; i++)
		regs.value[i] = (uintptr_t)object->begin + 8 * i;
	apply(object, &row, &row.cfa, &regs);
	for (size_t i = 0; i < PTL_DWARF_REGS; i++)
		apply(object, &row, &row.reg[i], &regs);
	if (ptl_rows_pack(&row) && row.is_signal)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ptl_unwind_object object = {NULL};
	struct input input;

	if (size < sizeof(input) || size > ROOM)
		return 0;
	memcpy(&input, data, sizeof(input));
	size -= sizeof(input);
	object.begin = room();
	if (!(input.is_front & 1))
		object.begin += ROOM - size;
	object.end = object.begin + size;
	memcpy((unsigned char *)object.begin, data + sizeof(input), size);
	look_up(&object, &input);
	return 0;
}

#else

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	(void)data;
	(void)size;
	return 0;
}

#endif
