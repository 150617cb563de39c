/* SPDX-License-Identifier: MIT */
/*
 * Calls mcount() and __fentry__() with something in every register that a
 * function may have an argument in, many times: each has it afterwards.
 */
#include <stdio.h>
#include <string.h>

#define TIMES 20000

#if defined(__x86_64__)

/* In the order in which the assembly below has them. */
struct registers {
	unsigned char vector[32][64];
	unsigned long mask[8];
	unsigned long general[8]; /* rax rcx rdx rsi rdi r8 r9 r10 */
	unsigned int mxcsr;
	unsigned char x87[10];
};

void call_mcount(const struct registers *in, struct registers *out, int width);
void call_fentry(const struct registers *in, struct registers *out, int width);

/* Width: 16, 32 or 64 bytes of vector registers. */
__asm__(".macro EACH16 insn, reg, from, to, size, what, base\n"
	".set i, \\from\n"
	".rept \\to - \\from\n"
	"ONE \\insn, \\reg, %i, \\size, \\what, \\base\n"
	".set i, i + 1\n"
	".endr\n"
	".endm\n"
	".altmacro\n"
	".macro ONE insn, reg, nr, size, what, base\n"
	".ifc \\what, load\n"
	"\\insn \\size * \\nr(%\\base), %\\reg&\\nr\n"
	".else\n"
	"\\insn %\\reg&\\nr, \\size * \\nr(%\\base)\n"
	".endif\n"
	".endm\n"
	".macro VECTORS what, base\n"
	"cmpl $32, %ebx\n"
	"ja 2f\n"
	"je 1f\n"
	"EACH16 movups, xmm, 0, 16, 64, \\what, \\base\n"
	"jmp 3f\n"
	"1: EACH16 vmovups, ymm, 0, 16, 64, \\what, \\base\n"
	"jmp 3f\n"
	"2: EACH16 vmovups, zmm, 0, 32, 64, \\what, \\base\n"
	"addq $2048, %\\base\n"
	"EACH16 kmovw, k, 0, 8, 8, \\what, \\base\n"
	"subq $2048, %\\base\n"
	"3:\n"
	".endm\n"
	".macro CALLER name, hook\n"
	".globl \\name\n"
	".type \\name, @function\n"
	"\\name:\n"
	"pushq %rbp\n"
	"movq %rsp, %rbp\n"
	"pushq %rbx\n"
	"pushq %r12\n"
	"pushq %r13\n"
	"pushq %r14\n"
	"movq %rdi, %r12\n"
	"movq %rsi, %r13\n"
	"movl %edx, %ebx\n"
	"VECTORS load, r12\n"
	"ldmxcsr 2176(%r12)\n"
	"fldpi\n"
	"movq 2112(%r12), %rax\n"
	"movq 2120(%r12), %rcx\n"
	"movq 2128(%r12), %rdx\n"
	"movq 2136(%r12), %rsi\n"
	"movq 2144(%r12), %rdi\n"
	"movq 2152(%r12), %r8\n"
	"movq 2160(%r12), %r9\n"
	"movq 2168(%r12), %r10\n"
	"call \\hook@PLT\n"
	"movq %rax, 2112(%r13)\n"
	"movq %rcx, 2120(%r13)\n"
	"movq %rdx, 2128(%r13)\n"
	"movq %rsi, 2136(%r13)\n"
	"movq %rdi, 2144(%r13)\n"
	"movq %r8, 2152(%r13)\n"
	"movq %r9, 2160(%r13)\n"
	"movq %r10, 2168(%r13)\n"
	"fstpt 2180(%r13)\n"
	"stmxcsr 2176(%r13)\n"
	"VECTORS store, r13\n"
	"popq %r14\n"
	"popq %r13\n"
	"popq %r12\n"
	"popq %rbx\n"
	"popq %rbp\n"
	"ret\n"
	".size \\name, . - \\name\n"
	".endm\n"
	"CALLER call_mcount, mcount\n"
	"CALLER call_fentry, __fentry__\n"
	".noaltmacro\n");

static int width(void)
{
	if (__builtin_cpu_supports("avx512f"))
		return 64;
	return __builtin_cpu_supports("avx2") ? 32 : 16;
}

static void fill(struct registers *in, unsigned int seed)
{
	unsigned char *p = (unsigned char *)in;

	for (size_t i = 0; i < sizeof(*in); i++)
		p[i] = (unsigned char)((seed = seed * 1103515245u + 12345u) >>
				       16);
	in->mxcsr = 0x1f80 | (seed >> 30) << 13; /* a rounding mode */
}

/* How many bytes are not what they were. */
static int differ(const struct registers *in, const struct registers *out,
		  int bytes)
{
	static const unsigned char pi[10] = {0x35, 0xc2, 0x68, 0x21, 0xa2,
					     0xda, 0x0f, 0xc9, 0x00, 0x40};
	int nr = memcmp(in->general, out->general, sizeof(in->general)) != 0;

	for (int i = 0; i < (bytes == 64 ? 32 : 16); i++)
		nr += memcmp(in->vector[i], out->vector[i], (size_t)bytes) != 0;
	for (int i = 0; i < 8 && bytes == 64; i++)
		nr += (in->mask[i] & 0xffff) != (out->mask[i] & 0xffff);
	return nr + (in->mxcsr != out->mxcsr) + (memcmp(out->x87, pi, 10) != 0);
}

int main(void)
{
	int bytes = width(), mcount = 0, fentry = 0;
	static struct registers in, out;

	/* The dynamic linker's resolver is not so careful. */
	call_mcount(&in, &out, 16);
	call_fentry(&in, &out, 16);
	for (unsigned int i = 0; i < TIMES; i++) {
		fill(&in, i);
		call_mcount(&in, &out, bytes);
		mcount += differ(&in, &out, bytes);
		call_fentry(&in, &out, bytes);
		fentry += differ(&in, &out, bytes);
	}
	printf("%d bytes: %d and %d differ\n", bytes, mcount, fentry);
	return mcount + fentry > 0;
}

#else

int main(void)
{
	puts("skip");
	return 0;
}

#endif
