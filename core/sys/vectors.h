/* SPDX-License-Identifier: MIT */
/*
 * The recorder leaves vector registers alone.  Where it has to call code that
 * is not ours it keeps them: hooks run while the program's arguments and
 * results are in them.
 */
#ifndef PTL_CORE_SYS_VECTORS_H
#define PTL_CORE_SYS_VECTORS_H

#include "core/base.h"

#if defined(__x86_64__)

/* All of them, as XSAVE has it: SSE, AVX and the three components of AVX-512.
 * Zero before its first use. */
struct ptl_vectors {
	unsigned char area[2752];
} __attribute__((aligned(64)));
#define PTL_VECTORS_XSAVE 0xe6

/* Is there XSAVE, for programs, too? */
PTL_INLINE bool ptl_vectors_xsave(void)
{
	uint32_t a = 1, c = 0;

	__asm__("cpuid" : "+a"(a), "+c"(c) : : "rbx", "rdx");
	return c >> 27 & 1;
}

PTL_INLINE void ptl_vectors_save(struct ptl_vectors *vectors, bool xsave)
{
	if (xsave)
		__asm__ volatile("xsave %0"
				 : "+m"(*vectors)
				 : "a"(PTL_VECTORS_XSAVE), "d"(0)
				 : "memory");
	else
		__asm__ volatile("fxsave %0" : "+m"(*vectors) : : "memory");
}

PTL_INLINE void ptl_vectors_restore(struct ptl_vectors *vectors, bool xsave)
{
	if (xsave)
		__asm__ volatile("xrstor %0"
				 :
				 : "m"(*vectors), "a"(PTL_VECTORS_XSAVE), "d"(0)
				 : "memory");
	else
		__asm__ volatile("fxrstor %0" : : "m"(*vectors) : "memory");
}

/* Registers that code for any processor may use, on the stack. */
struct ptl_vectors_least {
	unsigned char xmm[16][16];
};

#define PTL_VECTORS_EACH(move) \
	move(0) move(1) move(2) move(3) move(4) move(5) move(6) move(7) \
		move(8) move(9) move(10) move(11) move(12) move(13) move(14) \
			move(15)

PTL_INLINE void ptl_vectors_save_least(struct ptl_vectors_least *least)
{
#define PTL_VECTORS_MOVE(n) "movups %%xmm" #n ", 16*" #n "(%0)\n\t"
	__asm__ volatile(PTL_VECTORS_EACH(PTL_VECTORS_MOVE)
			 :
			 : "r"(least)
			 : "memory");
#undef PTL_VECTORS_MOVE
}

PTL_INLINE void ptl_vectors_restore_least(struct ptl_vectors_least *least)
{
#define PTL_VECTORS_MOVE(n) "movups 16*" #n "(%0), %%xmm" #n "\n\t"
	__asm__ volatile(PTL_VECTORS_EACH(PTL_VECTORS_MOVE)
			 :
			 : "r"(least)
			 : "memory");
#undef PTL_VECTORS_MOVE
}

#elif defined(__i386__)

/* Arguments are on the stack, and no calls are hooked. */
struct ptl_vectors {
	char none;
};

PTL_INLINE bool ptl_vectors_xsave(void)
{
	return false;
}

PTL_INLINE void ptl_vectors_save(struct ptl_vectors *vectors, bool xsave)
{
	(void)vectors, (void)xsave;
}

PTL_INLINE void ptl_vectors_restore(struct ptl_vectors *vectors, bool xsave)
{
	(void)vectors, (void)xsave;
}

#elif defined(__aarch64__)

/* Registers that the standard way to call has arguments and results in;
 * functions of other ways are not hooked. */
struct ptl_vectors {
	unsigned char area[128];
} __attribute__((aligned(16)));

PTL_INLINE bool ptl_vectors_xsave(void)
{
	return false;
}

PTL_INLINE void ptl_vectors_save(struct ptl_vectors *vectors, bool xsave)
{
	(void)xsave;
	__asm__ volatile("stp q0, q1, [%0]\n\t"
			 "stp q2, q3, [%0, #32]\n\t"
			 "stp q4, q5, [%0, #64]\n\t"
			 "stp q6, q7, [%0, #96]"
			 :
			 : "r"(vectors)
			 : "memory");
}

PTL_INLINE void ptl_vectors_restore(struct ptl_vectors *vectors, bool xsave)
{
	(void)xsave;
	__asm__ volatile("ldp q0, q1, [%0]\n\t"
			 "ldp q2, q3, [%0, #32]\n\t"
			 "ldp q4, q5, [%0, #64]\n\t"
			 "ldp q6, q7, [%0, #96]"
			 :
			 : "r"(vectors)
			 : "memory");
}

#endif

#if !defined(__x86_64__)

/* The kernel's vDSO, all that is called so, is made of general registers. */
struct ptl_vectors_least {
	char none;
};

PTL_INLINE void ptl_vectors_save_least(struct ptl_vectors_least *least)
{
	(void)least;
}

PTL_INLINE void ptl_vectors_restore_least(struct ptl_vectors_least *least)
{
	(void)least;
}

#endif

#endif
