/* SPDX-License-Identifier: MIT */
/*
 * Which counter, how to read the kernel's clocks without libc, and how
 * counter values become CLOCK_REALTIME.  Owns the pointer into the vDSO and
 * the counter's measured frequency: each is found once and never changes.
 */
#include "core/sys/clock.h"

#include <link.h>
#include <sys/auxv.h>
#include <sys/prctl.h>

#include "core/sys/syscall.h"
#include "core/sys/text.h"
#include "core/sys/vectors.h"

#define NS_PER_SEC UINT64_C(1000000000)

#if defined(__x86_64__)
#define VDSO_CLOCK_GETTIME "__vdso_clock_gettime"
#define COUNTER_SOURCE "tsc"
#elif defined(__i386__)
#define VDSO_CLOCK_GETTIME "__vdso_clock_gettime64"
#define COUNTER_SOURCE "tsc"
#elif defined(__aarch64__)
#define VDSO_CLOCK_GETTIME "__kernel_clock_gettime"
#define COUNTER_SOURCE "arch_sys_counter"
#endif

#define CLOCKSOURCE \
	"/sys/devices/system/clocksource/clocksource0/current_clocksource"

/* Of so many tries to read two clocks at once the tightest is taken. */
#define BRACKETS 10

/* Anchors this many ticks apart give a slope that may be carried on: some
 * nanoseconds in tens of milliseconds. */
#define SLOPE_TICKS (UINT64_C(1) << 26)

typedef int clock_fn(clockid_t id, struct ptl_ktimespec *ts);

static clock_fn *_Atomic vdso_clock;

_Atomic bool ptl_clock_guarded;

/* The last time before that, of CLOCK_MONOTONIC. */
static struct ptl_shm_anchor guarded_at;

/* Nanoseconds per tick, 32.32; 0: not yet measured. */
static _Atomic uint64_t tick_ns;

/* The dynamic section of the vDSO, as far as we need it. */
struct vdso {
	const unsigned char *bias; /* what its addresses are relative to */
	const ElfW(Sym) * symbols;
	const char *strings;
	const uint32_t *hash;
	const uint32_t *gnu_hash;
};

static void read_dynamic(struct vdso *vdso, const ElfW(Dyn) * dyn)
{
	for (; dyn->d_tag != DT_NULL; dyn++) {
		const void *p = vdso->bias + dyn->d_un.d_ptr;

		if (dyn->d_tag == DT_SYMTAB)
			vdso->symbols = p;
		else if (dyn->d_tag == DT_STRTAB)
			vdso->strings = p;
		else if (dyn->d_tag == DT_HASH)
			vdso->hash = p;
		else if (dyn->d_tag == DT_GNU_HASH)
			vdso->gnu_hash = p;
	}
}

/* Kernels link it with either hash table or both; there is no other count. */
static uint32_t count_symbols(const struct vdso *vdso)
{
	const uint32_t *gnu = vdso->gnu_hash, *bucket, *chain;
	uint32_t last = 0;

	if (vdso->hash)
		return vdso->hash[1];
	if (!gnu)
		return 0;
	bucket = gnu + 4 + (size_t)gnu[2] * (sizeof(ElfW(Addr)) / 4);
	chain = bucket + gnu[0];
	for (uint32_t i = 0; i < gnu[0]; i++)
		last = PTL_MAX(last, bucket[i]);
	if (last < gnu[1])
		return 0;
	while (!(chain[last - gnu[1]] & 1))
		last++;
	return last + 1;
}

static bool open_vdso(struct vdso *vdso)
{
	const unsigned char *base =
		(const unsigned char *)getauxval(AT_SYSINFO_EHDR);
	const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)base;
	const ElfW(Phdr) * segment, *dynamic = NULL;

	*vdso = (struct vdso){0};
	if (!base)
		return false;
	segment = (const ElfW(Phdr) *)(base + head->e_phoff);
	for (int i = 0; i < head->e_phnum; i++) {
		if (segment[i].p_type == PT_DYNAMIC)
			dynamic = &segment[i];
		else if (segment[i].p_type == PT_LOAD && !vdso->bias)
			vdso->bias =
				base + segment[i].p_offset - segment[i].p_vaddr;
	}
	if (!vdso->bias || !dynamic)
		return false;
	read_dynamic(vdso, (const ElfW(Dyn) *)(base + dynamic->p_offset));
	return vdso->symbols && vdso->strings;
}

void ptl_clock_init(void)
{
	struct vdso vdso;
	bool guarded;
	uint32_t n;

	/* The vDSO reads the counter, too, and dies of it where it may not. */
	atomic_store_explicit(&vdso_clock, NULL, memory_order_relaxed);
	guarded = !ptl_clock_allowed(PTL_CLOCK_TSC);
	/* Relaxed: there is no time before it to guess from. */
	atomic_store_explicit(&ptl_clock_guarded, guarded,
			      memory_order_relaxed);
	if (guarded || !open_vdso(&vdso))
		return;
	n = count_symbols(&vdso);
	for (uint32_t i = 0; i < n; i++) {
		const ElfW(Sym) *sym = &vdso.symbols[i];

		if (sym->st_shndx != SHN_UNDEF &&
		    ptl_streq(vdso.strings + sym->st_name,
			      VDSO_CLOCK_GETTIME)) {
			atomic_store_explicit(
				&vdso_clock,
				(clock_fn *)(uintptr_t)(vdso.bias +
							sym->st_value),
				memory_order_relaxed);
			return;
		}
	}
}

uint64_t ptl_clock_ns(clockid_t id)
{
	clock_fn *fn = atomic_load_explicit(&vdso_clock, memory_order_relaxed);
	struct ptl_vectors_least vectors;
	struct ptl_ktimespec ts = {0};
	int err = -1;

	if (PTL_LIKELY(fn != NULL)) {
		/* Linux makes it of general registers, others may not. */
		ptl_vectors_save_least(&vectors);
		err = fn(id, &ts);
		ptl_vectors_restore_least(&vectors);
	}
	if (PTL_UNLIKELY(err != 0))
		ptl_sys(PTL_SYS_CLOCK, id, &ts, 0, 0);
	return (uint64_t)ts.tv_sec * NS_PER_SEC + (uint64_t)ts.tv_nsec;
}

uint64_t ptl_clock_ask(clockid_t id)
{
	struct ptl_ktimespec ts;

	if (ptl_sys(PTL_SYS_CLOCK, id, &ts, 0, 0) != 0)
		return ptl_clock_ns(id);
	return (uint64_t)ts.tv_sec * NS_PER_SEC + (uint64_t)ts.tv_nsec;
}

bool ptl_clock_allowed(uint32_t clock)
{
	int mode = PR_TSC_ENABLE;

	if (clock != PTL_CLOCK_TSC)
		return true;
	/* The kernel cannot be asked: who asks has reason to. */
	if (ptl_sys_door == PTL_DOOR_SHUT)
		return false;
	/* A kernel that does not know the question forbids nothing. */
	ptl_sys(SYS_prctl, PR_GET_TSC, &mode, 0, 0);
	return mode == PR_TSC_ENABLE;
}

uint32_t ptl_clock_choose(void)
{
	char buf[sizeof(COUNTER_SOURCE) + 1];

	ptl_sys_read_text(AT_FDCWD, CLOCKSOURCE, buf, sizeof(buf));
	if (!ptl_streq(buf, COUNTER_SOURCE "\n") ||
	    !ptl_clock_allowed(PTL_CLOCK_TSC))
		return PTL_CLOCK_MONOTONIC;
	return PTL_CLOCK_TSC;
}

#if defined(__aarch64__)
static uint64_t counter_frequency(void)
{
	uint64_t hz;

	__asm__("mrs %0, cntfrq_el0" : "=r"(hz));
	return hz ? hz : NS_PER_SEC;
}
#endif

uint32_t ptl_clock_resolution(void)
{
#if defined(__aarch64__)
	return (uint32_t)PTL_MAX((NS_PER_SEC - 1) / counter_frequency() + 1, 1);
#else
	/* A TSC ticks at 1 GHz or more, and a nanosecond is the least step
	 * of a struct timespec; clock_getres(CLOCK_MONOTONIC) says so too. */
	return 1;
#endif
}

/* The counter, not before what stands before it in the program. */
static uint64_t read_counter(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__asm__ volatile("lfence" : : : "memory");
#endif
	return ptl_clock_now(PTL_CLOCK_TSC);
}

/* Counter and CLOCK_MONOTONIC at once: that in the middle of two of those. */
static void read_both(struct ptl_shm_anchor *anchor)
{
	uint64_t best = UINT64_MAX;

	*anchor = (struct ptl_shm_anchor){0};
	for (int i = 0; i < BRACKETS; i++) {
		uint64_t before = read_counter();
		uint64_t ns = ptl_clock_ns(CLOCK_MONOTONIC);
		uint64_t width = read_counter() - before;

		if (width >= best)
			continue;
		best = width;
		anchor->counter = before + width / 2;
		anchor->ns = ns;
	}
}

uint64_t ptl_clock_offset(void)
{
	uint64_t best = UINT64_MAX, offset = 0;

	for (int i = 0; i < BRACKETS; i++) {
		uint64_t before = ptl_clock_ns(CLOCK_MONOTONIC);
		uint64_t real = ptl_clock_ns(CLOCK_REALTIME);
		uint64_t width = ptl_clock_ns(CLOCK_MONOTONIC) - before;

		if (width >= best)
			continue;
		best = width;
		offset = real - (before + width / 2);
	}
	return offset;
}

void ptl_clock_anchor(uint32_t clock, uint64_t offset,
		      const struct ptl_shm_anchor *prev,
		      struct ptl_shm_anchor *anchor)
{
	struct ptl_shm_anchor now;

	if (clock == PTL_CLOCK_TSC) {
		read_both(&now);
	} else {
		now.counter = ptl_clock_ns(CLOCK_MONOTONIC);
		now.ns = now.counter;
	}
	now.ns += offset;
	if (prev) {
		now.counter = PTL_MAX(now.counter, prev->counter);
		now.ns = PTL_MAX(now.ns, prev->ns);
	}
	*anchor = now;
}

/* high * 2^64 + low, divided; high is less than by. */
static uint64_t divide(uint64_t high, uint64_t low, uint64_t by)
{
#if defined(__x86_64__)
	return (uint64_t)(((unsigned __int128)high << 64 | low) / by);
#else
	/* The compiler would call a function of libgcc's that is not fit for
	 * BTI, and the library would not be. */
	for (int bit = 0; bit < 64; bit++) {
		bool carry = high >> 63;

		high = high << 1 | low >> 63;
		low <<= 1;
		if (!carry && high < by)
			continue;
		high -= by;
		low |= 1;
	}
	return low;
#endif
}

/* a * b / c; what does not fit is nonsense anyway. */
static uint64_t scale(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t low, high = ptl_wide_product(a, b, &low);

	return divide(high % c, low, c);
}

static uint64_t measure_tick(void)
{
#if defined(__aarch64__)
	return scale(NS_PER_SEC, UINT64_C(1) << 32, counter_frequency());
#else
	const struct timespec pause = {.tv_nsec = 2000000};
	struct ptl_shm_anchor first, last;

	if (!ptl_clock_allowed(PTL_CLOCK_TSC))
		return UINT64_C(1) << 32;
	read_both(&first);
	do {
		ptl_sys(SYS_nanosleep, &pause, NULL, 0, 0);
		read_both(&last);
	} while (last.ns - first.ns < (uint64_t)pause.tv_nsec ||
		 last.counter == first.counter);
	return scale(last.ns - first.ns, UINT64_C(1) << 32,
		     last.counter - first.counter);
#endif
}

/* Measured once: the function of a single anchor must not change either. */
static uint64_t get_tick(void)
{
	uint64_t tick = atomic_load_explicit(&tick_ns, memory_order_relaxed);
	uint64_t mine;

	if (tick)
		return tick;
	mine = measure_tick();
	if (atomic_compare_exchange_strong_explicit(&tick_ns, &tick, mine,
						    memory_order_relaxed,
						    memory_order_relaxed))
		return mine;
	return tick;
}

void ptl_clock_guard(bool measure)
{
	if (ptl_clock_is_guarded())
		return;
	read_both(&guarded_at);
	if (measure)
		get_tick();
	atomic_store_explicit(&vdso_clock, NULL, memory_order_relaxed);
	/* What is guessed from is there.  Pairs with ptl_clock_is_guarded(). */
	atomic_store_explicit(&ptl_clock_guarded, true, memory_order_release);
}

uint64_t ptl_clock_guess(bool may_ask)
{
	uint64_t tick = atomic_load_explicit(&tick_ns, memory_order_relaxed);

	if (!may_ask || !tick)
		return guarded_at.counter;
	return guarded_at.counter +
	       scale(ptl_clock_ns(CLOCK_MONOTONIC) - guarded_at.ns,
		     UINT64_C(1) << 32, tick);
}

uint64_t ptl_clock_guess_ns(void)
{
	return guarded_at.ns;
}

/* The line of slope dy/dx through an anchor. */
static struct ptl_clock_line line_through(const struct ptl_shm_anchor *at,
					  uint64_t dx, uint64_t dy)
{
	struct ptl_clock_line line = {
		.end = UINT64_MAX,
		.counter = at->counter,
		.ns = at->ns,
		.dx = dx ? dx : 1,
	};

	if (dx == 0)
		return line;
	line.whole = dy / dx;
	line.rest = dy % dx;
	line.part = divide(line.rest, 0, dx);
	return line;
}

/* The last anchor that is not after the counter; the first if there is none. */
static size_t find_anchor(const struct ptl_shm_anchor *anchor, size_t n,
			  uint64_t counter)
{
	size_t low = 0, high = n;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (anchor[middle].counter <= counter)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The line through anchor `at', the one that find_anchor() found. */
static struct ptl_clock_line line_at(uint32_t clock,
				     const struct ptl_shm_anchor *anchor,
				     size_t n, uint64_t counter, size_t at)
{
	size_t from = at, to = at + 1;

	if (clock != PTL_CLOCK_TSC)
		return line_through(&anchor[at], 1, 1);
	if (n == 1)
		return line_through(anchor, UINT64_C(1) << 32, get_tick());
	/* Outside: the slope of anchors that are not too near to have one. */
	if (at == n - 1) {
		to = at;
		do
			from--;
		while (from > 0 &&
		       anchor[to].counter - anchor[from].counter < SLOPE_TICKS);
	} else if (counter < anchor[at].counter) {
		while (to < n - 1 &&
		       anchor[to].counter - anchor[from].counter < SLOPE_TICKS)
			to++;
	}
	return line_through(&anchor[at],
			    anchor[to].counter - anchor[from].counter,
			    anchor[to].ns - anchor[from].ns);
}

struct ptl_clock_line ptl_clock_line(uint32_t clock,
				     const struct ptl_shm_anchor *anchor,
				     size_t n, uint64_t counter)
{
	static const struct ptl_shm_anchor origin;
	struct ptl_clock_line line;
	size_t at;

	if (n == 0)
		return line_through(&origin, 1, 1);
	at = find_anchor(anchor, n, counter);
	line = line_at(clock, anchor, n, counter, at);
	if (counter < line.counter) {
		line.end = line.counter;
	} else {
		line.begin = line.counter;
		if (at < n - 1)
			line.end = anchor[at + 1].counter;
	}
	return line;
}

uint64_t ptl_clock_realtime(uint32_t clock, const struct ptl_shm_anchor *anchor,
			    size_t n, uint64_t counter)
{
	struct ptl_clock_line line = ptl_clock_line(clock, anchor, n, counter);

	return ptl_clock_follow(&line, counter);
}
