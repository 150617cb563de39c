/* SPDX-License-Identifier: MIT */
/*
 * Functions that are disturbed by what does not keep flags, the red zone, data
 * among code, or places that a jump finds by computing; prints what comes of
 * each.
 */
#include <stdio.h>

#define KEPT __attribute__((noinline, noclone))

/* A loop to its first instruction, with an array in the red zone. */
KEPT unsigned int loops(unsigned int n)
{
	volatile unsigned int kept[8];
	unsigned int sum = 0;

	do
		kept[n & 7] = n;
	while (--n);
	for (int i = 0; i < 8; i++)
		sum = sum * 10 + kept[i];
	return sum;
}

/* Labels by their distances from one of them. */
KEPT int distances(const unsigned char *code, int value)
{
	/* cppcheck-suppress syntaxError */
	static const int table[] = {&&add - &&add, &&twice - &&add,
				    &&flip - &&add, &&done - &&add};

	goto *(&&add + table[*code++]);
add:
	value += 5;
	goto *(&&add + table[*code++]);
twice:
	value *= 2;
	goto *(&&add + table[*code++]);
flip:
	value ^= 9;
	goto *(&&add + table[*code++]);
done:
	return value;
}

/* Threaded code: each step is an indirect jump out of nothing. */
KEPT int threaded(void **at, void ***table)
{
	static void *labels[] = {&&more, &&less, &&over};
	int value = 0;

	if (table) {
		*table = labels;
		return 0;
	}
	goto **at++;
more:
	value += 7;
	goto **at++;
less:
	value -= 3;
	goto **at++;
over:
	return value;
}

KEPT int switches(int n)
{
	switch (n) {
	case 0:
		return 7;
	case 1:
		return n * 31;
	case 2:
		return -n;
	case 3:
		return n ^ 77;
	case 4:
		return 1000;
	case 5:
		return n << 5;
	default:
		return 12;
	}
}

/* Results in flags; a sum whose carry goes round; a table in code, and words of
 * zero beside a function without room. */
__asm__(".text\n"
	".p2align 4\n"
	".globl is_odd, adds_up, by_table, beside_zeros, sums_zeros\n"
	".type is_odd, @function\n.type adds_up, @function\n"
	".type by_table, @function\n.type beside_zeros, @function\n"
	".type sums_zeros, @function\n"
	"is_odd: .cfi_startproc\n"
	"	lea (%rdi), %rax\n	bt $0, %rax\n	ret\n"
	"	.cfi_endproc\n	.size is_odd, . - is_odd\n"
	"	.p2align 4\n"
	"adds_up: .cfi_startproc\n"
	"	adc (%rdi), %rax\n	lea 8(%rdi), %rdi\n"
	"	dec %ecx\n	jnz adds_up\n	ret\n"
	"	.cfi_endproc\n	.size adds_up, . - adds_up\n"
	"	.p2align 4\n"
	"by_table: .cfi_startproc\n"
	"	lea 3f(%rip), %rdx\n	movslq (%rdx,%rdi,4), %rcx\n"
	"	add %rdx, %rcx\n	jmp *%rcx\n"
	"3:	.long 1f - 3b, 2f - 3b\n"
	"1:	lea (%rsi,%rsi,4), %rax\n"
	"2:	ret\n"
	"	.cfi_endproc\n	.size by_table, . - by_table\n"
	"	.p2align 4\n"
	"beside_zeros: .cfi_startproc\n"
	"	test %edi, %edi\n	je 1f\n	mov $5, %eax\n	ret\n"
	"1:	ret\n"
	"	.cfi_endproc\n	.size beside_zeros, . - beside_zeros\n"
	"zeros:	.quad 0, 0, 0, 0\n"
	"sums_zeros: .cfi_startproc\n"
	"	mov zeros(%rip), %rax\n	add zeros+8(%rip), %rax\n"
	"	add zeros+16(%rip), %rax\n	add zeros+24(%rip), %rax\n"
	"	ret\n"
	"	.cfi_endproc\n	.size sums_zeros, . - sums_zeros\n");
long beside_zeros(int n);
long sums_zeros(void);

/* Behind what the calling function may have in its own red zone. */
#define CALL(name) \
	"lea -128(%%rsp), %%rsp\n\tcall " name "\n\tlea 128(%%rsp), %%rsp"

static int odd(long n)
{
	unsigned char carry;

	__asm__ volatile(CALL("is_odd") "\n\tsetc %0"
			 : "=r"(carry)
			 : "D"(n)
			 : "rax", "cc", "memory");
	return carry;
}

static unsigned long sum(const unsigned long *word, int nr)
{
	unsigned long total = 0;

	__asm__ volatile("clc\n\t" CALL("adds_up")
			 : "+a"(total), "+D"(word), "+c"(nr)
			 :
			 : "cc", "memory");
	return total;
}

static long table(long which, long value)
{
	long result = -1;

	__asm__ volatile(CALL("by_table")
			 : "+a"(result), "+D"(which), "+S"(value)
			 :
			 : "rcx", "rdx", "cc", "memory");
	return result;
}

int main(void)
{
	const unsigned long word[] = {~0ul, 1, ~0ul, 3};
	void **labels;

	printf("%u\n", loops(30));
	printf("%d\n", distances((const unsigned char *)"\1\2\0\1\3", 4));
	threaded(NULL, &labels);
	printf("%d\n",
	       threaded((void *[]){labels[0], labels[1], labels[0], labels[2]},
			NULL));
	for (int i = 0; i < 8; i++)
		printf("%d ", switches(i));
	printf("\n%d %d\n%lx\n", odd(3), odd(4), sum(word, 4));
	printf("%ld %ld\n", table(0, 6), table(1, 6));
	printf("%ld %ld\n", beside_zeros(2), sums_zeros());
	return 4;
}
