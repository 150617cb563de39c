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

#if defined(__x86_64__)

static bool has_instruction(const unsigned char *text, size_t size)
{
	for (size_t i = 0; i + 1 < size; i++)
		if (text[i] == 0x0f && text[i + 1] == 0x05)
			return true;
	return false;
}

#else

/* Nothing is patched. */
static bool has_instruction(const unsigned char *text, size_t size)
{
	(void)text, (void)size;
	return false;
}

#endif

/* Where the kernel has mapped the program; false: it does not say so. */
static bool find_bias(uintptr_t *bias, const ElfW(Phdr) * *phdr,
		      unsigned long *nr)
{
	*phdr = (const void *)getauxval(AT_PHDR);
	*nr = *phdr ? getauxval(AT_PHNUM) : 0;
	for (unsigned long i = 0; i < *nr; i++)
		if ((*phdr)[i].p_type == PT_PHDR) {
			*bias = (uintptr_t)*phdr - (*phdr)[i].p_vaddr;
			return true;
		}
	return false;
}

/* Go's linker leaves a note with its name, of type 4. */
static bool is_go(const unsigned char *note, size_t size)
{
	static const char name[] = {'G', 'o', '\0', '\0'};
	size_t at = 0;

	while (size - at >= sizeof(ElfW(Nhdr)) + sizeof(name)) {
		const ElfW(Nhdr) *head = (const void *)(note + at);
		size_t all = sizeof(*head) +
			     (((size_t)head->n_namesz + 3) & -4) +
			     (((size_t)head->n_descsz + 3) & -4);

		if (head->n_type == 4 && head->n_namesz == sizeof(name) &&
		    __builtin_memcmp(head + 1, name, sizeof(name)) == 0)
			return true;
		if (all > size - at)
			return false;
		at += all;
	}
	return false;
}

typedef bool ask_of(const unsigned char *bytes, size_t size);

static bool text_has(ask_of *ask, const ElfW(Phdr) * phdr, uintptr_t bias)
{
	return phdr->p_type == PT_LOAD && phdr->p_flags & PF_X &&
	       phdr->p_flags & PF_R && phdr->p_filesz <= MAX_TEXT &&
	       ask((const unsigned char *)(bias + phdr->p_vaddr),
		   phdr->p_filesz);
}

static bool note_has(ask_of *ask, const ElfW(Phdr) * phdr, uintptr_t bias)
{
	return phdr->p_type == PT_NOTE &&
	       ask((const unsigned char *)(bias + phdr->p_vaddr),
		   phdr->p_filesz);
}

/* Is all of it in memory?  A note need not be: tools add some to a file, and
 * the kernel maps what PT_LOAD says. */
static bool is_loaded(const ElfW(Phdr) * part, const ElfW(Phdr) * phdr,
		      unsigned long nr)
{
	for (unsigned long i = 0; i < nr; i++)
		if (phdr[i].p_type == PT_LOAD && phdr[i].p_flags & PF_R &&
		    part->p_vaddr >= phdr[i].p_vaddr &&
		    part->p_vaddr - phdr[i].p_vaddr <= phdr[i].p_filesz &&
		    part->p_filesz <= phdr[i].p_filesz -
					      (part->p_vaddr - phdr[i].p_vaddr))
			return true;
	return false;
}

/* Has one of the program's segments of a kind what is asked for? */
static bool program_has(bool (*look)(ask_of *, const ElfW(Phdr) *, uintptr_t),
			ask_of *ask)
{
	const ElfW(Phdr) * phdr;
	unsigned long nr;
	uintptr_t bias;

	if (!find_bias(&bias, &phdr, &nr))
		return false;
	for (unsigned long i = 0; i < nr; i++)
		if (is_loaded(&phdr[i], phdr, nr) && look(ask, &phdr[i], bias))
			return true;
	return false;
}

bool ptl_owncalls_is_go(void)
{
	return program_has(note_has, is_go);
}

bool ptl_owncalls_any(void)
{
	return program_has(text_has, has_call);
}

bool ptl_owncalls_maybe(void)
{
	return program_has(text_has, has_instruction);
}
