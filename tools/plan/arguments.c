/* SPDX-License-Identifier: MIT */
/*
 * Arguments of a probe, as an assembler writes operands: "-4@%edi",
 * "8@-24(%rbp)", "4@$5", "8@(%rax,%rcx,4)", "8@name(%rip)", "8f@%xmm0"; the
 * number before the @ is how many bytes, below 0 if they have a sign.  One that
 * is not understood is noted, and takes no other with it.
 */
#include "tools/plan/notes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define OPERAND_MAX 160

/* As instructions number them. */
static const char *const words[] = {"ax", "cx", "dx", "bx",
				    "sp", "bp", "si", "di"};

static bool is_word(const char *name, size_t size, const char *word)
{
	return strlen(word) == size && strncmp(name, word, size) == 0;
}

/* %r8 ... %r15, and parts of them. */
static int numbered(const char *name, size_t size)
{
	int number = 0;
	size_t at = 1;

	while (at < size && at < 3 && name[at] >= '0' && name[at] <= '9')
		number = number * 10 + (name[at++] - '0');
	if (number < 8 || number > 15)
		return -1;
	if (at < size && (name[at] == 'd' || name[at] == 'w' ||
			  name[at] == 'b' || name[at] == 'l'))
		at++;
	return at == size ? number : -1;
}

/* The number of a general register by any of its names, behind the %; -1: none.
 */
static int general(const char *name, size_t size, uint8_t *how)
{
	size_t skip = size == 3 && (*name == 'r' || *name == 'e');

	if (size > 1 && *name == 'r' && name[1] >= '0' && name[1] <= '9')
		return numbered(name, size);
	for (int i = 0; i < 8; i++)
		if (is_word(name + skip, size - skip, words[i]))
			return i;
	/* %al, %ah; %sil */
	if (size == 2 && (name[1] == 'l' || name[1] == 'h'))
		for (int i = 0; i < 4; i++)
			if (*name == *words[i]) {
				*how |= name[1] == 'h' ? PTL_PATCH_HIGH : 0;
				return i;
			}
	if (size == 3 && name[2] == 'l')
		for (int i = 4; i < 8; i++)
			if (is_word(name, 2, words[i]))
				return i;
	return -1;
}

static bool take_register(const char *text, size_t size,
			  struct ptl_patch_argument *to)
{
	int number;

	if (size > 3 && strncmp(text, "xmm", 3) == 0) {
		char *end;
		unsigned long which = strtoul(text + 3, &end, 10);

		to->kind = PTL_ARGUMENT_VECTOR;
		to->base = (uint8_t)which;
		return text[3] >= '0' && text[3] <= '9' && which < 16 &&
		       end == text + size;
	}
	number = general(text, size, &to->how);
	to->kind = PTL_ARGUMENT_REGISTER;
	to->base = (uint8_t)number;
	return number >= 0;
}

/* A number, of which nothing is lost.  Moves past it. */
static bool take_number(const char **text, int64_t *number)
{
	bool is_negative = **text == '-';
	const char *digits = *text + is_negative;
	unsigned long long value;
	char *end;

	if (*digits < '0' || *digits > '9')
		return false;
	errno = 0;
	value = strtoull(digits, &end, 0);
	if (errno != 0)
		return false;
	*number = (int64_t)(is_negative ? 0 - value : value);
	*text = end;
	return true;
}

/* Of the register in an address of memory, with its whole name. */
static bool take_base(const char **text, uint8_t *number)
{
	size_t size = 0;
	uint8_t how = 0;
	int found;

	if (**text != '%')
		return false;
	(*text)++;
	while ((*text)[size] != '\0' && strchr(",)", (*text)[size]) == NULL)
		size++;
	found = **text == 'r' ? general(*text, size, &how) : -1;
	*text += size;
	*number = (uint8_t)found;
	return found >= 0 && (size < 3 || strchr("dwbl", (*text)[-1]) == NULL);
}

/* Behind the displacement: (base,index,scale). */
static bool take_address(const char *text, struct ptl_patch_argument *to)
{
	int64_t scale = 1;

	to->kind = PTL_ARGUMENT_MEMORY;
	to->base = to->index = PTL_PATCH_NO_REGISTER;
	if (*text++ != '(')
		return false;
	if (*text != ',' && !take_base(&text, &to->base))
		return false;
	if (*text == ',') {
		text++;
		if (!take_base(&text, &to->index) || to->index == 4)
			return false;
		if (*text == ',') {
			text++;
			if (!take_number(&text, &scale) ||
			    (scale != 1 && scale != 2 && scale != 4 &&
			     scale != 8))
				return false;
		}
	}
	to->scale = (uint8_t)scale;
	return strcmp(text, ")") == 0;
}

struct file {
	const struct ptl_elf_image *image;
	uint64_t *left; /* symbols that may be looked at */
};

/* Of a symbol with that name, in a table of them. */
static bool find_in(const struct file *file, Elf_Scn *scn,
		    const GElf_Shdr *shdr, const char *name, uint64_t *address)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t nr = data != NULL && shdr->sh_entsize != 0 ?
			    data->d_size / shdr->sh_entsize :
			    0;
	GElf_Sym sym;

	for (size_t i = 0; i<nr && * file->left> 0; i++, --*file->left) {
		const char *there;

		if (gelf_getsym(data, (int)i, &sym) == NULL ||
		    sym.st_shndx == SHN_UNDEF ||
		    GELF_ST_TYPE(sym.st_info) == STT_TLS)
			continue;
		there = elf_strptr(file->image->elf, shdr->sh_link,
				   sym.st_name);
		if (there != NULL && strcmp(there, name) == 0) {
			*address = sym.st_value;
			return true;
		}
	}
	return false;
}

static bool find_symbol(const struct file *file, const char *name,
			uint64_t *address)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while ((scn = elf_nextscn(file->image->elf, scn)) != NULL)
		if (gelf_getshdr(scn, &shdr) != NULL &&
		    (shdr.sh_type == SHT_SYMTAB ||
		     shdr.sh_type == SHT_DYNSYM) &&
		    find_in(file, scn, &shdr, name, address))
			return true;
	return false;
}

/* name(%rip), with a number before or behind the name. */
static bool take_object(const struct file *file, char *text,
			struct ptl_patch_argument *to)
{
	char *end = strstr(text, "(%rip)"), *plus;
	int64_t number = 0;
	uint64_t address;
	const char *at = text;

	if (end == NULL || strcmp(end, "(%rip)") != 0)
		return false;
	*end = '\0';
	if (take_number(&at, &number) && *at++ != '+')
		return false;
	plus = (char *)at + strcspn(at, "+-");
	if (*plus != '\0') {
		const char *rest = plus + (*plus == '+');

		if (!take_number(&rest, &number) || *rest != '\0')
			return false;
		*plus = '\0';
	}
	to->kind = PTL_ARGUMENT_DATA;
	if (*at == '\0' || !find_symbol(file, at, &address))
		return false;
	to->value = (int64_t)(address + (uint64_t)number);
	return true;
}

static bool take_operand(const struct file *file, char *text,
			 struct ptl_patch_argument *to)
{
	const char *at = text;

	if (*text == '%')
		return take_register(text + 1, strlen(text + 1), to);
	if (*text == '$') {
		at++;
		to->kind = PTL_ARGUMENT_CONSTANT;
		return take_number(&at, &to->value) && *at == '\0';
	}
	if (*at != '(' && !take_number(&at, &to->value))
		return take_object(file, text, to);
	if (*at == '(' && strcmp(at, "(%rip)") != 0)
		return take_address(at, to);
	to->value = 0;
	return take_object(file, text, to);
}

/* How many bytes, and of which kind. */
static bool take_size(const char **text, struct ptl_patch_argument *to)
{
	int64_t size;

	if (!take_number(text, &size))
		return false;
	to->how = size < 0 ? PTL_PATCH_SIGNED : 0;
	if (size < 0)
		size = -size;
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return false;
	to->size = (uint8_t)size;
	if (**text == 'f') {
		to->how |= PTL_PATCH_FLOAT;
		(*text)++;
		if (size < 4)
			return false;
	}
	return *(*text)++ == '@';
}

static bool take(const struct file *file, const char *text, size_t size,
		 struct ptl_patch_argument *to)
{
	char operand[OPERAND_MAX];
	const char *at = operand;

	*to = (struct ptl_patch_argument){.base = PTL_PATCH_NO_REGISTER};
	if (size >= sizeof(operand))
		return false;
	memcpy(operand, text, size);
	operand[size] = '\0';
	return take_size(&at, to) &&
	       take_operand(file, operand + (at - operand), to) &&
	       (!(to->how & PTL_PATCH_FLOAT) ||
		to->kind != PTL_ARGUMENT_CONSTANT);
}

void ptl_note_arguments(struct ptl_note *note,
			const struct ptl_elf_image *image, uint64_t *left)
{
	const struct file file = {image, left};
	const char *text = note->arguments;

	for (;;) {
		struct ptl_patch_argument *to;
		size_t size;

		text += strspn(text, " ");
		size = strcspn(text, " ");
		if (size == 0)
			return;
		if (note->nr_arguments == PTL_PATCH_ARGUMENTS) {
			note->has_more = true;
			return;
		}
		to = &note->argument[note->nr_arguments];
		if (!take(&file, text, size, to)) {
			*to = (struct ptl_patch_argument){
				.base = PTL_PATCH_NO_REGISTER};
			note->unknown |= 1u << note->nr_arguments;
		}
		note->nr_arguments++;
		text += size;
	}
}
