/* SPDX-License-Identifier: MIT */
/*
 * Each handler has an entry of its own (signal.S), which stands for this
 * handler for ever.  So a change of handlers is what it is without us: one
 * system call, by which the kernel changes handler, flags and mask at once.  A
 * thread that is inside an entry at that time still finds its own handler;
 * there is no table by signal, which could be older or newer than what the
 * kernel has.  Children inherit the entries with the memory; exec resets
 * handlers.
 */
#include "preload/hook/handlers.h"

#include "core/core.h"

#include "preload/hook/hooks.h"

#include <ucontext.h>

/* The bit is never set in an address. */
#define HAS_INFO (UINT64_C(1) << 63)

extern const char ptl_handler_entries[] __attribute__((visibility("hidden")));

/* One for each entry: set once, in ascending order; 0: free. */
static _Atomic uint64_t handlers[PTL_HANDLERS] PTL_BULK;

static __sighandler_t address_of(size_t entry)
{
	return (__sighandler_t)(uintptr_t)(ptl_handler_entries +
					   entry * PTL_HANDLER_ENTRY);
}

/* The number of the entry; PTL_HANDLERS: it is none. */
static size_t entry_of(__sighandler_t address)
{
	uintptr_t offset = (uintptr_t)address - (uintptr_t)ptl_handler_entries;

	return PTL_MIN(offset / PTL_HANDLER_ENTRY, (uintptr_t)PTL_HANDLERS);
}

/* Is it a handler of the program?  An entry is not, even if the program has
 * learned its address. */
static bool is_function(__sighandler_t handler)
{
	/* SIG_HOLD is 2, and for sigset() only. */
	return (uintptr_t)handler > 2 && handler != SIG_ERR &&
	       !((uintptr_t)handler & HAS_INFO) &&
	       entry_of(handler) == PTL_HANDLERS;
}

/* Finds the entry of the word, or takes the first free one; PTL_HANDLERS: there
 * is none. */
static size_t intern(uint64_t word)
{
	/* An entry that a vfork child took would stay in its parent's memory.
	 */
	bool may_add = !ptl_core_in_vfork_child();

	for (size_t i = 0; i < PTL_HANDLERS; i++) {
		uint64_t there = atomic_load_explicit(&handlers[i],
						      memory_order_relaxed);

		if (there == 0 && !may_add)
			break;
		if (there == word ||
		    (there == 0 &&
		     atomic_compare_exchange_strong_explicit(
			     &handlers[i], &there, word, memory_order_relaxed,
			     memory_order_relaxed)) ||
		    there == word)
			return i;
	}
	return PTL_HANDLERS;
}

static bool (*is_own_fault)(ucontext_t *context) PTL_SELDOM;

void ptl_handler_faults(bool (*is_own)(ucontext_t *context))
{
	is_own_fault = is_own;
}

/* One that is there for one signal only would be gone. */
static bool wants_faults(int signo, int flags)
{
	return is_own_fault && (signo == SIGSEGV || signo == SIGBUS) &&
	       (flags & SA_SIGINFO) && !(flags & (int)SA_RESETHAND);
}

__sighandler_t ptl_handler_entry(int signo, __sighandler_t handler, int flags)
{
	size_t entry;

	if (!is_function(handler) ||
	    !(wants_faults(signo, flags) ||
	      ptl_core_wants_call(PTL_EV_SIGNAL_DELIVER) ||
	      ptl_core_wants_call(PTL_EV_SIGNAL_FAULT)))
		return handler;
	entry = intern((uintptr_t)handler |
		       (flags & SA_SIGINFO ? HAS_INFO : 0));
	return entry == PTL_HANDLERS ? handler : address_of(entry);
}

__sighandler_t ptl_handler_own(__sighandler_t entry)
{
	size_t i = entry_of(entry);

	if (i == PTL_HANDLERS)
		return entry;
	return (__sighandler_t)(uintptr_t)(atomic_load_explicit(
						   &handlers[i],
						   memory_order_relaxed) &
					   ~HAS_INFO);
}

/* Where the program was interrupted. */
static const void *interrupted_at(const ucontext_t *context)
{
#if defined(__x86_64__)
	return (const void *)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__i386__)
	return (const void *)context->uc_mcontext.gregs[REG_EIP];
#else
	return (const void *)context->uc_mcontext.pc;
#endif
}

/* Is it what the kernel has just put on the stack? */
static bool is_ours(const void *context)
{
	return (uintptr_t)context - (uintptr_t)__builtin_frame_address(0) < 512;
}

static bool is_fault(int signo, const siginfo_t *info)
{
	return info->si_code > 0 && info->si_code != SI_KERNEL &&
	       (signo == SIGSEGV || signo == SIGBUS || signo == SIGILL ||
		signo == SIGFPE || signo == SIGTRAP);
}

static bool has_sender(int signo, const siginfo_t *info)
{
	return signo == SIGCHLD || info->si_code == SI_USER ||
	       info->si_code == SI_QUEUE || info->si_code == SI_TKILL ||
	       info->si_code == SI_MESGQ;
}

static void record(int signo, __sighandler_t handler, const siginfo_t *info,
		   const void *addr)
{
	int64_t data[4] = {signo, (int64_t)(uintptr_t)handler};
	size_t size = 2 * sizeof(*data);

	if (info) {
		data[2] = info->si_code;
		size += sizeof(*data);
	}
	if (info && is_fault(signo, info)) {
		data[3] = (int64_t)(uintptr_t)info->si_addr;
		ptl_core_call(PTL_EV_SIGNAL_FAULT, data, sizeof(data), addr);
		return;
	}
	if (info && has_sender(signo, info)) {
		data[3] = info->si_pid;
		size += sizeof(*data);
	}
	ptl_core_call(PTL_EV_SIGNAL_DELIVER, data, size, addr);
}

static void return_at_once(void)
{
}

/*
 * A handler without SA_SIGINFO gets neither siginfo_t nor context; but on
 * x86-64 the register points to the context.  The caller may also be a handler
 * of the program that chains to us, with the arguments that it had.
 */
PTL_ALIGNS void *ptl_signal_hook(int signo, const void *info, void *context,
				 unsigned int entry)
{
	uint64_t word =
		atomic_load_explicit(&handlers[entry], memory_order_relaxed);
	__sighandler_t handler = (__sighandler_t)(uintptr_t)(word & ~HAS_INFO);
	bool has_info = word & HAS_INFO;
	const void *addr = (const void *)(uintptr_t)handler;

	if (is_own_fault && has_info && is_ours(context) &&
	    is_fault(signo, info) && is_own_fault(context))
		return (void *)(uintptr_t)return_at_once;
	if (has_info || is_ours(context))
		addr = interrupted_at(context);
	record(signo, handler, has_info ? info : NULL, addr);
	return (void *)(uintptr_t)handler;
}
