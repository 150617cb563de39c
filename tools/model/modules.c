/* SPDX-License-Identifier: MIT */
/*
 * What is mapped where; see modules.h.  A forked child has its parent's map
 * until it maps something itself, so maps are shared and copied on write.  As
 * events are read a map changes: it is right for the event that was read last.
 */
#include "tools/model/modules.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/format/sysevents.h"
#include "core/format/values.h"
#include "tools/lib/say.h"
#include "tools/symbolize/callees.h"
#include "tools/symbolize/mapped.h"

#define SPACES_HASH 64 /* at first */

/* An image of a process.  The pid is the one in its pid namespace. */
struct key {
	pid_t pid;
	unsigned int pidns, image;
};

struct space {
	struct space *next;
	struct key key;
	bool is_own; /* it has had events of its own */
	bool is_ended;
	struct ptl_mapped *mapped;
	struct ptl_callees *callees;
};

/* Where an event came from before: so do most. */
struct place {
	uint64_t address, offset;
	struct ptl_symfile *file;
	struct key key;
	uint64_t changes; /* there were so many then */
};

#define PLACE_BITS 5

struct ptl_modules {
	uint64_t changes; /* of any space, and 1 */
	struct place place[1 << PLACE_BITS];
	struct space **hash;
	size_t nr, room;    /* room is a power of two */
	struct space *last; /* the one found last: most lookups repeat */
};

struct ptl_modules *ptl_modules_new(void)
{
	struct ptl_modules *modules = ptl_alloc(sizeof(*modules));

	modules->changes = 1;
	modules->room = SPACES_HASH;
	modules->hash = ptl_alloc(modules->room * sizeof(*modules->hash));
	return modules;
}

/* Forgets what is mapped and what is called there. */
static void clear(struct space *space)
{
	ptl_mapped_release(space->mapped);
	space->mapped = NULL;
	ptl_callees_release(space->callees);
	space->callees = NULL;
}

void ptl_modules_free(struct ptl_modules *modules)
{
	if (modules == NULL)
		return;
	for (size_t i = 0; i < modules->room; i++) {
		struct space *space, *next;

		for (space = modules->hash[i]; space != NULL; space = next) {
			next = space->next;
			clear(space);
			free(space);
		}
	}
	free(modules->hash);
	free(modules);
}

static struct key key_of(const struct posix_trace_event_info *event)
{
	return (struct key){event->posix_pid, event->posix_pidns_np,
			    event->posix_image_np};
}

static bool is_process(const struct key *a, const struct key *b)
{
	return a->pid == b->pid && a->pidns == b->pidns;
}

static bool is_image(const struct key *a, const struct key *b)
{
	return is_process(a, b) && a->image == b->image;
}

/* The list that has all images of the process. */
static struct space **list_of(struct ptl_modules *modules,
			      const struct key *key)
{
	return &modules->hash[((unsigned int)key->pid + key->pidns) &
			      (modules->room - 1)];
}

/* As many lists again.  In each the order stays: the latest is the first. */
static void grow(struct ptl_modules *modules)
{
	struct space **old = modules->hash;
	size_t nr_old = modules->room;

	modules->room *= 2;
	modules->hash = ptl_alloc(modules->room * sizeof(*modules->hash));
	for (size_t i = 0; i < nr_old; i++) {
		struct space *space, *next;

		for (space = old[i]; space != NULL; space = next) {
			struct space **end = list_of(modules, &space->key);

			while (*end != NULL)
				end = &(*end)->next;
			next = space->next;
			space->next = NULL;
			*end = space;
		}
	}
	free(old);
}

static struct space *find_space(struct ptl_modules *modules, struct key key)
{
	struct space *space = modules->last;

	if (space != NULL && is_image(&space->key, &key))
		return space;
	space = *list_of(modules, &key);
	while (space != NULL && !is_image(&space->key, &key))
		space = space->next;
	if (space != NULL)
		modules->last = space;
	return space;
}

static struct space *get_space(struct ptl_modules *modules, struct key key)
{
	struct space *space = find_space(modules, key);
	struct space **head;

	if (space != NULL)
		return space;
	if (modules->nr++ >= modules->room)
		grow(modules);
	head = list_of(modules, &key);
	space = ptl_alloc(sizeof(*space));
	space->key = key;
	space->next = *head;
	*head = space;
	return space;
}

/* The latest image of the process that has something mapped, or NULL. */
static struct space *last_mapped(struct ptl_modules *modules, struct key key)
{
	struct space *space = *list_of(modules, &key);

	while (space != NULL &&
	       !(is_process(&space->key, &key) && space->mapped != NULL))
		space = space->next;
	return space;
}

/* Of the image that makes a child.  A child that no fork of ours made does not
 * know which that is: its birth is told of image 0. */
static struct space *parent_space(struct ptl_modules *modules, struct key key)
{
	struct space *space = find_space(modules, key);

	if (space == NULL || space->mapped == NULL)
		space = last_mapped(modules, key);
	return space != NULL ? space : get_space(modules, key);
}

/* Takes out what overlaps: it has been unmapped in the meantime. */
static void clear_range(struct space *space, uint64_t start, uint64_t end)
{
	size_t first, last;

	if (!ptl_mapped_overlap(space->mapped, start, end, &first, &last))
		return;
	ptl_callees_drop(&space->callees, space->mapped->module[first].start,
			 space->mapped->module[last - 1].end);
	ptl_mapped_remove(&space->mapped, first, last);
}

static void insert(struct space *space, const struct ptl_module *module)
{
	const struct ptl_module *old =
		ptl_mapped_find(space->mapped, module->start);

	/* A module that is mapped there already changes nothing: its names are
	 * kept. */
	if (old != NULL && memcmp(old, module, sizeof(*module)) == 0)
		return;
	clear_range(space, module->start, module->end);
	ptl_mapped_insert(&space->mapped, module);
}

/* The range of a dl:map or dl:unmap event; false if it has none. */
static bool find_range(const struct ptl_args *args, struct ptl_module *module)
{
	const struct ptl_arg *base = ptl_decode_find(args, "base");
	const struct ptl_arg *size = ptl_decode_find(args, "size");

	if (base == NULL || size == NULL)
		return false;
	module->base = module->start = (uint64_t)base->value;
	module->end = module->start + (uint64_t)size->value;
	return true;
}

static void learn_map(struct space *space, const struct ptl_args *args)
{
	const struct ptl_arg *path = ptl_decode_find(args, "path");
	const struct ptl_arg *id = ptl_decode_find(args, "build_id");
	struct ptl_module module = {0};

	if (!find_range(args, &module))
		return;
	/* If the event was cut before the id, the file cannot be known. */
	if (path != NULL && id != NULL && path->type == PTL_ARG_STRING &&
	    id->type == PTL_ARG_BYTES) {
		module.file =
			ptl_symfile_get(path->bytes, path->size, id->bytes,
					id->size, module.end - module.base);
		module.start += ptl_symfile_low(module.file);
		module.end += ptl_symfile_low(module.file);
	}
	/*
	 * Where this module is, is not known: its event says base 0, since
	 * the program is mapped where its own file says, and there is no file.
	 */
	if (module.start == 0 || module.end <= module.start)
		return;
	insert(space, &module);
	space->is_own = true;
}

static void learn_unmap(struct space *space, const struct ptl_args *args)
{
	struct ptl_module module = {0};
	const struct ptl_mapped *mapped = space->mapped;

	if (mapped == NULL || !find_range(args, &module))
		return;
	/* A module may start behind its base. */
	for (size_t i = 0; i < mapped->nr; i++) {
		if (mapped->module[i].base != module.base)
			continue;
		module.start = mapped->module[i].start;
		module.end = mapped->module[i].end;
		break;
	}
	if (module.start < module.end)
		clear_range(space, module.start, module.end);
}

static void learn_symbol(struct space *space, const struct ptl_args *args)
{
	const struct ptl_arg *callee = ptl_decode_find(args, "callee");
	const struct ptl_arg *function = ptl_decode_find(args, "function");
	const struct ptl_arg *library = ptl_decode_find(args, "library");

	if (callee != NULL && function != NULL && library != NULL)
		ptl_callees_put(&space->callees, (uint64_t)callee->value,
				function, library,
				ptl_decode_find(args, "prototype"));
}

/* Code that was made at run time: it is like a file of one function. */
static void learn_made(struct space *space, const struct ptl_args *args)
{
	const struct ptl_arg *addr = ptl_decode_find(args, "addr");
	const struct ptl_arg *size = ptl_decode_find(args, "size");
	const struct ptl_arg *name = ptl_decode_find(args, "name");
	struct ptl_module module;
	uint64_t at;

	if (addr == NULL || size == NULL || name == NULL ||
	    name->type != PTL_ARG_STRING)
		return;
	module.start = (uint64_t)addr->value;
	module.end = module.start + (uint64_t)size->value;
	if (module.start == 0 || module.end <= module.start)
		return;
	module.file = ptl_symfile_made(module.start >> 63, name->bytes,
				       name->size, (uint64_t)size->value, &at);
	if (module.file == NULL)
		return;
	module.base = module.start - at;
	insert(space, &module);
}

/* The child that process:fork tells of.  Its pid is 0 if the event was cut. */
static struct key child_of(const struct space *parent,
			   const struct ptl_args *args)
{
	const struct ptl_arg *pidns = ptl_decode_find(args, "pidns");
	const struct ptl_arg *pid =
		ptl_decode_find(args, pidns ? "nspid" : "child");

	return (struct key){
		.pid = pid ? (pid_t)pid->value : 0,
		.pidns = pidns ? (unsigned int)pidns->value : parent->key.pidns,
	};
}

/*
 * A child begins with its parent's map; an older process of its number is gone.
 * After a vfork the child's own events can come before the event by which the
 * parent reports the child.
 */
static void learn_fork(struct ptl_modules *modules, struct space *parent,
		       struct key child)
{
	struct space *space;

	for (space = *list_of(modules, &child); space != NULL;
	     space = space->next) {
		if (!is_process(&space->key, &child) || space == parent ||
		    (space->is_own && !space->is_ended))
			continue;
		clear(space);
		space->is_own = space->is_ended = false;
	}
	/* The event does not say from which image number it counts: do both. */
	for (int i = 0; i < 2; i++) {
		child.image = i ? parent->key.image : 0;
		space = get_space(modules, child);
		if (space->mapped != NULL || space->is_own || space == parent)
			continue;
		if (parent->mapped != NULL)
			parent->mapped->users++;
		space->mapped = parent->mapped;
		ptl_callees_release(space->callees);
		space->callees = ptl_callees_share(parent->callees);
	}
}

/* The kernel's functions stay where they are: the process may be sampled before
 * it says that it has begun. */
static void learn_start(struct space *space)
{
	const struct ptl_mapped *mapped = space->mapped;
	size_t all = mapped != NULL ? mapped->nr : 0, nr = 0;
	struct ptl_module *kernels = ptl_alloc((all + 1) * sizeof(*kernels));

	for (size_t i = 0; i < all; i++)
		if (mapped->module[i].start >> 63)
			kernels[nr++] = mapped->module[i];
	clear(space);
	for (size_t i = 0; i < nr; i++)
		insert(space, &kernels[i]);
	free(kernels);
	space->is_own = true;
	space->is_ended = false;
}

/* The stream came to it when it ran already, it stands aside, or it is a child
 * whose fork is not recorded. */
static void learn_program(struct ptl_modules *modules, struct key key,
			  const struct ptl_args *args)
{
	const struct ptl_arg *parent = ptl_decode_find(args, "parent");
	struct space *space = get_space(modules, key);

	if (space->is_ended)
		clear(space);
	space->is_ended = false;
	if (parent != NULL && parent->value > 0)
		learn_fork(modules,
			   parent_space(modules,
					(struct key){(pid_t)parent->value,
						     key.pidns, key.image}),
			   key);
}

static void learn_exit(struct ptl_modules *modules, struct key key)
{
	for (struct space *space = *list_of(modules, &key); space != NULL;
	     space = space->next)
		space->is_ended |= is_process(&space->key, &key);
}

void ptl_modules_learn(struct ptl_modules *modules, enum ptl_act act,
		       const struct posix_trace_event_info *event,
		       const struct ptl_args *args)
{
	struct key key = key_of(event), child;
	struct space *space;

	switch (act) {
	case PTL_ACT_MAP:
		learn_map(get_space(modules, key), args);
		break;
	case PTL_ACT_UNMAP:
		learn_unmap(get_space(modules, key), args);
		break;
	case PTL_ACT_SYMBOL:
		learn_symbol(get_space(modules, key), args);
		break;
	case PTL_ACT_CPU_SYMBOL:
		learn_made(get_space(modules, key), args);
		break;
	case PTL_ACT_START:
		learn_start(get_space(modules, key));
		break;
	case PTL_ACT_PROGRAM:
		learn_program(modules, key, args);
		break;
	case PTL_ACT_EXIT:
		learn_exit(modules, key);
		break;
	case PTL_ACT_FORK:
		space = parent_space(modules, key);
		child = child_of(space, args);
		if (child.pid != 0)
			learn_fork(modules, space, child);
		break;
	default:
		return;
	}
	modules->changes++;
}

uint64_t ptl_modules_maps(struct ptl_modules *modules,
			  const struct posix_trace_event_info *event)
{
	const struct space *space = find_space(modules, key_of(event));

	return space != NULL && space->mapped != NULL ? space->mapped->number :
							0;
}

static bool is_sample(trace_event_id_t id)
{
	return id == PTL_EV_CPU_SAMPLE || id == PTL_EV_CPU_SAMPLE_LEFT;
}

static struct place *place_of(struct ptl_modules *modules, uint64_t address)
{
	/* Return addresses have nothing in common: the golden ratio mixes them.
	 */
	return &modules->place[address * UINT64_C(0x9e3779b97f4a7c15) >>
			       (64 - PLACE_BITS)];
}

static const struct ptl_module *find_module(struct ptl_modules *modules,
					    struct key key, uint64_t address)
{
	const struct space *space = find_space(modules, key);

	return space != NULL ? ptl_mapped_find(space->mapped, address) : NULL;
}

struct ptl_symfile *ptl_modules_file(struct ptl_modules *modules,
				     const struct posix_trace_event_info *event,
				     uint64_t address, uint64_t *offset)
{
	struct place *place = place_of(modules, address);
	const struct key key = key_of(event);
	const struct ptl_module *module;

	if (place->address == address && place->changes == modules->changes &&
	    is_image(&place->key, &key)) {
		*offset = place->offset;
		return place->file;
	}
	module = find_module(modules, key, address - 1);
	if (address == PTL_FRAME_LEFT_OUT && is_sample(event->posix_event_id)) {
		*offset = address;
		return ptl_symfile_left_out();
	}
	if (module == NULL) {
		*offset = address;
		return ptl_symfile_jit(event->posix_pid);
	}
	if (module->file == NULL)
		return NULL;
	*offset = address - module->base;
	*place = (struct place){address, *offset, module->file, key,
				modules->changes};
	return module->file;
}

static unsigned int size_of(const char *name)
{
	return name != NULL ? (unsigned int)strlen(name) : 0;
}

struct ptl_callee
ptl_modules_function(struct ptl_modules *modules,
		     const struct posix_trace_event_info *event,
		     uint64_t address)
{
	struct space *space = find_space(modules, key_of(event));
	struct ptl_callee found = {.address = address};
	const struct ptl_callee *callee;
	const struct ptl_module *module;

	if (space == NULL)
		return found;
	callee = ptl_callees_find(space->callees, address);
	if (callee != NULL)
		found = *callee;
	/* Of a function inside a program the prototype alone is recorded. */
	if (callee != NULL && callee->function[0] != '\0')
		return found;
	module = ptl_mapped_find(space->mapped, address);
	if (module != NULL && module->file != NULL) {
		found.function = ptl_symfile_function(module->file,
						      address - module->base);
		found.library = ptl_symfile_module(module->file);
		found.function_size = size_of(found.function);
		found.library_size = size_of(found.library);
	}
	return found;
}

uint64_t ptl_modules_start(struct ptl_modules *modules,
			   const struct posix_trace_event_info *event,
			   uint64_t address)
{
	uint64_t offset, start;
	struct ptl_symfile *file =
		ptl_modules_file(modules, event, address, &offset);

	if (file == NULL || !ptl_symfile_start(file, offset, &start))
		return 0;
	return address - offset + start;
}
