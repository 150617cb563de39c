/* SPDX-License-Identifier: MIT */
/* See cache.h.  Two addresses with the same entry replace each other. */
#include "core/unwind/cache.h"

/* How often an object was loaded or unloaded. */
static _Atomic uint64_t generation;

void ptl_rows_forget(void)
{
	atomic_fetch_add_explicit(&generation, 1, memory_order_relaxed);
}

uint64_t ptl_rows_generation(void)
{
	return atomic_load_explicit(&generation, memory_order_relaxed);
}

#if defined(__x86_64__)

#define BITS 12

/* The key is stored combined with the word, so that an entry of another
 * address, or one that is half written, does not match: neighbouring keys
 * differ in many bits. */
struct entry {
	_Atomic uint64_t mixed;
	_Atomic uint64_t word;
};

static struct entry entries[1 << BITS] PTL_BULK;

static uint64_t key_of(uint64_t pc, uint64_t when)
{
	return (pc + (when << 48)) * UINT64_C(0x9e3779b97f4a7c15);
}

static struct entry *entry_of(uint64_t key)
{
	return &entries[key >> (64 - BITS)];
}

uint64_t ptl_rows_find(uint64_t pc, uint64_t when)
{
	uint64_t key = key_of(pc, when);
	struct entry *entry = entry_of(key);
	uint64_t word =
		atomic_load_explicit(&entry->word, memory_order_relaxed);

	return (atomic_load_explicit(&entry->mixed, memory_order_relaxed) ^
		word) == key ?
		       word :
		       0;
}

static bool is_kept(unsigned int reg)
{
	return 0xf048u >> reg & 1;
}

/* Packs the rule of a register that calls preserve into its seven bits. */
static bool pack_rule(const struct ptl_cfi_rule *rule, uint64_t *bits)
{
	int64_t below = -(int64_t)rule->value;

	*bits = 0;
	if (rule->how == PTL_CFI_SAME)
		return true;
	*bits = (uint64_t)below / 8;
	return rule->how == PTL_CFI_OFFSET && below > 8 && below % 8 == 0 &&
	       below < 128 * 8;
}

uint64_t ptl_rows_pack(const struct ptl_cfi_row *row)
{
	const struct ptl_cfi_rule *cfa = &row->cfa,
				  *rip = &row->reg[PTL_CFI_RIP];
	uint64_t word, bits;

	if (row->is_signal)
		return 0;
	if (rip->how == PTL_CFI_UNDEFINED)
		return PTL_ROWS_OUTERMOST;
	if (cfa->how != PTL_CFI_OFFSET || cfa->value <= 0 || cfa->value % 8 ||
	    cfa->value >= 0x10000 * 8 ||
	    (row->cfa_reg != PTL_CFI_RSP && row->cfa_reg != PTL_CFI_RBP) ||
	    rip->how != PTL_CFI_OFFSET || rip->value != -8)
		return 0;
	word = (uint64_t)cfa->value / 8;
	if (row->cfa_reg == PTL_CFI_RBP)
		word |= PTL_ROWS_BY_RBP;
	for (unsigned int reg = 0; reg < PTL_CFI_RIP; reg++)
		if (!is_kept(reg) && row->reg[reg].how != PTL_CFI_SAME)
			return 0;
	for (unsigned int i = 0; i < PTL_ROWS_KEPT; i++) {
		if (!pack_rule(&row->reg[ptl_rows_kept[i]], &bits))
			return 0;
		word |= bits << (17 + 7 * i);
	}
	return word;
}

void ptl_rows_add(uint64_t pc, uint64_t when, uint64_t word)
{
	uint64_t key = key_of(pc, when);
	struct entry *entry = entry_of(key);

	atomic_store_explicit(&entry->word, word, memory_order_relaxed);
	atomic_store_explicit(&entry->mixed, word ^ key, memory_order_relaxed);
}

#endif
