/* SPDX-License-Identifier: MIT */
#include "preload/libc/owncalls.h"

#include <elf.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

/* Reading more of it would be felt. */
#define MAX_TEXT (128u << 10)

/* Which call an instruction is for. */
enum call {
	OTHER,
	FILTERS, /* it can install a filter */
	GIVEN,	 /* the number comes from elsewhere */
};

static enum call call_of(uint32_t number)
{
	return number == SYS_seccomp || number == SYS_prctl ? FILTERS : OTHER;
}

#if defined(__x86_64__)

/* Compilers set the number shortly before. */
#define BEFORE 48

static uint32_t word(const unsigned char *at)
{
	uint32_t word;

	__builtin_memcpy(&word, at, sizeof(word));
	return word;
}

/* Does an instruction there set %eax, and to what? */
static bool sets_number(const unsigned char *at, enum call *call)
{
	*call = GIVEN;
	/* mov $N,%eax */
	if (at[0] == 0xb8)
		*call = call_of(word(at + 1));
	if (at[0] == 0xb8)
		return word(at + 1) < 1024;
	if (at[0] == 0x48)
		at++;
	/* mov $N,%rax */
	if (at[0] == 0xc7 && at[1] == 0xc0)
		*call = call_of(word(at + 2));
	/* mov %REG,%eax, or from the stack; movslq */
	return (at[0] == 0xc7 && at[1] == 0xc0) ||
	       (at[0] == 0x89 && (at[1] & 0xc7) == 0xc0) ||
	       ((at[0] == 0x8b || at[0] == 0x63) && (at[1] & 0x38) == 0);
}

/* The two bytes are side by side by chance, too: then it is mostly none. */
static enum call call_at(const unsigned char *text, size_t at)
{
	size_t from = at > BEFORE ? at - BEFORE : 0;
	enum call call;

	if (text[at] != 0x0f || text[at + 1] != 0x05)
		return OTHER;
	for (; at > from; at--)
		if (sets_number(text + at - 1, &call))
			return call;
	return OTHER;
}

/* Is one of the bytes this one? */
static bool has(uint64_t word, unsigned char byte)
{
	word ^= UINT64_C(0x0101010101010101) * byte;
	return (word - UINT64_C(0x0101010101010101)) & ~word &
	       UINT64_C(0x8080808080808080);
}

/* Is the number of such a call put into a register, to be given to somebody? */
static bool gives_number(const unsigned char *text, size_t size)
{
	for (size_t i = 2; i + 4 <= size; i++)
		if (call_of(word(text + i)) == FILTERS &&
		    ((text[i - 1] & 0xf8) == 0xb8 ||
		     (text[i - 2] == 0xc7 && (text[i - 1] & 0xf8) == 0xc0)))
			return true;
	return false;
}

static bool has_call(const unsigned char *text, size_t size)
{
	const uint64_t *at = (const uint64_t *)text;
	bool given = false;

	for (size_t i = 1; i + 1 < size / sizeof(*at); i++)
		for (size_t n = 0; has(at[i], 0x05) && n < sizeof(*at); n++)
			switch (call_at(text, i * sizeof(*at) + n - 1)) {
			case FILTERS:
				return true;
			case GIVEN:
				given = true;
				break;
			case OTHER:
				break;
			}
	return given && gives_number(text, size);
}

#else

#define SVC 0xd4000001u
#define BEFORE 12

/* movz wN or xN,#NUMBER */
static bool is_number(uint32_t code, uint32_t reg)
{
	return (code & 0x7fe00000) == 0x52800000 && (code & 31) == reg;
}

static enum call call_at(const uint32_t *text, size_t at)
{
	size_t from = at > BEFORE ? at - BEFORE : 0;

	while (at-- > from)
		if (is_number(text[at], 8))
			return call_of(text[at] >> 5 & 0xffff);
	return GIVEN;
}

static bool gives_number(const uint32_t *text, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (is_number(text[i], text[i] & 31) &&
		    call_of(text[i] >> 5 & 0xffff) == FILTERS)
			return true;
	return false;
}

static bool has_call(const unsigned char *bytes, size_t size)
{
	const uint32_t *text = (const uint32_t *)bytes;
	size_t nr = size / sizeof(*text);
	bool given = false;

	for (size_t i = 0; i < nr; i++) {
		enum call call = text[i] == SVC ? call_at(text, i) : OTHER;

		if (call == FILTERS)
			return true;
		given |= call == GIVEN;
	}
	return given && gives_number(text, nr);
}

#endif

static bool segment_has_call(const ElfW(Phdr) * phdr, uintptr_t bias)
{
	return phdr->p_type == PT_LOAD && phdr->p_flags & PF_X &&
	       phdr->p_flags & PF_R && phdr->p_filesz <= MAX_TEXT &&
	       has_call((const unsigned char *)(bias + phdr->p_vaddr),
			phdr->p_filesz);
}

bool ptl_owncalls_any(void)
{
	const ElfW(Phdr) *phdr = (const void *)getauxval(AT_PHDR);
	unsigned long nr = phdr ? getauxval(AT_PHNUM) : 0, self = 0;

	while (self < nr && phdr[self].p_type != PT_PHDR)
		self++;
	for (unsigned long i = 0; self < nr && i < nr; i++)
		if (segment_has_call(&phdr[i],
				     (uintptr_t)phdr - phdr[self].p_vaddr))
			return true;
	return false;
}
