/* SPDX-License-Identifier: MIT */
/*
 * Each instruction of an unwinding table makes the rule that DWARF says, from
 * the address on that it is for; of a table that is not understood there is no
 * rule.
 */
#include "core/unwind/cfi.h"
#include "t/lib/tap.h"

#include <elf.h>
#include <string.h>

#if defined(__x86_64__)

#define RBX 3
#define TABLE 512
#define CIE 768
#define FDE 1024
#define ROOM 64
/* The function, and where the rules are asked for. */
#define SIZE 100
#define PC 50

static unsigned char bytes[4096] __attribute__((aligned(4096)));
static struct ptl_cfi_row row;

/* What entries have in common: code is counted in twos, data in -8s; the CFA
 * is rsp + 8, the return address right below. */
#define COMMON "\1zR\0\2\x78\x10\1\x1b\x0c\7\x08\x90\1"

static void put_word(uint32_t at, uint32_t word)
{
	memcpy(bytes + at, &word, sizeof(word));
}

/* An entry of that size; the rest of its room is nops. */
static void put_entry(uint32_t at, uint32_t second, const void *data,
		      size_t size)
{
	put_word(at, ROOM - 4);
	put_word(at + 4, second);
	memset(bytes + at + 8, 0, ROOM - 8);
	memcpy(bytes + at + 8, data, size);
}

static void make(const char *common, size_t common_size, const char *insns,
		 size_t size)
{
	const Elf64_Phdr ph = {
		.p_type = PT_LOAD,
		.p_flags = PF_R,
		.p_memsz = sizeof(bytes),
	};
	const Elf64_Ehdr head = {
		.e_ident = ELFMAG "\2",
		.e_phoff = sizeof(head),
		.e_phentsize = sizeof(ph),
		.e_phnum = 1,
	};
	unsigned char fde[ROOM] = {0};
	const int32_t begin = TABLE - (FDE + 8), range = SIZE;

	memcpy(bytes, &head, sizeof(head));
	memcpy(bytes + sizeof(head), &ph, sizeof(ph));
	put_word(TABLE, 0x3b031b01);
	put_word(TABLE + 8, 1);
	put_word(TABLE + 16, FDE - TABLE);
	put_entry(CIE, 0, common, common_size);
	/* Behind begin and range no augmentation, then the instructions. */
	memcpy(fde, &begin, sizeof(begin));
	memcpy(fde + 4, &range, sizeof(range));
	memcpy(fde + 9, insns, size);
	put_entry(FDE, FDE + 4 - CIE, fde, 9 + size);
}

static bool find(void)
{
	static struct ptl_cfi_run run;
	struct ptl_unwind_object object = {.begin = bytes,
					   .end = bytes + sizeof(bytes)};
	uint64_t table = (uintptr_t)bytes + TABLE;

	return ptl_cfi_find(&object, table, table + PC, &row, &run);
}

#define BYTES(b) b, sizeof(b) - 1

struct program {
	const char *what;
	const char *insns;
	size_t size;
	uint32_t cfa_reg;
	int32_t cfa;
	struct ptl_cfi_rule rbx, rip;
};

#define RSP PTL_CFI_RSP
#define RBP PTL_CFI_RBP
#define SAME \
	{ \
		0, PTL_CFI_SAME \
	}
#define SAVED \
	{ \
		-8, PTL_CFI_OFFSET \
	}
#define CFA_40(what, insns) \
	{ \
		what, BYTES(insns), RSP, 40, SAME, SAVED \
	}
#define CFA_8(what, insns) \
	{ \
		what, BYTES(insns), RSP, 8, SAME, SAVED \
	}
#define RULE(what, insns, how, value) \
	{ \
		what, BYTES(insns), RSP, 8, {value, how}, SAVED \
	}

static const struct program programs[] = {
	CFA_8("of all entries, where one says nothing", ""),
	CFA_40("def_cfa_offset", "\x0e\x28"),
	CFA_40("advance_loc", "\x59\x0e\x28"),
	CFA_8("advance_loc beyond", "\x5a\x0e\x28"),
	CFA_40("advance_loc1", "\x02\x19\x0e\x28"),
	CFA_8("advance_loc1 beyond", "\x02\x1a\x0e\x28"),
	CFA_40("advance_loc2", "\x03\x19\x00\x0e\x28"),
	CFA_8("advance_loc2 beyond", "\x03\x1a\x00\x0e\x28"),
	CFA_40("advance_loc4", "\x04\x19\x00\x00\x00\x0e\x28"),
	CFA_8("advance_loc4 beyond", "\x04\x19\x00\x01\x00\x0e\x28"),
	CFA_40("set_loc", "\1\x20\xfe\xff\xff\x0e\x28"),
	CFA_8("set_loc beyond", "\1\x21\xfe\xff\xff\x0e\x28"),
	CFA_8("as often as not, until it is beyond", "\x59\x41\x0e\x28"),
	{"def_cfa", BYTES("\x0c\6\x28"), RBP, 40, SAME, SAVED},
	{"def_cfa_register", BYTES("\x0d\6"), RBP, 8, SAME, SAVED},
	{"def_cfa_sf", BYTES("\x12\6\x7b"), RBP, 40, SAME, SAVED},
	CFA_40("def_cfa_offset_sf", "\x13\x7b"),
	CFA_40("GNU_args_size is no rule", "\x2e\x20\x0e\x28"),
	RULE("offset", "\x83\2", PTL_CFI_OFFSET, -16),
	RULE("offset_extended", "\5\3\2", PTL_CFI_OFFSET, -16),
	RULE("offset_extended_sf", "\x11\3\x7e", PTL_CFI_OFFSET, 16),
	RULE("undefined", "\7\3", PTL_CFI_UNDEFINED, 0),
	RULE("same_value", "\x83\2\x08\3", PTL_CFI_SAME, 0),
	RULE("register", "\x09\3\6", PTL_CFI_REGISTER, RBP),
	RULE("val_offset", "\x14\3\2", PTL_CFI_VAL_OFFSET, -16),
	RULE("val_offset_sf", "\x15\3\x7e", PTL_CFI_VAL_OFFSET, 16),
	CFA_8("restore", "\7\x10\xd0"),
	CFA_8("restore_extended", "\7\x10\6\x10"),
	CFA_8("remember_state, restore_state", "\x0a\x0e\x28\x83\2\x0b"),
	CFA_8("one within the other", "\x0a\x0e\x28\x0a\x83\2\x0b\x0b"),
	CFA_8("a register that is not kept", "\xa8\2\xe8\5\x29\2\6\x29"),
};

static bool is_rule(const struct ptl_cfi_rule *got,
		    const struct ptl_cfi_rule *want, const char *name)
{
	if (got->how == want->how && got->value == want->value)
		return true;
	diag("%s: %u, %d; want %u, %d", name, got->how, got->value, want->how,
	     want->value);
	return false;
}

static void check(const struct program *p)
{
	const struct ptl_cfi_rule cfa = {p->cfa, PTL_CFI_OFFSET};
	bool found;

	make(BYTES(COMMON), p->insns, p->size);
	found = find();
	ok(found && row.cfa_reg == p->cfa_reg &&
		   is_rule(&row.cfa, &cfa, "CFA") &&
		   is_rule(&row.reg[RBX], &p->rbx, "rbx") &&
		   is_rule(&row.reg[PTL_CFI_RIP], &p->rip, "rip"),
	   "%s", p->what);
}

/* A rule that is an expression says where that is. */
static void check_block(const struct ptl_cfi_rule *rule, enum ptl_cfi_how how,
			const char *what)
{
	ok(rule->how == how &&
		   memcmp(row.base + rule->value, "\2\x77\x10", 3) == 0,
	   "%s", what);
}

static void expressions(void)
{
	make(BYTES(COMMON), BYTES("\x0f\2\x77\x10\x10\3\2\x77\x10"
				  "\x16\6\2\x77\x10"));
	ok(find(), "rules that are expressions");
	check_block(&row.cfa, PTL_CFI_EXPRESSION, "def_cfa_expression");
	check_block(&row.reg[RBX], PTL_CFI_EXPRESSION, "expression");
	check_block(&row.reg[RBP], PTL_CFI_VAL_EXPRESSION, "val_expression");
}

static void no_rules(const char *insns, size_t size, const char *what)
{
	make(BYTES(COMMON), insns, size);
	ok(!find(), "no rules: %s", what);
}

static bool common(const char *data, size_t size)
{
	make(data, size, BYTES(""));
	return find();
}

static void commons(void)
{
	ok(common(BYTES(COMMON)) && !row.is_signal, "version 1");
	ok(common(BYTES("\3zR\0\2\x78\x10\1\x1b\x0c\7\x08\x90\1")),
	   "version 3");
	ok(common(BYTES("\1zRS\0\2\x78\x10\1\x1b\x0c\7\x08\x90\1")) &&
		   row.is_signal,
	   "a signal's frame");
	ok(common(BYTES("\1zPLR\0\2\x78\x10\7\x1b\0\0\0\0\x1b\x1b\x0c\7\x08"
			"\x90\1")) &&
		   row.reg[PTL_CFI_RIP].value == -8,
	   "with a function and data of the language");
	ok(!common(BYTES("\2zR\0\2\x78\x10\1\x1b")), "another version");
	ok(!common(BYTES("\1eh\0\2\x78\x10\1\x1b")), "an old augmentation");
	ok(!common(BYTES("\1zRX\0\2\x78\x10\1\x1b")), "one not known");
	ok(!common(BYTES("\1zR\0\2\x78\x10\x7f\x1b")), "one beyond its entry");
	ok(!common(BYTES("\1zR\0\2\x78\x0f\1\x1b")),
	   "another register for the return address");
	ok(!common(BYTES("\1zR\0\2\x78\x10\1\x9b")), "addresses of addresses");
	ok(!common(BYTES("\1zR\0\2\x78\x10\1\x2b")), "relative to something");
	ok(!common(BYTES("\1zR\0\2\x78\x10\1\x11")), "of a variable length");
}

int main(void)
{
	plan(PTL_ARRAY_SIZE(programs) + 4 + 5 + 12);
	for (size_t i = 0; i < PTL_ARRAY_SIZE(programs); i++)
		check(&programs[i]);
	expressions();
	no_rules(BYTES("\x0b"), "restore_state without remember_state");
	no_rules(BYTES("\x0a\x0a\x0a\x0a"), "more states than are kept");
	no_rules(BYTES("\x3f"), "an instruction that is none");
	no_rules(BYTES("\x0f\x7f"), "an expression beyond its entry");
	no_rules(BYTES("\x10\3\x7f"), "one of a register");
	commons();
	return done();
}

#else

int main(void)
{
	skip_all("stacks are unwound by tables on x86-64 only");
}

#endif
