/* SPDX-License-Identifier: MIT */
/* Functions of aarch64 whose first instruction, which is moved, is relative,
 * and which are left in all ways: prints what each returns, for
 * t/meta/aarch64.t. */
#include <stdio.h>

#define FUNCTION(name, code) \
	__asm__("	.text\n	.p2align 2\n	.globl " #name "\n" \
		"	.type " #name ", %function\n" #name ":\n" \
		"	.cfi_startproc\n" code "	.cfi_endproc\n" \
		"	.size " #name ", . - " #name "\n"); \
	long name(long a, long b)

__asm__("	.section .rodata\n	.p2align 4\n"
	"own:	.xword 0x1122334455667788, 0x99\n");

FUNCTION(by_adr, "	adr x0, 1f\n	adr x1, 2f\n	sub x0, x1, x0\n"
		 "1:	ret\n2:	nop\n");
FUNCTION(by_adrp, "	adrp x0, own\n	ldr x0, [x0, #:lo12:own]\n"
		  "	ret\n");
FUNCTION(by_literal, "	ldr x0, 1f\n	ret\n	.p2align 3\n"
		     "1:	.xword 0x123456789\n");
FUNCTION(by_word, "	ldr w0, 1f\n	ret\n1:	.word 0xfffffff0\n");
FUNCTION(by_signed, "	ldrsw x0, 1f\n	ret\n1:	.word 0xfffffff0\n");
FUNCTION(by_vector, "	ldr d0, 1f\n	fmov x0, d0\n	ret\n"
		    "	.p2align 3\n1:	.xword 0x987654321\n");
FUNCTION(by_zero, "	cbz x0, 1f\n	add x0, x1, #1\n	ret\n"
		  "1:	mov x0, #77\n	ret\n");
FUNCTION(by_bit, "	tbnz x0, #0, 1f\n	add x0, x1, #2\n	ret\n"
		 "1:	mov x0, #78\n	ret\n");
FUNCTION(by_tail, "	b by_zero\n");
FUNCTION(by_condition, "	cmp x0, x1\n	b.lt by_bit\n	mov x0, x1\n"
		       "	cbnz x0, by_zero\n	ret\n");
FUNCTION(by_first, "	cbz x0, by_adrp\n	sub x0, x0, #1\n	ret\n");
FUNCTION(by_pointer, "	adr x16, by_word\n	br x16\n");
/* A call comes first, and returns here, by what the caller has left in x9. */
FUNCTION(by_call, "	bl by_word\n	ret x9\n");
/* The flags are looked at behind it, as are registers that no call keeps. */
FUNCTION(keeps, "	mov x9, x30\n	.cfi_register 30, 9\n"
		"	mov x10, #1\n	mov x17, #2\n	mov x2, #4\n"
		"	cmp x0, x1\n	bl nothing\n	cset x0, lt\n"
		"	add x0, x0, x10\n	add x0, x0, x17\n"
		"	add x0, x0, x2\n	ret x9\n");
FUNCTION(nothing, "	ret\n");

static long call_first(void)
{
	register long value __asm__("x0");

	__asm__ volatile("adr x9, 1f\n\tbl by_call\n1:"
			 : "=r"(value)
			 :
			 : "x9", "x16", "x17", "x30", "cc", "memory");
	return value;
}

int main(void)
{
	static const struct {
		const char *name;
		long (*function)(long a, long b);
	} functions[] = {
		{"adr", by_adr},	 {"adrp", by_adrp},
		{"literal", by_literal}, {"word", by_word},
		{"signed", by_signed},	 {"vector", by_vector},
		{"zero", by_zero},	 {"bit", by_bit},
		{"tail", by_tail},	 {"condition", by_condition},
		{"first", by_first},	 {"pointer", by_pointer},
		{"keeps", keeps},
	};

	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		for (long a = 0; a < 4; a++)
			printf("%s %lx\n", functions[i].name,
			       functions[i].function(a, 2));
	printf("call %lx\n", call_first());
	return 6;
}
