/* SPDX-License-Identifier: MIT */
/* Places in programs; see sites.h. */
#include "tools/report/model/sites.h"

#include <stdio.h>
#include <string.h>

#include "tools/read/modules.h"

void ptl_sites_begin(struct ptl_sites *sites)
{
	*sites = (struct ptl_sites){0};
	sites->by_place.value_size = sizeof(const struct ptl_site *);
	sites->by_name.value_size = sizeof(struct ptl_site);
}

void ptl_sites_free(struct ptl_sites *sites)
{
	ptl_map_clear(&sites->by_place);
	ptl_map_clear(&sites->by_name);
}

/* What is known of an address besides its line. */
static const char *symbol_of(const struct ptl_view *view, uint64_t address,
			     const char *module, uint64_t offset)
{
	const char *name =
		ptl_modules_name(view->source->modules, view->event, address);
	char plain[256];

	if (name != NULL)
		return ptl_map_string(name, strlen(name));
	snprintf(plain, sizeof(plain), "%s0x%llx%s%.200s%s",
		 module != NULL ? "+" : "", (unsigned long long)offset,
		 module != NULL ? " (" : "", module != NULL ? module : "",
		 module != NULL ? ")" : "");
	return ptl_map_string(plain, sizeof(plain));
}

/* With its line, or NULL. */
static const char *place_of(const struct ptl_view *view, uint64_t address)
{
	struct ptl_modules *modules = view->source->modules;
	const char *function =
		ptl_modules_function(modules, view->event, address - 1)
			.function;
	const char *source =
		ptl_modules_source(modules, view->event, address, false);
	char place[2048];

	if (function == NULL || source == NULL)
		return NULL;
	snprintf(place, sizeof(place), "%.1500s (%.500s)", function, source);
	return ptl_map_string(place, sizeof(place));
}

/* "main (prog)" of "main+0x1c (prog)"; of one without a name "(prog)". */
static const char *function_of(const char *symbol)
{
	const char *offset = strstr(symbol, "+0x");
	const char *module = offset != NULL ? strstr(offset, " (") : NULL;
	char text[2048];

	if (module == NULL)
		return ptl_map_string("[unknown]", 9);
	snprintf(text, sizeof(text), "%.*s%s", (int)(offset - symbol), symbol,
		 offset == symbol ? module + 1 : module);
	return ptl_map_string(text, sizeof(text));
}

const struct ptl_site *ptl_sites_at(struct ptl_sites *sites,
				    const struct ptl_view *view,
				    uint64_t address)
{
	struct {
		const char *module;
		uint64_t offset;
	} key = {NULL, address};
	const struct ptl_site **known;
	const char *symbol, *name;
	struct ptl_site *site;

	key.module = ptl_modules_place(view->source->modules, view->event,
				       address, &key.offset);
	known = ptl_map_get(&sites->by_place, &key, sizeof(key));
	if (*known != NULL)
		return *known;
	symbol = symbol_of(view, address, key.module, key.offset);
	name = place_of(view, address);
	if (name == NULL)
		name = symbol;
	site = ptl_map_get(&sites->by_name, &name, sizeof(name));
	if (site->name == NULL)
		*site = (struct ptl_site){name, symbol, function_of(symbol)};
	*known = site;
	return site;
}
