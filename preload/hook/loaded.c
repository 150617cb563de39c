/* SPDX-License-Identifier: MIT */
#include "preload/hook/loaded.h"

#include "core/sys/text.h"

#define MAX_OBJECTS 2048

static struct ptl_loaded objects[MAX_OBJECTS] PTL_BULK;
static _Atomic uint32_t nr_objects;

static bool lives(const struct ptl_loaded *object)
{
	/* Pairs with ptl_loaded_add(). */
	return atomic_load_explicit(&object->lives, memory_order_acquire);
}

struct ptl_loaded *ptl_loaded_get(uint32_t i)
{
	/* Pairs with ptl_loaded_add(). */
	return i < atomic_load_explicit(&nr_objects, memory_order_acquire) ?
		       &objects[i] :
		       NULL;
}

const char *ptl_loaded_base_name(const char *path)
{
	const char *name = path;

	for (; *path; path++)
		if (*path == '/')
			name = path + 1;
	return name;
}

static bool is_same(const struct ptl_loaded *object,
		    const struct ptl_image *image, const char *name)
{
	return object->image.base == image->base &&
	       object->image.low == image->low &&
	       object->image.high == image->high &&
	       ptl_strpre(name, object->name);
}

/* The number of its entry, or the number of entries. */
static uint32_t find_same(const struct ptl_image *image, const char *name)
{
	const struct ptl_loaded *object;
	uint32_t i = 0;

	while ((object = ptl_loaded_get(i)) && !is_same(object, image, name))
		i++;
	return i;
}

struct ptl_loaded *ptl_loaded_get_same(const struct ptl_image *image,
				       const char *path)
{
	struct ptl_loaded *object =
		ptl_loaded_get(find_same(image, ptl_loaded_base_name(path)));

	return object && lives(object) ? object : NULL;
}

struct ptl_loaded *ptl_loaded_add(const struct ptl_image *image,
				  const char *path)
{
	const char *name = ptl_loaded_base_name(path);
	uint32_t i = find_same(image, name);
	struct ptl_loaded *object = &objects[i];

	if (i == MAX_OBJECTS)
		return NULL;
	object->hooked = false;
	object->image = *image;
	ptl_strcopy(object->name, sizeof(object->name), name);
	/* The rest of the entry is stored before.  Pairs with lives(),
	 * ptl_loaded_get(). */
	atomic_store_explicit(&object->lives, true, memory_order_release);
	if (!ptl_loaded_get(i))
		atomic_store_explicit(&nr_objects, i + 1, memory_order_release);
	return object;
}

void ptl_loaded_remove(struct ptl_loaded *object)
{
	atomic_store_explicit(&object->lives, false, memory_order_relaxed);
}

uint32_t ptl_loaded_find(uintptr_t addr)
{
	const struct ptl_loaded *object;

	for (uint32_t i = 0; (object = ptl_loaded_get(i)); i++)
		if (addr >= object->image.low && addr < object->image.high &&
		    lives(object))
			return i;
	return PTL_LOADED_NONE;
}

const char *ptl_loaded_name(uint32_t i)
{
	const struct ptl_loaded *object = ptl_loaded_get(i);

	return object ? object->name : "";
}

bool ptl_loaded_is_us(const struct ptl_image *image)
{
	uintptr_t here = (uintptr_t)objects;

	return here >= image->low && here < image->high;
}

uint32_t ptl_loaded_find_symbol(const char *name, const char *version,
				uint64_t *value)
{
	const struct ptl_loaded *object;

	for (uint32_t i = 0; (object = ptl_loaded_get(i)); i++) {
		const struct ptl_image *image = &object->image;
		const ElfW(Sym) * sym;

		if (!lives(object) || ptl_loaded_is_us(image))
			continue;
		sym = ptl_image_find(image, name, version);
		if (sym) {
			*value = image->base + sym->st_value;
			return i;
		}
	}
	return PTL_LOADED_NONE;
}
