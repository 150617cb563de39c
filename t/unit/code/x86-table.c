/* SPDX-License-Identifier: MIT */
/* Instructions of all kinds are decoded: how long each is, how it goes on,
 * which of its bytes are relative; and what is no instruction is told. */
#include "core/code/x86.h"
#include "t/lib/tap.h"

#include <stdio.h>

struct row {
	const char *code; /* bytes, in hexadecimal */
	int size;	  /* 0: it is none */
	int kind;
	int relative, relative_size;
	const char *what;
};

#define PLAIN(code, size, what) \
	{ \
		code, size, PTL_X86_PLAIN, 0, 0, what \
	}
#define RIP(code, size, place, what) \
	{ \
		code, size, PTL_X86_PLAIN, place, 4, what \
	}
#define NO(code, what) \
	{ \
		code, 0, 0, 0, 0, what \
	}

static const struct row rows[] = {
	/* How it goes on. */
	{"e8 01020304", 5, PTL_X86_CALL, 1, 4, "call"},
	{"66 48 e8 01020304", 7, PTL_X86_CALL, 3, 4, "call, of the TLS model"},
	{"67 e8 01020304", 6, PTL_X86_CALL, 2, 4, "addr32 call, of a linker"},
	{"f2 e8 01020304", 6, PTL_X86_CALL, 2, 4, "bnd call"},
	{"ff d0", 2, PTL_X86_CALL_INDIRECT, 0, 0, "call *%rax"},
	{"41 ff d3", 3, PTL_X86_CALL_INDIRECT, 0, 0, "call *%r11"},
	{"ff 15 01020304", 6, PTL_X86_CALL_INDIRECT, 2, 4, "call *x(%rip)"},
	{"ff 1c 24", 3, PTL_X86_CALL_INDIRECT, 0, 0, "lcall *(%rsp)"},
	{"e9 01020304", 5, PTL_X86_JUMP, 1, 4, "jmp"},
	{"eb 01", 2, PTL_X86_JUMP, 1, 1, "jmp, short"},
	{"ff e0", 2, PTL_X86_JUMP_INDIRECT, 0, 0, "jmp *%rax"},
	{"3e ff e0", 3, PTL_X86_JUMP_INDIRECT, 0, 0, "notrack jmp *%rax"},
	{"ff 25 01020304", 6, PTL_X86_JUMP_INDIRECT, 2, 4, "jmp *x(%rip)"},
	{"f2 ff 25 01020304", 7, PTL_X86_JUMP_INDIRECT, 3, 4, "bnd jmp"},
	{"ff 24 c5 01020304", 7, PTL_X86_JUMP_INDIRECT, 0, 0,
	 "jmp *x(,%rax,8)"},
	{"ff 2c 24", 3, PTL_X86_JUMP_INDIRECT, 0, 0, "ljmp *(%rsp)"},
	{"74 01", 2, PTL_X86_BRANCH, 1, 1, "je, short"},
	{"2e 75 01", 3, PTL_X86_BRANCH, 2, 1, "jne,pn"},
	{"0f 84 01020304", 6, PTL_X86_BRANCH, 2, 4, "je"},
	{"e2 01", 2, PTL_X86_BRANCH, 1, 1, "loop"},
	{"e3 01", 2, PTL_X86_BRANCH, 1, 1, "jrcxz"},
	{"67 e3 01", 3, PTL_X86_BRANCH, 2, 1, "jecxz"},
	{"c7 f8 01020304", 6, PTL_X86_BRANCH, 2, 4, "xbegin"},
	{"c6 f8 01", 3, PTL_X86_SYSTEM, 0, 0, "xabort"},
	{"c3", 1, PTL_X86_RETURN, 0, 0, "ret"},
	{"f3 c3", 2, PTL_X86_RETURN, 0, 0, "repz ret"},
	{"f2 c3", 2, PTL_X86_RETURN, 0, 0, "bnd ret"},
	{"c2 0800", 3, PTL_X86_RETURN, 0, 0, "ret $8"},
	{"cb", 1, PTL_X86_RETURN, 0, 0, "lret"},
	{"48 cf", 2, PTL_X86_RETURN, 0, 0, "iretq"},
	{"cc", 1, PTL_X86_TRAP, 0, 0, "int3"},
	{"f1", 1, PTL_X86_TRAP, 0, 0, "int1"},
	{"f4", 1, PTL_X86_TRAP, 0, 0, "hlt"},
	{"0f 0b", 2, PTL_X86_TRAP, 0, 0, "ud2"},
	{"67 0f b9 40 02", 5, PTL_X86_TRAP, 0, 0, "ud1, of clang"},
	{"0f ff c0", 3, PTL_X86_TRAP, 0, 0, "ud0"},
	{"0f 05", 2, PTL_X86_SYSTEM, 0, 0, "syscall"},
	{"0f 34", 2, PTL_X86_SYSTEM, 0, 0, "sysenter"},
	{"cd 80", 2, PTL_X86_SYSTEM, 0, 0, "int $0x80"},

	/* Constants. */
	PLAIN("b8 01020304", 5, "mov $, %eax"),
	PLAIN("66 b8 0102", 4, "mov $, %ax"),
	PLAIN("48 b8 0102030405060708", 10, "movabs $, %rax"),
	PLAIN("66 48 b8 0102030405060708", 11, "66 before REX.W"),
	PLAIN("a1 0102030405060708", 9, "movabs x, %eax"),
	PLAIN("67 a1 01020304", 6, "addr32 movabs x, %eax"),
	PLAIN("c8 010203", 4, "enter"),
	PLAIN("c6 00 01", 3, "movb $, (%rax)"),
	PLAIN("c7 00 01020304", 6, "movl $, (%rax)"),
	PLAIN("66 c7 00 0102", 5, "movw $, (%rax)"),
	PLAIN("66 48 c7 00 01020304", 8, "movq $, (%rax), with a 66"),
	PLAIN("f6 c0 01", 3, "test $, %al"),
	PLAIN("f6 d0", 2, "not %al"),
	PLAIN("f7 c0 01020304", 6, "test $, %eax"),
	PLAIN("f7 c8 01020304", 6, "test $, %eax, the other one"),
	PLAIN("66 f7 c0 0102", 5, "test $, %ax"),
	PLAIN("f7 d8", 2, "neg %eax"),
	PLAIN("69 c0 01020304", 6, "imul $"),
	PLAIN("6b c0 01", 3, "imul $, short"),
	PLAIN("68 01020304", 5, "push $"),
	PLAIN("66 68 0102", 4, "pushw $"),
	PLAIN("6a 01", 2, "push $, short"),
	PLAIN("0f a4 c8 01", 4, "shld $"),
	PLAIN("0f ba e0 01", 4, "bt $"),
	PLAIN("66 0f c4 c0 01", 5, "pinsrw"),
	PLAIN("66 0f 78 c0 0102", 6, "extrq"),
	PLAIN("f2 0f 78 c0 0102", 6, "insertq"),
	PLAIN("0f 78 c0", 3, "vmread"),
	PLAIN("0f 0f c0 bf", 4, "3DNow"),
	PLAIN("66 0f 3a 0f c1 08", 6, "palignr"),
	PLAIN("d9 7c 24 0e", 4, "fnstcw"),

	/* Addresses. */
	PLAIN("8b 00", 2, "(%rax)"),
	PLAIN("8b 40 01", 3, "1(%rax)"),
	PLAIN("8b 80 01020304", 6, "x(%rax)"),
	PLAIN("8b 04 24", 3, "(%rsp)"),
	PLAIN("8b 44 24 08", 4, "8(%rsp)"),
	PLAIN("41 8b 04 24", 4, "(%r12)"),
	PLAIN("8b 84 24 01020304", 7, "x(%rsp)"),
	PLAIN("8b 04 25 01020304", 7, "x"),
	PLAIN("64 8b 04 25 28000000", 8, "%fs:40"),
	PLAIN("41 8b 45 00", 4, "0(%r13)"),
	PLAIN("8b 04 2d 01020304", 7, "x(,%rbp)"),
	RIP("8b 05 01020304", 6, 2, "x(%rip)"),
	RIP("48 8d 3d 01020304", 7, 3, "lea x(%rip)"),
	RIP("66 48 8d 3d 01020304", 8, 4, "lea x(%rip), of the TLS model"),
	RIP("c7 05 01020304 05060708", 10, 2, "movl $, x(%rip)"),
	RIP("80 3d 01020304 00", 7, 2, "cmpb $, x(%rip)"),
	RIP("67 8b 05 01020304", 7, 3, "x(%eip)"),
	RIP("41 8b 05 01020304", 7, 3, "x(%rip), with REX.B"),
	PLAIN("0f 20 c0", 3, "mov %cr0, %rax"),
	PLAIN("0f 20 00", 3, "mov %cr0, %rax, with another mod"),

	/* Nothing is done. */
	PLAIN("90", 1, "nop"),
	PLAIN("66 90", 2, "xchg %ax, %ax"),
	PLAIN("f3 90", 2, "pause"),
	PLAIN("0f 1f 84 00 00000000", 8, "nopl"),
	PLAIN("66 2e 0f 1f 84 00 00000000", 10, "cs nopw"),
	PLAIN("6666 6666 2e 0f 1f 84 00 00000000", 13, "data16 cs nopw"),
	PLAIN("f3 0f 1e fa", 4, "endbr64"),
	PLAIN("9b", 1, "fwait"),

	/* VEX, EVEX, XOP. */
	PLAIN("c5 f8 77", 3, "vzeroupper"),
	PLAIN("c5 f9 6f 00", 4, "vmovdqa"),
	PLAIN("c5 f9 70 c0 01", 5, "vpshufd"),
	PLAIN("c5 f8 c6 c0 01", 5, "vshufps"),
	PLAIN("c4 e2 79 18 00", 5, "vbroadcastss"),
	PLAIN("c4 e3 79 0f c1 08", 6, "vpalignr"),
	PLAIN("c4 e3 fb f0 c0 07", 6, "rorx"),
	PLAIN("c5 f8 93 c0", 4, "kmovw"),
	PLAIN("c5 f8 ae 14 24", 5, "vldmxcsr"),
	RIP("c5 fa 10 05 01020304", 8, 4, "vmovss x(%rip)"),
	RIP("c4 e2 79 18 05 01020304", 9, 5, "vbroadcastss x(%rip)"),
	RIP("c4 e3 79 0f 05 01020304 08", 10, 5, "vpalignr x(%rip)"),
	PLAIN("62 f1 7d 48 6f 00", 6, "vmovdqa32"),
	PLAIN("62 f1 7d 48 6f 40 01", 7, "vmovdqa32, a scaled displacement"),
	PLAIN("62 f1 75 48 72 f0 01", 7, "vprold"),
	PLAIN("62 f3 75 48 25 c0 ff", 7, "vpternlogd"),
	PLAIN("62 f5 7c 48 58 c0", 6, "vaddph"),
	PLAIN("62 f6 75 48 98 c0", 6, "vfmadd132ph"),
	RIP("62 f1 7c 48 28 05 01020304", 10, 6, "vmovaps x(%rip)"),
	RIP("62 f3 75 48 25 05 01020304 ff", 11, 6, "vpternlogd x(%rip)"),
	PLAIN("8f e9 78 01 c8", 5, "blcfill"),
	PLAIN("8f e8 78 c0 c0 01", 6, "vprotb"),
	PLAIN("8f ea 78 10 c0 01020304", 9, "bextr"),
	PLAIN("8f c0", 2, "pop"),

	/* None, or none that is known. */
	NO("06", "push %es"),
	NO("0e", "push %cs"),
	NO("27", "daa"),
	NO("60", "pusha"),
	NO("82 00 01", "the other 80"),
	NO("9a 010203040506", "lcall"),
	NO("ce", "into"),
	NO("d5 10 01 c0", "aad; REX2, of APX"),
	NO("d6", "salc"),
	NO("ea 010203040506", "ljmp"),
	NO("0f 04", "0f 04"),
	NO("0f 0a", "0f 0a"),
	NO("0f 24 c0", "mov %tr4"),
	NO("0f b8 c0", "jmpe"),
	NO("0f 39 c0", "0f 39"),
	NO("0f 38 50 c0", "0f 38 50"),
	NO("0f 3a 30 c0 00", "0f 3a 30"),
	NO("0f 71 10 01", "a shift of memory"),
	NO("8d c0", "lea of a register"),
	NO("8f c8", "pop with another register"),
	NO("fe d0", "fe /2"),
	NO("ff d8", "lcall of a register"),
	NO("ff e8", "ljmp of a register"),
	NO("ff f8", "ff /7"),
	NO("c6 c8 01", "c6 /1"),
	NO("66 e8 0102 0304", "call with 66"),
	NO("66 e9 0102 0304", "jmp with 66"),
	NO("66 0f 84 0102 0304", "je with 66"),
	NO("40 40 90", "two REX"),
	NO("48 66 90", "REX before another prefix"),
	NO("66 c5 f9 6f 00", "66 before VEX"),
	NO("48 c5 f9 6f 00", "REX before VEX"),
	NO("f0 62 f1 7d 48 6f 00", "lock before EVEX"),
	NO("c4 e0 79 18 00", "VEX, map 0"),
	NO("c4 e4 79 18 00", "VEX, map 4"),
	NO("c5 f8 04 c0", "VEX, an opcode that it has not"),
	NO("62 f0 7d 48 6f 00", "EVEX, map 0"),
	NO("62 f4 7d 48 6f 00", "EVEX, map 4, of APX"),
	NO("62 f1 79 48 6f 00", "EVEX, a bit that has to be set"),
	NO("8f eb 78 01 c8", "XOP, map 11"),
	NO("6666 6666 6666 6666 6666 6666 6666 66 90", "16 bytes"),
	{"6666 6666 6666 6666 6666 6666 6666 90", 15, PTL_X86_PLAIN, 0, 0,
	 "15 bytes"},
};

static size_t bytes_of(const char *text, unsigned char *bytes)
{
	size_t size = 0;
	unsigned int byte;

	while (*text != '\0') {
		if (*text == ' ') {
			text++;
			continue;
		}
		sscanf(text, "%2x", &byte);
		bytes[size++] = (unsigned char)byte;
		text += 2;
	}
	return size;
}

/* With every byte that may follow cut off there is none. */
static bool is_cut(const unsigned char *bytes, size_t size)
{
	struct ptl_x86 insn;

	for (size_t i = 0; i < size; i++)
		if (ptl_x86_decode(bytes, i, &insn))
			return false;
	return true;
}

static bool is_right(const struct row *row)
{
	unsigned char bytes[64] = {0};
	size_t size = bytes_of(row->code, bytes);
	struct ptl_x86 insn;
	bool is;

	if (row->size == 0)
		return !ptl_x86_decode(bytes, size, &insn);
	if ((int)size != row->size)
		return false;
	/* What is behind it makes no difference. */
	is = ptl_x86_decode(bytes, sizeof(bytes), &insn) &&
	     insn.size == row->size && is_cut(bytes, size) &&
	     ptl_x86_decode(bytes, size, &insn);
	return is && insn.size == row->size && insn.kind == row->kind &&
	       insn.relative == row->relative &&
	       insn.relative_size == row->relative_size;
}

static void test_words(void)
{
	static const unsigned char call[] = {0xe8, 0xfb, 0xff, 0xff, 0xff};
	static const unsigned char jump[8] = {0xeb, 0x7f};
	static const unsigned char endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};
	static const unsigned char store[] = {0x66, 0xc7, 0x44, 0x24,
					      0x08, 0x01, 0x02};
	static const unsigned char exchange[] = {0x41, 0x90};
	struct ptl_x86 insn;

	ptl_x86_decode(call, sizeof(call), &insn);
	ok(ptl_x86_target(&insn, call, 0x1000) == 0x1000, "back, by a word");
	ptl_x86_decode(jump, sizeof(jump), &insn);
	ok(ptl_x86_target(&insn, jump, 0x1000) == 0x1081, "on, by a byte");
	ptl_x86_decode(endbr, sizeof(endbr), &insn);
	ok(ptl_x86_is_endbr(&insn) && !ptl_x86_is_nop(&insn), "endbr64");
	ptl_x86_decode(store, sizeof(store), &insn);
	ok(insn.displacement == 4 && insn.displacement_size == 1 &&
		   insn.constant == 5 && insn.constant_size == 2,
	   "a displacement and a constant");
	ptl_x86_decode(exchange, sizeof(exchange), &insn);
	ok(!ptl_x86_is_nop(&insn), "xchg %%eax, %%r8d is no nop");
}

int main(void)
{
	plan((int)PTL_ARRAY_SIZE(rows) + 5);
	for (size_t i = 0; i < PTL_ARRAY_SIZE(rows); i++)
		ok(is_right(&rows[i]), "%s: %s", rows[i].code, rows[i].what);
	test_words();
	return done();
}
