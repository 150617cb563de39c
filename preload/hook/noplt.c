/* SPDX-License-Identifier: MIT */
/*
 * Instructions are not decoded.  Code refers to a slot by its distance, in four
 * bytes behind the one that says so (ModRM), at the end of an instruction or
 * before a constant of one, two or four bytes.  So each position in the code is
 * checked as if it held such a distance.  Other bytes that happen to match make
 * a slot look used; then it is not hooked.
 *
 * Code of the large model reaches slots in another way, and has no such calls;
 * an object linked from both models is not supported.
 */
#include "preload/hook/noplt.h"

bool ptl_noplt_add(struct ptl_noplt *noplt, uintptr_t slot)
{
	size_t i = noplt->nr;

	if (i == PTL_NOPLT_MAX)
		return false;
	for (; i > 0 && noplt->slot[i - 1] > slot; i--)
		noplt->slot[i] = noplt->slot[i - 1];
	noplt->slot[i] = slot;
	noplt->is_called[noplt->nr] = noplt->is_used[noplt->nr] = false;
	noplt->nr++;
	return true;
}

/* The number of the slot, or the number of slots. */
static size_t find(const struct ptl_noplt *noplt, uintptr_t slot)
{
	size_t low = 0, high = noplt->nr;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (noplt->slot[middle] < slot)
			low = middle + 1;
		else
			high = middle;
	}
	return low < noplt->nr && noplt->slot[low] == slot ? low : noplt->nr;
}

bool ptl_noplt_allows(const struct ptl_noplt *noplt, uintptr_t slot)
{
	size_t i = find(noplt, slot);

	return i < noplt->nr && noplt->is_called[i] && !noplt->is_used[i];
}

#if defined(__x86_64__)

/* Mod 0, r/m 5: what follows is a distance from %rip. */
static bool is_modrm(unsigned char byte)
{
	return (byte & 0xc7) == 0x05;
}

/* An instruction at p may refer to `to'. */
static void refer(struct ptl_noplt *noplt, const unsigned char *p, uintptr_t to,
		  bool is_last)
{
	size_t i = find(noplt, to);

	if (i == noplt->nr)
		return;
	/* call *slot(%rip), jmp *slot(%rip) */
	if (is_last && p[-2] == 0xff && (p[-1] == 0x15 || p[-1] == 0x25))
		noplt->is_called[i] = true;
	else
		noplt->is_used[i] = true;
}

static void scan(struct ptl_noplt *noplt, const unsigned char *p,
		 const unsigned char *end)
{
	uintptr_t low = noplt->slot[0] - 4;
	uintptr_t size = noplt->slot[noplt->nr - 1] - low + 1;

	for (p += 2; p + 4 <= end; p++) {
		uintptr_t to;
		int32_t distance;

		__builtin_memcpy(&distance, p, sizeof(distance));
		to = (uintptr_t)p + 4 + (uintptr_t)(intptr_t)distance;
		if (PTL_LIKELY(to - low >= size) || !is_modrm(p[-1]))
			continue;
		refer(noplt, p, to, true);
		refer(noplt, p, to + 1, false);
		refer(noplt, p, to + 2, false);
		refer(noplt, p, to + 4, false);
	}
}

void ptl_noplt_scan(struct ptl_noplt *noplt, const struct dl_phdr_info *info)
{
	for (size_t i = 0; noplt->nr && i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		const unsigned char *code =
			(const unsigned char *)info->dlpi_addr + ph->p_vaddr;

		if (ph->p_type != PT_LOAD || !(ph->p_flags & PF_X))
			continue;
		if (ph->p_flags & PF_R)
			scan(noplt, code, code + ph->p_memsz);
		else
			noplt->nr = 0; /* cannot be read */
	}
}

#else

void ptl_noplt_scan(struct ptl_noplt *noplt, const struct dl_phdr_info *info)
{
	(void)info;
	noplt->nr = 0;
}

#endif
