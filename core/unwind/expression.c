/* SPDX-License-Identifier: MIT */
/*
 * The operations of DWARF expressions that unwinding tables use: for frames of
 * signal handlers, realigned stacks, and the procedure linkage table.
 */
#include "core/unwind/expression.h"

#include "core/unwind/dwarf.h"

static void push(struct ptl_dwarf_operands *ops, uint64_t value)
{
	if (ops->nr == PTL_ARRAY_SIZE(ops->value))
		ops->failed = true;
	else
		ops->value[ops->nr++] = value;
}

static uint64_t pop(struct ptl_dwarf_operands *ops)
{
	if (ops->nr == 0) {
		ops->failed = true;
		return 0;
	}
	return ops->value[--ops->nr];
}

/* Operations on the two topmost operands; `a' is the lower one. */
static bool compute(struct ptl_dwarf_operands *ops, unsigned int op)
{
	uint64_t b = pop(ops), a = pop(ops);

	switch (op) {
	case 0x1a:
		push(ops, a & b);
		return true;
	case 0x1c:
		push(ops, a - b);
		return true;
	case 0x1e:
		push(ops, a * b);
		return true;
	case 0x21:
		push(ops, a | b);
		return true;
	case 0x22:
		push(ops, a + b);
		return true;
	case 0x24:
		push(ops, b < 64 ? a << b : 0);
		return true;
	case 0x25:
		push(ops, b < 64 ? a >> b : 0);
		return true;
	case 0x2a: /* ge */
		push(ops, (int64_t)a >= (int64_t)b);
		return true;
	default:
		return false;
	}
}

static bool push_constant(struct ptl_dwarf_operands *ops, unsigned int op,
			  struct ptl_dwarf *b)
{
	switch (op) {
	case 0x08: /* const1u, 1s, 2u, 2s, 4u, 4s, 8u, 8s */
	case 0x0a:
	case 0x0c:
	case 0x0e:
		push(ops, ptl_dwarf_take(b, (size_t)1 << ((op - 8) / 2)));
		return true;
	case 0x09:
	case 0x0b:
	case 0x0d:
	case 0x0f:
		push(ops, (uint64_t)ptl_dwarf_signed(
				  b, (size_t)1 << ((op - 9) / 2)));
		return true;
	case 0x10: /* constu, consts */
		push(ops, ptl_dwarf_uleb(b));
		return true;
	case 0x11:
		push(ops, (uint64_t)ptl_dwarf_sleb(b));
		return true;
	default:
		return false;
	}
}

bool ptl_dwarf_evaluate(struct ptl_dwarf_operands *ops,
			const unsigned char *block,
			const struct ptl_dwarf_regs *regs, uint64_t initial,
			ptl_dwarf_load *load, void *arg, uint64_t *result)
{
	struct ptl_dwarf b = {block, block + 10};
	uint64_t size = ptl_dwarf_uleb(&b), value;

	ops->nr = 0;
	ops->failed = false;
	push(ops, initial);
	/* Compilers generate nothing that long. */
	if (size > 64)
		return false;
	b.end = b.at + size;
	while (!ptl_dwarf_done(&b) && !ops->failed) {
		unsigned int op = (unsigned int)ptl_dwarf_take(&b, 1);

		if (op >= 0x30 && op <= 0x4f) { /* lit0 ... */
			push(ops, op - 0x30);
		} else if (op >= 0x70 && op <= 0x8f) { /* breg0 ... */
			if (!ptl_dwarf_knows(regs, op - 0x70))
				return false;
			push(ops, regs->value[op - 0x70] +
					  (uint64_t)ptl_dwarf_sleb(&b));
		} else if (op == 0x06) { /* deref */
			if (!load(arg, pop(ops), &value))
				return false;
			push(ops, value);
		} else if (op == 0x23) { /* plus_uconst */
			push(ops, pop(ops) + ptl_dwarf_uleb(&b));
		} else if (!push_constant(ops, op, &b) && !compute(ops, op)) {
			return false;
		}
	}
	*result = pop(ops);
	return !ops->failed;
}
