/* SPDX-License-Identifier: MIT */
/* Instructions of aarch64, of all kinds: how each goes on, where it leads, and
 * how far it can be made to lead; what is no instruction is told. */
#include "core/code/a64.h"
#include "t/lib/tap.h"

#define AT UINT64_C(0x12345678)
#define NONE (-1)

static const struct row {
	uint32_t word;
	int kind; /* NONE: it is no instruction */
	int relative;
	int64_t distance; /* of where it leads from AT, or AT's page */
	const char *what;
} rows[] = {
	{0x14000001, PTL_A64_JUMP, PTL_A64_26, 4, "b"},
	{0x16000000, PTL_A64_JUMP, PTL_A64_26, -134217728, "b, far back"},
	{0x95ffffff, PTL_A64_CALL, PTL_A64_26, 134217724, "bl, far on"},
	{0x54000041, PTL_A64_BRANCH, PTL_A64_19, 8, "b.ne"},
	{0x54000050, PTL_A64_BRANCH, PTL_A64_19, 8, "bc.eq"},
	{0xb4ffffe0, PTL_A64_BRANCH, PTL_A64_19, -4, "cbz x0"},
	{0x357fffe0, PTL_A64_BRANCH, PTL_A64_19, 1048572, "cbnz w0, far on"},
	{0x37040000, PTL_A64_BRANCH, PTL_A64_14, -32768, "tbnz w0, #0"},
	{0xb603ffff, PTL_A64_BRANCH, PTL_A64_14, 32764, "tbz xzr, #32"},
	{0xd61f0200, PTL_A64_JUMP_INDIRECT, 0, 0, "br x16"},
	{0xd61f0a1f, PTL_A64_JUMP_INDIRECT, 0, 0, "braaz x16"},
	{0xd71f0e11, PTL_A64_JUMP_INDIRECT, 0, 0, "brab x16, x17"},
	{0xd63f0000, PTL_A64_CALL_INDIRECT, 0, 0, "blr x0"},
	{0xd73f0811, PTL_A64_CALL_INDIRECT, 0, 0, "blraa x0, x17"},
	{0xd65f03c0, PTL_A64_RETURN, 0, 0, "ret"},
	{0xd65f0220, PTL_A64_RETURN, 0, 0, "ret x17"},
	{0xd65f0bff, PTL_A64_RETURN, 0, 0, "retaa"},
	{0xd65f0fff, PTL_A64_RETURN, 0, 0, "retab"},
	{0xd69f03e0, PTL_A64_TRAP, 0, 0, "eret"},
	{0xd4000001, PTL_A64_SYSTEM, 0, 0, "svc #0"},
	{0xd4207d00, PTL_A64_TRAP, 0, 0, "brk #1000"},
	{0x00000000, PTL_A64_TRAP, 0, 0, "udf #0"},
	{0xd503245f, PTL_A64_PLAIN, 0, 0, "bti c"},
	{0xd503233f, PTL_A64_PLAIN, 0, 0, "paciasp"},
	{0xa9bf7bfd, PTL_A64_PLAIN, 0, 0, "stp x29, x30, [sp, #-16]!"},
	{0xd10043ff, PTL_A64_PLAIN, 0, 0, "sub sp, sp, #16"},
	{0x10000020, PTL_A64_PLAIN, PTL_A64_ADR, 4, "adr x0"},
	{0x70ffffe0, PTL_A64_PLAIN, PTL_A64_ADR, -1, "adr x0, a byte back"},
	{0xb0000000, PTL_A64_PLAIN, PTL_A64_ADRP, 4096, "adrp x0"},
	{0xf0ffffe0, PTL_A64_PLAIN, PTL_A64_ADRP, -4096, "adrp x0, back"},
	{0x18000040, PTL_A64_PLAIN, PTL_A64_LITERAL, 8, "ldr w0"},
	{0x58ffffe0, PTL_A64_PLAIN, PTL_A64_LITERAL, -4, "ldr x0"},
	{0x98000040, PTL_A64_PLAIN, PTL_A64_LITERAL, 8, "ldrsw x0"},
	{0xd8000040, PTL_A64_PLAIN, PTL_A64_LITERAL, 8, "prfm"},
	{0x9c000040, PTL_A64_PLAIN, PTL_A64_LITERAL, 8, "ldr q0"},
	{0xf9400000, PTL_A64_PLAIN, 0, 0, "ldr x0, [x0]"},
	{0x04205000, PTL_A64_PLAIN, 0, 0, "addvl: of SVE"},
	{0xdc000040, NONE, 0, 0, "a literal of no size"},
	{0x02000000, NONE, 0, 0, "a group that is empty"},
	{0x00010000, NONE, 0, 0, "none of SME"},
	{0xd61e0000, NONE, 0, 0, "br with bits that are not zero"},
	{0xd4200001, NONE, 0, 0, "brk of another level"},
};

static uint64_t from(int relative)
{
	return relative == PTL_A64_ADRP ? AT & -PTL_A64_PAGE : AT;
}

static bool is_right(const struct row *row)
{
	struct ptl_a64 insn;
	uint32_t word;
	bool is = ptl_a64_decode(row->word, &insn);

	if (!is || row->kind == NONE)
		return is == (row->kind != NONE);
	if (insn.kind != row->kind || insn.relative != row->relative)
		return false;
	if (row->relative == PTL_A64_ABSOLUTE)
		return !ptl_a64_lead(&insn, AT, AT, &word);
	return ptl_a64_target(&insn, AT) ==
		       from(row->relative) + (uint64_t)row->distance &&
	       ptl_a64_lead(&insn, AT,
			    from(row->relative) + (uint64_t)row->distance,
			    &word) &&
	       word == row->word;
}

/* One that leads to itself can be made to lead so far, and no unit further. */
static bool reaches(uint32_t first, int64_t most, int64_t unit)
{
	struct ptl_a64 insn;
	uint32_t word;
	uint64_t at = UINT64_C(1) << 40;

	return ptl_a64_decode(first, &insn) &&
	       ptl_a64_lead(&insn, at, at + (uint64_t)(most - unit), &word) &&
	       ptl_a64_lead(&insn, at, at - (uint64_t)most, &word) &&
	       !ptl_a64_lead(&insn, at, at + (uint64_t)most, &word) &&
	       !ptl_a64_lead(&insn, at, at - (uint64_t)(most + unit), &word);
}

int main(void)
{
	struct ptl_a64 insn;
	uint32_t word;

	plan((int)PTL_ARRAY_SIZE(rows) + 6);
	for (size_t i = 0; i < PTL_ARRAY_SIZE(rows); i++)
		ok(is_right(&rows[i]), "%08x %s", rows[i].word, rows[i].what);
	ok(reaches(0x14000000, 128 << 20, 4), "how far b leads");
	ok(reaches(0x54000000, 1 << 20, 4), "how far b.eq leads");
	ok(reaches(0x36000000, 32 << 10, 4), "how far tbz leads");
	ok(reaches(0x10000000, 1 << 20, 1), "how far adr leads");
	ok(reaches(0x90000000, INT64_C(1) << 32, 4096), "how far adrp leads");
	ptl_a64_decode(0x14000000, &insn);
	ok(!ptl_a64_lead(&insn, AT, AT + 2, &word), "not between instructions");
	return done();
}
