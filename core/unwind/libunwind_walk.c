/* SPDX-License-Identifier: MIT */
/*
 * The walk, frame by frame, and the functions by which libunwind reads our
 * memory: nothing is read that may not be mapped.  Where libunwind has no rules
 * it would guess; there our own unwinder goes on instead.
 */
#ifdef PTL_LIBUNWIND

#include "core/unwind/libunwind.h"

#include "core/sys/syscall.h"

struct ptl_libunwind ptl_libunwind PTL_SELDOM;
unw_addr_space_t ptl_libunwind_space;

/* Is there a word in a segment of the object?  Whole pages are mapped. */
static bool is_in_object(struct ptl_unwind_object *object, uint64_t addr)
{
	struct ptl_dwarf bytes;

	if (!ptl_loaded_at(object, addr, &bytes))
		return false;
	return (((uintptr_t)bytes.end + 4095) & ~UINT64_C(4095)) - addr >=
	       sizeof(uint64_t);
}

static int access_mem(unw_addr_space_t as, unw_word_t addr, unw_word_t *value,
		      int write, void *arg)
{
	struct ptl_libunwind_job *job = arg;
	struct ptl_walk *walk = job->walk;

	(void)as;
	if (write)
		return -UNW_EINVAL;
	if (addr < walk->low || addr >= walk->high) {
		if (!is_in_object(&job->object, addr))
			ptl_loaded_table(addr, job->room, &job->object);
		if (is_in_object(&job->object, addr)) {
			memcpy(value, (const void *)addr, sizeof(*value));
			return 0;
		}
	}
	return ptl_frame_load(walk, addr, value) ? 0 : -UNW_EINVAL;
}

static int access_reg(unw_addr_space_t as, unw_regnum_t reg, unw_word_t *value,
		      int write, void *arg)
{
	const struct ptl_libunwind_job *job = arg;

	(void)as;
	if (write || reg < 0 || reg >= PTL_LIBUNWIND_REGS ||
	    !(job->known >> reg & 1))
		return -UNW_EBADREG;
	*value = job->reg[reg];
	return 0;
}

static int access_fpreg(unw_addr_space_t as, unw_regnum_t reg,
			unw_fpreg_t *value, int write, void *arg)
{
	(void)as, (void)reg, (void)value, (void)write, (void)arg;
	return -UNW_EBADREG;
}

static int get_dyn_info_list_addr(unw_addr_space_t as, unw_word_t *addr,
				  void *arg)
{
	(void)as, (void)addr, (void)arg;
	return -UNW_ENOINFO;
}

static void put_unwind_info(unw_addr_space_t as, unw_proc_info_t *info,
			    void *arg)
{
	(void)as, (void)info, (void)arg;
}

static int resume(unw_addr_space_t as, unw_cursor_t *cursor, void *arg)
{
	(void)as, (void)cursor, (void)arg;
	return -UNW_EINVAL;
}

/* .eh_frame_hdr, as all linkers write it: a version and the formats of what
 * follows, the address of .eh_frame, the number of rows, and the rows of two
 * numbers each. */
static bool is_table(struct ptl_unwind_object *object, uint64_t table,
		     uint64_t *rows)
{
	static const unsigned char head[4] = {1, 0x1b, 0x03, 0x3b};
	struct ptl_dwarf bytes;

	if (!ptl_loaded_at(object, table, &bytes) ||
	    bytes.end - bytes.at < 12 || memcmp(bytes.at, head, 4) != 0)
		return false;
	bytes.at += 8;
	*rows = ptl_dwarf_take(&bytes, 4);
	return *rows > 0 && *rows <= (size_t)(bytes.end - bytes.at) / 8;
}

static int find_proc_info(unw_addr_space_t as, unw_word_t ip,
			  unw_proc_info_t *info, int need_unwind_info,
			  void *arg)
{
	struct ptl_libunwind_job *job = arg;
	uint64_t table = ptl_loaded_table(ip, job->room, &job->object), rows;
	unw_dyn_info_t dyn = {.format = UNW_INFO_FORMAT_REMOTE_TABLE};

	/* (After UNW_ENOINFO it would guess.) */
	if (!table || !is_table(&job->object, table, &rows))
		return -UNW_ESTOPUNWIND;
	dyn.start_ip = (uintptr_t)job->object.begin;
	dyn.end_ip = (uintptr_t)job->object.end;
	dyn.u.rti.segbase = table;
	dyn.u.rti.table_data = table + 12;
	dyn.u.rti.table_len = rows * 8 / sizeof(unw_word_t);
	return ptl_libunwind.search(as, ip, &dyn, info, need_unwind_info, arg) <
			       0 ?
		       -UNW_ESTOPUNWIND :
		       0;
}

/* A later version may have more accessors than ours. */
static const union {
	unw_accessors_t ours;
	void *all[32];
} accessors = {{
	.find_proc_info = find_proc_info,
	.put_unwind_info = put_unwind_info,
	.get_dyn_info_list_addr = get_dyn_info_list_addr,
	.access_mem = access_mem,
	.access_reg = access_reg,
	.access_fpreg = access_fpreg,
	.resume = resume,
}};

unw_accessors_t *ptl_libunwind_accessors(void)
{
	return (unw_accessors_t *)(uintptr_t)&accessors.ours;
}

static uint64_t get(struct ptl_libunwind_job *job, int reg)
{
	unw_word_t value;

	return ptl_libunwind.get_reg(&job->cursor, reg, &value) == 0 ? value :
								       0;
}

/* Takes the registers that calls preserve from the cursor, with `ip' as the
 * return address. */
static void collect(struct ptl_libunwind_job *job, uint64_t ip)
{
	uint64_t known = UINT64_C(1) << PTL_LIBUNWIND_IP,
		 value[PTL_LIBUNWIND_REGS];

	value[PTL_LIBUNWIND_IP] = ip;
	for (int reg = 0; reg < PTL_LIBUNWIND_IP; reg++)
		if (PTL_LIBUNWIND_KEPT >> reg & 1 &&
		    ptl_libunwind.get_reg(&job->cursor, reg, &value[reg]) == 0)
			known |= UINT64_C(1) << reg;
	/* Only now: the cursor may ask for the old ones. */
	memcpy(job->reg, value, sizeof(value));
	job->known = known;
}

/* Begins again at a return address that the cursor does not have: one byte
 * before it, as if the frame had been interrupted there. */
static bool begin_again(struct ptl_libunwind_job *job, uint64_t ret)
{
	collect(job, ret - 1);
	return ptl_libunwind.init(&job->cursor, ptl_libunwind_space, job) == 0;
}

/* Our own unwinder goes on in this frame. */
static void leave_to_own(struct ptl_libunwind_job *job, uint64_t ip)
{
	struct ptl_dwarf_regs *regs = &job->walk->regs;

	collect(job, ip);
	job->result = PTL_BACKEND_PART;
	job->walk->is_exact = false;
#if defined(__x86_64__)
	memcpy(regs->value, job->reg, sizeof(regs->value));
	regs->known = (uint32_t)job->known;
#else
	regs->value[PTL_CFI_RBP] = job->reg[PTL_LIBUNWIND_FP];
	regs->value[PTL_CFI_RSP] = job->reg[PTL_LIBUNWIND_SP];
	regs->value[PTL_CFI_RIP] = ip;
#endif
}

/* Does a handler return to this address?  Then its caller was interrupted. */
static bool is_restorer(struct ptl_libunwind_job *job, uint64_t addr)
{
#if defined(__x86_64__)
	const uint64_t begin = UINT64_C(0x0f0000000fc0c748);
#else
	const uint64_t begin = UINT64_C(0xd4000001d2801168);
#endif
	uint64_t word;

	if (!is_in_object(&job->object, addr))
		return false;
	memcpy(&word, (const void *)addr, sizeof(word));
	return word == begin;
}

/* Steps to the frame's caller; false: there is none, or our own unwinder shall
 * look for it. was_exact: the frame was interrupted, and may not have changed
 * the stack pointer yet. */
static bool step(struct ptl_libunwind_job *job, bool *was_exact)
{
	struct ptl_walk *walk = job->walk;
	uint64_t from = walk->regs.value[PTL_CFI_RIP],
		 sp = get(job, PTL_LIBUNWIND_SP);
	bool stands = *was_exact;
	uint64_t ip, to;
	int ret;

	/* Without rules libunwind guesses, and reads what may not be a frame.
	 */
	if (!ptl_loaded_table(from - 1, job->room, &job->object)) {
		leave_to_own(job, from);
		return false;
	}
	*was_exact = is_restorer(job, from);
	ret = ptl_libunwind.step(&job->cursor);
	if (ret == 0)
		return false;
	/* A step that does not move the stack pointer was a guess, or failed.
	 */
	if (get(job, PTL_LIBUNWIND_SP) == sp && (ret < 0 || !stands)) {
		leave_to_own(job, from);
		return false;
	}
	if (ret < 0)
		return false;
	ip = get(job, UNW_REG_IP);
	/* A function may return to code of ours on its way to the program.  The
	 * rules of that code give an address one byte before the one where it
	 * goes on (site.h). */
	to = ptl_plain_address(ip) + (ptl_frame_plain(from) != from);
	if (!*was_exact)
		to = ptl_frame_plain(to);
	walk->regs.value[PTL_CFI_RIP] = to;
	return ptl_address_is_code(to) && (to == ip || begin_again(job, to));
}

void ptl_libunwind_walk(void *arg)
{
	struct ptl_libunwind_job *job = arg;
	bool was_exact = false;

	job->result = PTL_BACKEND_ALL;
	if (ptl_libunwind.init(&job->cursor, ptl_libunwind_space, job) != 0) {
		job->result = PTL_BACKEND_NONE;
		return;
	}
	while (ptl_found_wants(job->found) && step(job, &was_exact))
		ptl_found_add(job->found, job->walk->regs.value[PTL_CFI_RIP]);
}

#endif
