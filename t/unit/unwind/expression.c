/* SPDX-License-Identifier: MIT */
/*
 * Expressions in unwinding tables: each operation computes what DWARF says, and
 * what cannot be computed has no value.
 */
#include "core/unwind/expression.h"
#include "t/lib/tap.h"

#include <string.h>

#define WORD UINT64_C(0x1122334455667788)
#define AT(reg) (UINT64_C(0x1000) * (reg))

static const struct ptl_dwarf_regs regs = {
	.known = 1u << 6 | 1u << 7 | 1u << 16,
	.value = { [6] = AT(6), [7] = AT(7), [16] = AT(16) + 11 },
};

/* At one address there is memory. */
static bool load(void *arg, uint64_t addr, uint64_t *value)
{
	(void)arg;
	*value = WORD;
	return addr == AT(7) + 8;
}

static bool evaluate(const char *ops, size_t size, uint64_t initial,
		     uint64_t *value)
{
	unsigned char block[128];
	struct ptl_dwarf_operands operands;

	block[0] = (unsigned char)size;
	memcpy(block + 1, ops, size);
	return ptl_dwarf_evaluate(&operands, block, &regs, initial, load, NULL,
				  value);
}

struct expression {
	const char *what;
	const char *ops;
	size_t size;
	uint64_t value;
};
#define OPS(ops) ops, sizeof(ops) - 1

/* All begin with 100 on the stack. */
static const struct expression good[] = {
	{ "nothing: what was there", OPS(""), 100 },
	{ "lit", OPS("\x4f"), 31 },
	{ "const1u", OPS("\x08\xff"), 255 },
	{ "const1s", OPS("\x09\xff"), UINT64_MAX },
	{ "const2u", OPS("\x0a\xfe\xff"), 0xfffe },
	{ "const2s", OPS("\x0b\xfe\xff"), (uint64_t)-2 },
	{ "const4u", OPS("\x0c\xfe\xff\xff\xff"), 0xfffffffe },
	{ "const4s", OPS("\x0d\xfe\xff\xff\xff"), (uint64_t)-2 },
	{ "const8u", OPS("\x0e\x88\x77\x66\x55\x44\x33\x22\x11"), WORD },
	{ "const8s", OPS("\x0f\x88\x77\x66\x55\x44\x33\x22\x11"), WORD },
	{ "constu", OPS("\x10\x80\x01"), 128 },
	{ "consts", OPS("\x11\x80\x7f"), (uint64_t)-128 },
	{ "breg", OPS("\x76\x78"), AT(6) - 8 },
	{ "deref", OPS("\x77\x08\x06"), WORD },
	{ "plus_uconst", OPS("\x23\x80\x01"), 228 },
	{ "and", OPS("\x4f\x1a"), 100 & 31 },
	{ "minus: the one below less the one above", OPS("\x33\x1c"), 97 },
	{ "mul", OPS("\x33\x1e"), 300 },
	{ "or", OPS("\x33\x21"), 100 | 3 },
	{ "plus", OPS("\x33\x22"), 103 },
	{ "shl", OPS("\x33\x24"), 800 },
	{ "shl by 64: nothing is left", OPS("\x08\x40\x24"), 0 },
	{ "shr", OPS("\x33\x25"), 12 },
	{ "shr by 64", OPS("\x08\x40\x25"), 0 },
	{ "ge", OPS("\x08\x64\x2a"), 1 },
	{ "ge, and is not", OPS("\x08\x65\x2a"), 0 },
	{ "ge, with signs", OPS("\x09\xff\x2a"), 1 },
	/* As ld makes it: from its 11th byte on an entry has pushed a word. */
	{ "an entry of a procedure linkage table",
	  OPS("\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22"),
	  AT(7) + 8 + 8 },
};

#define FOUR "\x30\x30\x30\x30"
#define SIXTEEN FOUR FOUR FOUR FOUR

static const struct expression bad[] = {
	{ "an operation that is none", OPS("\xff"), 0 },
	{ "a register that is not known", OPS("\x70\x00"), 0 },
	{ "memory that cannot be read", OPS("\x77\x10\x06"), 0 },
	{ "two operands where one is", OPS("\x22"), 0 },
	{ "an operand where none is", OPS("\x22\x22"), 0 },
	{ "more than the stack holds", OPS(SIXTEEN), 0 },
	{ "more bytes than any compiler makes",
	  OPS("\x30" SIXTEEN SIXTEEN SIXTEEN SIXTEEN), 0 },
};

int main(void)
{
	uint64_t value;

	plan(PTL_ARRAY_SIZE(good) + PTL_ARRAY_SIZE(bad));
	for (size_t i = 0; i < PTL_ARRAY_SIZE(good); i++) {
		const struct expression *e = &good[i];

		value = ~e->value;
		evaluate(e->ops, e->size, 100, &value);
		is_int((long long)value, (long long)e->value, "%s", e->what);
	}
	for (size_t i = 0; i < PTL_ARRAY_SIZE(bad); i++)
		ok(!evaluate(bad[i].ops, bad[i].size, 100, &value),
		   "no value: %s", bad[i].what);
	return done();
}
