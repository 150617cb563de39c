/* SPDX-License-Identifier: MIT */
/*
 * Records what must be known before a call is recorded: before the first one
 * through a stub, the name of its function.
 */
#include "preload/hook/hooked.h"

#include "core/core.h"
#include "core/sys/text.h"

#include "preload/hook/loaded.h"
#include "preload/hook/site.h"
#include "preload/hook/typed.h"
#include "preload/libc/payload.h"

/* Longer names are cut. */
#define NAMES_SIZE 512
static_assert(sizeof(int64_t) + 1 + PTL_LOADED_NAME + 1 + PTL_CODE_SIZE <
		      NAMES_SIZE,
	      "room for one");

/* Recorded without an address in the program: then no stack is taken, for which
 * there may be no room beside the names.  Those take as much as they need. */
static void record_symbol(const struct ptl_stub *stub, uint64_t callee,
			  uint32_t library, const char *code)
{
	const char *name = ptl_loaded_name(library);
	size_t behind =
		ptl_strlen(name) + 1 + (code ? ptl_strlen(code) + 1 : 0);
	size_t most = NAMES_SIZE - sizeof(int64_t) - 1 - behind;
	struct ptl_payload payload = {NULL, sizeof(int64_t) + 1, 0};

	payload.room += ptl_strnlen(stub->name, most);
	payload.data = __builtin_alloca(payload.room + behind);
	ptl_put_int(&payload, (int64_t)callee);
	ptl_put_string(&payload, stub->name);
	payload.room += behind;
	ptl_put_string(&payload, name);
	if (code)
		ptl_put_string(&payload, code);
	ptl_core_event(PTL_EV_CALL_SYMBOL, payload.data, payload.size, NULL);
}

/* Names take more than there is room for beside the others. */
static void record_names(const struct ptl_stub *stub, uint64_t callee)
{
	size_t size;
	const void *data = ptl_typed_names(stub->name, callee, &size);

	if (data)
		ptl_core_event(PTL_EV_CALL_SYMBOL, data, size, NULL);
}

uint64_t ptl_call_announce(struct ptl_stub *stub, const char *code)
{
	uint64_t real = __atomic_load_n(&stub->real, __ATOMIC_RELAXED);
	uint64_t callee = stub->known;
	uint32_t library = stub->library;
	const struct ptl_loaded *object;
	bool bound = real != stub->lazy;

	if (stub->lazy && bound) {
		uint32_t found = ptl_loaded_find(real);

		object = ptl_loaded_get(found);
		/* The library where it was expected has a function of that
		 * name, too, at another address: one of several. */
		if (object && found != library &&
		    !ptl_loaded_is_us(&object->image)) {
			callee = real;
			library = found;
		}
	}
	if (stub->told != callee) {
		record_symbol(stub, callee, library, code);
		if (code)
			record_names(stub, callee);
	}
	stub->told = callee;
	/* A thread that sees the callee need not record it again.  Pairs with
	 * callee_of() in hooked.c. */
	if (bound)
		__atomic_store_n(&stub->callee, callee, __ATOMIC_RELEASE);
	return callee;
}

void ptl_call_missed(void)
{
	static const char reason[] = "no room for returns";
	static _Atomic bool told;
	unsigned char data[64];
	struct ptl_payload payload = {data, sizeof(data), 0};

	if (atomic_exchange_explicit(&told, true, memory_order_relaxed))
		return;
	ptl_put_int(&payload, atomic_load_explicit(&ptl_sites_missed,
						   memory_order_relaxed));
	ptl_put_string(&payload, reason);
	ptl_core_event(PTL_EV_CALL_UNHOOKED, data, payload.size, NULL);
}
