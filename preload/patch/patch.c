/* SPDX-License-Identifier: MIT */
/*
 * Patches the loaded objects, each with the block that was made for its file.
 * All places of a block are compared with what was there, before any is
 * written: a breakpoint, an uprobe, code that was relocated or unpacked,
 * another file of that name, or a block that lies, and the object is left
 * alone.
 */
#include "preload/patch/patch.h"

#include "core/core.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include "preload/hook/hooked.h"
#include "preload/hook/loaded.h"
#include "preload/hook/pages.h"
#include "preload/hook/objects.h"
#include "preload/libc/buildid.h"
#include "preload/libc/env.h"
#include "preload/libc/image.h"
#include "preload/libc/payload.h"
#include "preload/patch/arena.h"
#include "preload/patch/ask.h"
#include "preload/patch/hot.h"
#include "preload/patch/jump.h"
#include "preload/patch/later.h"
#include "preload/patch/pending.h"
#include "preload/patch/probes.h"
#include "preload/patch/write.h"
#include "preload/settings/pattern.h"

#include <string.h>
#include <unistd.h>

/* The recorder of static programs needs no libc; and has no thread-local
 * storage where functions would look for it, which are recorded without asking
 * whose thread it is. */
#if defined(PTL_STATIC)
#define PTL_PATCH_STATIC 1
#else
#define PTL_PATCH_STATIC 0
#endif

#define NAME "PTRACE_FUNCTIONS="
#define PROBES "PTRACE_PROBES="
#define HOT "PTRACE_HOT="
#define STATUS_SIZE 1024
#define LINE_SIZE 512
#define PATTERNS_SIZE 4096

/* What the stream has, and where there is more. */
static struct ptl_answer given;
static struct ptl_patch_source source;

/* Which objects are meant (-f), a copy: the environment is the program's. */
static char patterns[PATTERNS_SIZE] PTL_BULK;
static bool wants_probes; /* any object may have some */

static bool is_same_file(const struct ptl_patch_file *file,
			 const struct dl_phdr_info *info, const char *path)
{
	struct ptl_build_id id = ptl_build_id(info);
	struct ptl_kstat st;

	if (id.size != file->id_size)
		return false;
	if (id.size > 0)
		return memcmp(id.bytes, file->id, id.size) == 0;
	return ptl_sys(SYS_newfstatat, AT_FDCWD, path, &st, 0) == 0 &&
	       (uint64_t)st.st_size == file->size &&
	       st.st_dev == file->device && st.st_ino == file->inode &&
	       st.st_mtim.tv_sec == file->mtime_sec &&
	       st.st_mtim.tv_nsec == file->mtime_nsec;
}

static bool find_block(struct ptl_patch_view *block,
		       const struct ptl_answer *blocks,
		       const struct dl_phdr_info *info, const char *path,
		       bool is_of_calls)
{
	size_t at = 0, size;

	while (ptl_block_read(block, blocks->bytes + at, blocks->size - at,
			      &size)) {
		if (!block->head.is_of_calls == !is_of_calls &&
		    is_same_file(&block->head.file, info, path))
			return true;
		at += size;
	}
	return false;
}

/* Is it code of the object that can be read, but not written? */
static bool is_code(const struct dl_phdr_info *info, uint64_t at, size_t size)
{
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];

		if (ph->p_type == PT_LOAD &&
		    (ph->p_flags & (PF_R | PF_W | PF_X)) == (PF_R | PF_X) &&
		    at >= ph->p_vaddr && at - ph->p_vaddr < ph->p_filesz &&
		    size <= ph->p_filesz - (at - ph->p_vaddr))
			return true;
	}
	return false;
}

static bool is_place(const struct ptl_patch_view *block,
		     const struct ptl_patch *patch,
		     const struct dl_phdr_info *info, uint64_t was)
{
	const struct ptl_patch_block *head = &block->head;

	if (patch->was < patch->size || was + patch->was > head->was_size ||
	    !is_code(info, patch->at, patch->was))
		return false;
	if (patch->size == PTL_JUMP_SIZE)
		return patch->to >= head->code &&
		       patch->to - head->code < head->code_size;
	return patch->size == PTL_PATCH_SHORT &&
	       PTL_JUMP_SIZE == PTL_PATCH_LONG;
}

/* A short jump leads to a long one, which is among the patches: it is written
 * as that one is, or not at all.  In order, and one not over the other. */
static const char *check(const struct ptl_patch_view *block,
			 const struct dl_phdr_info *info)
{
	uint64_t was = 0, end = 0;

	for (uint64_t i = 0; i < block->head.nr_patches; i++) {
		const struct ptl_patch *patch = &block->patch[i];

		if (patch->at < end || !is_place(block, patch, info, was))
			return "its patches are damaged";
		if (memcmp((const void *)(info->dlpi_addr + patch->at),
			   block->was + was, patch->was) != 0)
			return "its code is not as in its file";
		was += patch->was;
		end = patch->at + patch->size;
	}
	return NULL;
}

/* Of the program: the last segment that can be read, and neither written nor
 * executed. */
static void note_constants(const struct dl_phdr_info *info)
{
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];

		if (ph->p_type != PT_LOAD ||
		    (ph->p_flags & (PF_R | PF_W | PF_X)) != PF_R)
			continue;
		ptl_pages_constants = info->dlpi_addr + ph->p_vaddr;
		ptl_pages_constants_size = ph->p_filesz;
	}
}

const char ptl_patch_gs[] = "it uses %gs itself";

/* By ptl_write_patches() or ptl_pending_add(). */
typedef const char *put_fn(const struct ptl_patch_view *block,
			   const struct dl_phdr_info *info,
			   const struct ptl_arena *arena);

static const char *patch_object(const struct ptl_patch_view *block,
				const struct dl_phdr_info *info, put_fn *put)
{
	const struct ptl_arena *arena;
	const char *why = check(block, info);
	struct ptl_image image;

	if (PTL_PATCH_STATIC && block->head.uses_gs)
		return ptl_patch_gs;
	if (why || block->head.nr_patches == 0)
		return why;
	/* For the range, which it reads of an object without symbols, too. */
	ptl_image_read(&image, info);
	if (!info->dlpi_name || !info->dlpi_name[0])
		note_constants(info);
	arena = ptl_arena_make(block, &image, &why);
	if (arena)
		why = put(block, info, arena);
	if (!why)
		ptl_probes_switch_on(block, info);
	return why;
}

/* ---- what is told of it --------------------------------------------- */

static void record(enum ptl_sysevent id, int64_t nr, const char *text)
{
	unsigned char bytes[LINE_SIZE + 32];
	struct ptl_payload payload = {bytes, sizeof(bytes), 0};

	if (!ptl_core_wants(id))
		return;
	ptl_put_int(&payload, nr);
	ptl_put_string(&payload, text);
	if (id == PTL_EV_CALL_HOOKS)
		ptl_put_string(&payload, "");
	ptl_core_event(id, payload.data, payload.size, NULL);
}

/* By pattern, and by reason. */
static void tell(const char *told, size_t told_size, bool is_patched)
{
	struct ptl_block_line line;
	char text[LINE_SIZE];
	size_t at = 0;

	while (ptl_block_line(told, told_size, &at, &line)) {
		size_t size = PTL_MIN(line.size, sizeof(text) - 1);

		memcpy(text, line.text, size);
		text[size] = '\0';
		if (line.nr < 0)
			record(PTL_EV_CALL_UNHOOKED, -line.nr, text);
		else
			record(PTL_EV_CALL_HOOKS, is_patched ? line.nr : 0,
			       text);
	}
}

/* -1: how many functions there are is not known. */
static void refuse(int64_t nr_functions, const char *path, const char *why)
{
	char text[LINE_SIZE];
	size_t size =
		ptl_strcopy(text, sizeof(text), ptl_loaded_base_name(path));

	size += ptl_strcopy(text + size, sizeof(text) - size, ": ");
	ptl_strcopy(text + size, sizeof(text) - size, why);
	record(PTL_EV_CALL_UNHOOKED, nr_functions, text);
}

void ptl_patch_refuse(const char *path, const char *why)
{
	refuse(-1, path, why);
}

/* Under its lock: the call would be recorded, with a stack by libunwind. */
static bool is_needed_by_libunwind(const char *path)
{
	return ptl_core_libunwind_code() &&
	       ptl_strpre(ptl_loaded_base_name(path), "libc.so");
}

/* ---- all of them ---------------------------------------------------- */

/* A debugger may set breakpoints where instructions were moved from: what it
 * writes there would be within a jump. */
static bool is_debugged(void)
{
	static const char key[] = "TracerPid:\t";
	char text[STATUS_SIZE];

	/* A static program is patched at its beginning only, when who had it
	 * by ptrace(2) was who put us there. */
	if (PTL_PATCH_STATIC)
		return ptl_core_had_tracer();
	ptl_sys_read_text(AT_FDCWD, "/proc/self/status", text, sizeof(text));
	for (const char *at = text; *at; at++)
		if (ptl_strpre(at, key))
			return at[sizeof(key) - 1] != '0';
	return false;
}

static bool was_beginning;

/* No other thread, and no code of the program or of another library has run:
 * libc, which is initialised behind us, has no environment yet; or has it since
 * libunwind was loaded. */
static bool is_beginning(void)
{
	return was_beginning || !environ;
}

void ptl_patch_begin(void)
{
	was_beginning = !environ;
}

struct looking {
	const char *exe;
	bool is_later;	 /* than the constructor */
	bool is_running; /* the program, in any of its functions */
	const char *why; /* nothing may be patched */
	bool is_known;
};

/* Of the process; asked when a block is for one of its objects. */
static const char *why_none(struct looking *looking)
{
	if (looking->is_known)
		return looking->why;
	looking->is_known = true;
	/* Who asks for it has us by ptrace(2). */
	if (looking->is_running)
		return NULL;
	if (!looking->is_later && !is_beginning())
		looking->why = "libptrace.so was loaded too late";
	else if (is_debugged())
		looking->why = "a debugger has the process";
	return looking->why;
}

static const char *why_not(struct looking *looking, const char *path)
{
	const char *why = why_none(looking);

	if (!why && is_needed_by_libunwind(path))
		why = "libunwind calls it while it looks at stacks";
	return why;
}

/* The loader will write to its code. */
static bool is_relocated(const struct dl_phdr_info *info)
{
	const ElfW(Dyn) *dyn = ptl_image_dynamic(info);

	for (; dyn && dyn->d_tag != DT_NULL; dyn++)
		if (dyn->d_tag == DT_TEXTREL ||
		    (dyn->d_tag == DT_FLAGS && dyn->d_un.d_val & DF_TEXTREL))
			return true;
	return false;
}

/* In a program that runs: as long as nothing was written to it before. */
static const char *prepare(const struct ptl_patch_view *block,
			   const struct dl_phdr_info *info)
{
	struct ptl_image image;

	if (ptl_image_read(&image, info) && ptl_arena_of(image.low))
		return "patched before, and what was asked for then is "
		       "recorded";
	return patch_object(block, info, ptl_pending_add);
}

static void use(struct looking *looking, const struct ptl_patch_view *block,
		const struct dl_phdr_info *info, const char *path)
{
	const char *why = why_not(looking, path);

	if (!why && looking->is_running)
		why = prepare(block, info);
	else if (!why)
		why = looking->is_later && is_relocated(info) ?
			      "its code is relocated" :
			      patch_object(block, info, ptl_write_patches);
	/* What is pending is told when it is there. */
	if (why || !looking->is_running)
		tell(block->told, block->head.told_size, !why);
	if (why)
		refuse((int64_t)block->head.nr_functions, path, why);
}

/* Is it among those that are meant?  The vDSO is no file. */
static bool is_meant(const char *path, bool is_program)
{
	const char *name = ptl_loaded_base_name(path);

	if (!source.path[0] || ptl_strpre(name, "linux-vdso"))
		return false;
	return (patterns[0] &&
		ptl_pattern_list_means_object(patterns, name, is_program)) ||
	       (wants_probes &&
		ptl_pattern_means_object(is_program ? NULL : "?*", name,
					 is_program));
}

static void ask_for(struct looking *looking, const struct dl_phdr_info *info,
		    const char *path, bool is_program)
{
	const char *why = why_not(looking, path);
	struct ptl_patch_view block;
	struct ptl_answer answer;

	if (!why)
		why = ptl_ask(source.path, path, is_program, &answer);
	if (why) {
		refuse(-1, path, why);
		return;
	}
	if (find_block(&block, &answer, info, path, false))
		use(looking, &block, info, path);
	else
		refuse(-1, path, "its file is another one");
	ptl_ask_return(&answer);
}

static int look(struct dl_phdr_info *info, size_t size, void *arg)
{
	const char *path = info->dlpi_name;
	/* The loader's list has no name for the program itself. */
	bool is_program = !path || !path[0];
	struct looking *looking = arg;
	struct ptl_patch_view block;

	(void)size;
	if (is_program)
		path = looking->exe;
	if (find_block(&block, &given, info, path, false))
		use(looking, &block, info, path);
	else if (is_meant(path, is_program))
		ask_for(looking, info, path, is_program);
	return 0;
}

bool ptl_patch_wanted(char *const *envp)
{
	if (ptl_env_value(envp, PROBES) && ptl_core_traced())
		return true;
	return ptl_env_value(envp, NAME) &&
	       (ptl_core_wants(PTL_EV_CALL_ENTER) ||
		ptl_core_wants(PTL_EV_CALL_ENTRY));
}

/* The loader calls, before code of the object is relocated or runs. */
static void look_later(struct dl_phdr_info *info)
{
	struct looking looking = {.exe = "", .is_later = true};

	if (ptl_is_quiet() || ptl_core_in_vfork_child() || !info->dlpi_name ||
	    !info->dlpi_name[0])
		return;
	/* What its constructors call has the names that it has. */
	ptl_objects_note();
	look(info, sizeof(*info), &looking);
}

/* May a pattern mean what is not there yet? */
static bool means_later(void)
{
	return wants_probes ||
	       ptl_pattern_colon(patterns, ptl_strlen(patterns)) != NULL;
}

static bool take_given(void)
{
	size_t size;

	if (given.bytes)
		return true;
	given.bytes = ptl_core_patches(&given.size);
	if (!given.bytes)
		return false;
	size = ptl_block_source(&source, given.bytes, given.size);
	given.bytes += size;
	given.size -= size;
	return true;
}

/* Which objects are meant, and what is known of them.  False: nothing is. */
static bool begin(char *const *envp)
{
	const char *wanted = ptl_env_value(envp, NAME);

	if (!take_given())
		return false;
	ptl_strcopy(patterns, sizeof(patterns), wanted ? wanted : "");
	wants_probes = ptl_env_value(envp, PROBES) != NULL;
	ptl_core_call_limits(&ptl_limits);
	ptl_hot_begin(ptl_env_value(envp, HOT));
	return true;
}

const char *ptl_patch_source(void)
{
	return take_given() && source.path[0] ? source.path : NULL;
}

const char *ptl_patch_starter(void)
{
	return take_given() && source.start[0] ? source.start : NULL;
}

void ptl_patch_init(char *const *envp, const char *exe)
{
	struct looking looking = {.exe = exe};
	const char *why;

	if (PTL_PATCH_STATIC) {
		refuse(-1, exe,
		       "static: only what it asks the system for is "
		       "traced");
		return;
	}
	if (!begin(envp))
		return;
	dl_iterate_phdr(look, &looking);
	if (!means_later())
		return;
	why = why_none(&looking);
	if (!why && !ptl_later_begin(look_later))
		why = "where this loader tells of objects is not known";
	if (why)
		refuse(-1, "dlopen", why);
}

void ptl_patch_attach(char *const *envp, const char *exe)
{
	struct looking looking = {.exe = exe, .is_running = true};

	/* Patches of another trace may be there, whose stream is gone. */
	given.bytes = NULL;
	ptl_pending_begin();
	if (!begin(envp))
		return;
	dl_iterate_phdr(look, &looking);
	if (means_later() && !ptl_later_attach(look_later))
		refuse(-1, "dlopen",
		       "where this loader tells of objects is "
		       "not known");
}

void ptl_patch_attached(uint64_t left, const char *why)
{
	const struct ptl_pending_batch *batch;
	uint64_t nr, all = 0;

	ptl_later_attached();
	batch = ptl_pending_all(&nr);
	for (uint64_t i = 0; i < nr; i++)
		all += batch[i].nr;
	for (uint64_t i = 0; i < nr; i++)
		tell((const char *)batch[i].told, batch[i].told_size,
		     left < all);
	if (left > 0)
		record(PTL_EV_CALL_UNHOOKED, (int64_t)left, why);
	ptl_pending_begin();
}

/* ---- system calls --------------------------------------------------- */

struct program {
	const char *exe, *why;
	bool asks;
};

/* Of a program that has no libc threads are made without, and what is a
 * thread's in libc is not there. */
static bool has_libc(const struct dl_phdr_info *info)
{
	const ElfW(Dyn) *dyn = ptl_image_dynamic(info);
	struct ptl_image image;

	ptl_image_read(&image, info);
	for (; dyn && image.str && dyn->d_tag != DT_NULL; dyn++)
		if (dyn->d_tag == DT_NEEDED &&
		    ptl_strpre(image.str + dyn->d_un.d_val, "libc."))
			return true;
	return false;
}

static const char *patch_asked(const struct dl_phdr_info *info, const char *exe,
			       uint32_t what)
{
	struct ptl_patch_view block;
	struct ptl_answer answer;
	const char *why = "nobody is there to look at it";

	if (source.path[0])
		why = ptl_ask(source.path, exe, what, &answer);
	if (why)
		return why;
	if (find_block(&block, &answer, info, exe, true))
		why = patch_object(&block, info, ptl_write_patches);
	else
		why = "its file is another one";
	ptl_ask_return(&answer);
	return why;
}

/* The program is the first of the loader's list. */
static int patch_program(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct program *program = arg;
	struct ptl_patch_view block;

	(void)size;
	if (!PTL_PATCH_STATIC && !has_libc(info))
		program->why = "it does not need libc";
	else if (find_block(&block, &given, info, program->exe, true))
		program->why = patch_object(&block, info, ptl_write_patches);
	else if (program->asks)
		program->why = patch_asked(info, program->exe, PTL_PATCH_CALLS);
	else
		program->why = "nobody has looked at it";
	return 1;
}

const char *ptl_patch_calls(const char *exe, bool asks, void (*entry)(void))
{
	struct program program = {.exe = exe, .asks = asks};
	struct looking looking = {.exe = exe};
	const char *why;

	/* First, since it asks nobody. */
	if (!take_given())
		return "nobody has looked at it";
	why = why_none(&looking);
	if (why)
		return why;
	ptl_arena_calls(entry);
	dl_iterate_phdr(patch_program, &program);
	return program.why;
}

struct inside {
	bool (*means)(const struct dl_phdr_info *info);
	bool is_any;
};

static int patch_inside(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct inside *inside = arg;
	const char *why;

	(void)size;
	if (!inside->means(info))
		return 0;
	why = patch_asked(info, info->dlpi_name, PTL_PATCH_INSIDE);
	if (why)
		ptl_patch_refuse(info->dlpi_name, why);
	else
		inside->is_any = true;
	return 0;
}

bool ptl_patch_inside(bool (*means)(const struct dl_phdr_info *info),
		      void (*entry)(void))
{
	struct inside inside = {.means = means};
	struct looking looking = {.exe = ""};
	const char *why =
		take_given() ? why_none(&looking) : "nobody has looked at it";

	if (why) {
		ptl_patch_refuse("libc", why);
		return false;
	}
	ptl_arena_calls(entry);
	dl_iterate_phdr(patch_inside, &inside);
	return inside.is_any;
}
