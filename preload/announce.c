/* SPDX-License-Identifier: MIT */
/*
 * The long way of a call: the first through a stub is preceded by what its
 * function is called, and any may be one that the short way cannot record.
 */
#include "preload/hooked.h"

#include "core/core.h"
#include "core/str.h"

#include "preload/loaded.h"
#include "preload/payload.h"
#include "preload/site.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* Longer names are cut. */
#define NAMES_SIZE 512

/* May programs use XSAVE?  For the assembly. */
bool ptl_stub_xsave __attribute__((visibility("hidden")));

void ptl_call_init(void)
{
#if defined(__x86_64__)
	unsigned int a, b, c, d;

	ptl_stub_xsave = __get_cpuid(1, &a, &b, &c, &d) && c & bit_OSXSAVE;
#endif
}

static void record_symbol(const struct ptl_stub *stub, uint64_t callee,
			  uint32_t library, const void *addr)
{
	unsigned char data[NAMES_SIZE];
	struct ptl_payload payload = {data, sizeof(data) - PTL_LOADED_NAME - 1,
				      0};

	ptl_put_int(&payload, (int64_t)callee);
	ptl_put_string(&payload, stub->name);
	payload.room = sizeof(data);
	ptl_put_string(&payload, ptl_loaded_name(library));
	ptl_core_event(PTL_EV_CALL_SYMBOL, data, payload.size, addr);
}

/*
 * The callee, told if it was not: while the slot is not bound what the loader
 * is likely to find, then what it has found.
 */
static uint64_t announce(struct ptl_stub *stub, const void *addr)
{
	uint64_t real = __atomic_load_n(&stub->real, __ATOMIC_RELAXED);
	uint64_t callee = stub->known;
	uint32_t library = stub->library;
	const struct ptl_loaded *object;
	bool bound = real != stub->lazy;

	if (stub->lazy && bound) {
		uint32_t found = ptl_loaded_find(real);

		object = ptl_loaded_get(found);
		if (object && !ptl_loaded_is_us(&object->image)) {
			callee = real;
			library = found;
		}
	}
	if (stub->told != callee)
		record_symbol(stub, callee, library, addr);
	stub->told = callee;
	/* After it: who sees this need not tell again. */
	if (bound)
		__atomic_store_n(&stub->callee, callee, __ATOMIC_RELEASE);
	return callee;
}

/* Once, some time after it was so. */
static void tell_missed(void)
{
	static const char reason[] = "no room for returns";
	static _Atomic bool told;
	unsigned char data[64];
	struct ptl_payload payload = {data, sizeof(data), 0};

	if (!ptl_sites_missed ||
	    atomic_exchange_explicit(&told, true, memory_order_relaxed))
		return;
	ptl_put_int(&payload, ptl_sites_missed);
	ptl_put_string(&payload, reason);
	ptl_core_event(PTL_EV_CALL_UNHOOKED, data, payload.size, NULL);
}

uint64_t ptl_call_enter_long(uintptr_t after, uint64_t *ret)
{
	struct ptl_stub *stub = ptl_stub_at(after);
	const void *addr = (const void *)ptl_site_plain(*ret);
	uint64_t callee = stub->callee;

	if (!callee)
		callee = announce(stub, addr);
	ptl_core_event(PTL_EV_CALL_ENTER, &callee, sizeof(callee), addr);
	tell_missed();
	return ptl_call_go(stub, *ret);
}

void ptl_call_leave_long(uintptr_t after, uint64_t value)
{
	const struct ptl_site *site = ptl_site_at(after);
	struct ptl_stub *stub = &ptl_stub[site->stub];
	const void *addr = (const void *)site->ret;
	uint64_t data[2] = {stub->callee, value};

	if (!data[0])
		data[0] = announce(stub, addr);
	ptl_core_event(PTL_EV_CALL_EXIT, data, sizeof(data), addr);
}
