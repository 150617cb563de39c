/* SPDX-License-Identifier: MIT */
/* Places in programs; see sites.h. */
#include "tools/model/sites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/model/modules.h"

/* Where they are. */
struct place {
	const char *module;
	uint64_t offset;
};

/* What is at one. */
struct known {
	const struct ptl_site **site;
	size_t nr;
};

void ptl_sites_begin(struct ptl_sites *sites)
{
	*sites = (struct ptl_sites){0};
	sites->by_place.value_size = sizeof(struct known);
	sites->by_name.value_size = sizeof(struct ptl_site);
}

void ptl_sites_free(struct ptl_sites *sites)
{
	struct known *known = NULL;

	while ((known = ptl_hash_next(&sites->by_place, known)) != NULL)
		free(known->site);
	ptl_hash_clear(&sites->by_place);
	ptl_hash_clear(&sites->by_name);
}

/* What is known of an address besides its line. */
static const char *symbol_of(const struct ptl_view *view, uint64_t address,
			     const struct place *place)
{
	const char *module = place->module;
	const char *name =
		ptl_modules_name(view->source->modules, view->event, address);
	char plain[256];

	if (name != NULL)
		return ptl_intern(name, strlen(name));
	snprintf(plain, sizeof(plain), "%s0x%llx%s%.200s%s",
		 module != NULL ? "+" : "", (unsigned long long)place->offset,
		 module != NULL ? " (" : "", module != NULL ? module : "",
		 module != NULL ? ")" : "");
	return ptl_intern(plain, sizeof(plain));
}

/* "main (prog)" of "main+0x1c (prog)"; of one without a name "(prog)". */
static const char *function_of(const char *symbol)
{
	const char *offset = strstr(symbol, "+0x");
	const char *module = offset != NULL ? strstr(offset, " (") : NULL;
	char text[2048];

	if (module == NULL)
		return ptl_intern("[unknown]", 9);
	snprintf(text, sizeof(text), "%.*s%s", (int)(offset - symbol), symbol,
		 offset == symbol ? module + 1 : module);
	return ptl_intern(text, sizeof(text));
}

/* "main (file.c:12)" or "main (prog)". */
static const char *in_brackets(const char *function, const char *where)
{
	char text[2048];

	snprintf(text, sizeof(text), "%.1500s (%.500s)", function, where);
	return ptl_intern(text, sizeof(text));
}

static const struct ptl_site *get_site(struct ptl_sites *sites,
				       const char *name, const char *function)
{
	struct ptl_site *site =
		ptl_hash_get(&sites->by_name, &name, sizeof(name));

	if (site->name == NULL)
		*site = (struct ptl_site){name, function};
	return site;
}

/* That is inlined in the module. */
static const struct ptl_site *inlined_at(struct ptl_sites *sites,
					 const char *module,
					 const struct ptl_srcline *line)
{
	const char *function = in_brackets(line->function, module);

	return get_site(sites,
			line->name != NULL ?
				in_brackets(line->function, line->name) :
				function,
			function);
}

/* Of the function itself. */
static const struct ptl_site *
own_at(struct ptl_sites *sites, const struct ptl_view *view, uint64_t address,
       const struct place *place, const struct ptl_srcline *line)
{
	const char *function = ptl_modules_function(view->source->modules,
						    view->event, address - 1)
				       .function;
	const char *symbol = symbol_of(view, address, place);

	return get_site(sites,
			function != NULL && line->name != NULL ?
				in_brackets(function, line->name) :
				symbol,
			function_of(symbol));
}

static void find_all(struct ptl_sites *sites, const struct ptl_view *view,
		     uint64_t address, const struct place *place,
		     struct known *known)
{
	const struct ptl_srcline *line;
	size_t nr = ptl_modules_lines(view->source->modules, view->event,
				      address, &line);

	known->site = ptl_alloc(nr * sizeof(struct ptl_site *));
	known->nr = nr;
	for (size_t i = 0; i + 1 < nr; i++)
		known->site[i] = inlined_at(sites, place->module, &line[i]);
	known->site[nr - 1] =
		own_at(sites, view, address, place, &line[nr - 1]);
}

size_t ptl_sites_all(struct ptl_sites *sites, const struct ptl_view *view,
		     uint64_t address, const struct ptl_site *const **site)
{
	struct place place = {NULL, address};
	struct known *known;

	place.module = ptl_modules_place(view->source->modules, view->event,
					 address, &place.offset);
	known = ptl_hash_get(&sites->by_place, &place, sizeof(place));
	if (known->nr == 0)
		find_all(sites, view, address, &place, known);
	*site = known->site;
	return known->nr;
}

const struct ptl_site *ptl_sites_at(struct ptl_sites *sites,
				    const struct ptl_view *view,
				    uint64_t address)
{
	const struct ptl_site *const *site;

	ptl_sites_all(sites, view, address, &site);
	return site[0];
}

const struct ptl_site *ptl_sites_entry(struct ptl_sites *sites,
				       const struct ptl_view *view)
{
	uint64_t address = (uintptr_t)view->event->posix_prog_address;
	const struct ptl_srcline *line;
	const char *symbol, *function;
	size_t nr;

	if (view->sym == NULL)
		return ptl_sites_at(sites, view, address);
	symbol = ptl_intern(view->sym, strlen(view->sym));
	function = ptl_modules_function(view->source->modules, view->event,
					address)
			   .function;
	nr = ptl_view_lines(view, &line);
	return get_site(sites,
			function != NULL && nr > 0 &&
					line[nr - 1].name != NULL ?
				in_brackets(function, line[nr - 1].name) :
				symbol,
			function_of(symbol));
}
