/* SPDX-License-Identifier: MIT */
/* Probes that are meant; see probes.h. */
#include "tools/functions/probes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/settings/families.h"
#include "preload/settings/pattern.h"
#include "tools/functions/show.h"
#include "tools/lib/say.h"
#include "tools/plan/make.h"

/* Of those that are refused so many are named. */
#define NAMED 3

/* Files and providers that are named, where no probe is found. */
#define LOOKED_MAX 600

/* Of NAME(s-s), which becomes NAME. */
static uint32_t take_strings(char *name)
{
	char *letter = strchr(name, '(');
	uint32_t strings = 0;

	if (letter == NULL)
		return 0;
	*letter++ = '\0';
	for (unsigned int i = 0; i < PTL_PATCH_ARGUMENTS && letter[i] != '\0';
	     i++)
		if (letter[i] == 's')
			strings |= 1u << i;
	return strings;
}

void ptl_wanted_parse(struct ptl_probes_wanted *wanted, const char *list)
{
	const size_t prefix = strlen(PTL_FAMILIES_PROBE);
	char *text = strdup(list), *save = NULL;
	size_t room = 0;

	*wanted = (struct ptl_probes_wanted){.pattern = NULL};
	for (char *word = text != NULL ? strtok_r(text, ",", &save) : NULL;
	     word != NULL; word = strtok_r(NULL, ",", &save)) {
		bool has_prefix =
			strncmp(word, PTL_FAMILIES_PROBE, prefix) == 0;
		const char *shown = strdup(word);
		uint32_t strings;
		char *colon;

		word += has_prefix ? prefix : 0;
		colon = strchr(word, ':');
		if (colon != NULL)
			*colon = '\0';
		wanted->pattern = ptl_grow(wanted->pattern, wanted->nr, &room,
					   sizeof(*wanted->pattern));
		strings = colon != NULL ? take_strings(colon + 1) : 0;
		wanted->pattern[wanted->nr++] = (struct ptl_probe_pattern){
			.text = shown,
			.provider = word,
			.name = colon != NULL ? colon + 1 : "*",
			.strings = strings,
		};
	}
}

static bool fits(const struct ptl_probe_pattern *pattern,
		 const struct ptl_note *note)
{
	return ptl_pattern_fits(pattern->provider, note->provider) &&
	       ptl_pattern_fits(pattern->name, note->name);
}

static bool wants(const struct ptl_note *note, uint32_t *strings, void *arg)
{
	const struct ptl_probes_wanted *wanted = arg;
	bool is_wanted = false;

	for (size_t i = 0; i < wanted->nr; i++) {
		if (!fits(&wanted->pattern[i], note))
			continue;
		*strings |= wanted->pattern[i].strings;
		is_wanted = true;
	}
	return is_wanted;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* "python3.11 (python: 8)" */
static void note_looked(struct ptl_probes_wanted *wanted,
			const struct ptl_notes *notes, const char *path)
{
	const char *provider = notes->note[0].provider;
	size_t others = 0;
	char text[256];
	int size;

	for (size_t i = 1; i < notes->nr; i++)
		others += strcmp(notes->note[i].provider, provider) != 0;
	size = snprintf(text, sizeof(text), "%s%.80s (%.60s%s: %zu)",
			wanted->looked.nr > 0 ? ", " : "", base_name(path),
			provider, others > 0 ? ", ..." : "", notes->nr);
	if (wanted->looked.nr + (size_t)size < LOOKED_MAX)
		ptl_buffer_add(&wanted->looked, text, (size_t)size);
}

static bool has_any(struct ptl_probes_wanted *wanted,
		    const struct ptl_notes *notes, const char *path)
{
	uint32_t strings = 0;

	if (notes->nr_damaged > 0)
		ptl_say("%s: %zu of its notes of probes cannot be read", path,
			notes->nr_damaged);
	if (notes->nr == 0) {
		wanted->nr_without++;
		return false;
	}
	note_looked(wanted, notes, path);
	for (size_t i = 0; i < notes->nr; i++)
		if (wants(&notes->note[i], &strings, wanted))
			return true;
	return false;
}

bool ptl_wanted_find(struct ptl_probes_wanted *wanted, const char *path,
		     bool is_input)
{
	struct ptl_elf_image image;
	struct ptl_notes notes;
	bool has_some;

	if (!(is_input ? ptl_image_open_file(&image, dup(STDIN_FILENO)) :
			 ptl_image_open(&image, NULL, path)))
		return false;
	ptl_notes_read(&notes, &image);
	has_some = has_any(wanted, &notes, path);
	ptl_notes_free(&notes);
	ptl_image_close(&image);
	return has_some;
}

void ptl_wanted_nothing(const char *path, bool is_input, struct ptl_buffer *to)
{
	struct ptl_plan plan = {.function = NULL};
	struct ptl_patches patches;
	const char *why =
		is_input ? ptl_code_open_file(&plan.code, dup(STDIN_FILENO)) :
			   ptl_code_open(&plan.code, path);

	if (why != NULL)
		return;
	ptl_patches_begin(&patches, &plan, false);
	ptl_patches_finish(&patches, to);
	ptl_patches_free(&patches);
	ptl_plan_free(&plan);
}

static void note_refused(struct ptl_probe_pattern *pattern,
			 const struct ptl_probe *probe)
{
	size_t used = strlen(pattern->refused);

	if (pattern->nr_refused++ < NAMED)
		snprintf(pattern->refused + used,
			 sizeof(pattern->refused) - used, "%s%.60s (%s)",
			 used > 0 ? ", " : "", probe->note->name,
			 ptl_plan_why(probe->place.why));
}

static void note(struct ptl_probes_wanted *wanted,
		 const struct ptl_probes *probes)
{
	for (size_t i = 0; i < wanted->nr; i++) {
		struct ptl_probe_pattern *pattern = &wanted->pattern[i];

		pattern->nr_here = 0;
		for (size_t k = 0; k < probes->nr; k++) {
			const struct ptl_probe *probe = &probes->probe[k];

			if (!fits(pattern, probe->note))
				continue;
			if (probe->place.how == PTL_PLAN_NOT)
				note_refused(pattern, probe);
			else
				pattern->nr_here++;
		}
		pattern->nr += pattern->nr_here;
	}
}

void ptl_wanted_add(struct ptl_probes_wanted *wanted, struct ptl_plan *plan,
		    struct ptl_patches *patches)
{
	struct ptl_probes probes;
	struct ptl_notes notes;

	ptl_notes_read(&notes, &plan->code.image);
	ptl_probes_plan(&probes, plan, &notes, wants, wanted);
	ptl_patches_add_probes(patches, &probes);
	note(wanted, &probes);
	for (size_t i = 0; i < wanted->nr; i++)
		if (wanted->pattern[i].nr_here > 0)
			ptl_patches_tell(patches, wanted->pattern[i].nr_here,
					 wanted->pattern[i].text);
	ptl_probes_free(&probes);
	ptl_notes_free(&notes);
}

void ptl_wanted_list(struct ptl_probes_wanted *wanted, struct ptl_plan *plan,
		     const char *path)
{
	struct ptl_probes probes;
	struct ptl_notes notes;

	ptl_notes_read(&notes, &plan->code.image);
	ptl_probes_plan(&probes, plan, &notes, wants, wanted);
	if (!wanted->has_head)
		ptl_show_probes_head();
	wanted->has_head = true;
	ptl_show_probes(plan, path, &probes);
	note(wanted, &probes);
	ptl_probes_free(&probes);
	ptl_notes_free(&notes);
}

static void tell_idle(const struct ptl_probes_wanted *wanted,
		      const struct ptl_probe_pattern *pattern, bool is_list)
{
	char without[80] = "";

	if (wanted->nr_without > 0)
		snprintf(without, sizeof(without),
			 "%s%zu file%s without probes",
			 wanted->looked.nr > 0 ? ", " : "", wanted->nr_without,
			 wanted->nr_without == 1 ? "" : "s");
	ptl_say("%s: no probe fits '%s' in COMMAND and the libraries that it "
		"needs: %.*s%s%s",
		is_list ? "--probes-list" : "--events", pattern->text,
		(int)wanted->looked.nr,
		wanted->looked.nr > 0 ? (const char *)wanted->looked.bytes : "",
		without,
		is_list ? "" : "; what it starts or loads is looked at then");
}

bool ptl_wanted_tell(const struct ptl_probes_wanted *wanted, bool is_list)
{
	bool is_idle = false;

	for (size_t i = 0; i < wanted->nr; i++) {
		const struct ptl_probe_pattern *pattern = &wanted->pattern[i];

		if (pattern->nr == 0 && pattern->nr_refused == 0) {
			tell_idle(wanted, pattern, is_list);
			is_idle = true;
		} else if (pattern->nr_refused > 0 && !is_list) {
			ptl_say("--events: of '%s' %zu of %zu probes cannot be "
				"traced: %s%s",
				pattern->text, pattern->nr_refused,
				pattern->nr + pattern->nr_refused,
				pattern->refused,
				pattern->nr_refused > NAMED ? ", ..." : "");
		}
	}
	return is_idle;
}
