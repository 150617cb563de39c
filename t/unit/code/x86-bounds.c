/* SPDX-License-Identifier: MIT */
/* Whatever bytes are decoded, none behind the last one is read, an instruction
 * is within them, and not longer than 15 bytes. */
#include "core/code/x86.h"
#include "t/lib/tap.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096
#define TRIES 2000000

static unsigned char *page; /* what is behind it cannot be read */
static uint64_t seed = 88172645463325252u;

static uint64_t next(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* First bytes from which much can follow. */
static unsigned char first_byte(void)
{
	static const unsigned char often[] = {
		0x0f, 0x62, 0xc4, 0xc5, 0x8f, 0x66, 0xf2, 0xf3,
		0x48, 0x67, 0xc7, 0xff, 0xe8, 0xf7, 0xa1, 0xb8,
	};
	uint64_t random = next();

	return random & 256 ? often[random & 15] : (unsigned char)random;
}

/* Are the places that it tells within the instruction? */
static bool is_within(const struct ptl_x86 *insn, size_t room)
{
	return insn->size >= 1 && insn->size <= room &&
	       insn->size <= PTL_X86_LONGEST &&
	       insn->relative + insn->relative_size <= insn->size &&
	       insn->constant + insn->constant_size <= insn->size &&
	       insn->displacement + insn->displacement_size <= insn->size &&
	       (insn->relative_size == 0 || insn->relative_size == 1 ||
		insn->relative_size == 4);
}

int main(void)
{
	int nr = fewer(TRIES), decoded = 0, wrong = 0, differ = 0;

	plan(3);
	page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED || mprotect(page + PAGE, PAGE, PROT_NONE) != 0)
		return 1;
	for (int i = 0; i < nr; i++) {
		size_t room = next() % 20;
		unsigned char *code = page + PAGE - room, more[32] = {0};
		struct ptl_x86 insn, again;

		for (size_t k = 0; k < room; k++)
			code[k] = k < 2 ? first_byte() : (unsigned char)next();
		if (!ptl_x86_decode(code, room, &insn))
			continue;
		decoded++;
		wrong += !is_within(&insn, room);
		memcpy(more, code, room);
		differ += !ptl_x86_decode(more, sizeof(more), &again) ||
			  memcmp(&insn, &again, sizeof(insn)) != 0;
	}
	ok(decoded > nr / 10, "%d of %d are instructions", decoded, nr);
	is_int(wrong, 0, "all within their bytes");
	is_int(differ, 0, "what is behind them makes no difference");
	return done();
}
