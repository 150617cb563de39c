/* SPDX-License-Identifier: MIT */
/*
 * Names of addresses inside a file; see symbols.h.  The tables are sorted by
 * address once; the texts of addresses asked for are kept, since a program
 * calls from few places.
 */
#include "tools/symbols.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/say.h"

#define FILES_HASH 1024
#define TEXTS_HASH 1024

struct symbol {
	uint64_t value;
	uint64_t size;
	const char *name;
	unsigned int rank; /* among those of one address: least is best */
};

struct text {
	uint64_t value;
	char *text;
};

struct ptl_symfile {
	struct ptl_symfile *next;
	char *path;
	unsigned char build_id[64];
	size_t id_size;

	bool is_read;
	bool is_fixed;	 /* not position-independent */
	uint64_t lowest; /* page of the lowest segment */
	struct symbol *symbol;
	size_t nr_symbols, room;
	struct text *texts; /* by hash of the address; newest wins */
};

static struct ptl_symfile *files[FILES_HASH];

static uint32_t hash_bytes(uint32_t hash, const void *bytes, size_t size)
{
	const unsigned char *p = bytes;

	while (size-- > 0)
		hash = (hash ^ *p++) * 16777619u;
	return hash;
}

struct ptl_symfile *ptl_symfile_get(const char *path, size_t path_size,
				    const void *build_id, size_t id_size)
{
	uint32_t hash = hash_bytes(2166136261u, path, path_size);
	struct ptl_symfile **head, *file;

	if (id_size > sizeof(file->build_id))
		id_size = 0;
	hash = hash_bytes(hash, build_id, id_size);
	head = &files[hash % FILES_HASH];
	for (file = *head; file != NULL; file = file->next)
		if (strlen(file->path) == path_size &&
		    memcmp(file->path, path, path_size) == 0 &&
		    file->id_size == id_size &&
		    memcmp(file->build_id, build_id, id_size) == 0)
			return file;
	file = ptl_alloc(sizeof(*file));
	file->path = ptl_alloc(path_size + 1);
	memcpy(file->path, path, path_size);
	if (id_size > 0)
		memcpy(file->build_id, build_id, id_size);
	file->id_size = id_size;
	file->next = *head;
	*head = file;
	return file;
}

/* Finds the GNU build id among the notes of one section or segment. */
static bool find_id(Elf_Data *data, const unsigned char **id, size_t *size)
{
	size_t at = 0, name, desc;
	GElf_Nhdr note;

	while (data != NULL &&
	       (at = gelf_getnote(data, at, &note, &name, &desc)) > 0) {
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    memcmp((char *)data->d_buf + name, "GNU", 4) == 0) {
			*id = (unsigned char *)data->d_buf + desc;
			*size = note.n_descsz;
			return true;
		}
	}
	return false;
}

/*
 * Reads the program headers: the build id, the lowest address.  Returns
 * whether this is the file that was mapped; one without an id is only what
 * was mapped if that had none either.
 */
static bool check_file(struct ptl_symfile *file, Elf *elf)
{
	const unsigned char *id = NULL;
	size_t id_size = 0, nr = 0;
	GElf_Ehdr ehdr;

	if (gelf_getehdr(elf, &ehdr) == NULL || elf_getphdrnum(elf, &nr) != 0)
		return false;
	file->is_fixed = ehdr.e_type == ET_EXEC;
	file->lowest = UINT64_MAX;
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr phdr;

		if (gelf_getphdr(elf, (int)i, &phdr) == NULL)
			continue;
		if (phdr.p_type == PT_LOAD && phdr.p_vaddr < file->lowest)
			file->lowest = phdr.p_vaddr & ~UINT64_C(4095);
		if (phdr.p_type == PT_NOTE && id == NULL)
			find_id(elf_getdata_rawchunk(
					elf, (int64_t)phdr.p_offset,
					phdr.p_filesz,
					phdr.p_align == 8 ? ELF_T_NHDR8 :
							    ELF_T_NHDR),
				&id, &id_size);
	}
	return id_size == file->id_size &&
	       (id_size == 0 || memcmp(id, file->build_id, id_size) == 0);
}

static void add_symbol(struct ptl_symfile *file, const GElf_Sym *sym,
		       const char *name)
{
	unsigned int bind = GELF_ST_BIND(sym->st_info);
	struct symbol *symbol;

	file->symbol = ptl_grow(file->symbol, file->nr_symbols, &file->room,
				sizeof(*file->symbol));
	symbol = &file->symbol[file->nr_symbols++];
	symbol->value = sym->st_value;
	symbol->size = sym->st_size;
	symbol->name = name;
	/* Of several names the plain public one: read, not __GI___read. */
	symbol->rank = (name[0] == '_' ? 1 : 0) + (name[1] == '_' ? 1 : 0) +
		       (bind == STB_GLOBAL ? 0 :
			bind == STB_WEAK   ? 1 :
					     4);
}

static void read_table(struct ptl_symfile *file, Elf *elf, Elf_Scn *scn,
		       const GElf_Shdr *shdr)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t nr = shdr->sh_entsize > 0 ? shdr->sh_size / shdr->sh_entsize : 0;

	for (size_t i = 1; data != NULL && i < nr && i < INT32_MAX; i++) {
		const char *name;
		unsigned int type;
		GElf_Sym sym;

		if (gelf_getsym(data, (int)i, &sym) == NULL)
			break;
		type = GELF_ST_TYPE(sym.st_info);
		if (sym.st_shndx == SHN_UNDEF || sym.st_value == 0 ||
		    (type != STT_FUNC && type != STT_GNU_IFUNC))
			continue;
		name = elf_strptr(elf, shdr->sh_link, sym.st_name);
		if (name != NULL && name[0] != '\0')
			add_symbol(file, &sym, name);
	}
}

/* Returns whether there is a full table, not only the dynamic one. */
static bool read_tables(struct ptl_symfile *file, Elf *elf)
{
	bool is_full = false;
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		if (gelf_getshdr(scn, &shdr) == NULL)
			continue;
		if (shdr.sh_type == SHT_SYMTAB || shdr.sh_type == SHT_DYNSYM)
			read_table(file, elf, scn, &shdr);
		if (shdr.sh_type == SHT_SYMTAB)
			is_full = true;
	}
	return is_full;
}

/* The mapping stays: the names are in it. */
static Elf *open_elf(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	Elf *elf;

	if (fd < 0)
		return NULL;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf != NULL &&
	    (elf_kind(elf) != ELF_K_ELF || elf_cntl(elf, ELF_C_FDREAD) != 0)) {
		elf_end(elf);
		elf = NULL;
	}
	close(fd);
	return elf;
}

/* The symbols that the distribution ships apart, found by build id. */
static void read_debug_file(struct ptl_symfile *file)
{
	char path[256];
	int at;
	Elf *elf;

	if (file->id_size < 2)
		return;
	at = snprintf(path, sizeof(path), "/usr/lib/debug/.build-id/%02x/",
		      file->build_id[0]);
	for (size_t i = 1; i < file->id_size; i++)
		at += snprintf(path + at, sizeof(path) - (size_t)at, "%02x",
			       file->build_id[i]);
	snprintf(path + at, sizeof(path) - (size_t)at, ".debug");
	elf = open_elf(path);
	if (elf != NULL)
		read_tables(file, elf);
}

static int by_address(const void *a, const void *b)
{
	const struct symbol *left = a, *right = b;

	if (left->value != right->value)
		return left->value < right->value ? -1 : 1;
	if (left->rank != right->rank)
		return left->rank < right->rank ? -1 : 1;
	return strcmp(left->name, right->name);
}

static void read_file(struct ptl_symfile *file)
{
	size_t nr = 0;
	Elf *elf;

	file->is_read = true;
	elf = open_elf(file->path);
	if (elf == NULL)
		return;
	if (!check_file(file, elf)) {
		file->is_fixed = false;
		elf_end(elf);
		return;
	}
	if (!read_tables(file, elf))
		read_debug_file(file);
	if (file->nr_symbols == 0)
		return;
	qsort(file->symbol, file->nr_symbols, sizeof(*file->symbol),
	      by_address);
	for (size_t i = 0; i < file->nr_symbols; i++)
		if (i == 0 ||
		    file->symbol[i].value != file->symbol[nr - 1].value)
			file->symbol[nr++] = file->symbol[i];
	file->nr_symbols = nr;
	file->texts = ptl_alloc(TEXTS_HASH * sizeof(*file->texts));
}

/* The symbol that covers value; one without a size reaches to the next. */
static const struct symbol *find_symbol(const struct ptl_symfile *file,
					uint64_t value)
{
	size_t low = 0, high = file->nr_symbols;
	const struct symbol *symbol;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (file->symbol[middle].value <= value)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return NULL;
	symbol = &file->symbol[low - 1];
	/* <=: a call that never returns can be a function's last bytes. */
	if (symbol->size != 0 && value - symbol->value > symbol->size)
		return NULL;
	return symbol;
}

uint64_t ptl_symfile_fixed_base(struct ptl_symfile *file)
{
	if (!file->is_read)
		read_file(file);
	return file->is_fixed ? file->lowest : 0;
}

const char *ptl_symfile_name(struct ptl_symfile *file, uint64_t offset)
{
	const struct symbol *symbol;
	const char *module;
	struct text *text;
	uint64_t value;

	if (!file->is_read)
		read_file(file);
	if (file->nr_symbols == 0)
		return NULL;
	value = file->lowest + offset;
	text = &file->texts[(value ^ value >> 10) % TEXTS_HASH];
	if (text->text != NULL && text->value == value)
		return text->text;
	symbol = find_symbol(file, value);
	if (symbol == NULL)
		return NULL;
	free(text->text);
	text->value = value;
	module = strrchr(file->path, '/');
	module = module != NULL ? module + 1 : file->path;
	if (asprintf(&text->text, "%s+0x%llx (%s)", symbol->name,
		     (unsigned long long)(value - symbol->value), module) < 0)
		text->text = NULL;
	return text->text;
}
