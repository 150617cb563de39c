/* SPDX-License-Identifier: MIT */
/*
 * What is known of a crash: the signal, where it found the program, the
 * registers, and why libc or C++'s runtime gave up.
 */
#include "preload/hook/crash.h"

#include "core/core.h"
#include "core/sys/syscall.h"

#include "preload/libc/lookup.h"
#include "preload/libc/payload.h"

#include <ucontext.h>

/* Of a message, and of a type's name. */
#define TEXT_MAX 256

/* libc keeps for cores what it says before it aborts. */
struct abort_message {
	unsigned int size;
	char text[];
};
static struct abort_message *const *abort_message;

/* Of C++'s runtime, if the program was linked with it. */
extern void *__cxa_current_exception_type(void) __attribute__((weak));

#if defined(__x86_64__)

/* By their numbers in DWARF, rip last; the flags: tools/lib/args/words.c. */
#define NR_REGISTERS 18

static void take_registers(uint64_t reg[NR_REGISTERS],
			   const ucontext_t *context)
{
	static const unsigned char by_dwarf[] = {
		REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
		REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
		REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP, REG_EFL};

	static_assert(sizeof(by_dwarf) == NR_REGISTERS, "each");
	for (size_t i = 0; i < NR_REGISTERS; i++)
		reg[i] = (uint64_t)context->uc_mcontext.gregs[by_dwarf[i]];
}

#elif defined(__i386__)

/* The lower halves of those of 64 bits. */
#define NR_REGISTERS 18

static void take_registers(uint64_t reg[NR_REGISTERS],
			   const ucontext_t *context)
{
	static const unsigned char by_dwarf[] = {REG_EAX, REG_EDX, REG_ECX,
						 REG_EBX, REG_ESI, REG_EDI,
						 REG_EBP, REG_ESP};
	const greg_t *from = context->uc_mcontext.gregs;

	for (size_t i = 0; i < NR_REGISTERS; i++)
		reg[i] = i < sizeof(by_dwarf) ? (uint32_t)from[by_dwarf[i]] : 0;
	reg[16] = (uint32_t)from[REG_EIP];
	reg[17] = (uint32_t)from[REG_EFL];
}

#endif

#if defined(__x86_64__) || defined(__i386__)

static uint64_t interrupted_at(const uint64_t *reg)
{
	return reg[16];
}

static void know(uint64_t *known, const uint64_t *reg)
{
	for (size_t i = 0; i < PTL_CORE_REGISTERS; i++)
		known[i] = reg[i];
}

#else

/* x0 to x15, x19 to x30, sp, pc, pstate: as many as a field of bytes has room
 * for. */
#define NR_REGISTERS 31

static void take_registers(uint64_t reg[NR_REGISTERS],
			   const ucontext_t *context)
{
	const mcontext_t *from = &context->uc_mcontext;
	size_t nr = 0;

	for (size_t i = 0; i < 31; i++)
		if (i < 16 || i > 18)
			reg[nr++] = from->regs[i];
	reg[nr++] = from->sp;
	reg[nr++] = from->pc;
	reg[nr] = from->pstate;
}

static uint64_t interrupted_at(const uint64_t *reg)
{
	return reg[29];
}

/* The frame pointer, the stack pointer, pc, and lr in the place of x0. */
static void know(uint64_t *known, const uint64_t *reg)
{
	for (size_t i = 0; i < PTL_CORE_REGISTERS; i++)
		known[i] = 0;
	known[0] = reg[27];
	known[6] = reg[26];
	known[7] = reg[28];
	known[16] = reg[29];
}

#endif

void ptl_crash_registers(uint64_t *reg, const void *context)
{
	uint64_t all[NR_REGISTERS];

	take_registers(all, context);
	know(reg, all);
}

void ptl_crash_record_init(void)
{
	abort_message = ptl_lookup_libc("__abort_msg", "GLIBC_PRIVATE");
}

/* A string of another's, without its line feed. */
static void put_text(struct ptl_payload *data, const char *text)
{
	char copy[TEXT_MAX];
	size_t size = 0;

	while (text && size < sizeof(copy) - 1 &&
	       (((uintptr_t)(text + size) % 4096 != 0 && size != 0) ||
		ptl_sys_may_read((uintptr_t)(text + size) & ~UINT64_C(7))) &&
	       text[size]) {
		copy[size] = text[size];
		size++;
	}
	while (size && copy[size - 1] == '\n')
		size--;
	copy[size] = '\0';
	ptl_put_string(data, copy);
}

/* NULL: there is none.  Only of who aborts by himself: what a signal of another
 * interrupts may be half done. */
static const struct abort_message *why(int signo, const siginfo_t *info)
{
	if (!abort_message || signo != SIGABRT || info->si_code > 0 ||
	    info->si_pid != ptl_sys_getpid())
		return NULL;
	return *abort_message;
}

/* The name of the type, mangled, of the exception that nobody catches. */
static const char *exception(int signo, const siginfo_t *info)
{
	const char *const *type;

	if (signo != SIGABRT || info->si_code > 0 || ptl_core_outsider() ||
	    info->si_pid != ptl_sys_getpid() || !__cxa_current_exception_type)
		return NULL;
	type = __cxa_current_exception_type();
	if (!type || (uintptr_t)type % sizeof(*type) ||
	    !ptl_sys_may_read((uintptr_t)&type[1]))
		return NULL;
	/* A star: its address says what it is. */
	return type[1] && *type[1] == '*' ? type[1] + 1 : type[1];
}

static bool has_address(int signo, const siginfo_t *info)
{
	return info->si_code > 0 && info->si_code != SI_KERNEL &&
	       signo != SIGABRT;
}

void ptl_crash_record(int signo, const siginfo_t *info, const void *context)
{
	unsigned char bytes[4 * sizeof(int64_t) + 2 * TEXT_MAX + 1 +
			    NR_REGISTERS * sizeof(uint64_t)];
	struct ptl_payload data = {bytes, sizeof(bytes), 0};
	const struct abort_message *message = why(signo, info);
	uint64_t reg[NR_REGISTERS], known[PTL_CORE_REGISTERS], at;

	take_registers(reg, context);
	ptl_put_int(&data, signo);
	ptl_put_int(&data, info->si_code);
	ptl_put_int(&data, has_address(signo, info) ?
				   (int64_t)(uintptr_t)info->si_addr :
				   0);
	ptl_put_int(&data, info->si_code <= 0 ? info->si_pid : 0);
	put_text(&data, message ? message->text : NULL);
	put_text(&data, message ? NULL : exception(signo, info));
	ptl_put_byte(&data, sizeof(reg));
	ptl_put_bytes(&data, reg, sizeof(reg));
	/* Readers look one byte before it, as they do for calls.  A trap is
	 * behind its instruction already; at 0 there is none. */
	at = interrupted_at(reg);
	if (at && !(signo == SIGTRAP && info->si_code > 0))
		at++;
	know(known, reg);
	ptl_core_crash(data.data, data.size, known,
		       (const void *)(uintptr_t)at);
}
