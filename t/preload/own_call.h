/* SPDX-License-Identifier: MIT */
/* A system call by an instruction of the program's own: no library sees it. */
#ifndef PTL_T_PRELOAD_OWN_CALL_H
#define PTL_T_PRELOAD_OWN_CALL_H

static long own_call(long nr, long a, long b, long c)
{
	long ret;

#ifdef __x86_64__
	register long r10 __asm__("r10") = 0;
	register long r8 __asm__("r8") = 0;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "0"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
			 : "rcx", "r11", "memory");
#else
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = 0;
	register long x4 __asm__("x4") = 0;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4)
			 : "memory");
	ret = x0;
#endif
	return ret;
}

#endif
