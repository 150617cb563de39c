/* SPDX-License-Identifier: MIT */
/*
 * Names of addresses inside a file; see symbols.h.  The text for each address
 * is kept, since a program calls from few places.
 */
#include "tools/symbolize/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/hash.h"
#include "tools/lib/perfmap.h"
#include "tools/lib/say.h"
#include "tools/symbolize/demangle.h"
#include "tools/symbolize/enclosed.h"
#include "tools/symbolize/find.h"
#include "tools/symbolize/minidebug.h"
#include "tools/symbolize/plt.h"
#include "tools/symbolize/symtab.h"

#define FILES_HASH 1024
#define TEXTS_HASH 1024

struct text {
	uint64_t address; /* 0: nothing was looked up */
	char *text;	  /* or NULL */
};

struct ptl_symfile {
	struct ptl_symfile *next;
	struct ptl_wanted wanted;
	const char *module;
	enum ptl_found found;
	uint64_t low;

	bool is_read, is_data_read, has_looked_for_lines;
	bool has_lost_lines; /* its symbols were there, and then it was not */
	struct ptl_symtab table, data;
	struct text *texts; /* by hash of the address; newest wins */
	struct ptl_lines *lines;
};

static struct ptl_symfile *files[FILES_HASH];

static uint32_t hash_bytes(uint32_t hash, const void *bytes, size_t size)
{
	const unsigned char *p = bytes;

	while (size-- > 0)
		hash = (hash ^ *p++) * 16777619u;
	return hash;
}

static void *copy_of(const void *bytes, size_t size)
{
	char *copy = ptl_alloc(size + 1);

	return size > 0 ? memcpy(copy, bytes, size) : copy;
}

/* A file's address range is needed at once, its symbols perhaps never. */
static void find_file(struct ptl_symfile *file)
{
	struct ptl_elf_image image;

	file->found = ptl_find_file(&file->wanted, &image);
	if (file->found != PTL_FOUND) {
		if (!ptl_find_debug(&file->wanted, NULL, &image))
			return;
		file->found = PTL_FOUND;
	}
	file->low = image.low;
	ptl_image_close(&image);
}

struct ptl_symfile *ptl_symfile_get(const char *path, size_t path_size,
				    const void *build_id, size_t id_size,
				    uint64_t size)
{
	uint32_t hash = hash_bytes(2166136261u, path, path_size);
	struct ptl_symfile **head, *file;
	const char *slash;

	if (id_size > PTL_BUILD_ID_MAX)
		id_size = 0;
	hash = hash_bytes(hash, build_id, id_size);
	head = &files[hash % FILES_HASH];
	for (file = *head; file != NULL; file = file->next)
		if (strlen(file->wanted.path) == path_size &&
		    memcmp(file->wanted.path, path, path_size) == 0 &&
		    file->wanted.id_size == id_size &&
		    file->wanted.size == size &&
		    memcmp(file->wanted.id, build_id, id_size) == 0)
			return file;
	file = ptl_alloc(sizeof(*file));
	file->wanted.path = copy_of(path, path_size);
	file->wanted.id = copy_of(build_id, id_size);
	file->wanted.id_size = id_size;
	file->wanted.size = size;
	slash = strrchr(file->wanted.path, '/');
	file->module = slash != NULL ? slash + 1 : file->wanted.path;
	file->next = *head;
	*head = file;
	find_file(file);
	return file;
}

/* Nothing is larger that is made at run time. */
#define MADE_MOST (UINT64_C(1) << 32)

#define MADE_FILE(what) \
	{ \
		.wanted = {.path = (what)}, .module = (what), \
		.found = PTL_FOUND, .is_read = true, .is_data_read = true, \
		.has_looked_for_lines = true, \
	}

static void add_made(struct ptl_symtab *table, const char *name, uint64_t at,
		     uint64_t size)
{
	table->symbol = ptl_grow(table->symbol, table->nr, &table->room,
				 sizeof(*table->symbol));
	table->symbol[table->nr++] = (struct ptl_symbol){
		.value = at,
		.end = at + size,
		.name = name,
		.shown = name,
		.outer = PTL_SYMTAB_NONE,
		.is_sized = true,
	};
}

struct ptl_symfile *ptl_symfile_made(bool is_kernel, const char *name,
				     size_t name_size, uint64_t size,
				     uint64_t *at)
{
	static struct ptl_symfile jit = MADE_FILE("JIT"),
				  kernel = MADE_FILE("kernel");
	struct ptl_symfile *made = is_kernel ? &kernel : &jit;
	static struct ptl_hash known = {.value_size = sizeof(uint64_t)};
	static uint64_t end = 1;
	struct {
		const char *name;
		uint64_t size, is_kernel;
	} key = {ptl_intern(name, name_size), size, is_kernel};
	uint64_t *place;

	if (size == 0 || size > MADE_MOST || end > UINT64_MAX - size - 1)
		return NULL;
	if (made->texts == NULL)
		made->texts = ptl_alloc(TEXTS_HASH * sizeof(*made->texts));
	place = ptl_hash_get(&known, &key, sizeof(key));
	if (*place == 0) {
		*place = end;
		add_made(&made->table, key.name, end, size);
		end += size;
	}
	*at = *place;
	return made;
}

struct ptl_symfile *ptl_symfile_left_out(void)
{
	static struct ptl_symfile file = {
		.wanted = {.path = "stack"},
		.module = "stack",
		.found = PTL_FOUND,
		.is_read = true,
		.is_data_read = true,
		.has_looked_for_lines = true,
	};

	if (file.texts != NULL)
		return &file;
	file.texts = ptl_alloc(TEXTS_HASH * sizeof(*file.texts));
	add_made(&file.table, "[frames left out]", 0, 1);
	return &file;
}

/* Reads the file itself and, if it was stripped, the file with its symbols. */
static void read_symbols(struct ptl_symfile *file)
{
	struct ptl_elf_image image, debug;
	bool is_full = false, is_there;
	enum ptl_found found;

	file->is_read = true;
	file->texts = ptl_alloc(TEXTS_HASH * sizeof(*file->texts));
	found = ptl_find_file(&file->wanted, &image);
	is_there = found == PTL_FOUND;
	if (is_there) {
		is_full = ptl_symtab_read(&file->table, &image);
		ptl_plt_read(&file->table, &image);
	}
	if (!is_full &&
	    (ptl_find_debug(&file->wanted, is_there ? &image : NULL, &debug) ||
	     (is_there && ptl_minidebug_open(&image, &debug)))) {
		ptl_symtab_read(&file->table, &debug);
		ptl_image_keep(&debug);
	} else if (!is_there) {
		/* The file existed when it was first opened. */
		file->found = found;
	}
	if (is_there)
		ptl_image_keep(&image);
	ptl_symtab_sort(&file->table);
}

static const struct ptl_symbol *find_symbol(struct ptl_symfile *file,
					    uint64_t address)
{
	struct ptl_symbol *symbol;

	if (!file->is_read)
		read_symbols(file);
	symbol = ptl_symtab_find(&file->table, address);
	if (symbol != NULL && symbol->shown == NULL)
		symbol->shown = ptl_demangle(symbol->name);
	return symbol;
}

static struct ptl_symfile *read_jitted(pid_t pid)
{
	struct ptl_perfmap map = {.nr = 0};
	struct ptl_symfile *file;
	int fd = ptl_enclosed_map(pid);

	if (fd < 0)
		return NULL;
	file = ptl_alloc(sizeof(*file));
	file->wanted.path = file->module = "JIT";
	file->found = PTL_FOUND;
	file->is_read = file->is_data_read = file->has_looked_for_lines = true;
	file->texts = ptl_alloc(TEXTS_HASH * sizeof(*file->texts));
	/* What it was read into stays: the names are there. */
	ptl_perfmap_read(&map, fd);
	close(fd);
	for (size_t i = 0; i < map.nr; i++) {
		GElf_Sym sym = {
			.st_info = GELF_ST_INFO(STB_GLOBAL, STT_FUNC),
			.st_value = map.name[i].start,
			.st_size = map.name[i].size,
		};

		ptl_symtab_add(&file->table, &sym, map.name[i].name, 0, false);
	}
	free(map.name);
	ptl_symtab_sort(&file->table);
	return file;
}

struct ptl_symfile *ptl_symfile_jit(pid_t pid)
{
	static struct jitted {
		struct jitted *next;
		pid_t pid;
		struct ptl_symfile *file; /* or NULL */
	} * first;
	struct jitted *one;

	if (ptl_find_is_off() || !ptl_enclosed_has_maps())
		return NULL;
	for (one = first; one != NULL; one = one->next)
		if (one->pid == pid)
			return one->file;
	one = ptl_alloc(sizeof(*one));
	*one = (struct jitted){first, pid, read_jitted(pid)};
	first = one;
	return one->file;
}

uint64_t ptl_symfile_low(const struct ptl_symfile *file)
{
	return file->low;
}

const char *ptl_symfile_module(const struct ptl_symfile *file)
{
	return file->module;
}

const char *ptl_symfile_function(struct ptl_symfile *file, uint64_t address)
{
	const struct ptl_symbol *symbol = find_symbol(file, address);

	return symbol != NULL ? symbol->shown : NULL;
}

bool ptl_symfile_defines(struct ptl_symfile *file, const char *name)
{
	if (!file->is_read)
		read_symbols(file);
	for (size_t i = 0; i < file->table.nr; i++)
		if (!ptl_symtab_is_label(&file->table.symbol[i]) &&
		    strcmp(file->table.symbol[i].name, name) == 0)
			return true;
	return false;
}

bool ptl_symfile_start(struct ptl_symfile *file, uint64_t address,
		       uint64_t *start)
{
	const struct ptl_symbol *symbol = find_symbol(file, address - 1);

	if (symbol != NULL)
		symbol = ptl_symtab_whole(&file->table, symbol);
	if (symbol != NULL)
		*start = symbol->value;
	return symbol != NULL;
}

static void read_data(struct ptl_symfile *file)
{
	struct ptl_elf_image image, debug;
	bool is_full = false, is_there;

	file->is_data_read = file->data.is_of_data = true;
	is_there = ptl_find_file(&file->wanted, &image) == PTL_FOUND;
	if (is_there)
		is_full = ptl_symtab_read(&file->data, &image);
	if (!is_full &&
	    ptl_find_debug(&file->wanted, is_there ? &image : NULL, &debug)) {
		ptl_symtab_read(&file->data, &debug);
		ptl_image_keep(&debug);
	}
	if (is_there)
		ptl_image_keep(&image);
	ptl_symtab_sort(&file->data);
}

const char *ptl_symfile_variable(struct ptl_symfile *file, uint64_t address,
				 uint64_t *offset)
{
	struct ptl_symbol *symbol;

	if (!file->is_data_read)
		read_data(file);
	symbol = ptl_symtab_find(&file->data, address);
	if (symbol == NULL)
		return NULL;
	if (symbol->shown == NULL)
		symbol->shown = ptl_demangle(symbol->name);
	*offset = address - symbol->value;
	return symbol->shown;
}

const char *ptl_symfile_name(struct ptl_symfile *file, uint64_t address)
{
	const struct ptl_symbol *symbol;
	struct text *text;

	if (!file->is_read)
		read_symbols(file);
	text = &file->texts[(address ^ address >> 10) % TEXTS_HASH];
	if (text->address == address)
		return text->text;
	free(text->text);
	*text = (struct text){.address = address};
	symbol = find_symbol(file, address - 1);
	if (symbol == NULL)
		return NULL;
	if (asprintf(&text->text, "%s+0x%llx (%s)", symbol->shown,
		     (unsigned long long)(address - symbol->value),
		     file->module) < 0)
		text->text = NULL;
	return text->text;
}

const char *ptl_symfile_entry(struct ptl_symfile *file, uint64_t address)
{
	const struct ptl_symbol *symbol = find_symbol(file, address);
	static char *text;

	if (symbol == NULL)
		return NULL;
	free(text);
	if (asprintf(&text, "%s+0x%llx (%s)", symbol->shown,
		     (unsigned long long)(address - symbol->value),
		     file->module) < 0)
		text = NULL;
	return text;
}

size_t ptl_symfile_lines(struct ptl_symfile *file, uint64_t address,
			 const struct ptl_srcline **line)
{
	static const struct ptl_srcline unknown;
	bool is_there;
	size_t nr = 0;

	if (file != NULL && !file->has_looked_for_lines) {
		file->has_looked_for_lines = true;
		file->lines = ptl_lines_open(&file->wanted, &is_there);
		file->has_lost_lines = file->found == PTL_FOUND && !is_there;
	}
	if (file != NULL)
		nr = ptl_lines_find(file->lines, address, line);
	if (nr > 0)
		return nr;
	*line = &unknown;
	return 1;
}

void ptl_symfile_report(bool is_each)
{
	unsigned int nr = 0;

	for (size_t i = 0; i < FILES_HASH; i++) {
		const struct ptl_symfile *file;

		for (file = files[i]; file != NULL; file = file->next) {
			if (file->has_lost_lines && is_each)
				ptl_say("%s: it could not be read again, so "
					"its functions have no lines",
					file->wanted.path);
			if (!file->is_read || file->found == PTL_FOUND)
				continue;
			nr += file->found == PTL_FOUND_OTHER;
			if (is_each)
				ptl_say("%s: %s, so its functions have no "
					"names",
					file->wanted.path,
					file->found == PTL_FOUND_OTHER ?
						"not the file that was traced" :
						"not there");
		}
	}
	if (nr > 0 && !is_each)
		ptl_say("%u file%s changed since, and %s no names: see -v", nr,
			nr == 1 ? " has" : "s have", nr == 1 ? "has" : "have");
}
