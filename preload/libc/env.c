/* SPDX-License-Identifier: MIT */
#include "preload/libc/env.h"

#include "core/core.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include "preload/libc/lookup.h"
#include "preload/libc/readable.h"

#define PRELOAD "LD_PRELOAD="
#define STREAMS "PTRACE_STREAMS="
#define NO_STREAMS "0:"
#define ASAN "ASAN_OPTIONS="
/* Without it an ASan program refuses to start with a library preloaded before
 * its runtime. */
#define ASAN_WORD "verify_asan_link_order=0"
#define MAX_SETTINGS 32
#define KEPT_SIZE 16384

/* The word that LD_PRELOAD gets for us, and our file. */
static const char *preload_word = "";
static const char *library = "";
static const char *library_name = "libptrace.so";

/* Each PTRACE_*= of our own environment, except the streams. */
static const char *settings[MAX_SETTINGS];
static size_t nr_settings;
static bool asan_ours;

/* Holds the strings above, closely packed: each page that is touched costs as
 * much at start as two system calls. */
static char kept[KEPT_SIZE + PTL_ENV_SCRATCH] PTL_BULK;
static size_t kept_size;

/* The new list under construction. */
struct list {
	const char **entry;
	char *text;
};

static bool is_separator(char c)
{
	return c == ':' || c == ' ';
}

/* The next word of an LD_PRELOAD value; its size, or 0 at the end. */
static size_t next_word(const char **list, const char **word)
{
	size_t size = 0;

	while (**list && is_separator(**list))
		(*list)++;
	*word = *list;
	while (**list && !is_separator(**list))
		(*list)++, size++;
	return size;
}

/* The size of a file's name up to ".so", if only a version is behind it. */
static size_t stem_of(const char *name, size_t size)
{
	size_t end = size;

	while (end > 0 && (name[end - 1] == '.' ||
			   (name[end - 1] >= '0' && name[end - 1] <= '9')))
		end--;
	return end > 2 && ptl_strpre(name + end - 3, ".so") ? end : size;
}

/* Any file of our name, of any version, counts as us: two of them in one
 * process would be worse. */
static bool is_us(const char *word, size_t size)
{
	size_t ours = stem_of(library_name, ptl_strlen(library_name));
	size_t base = size, same = 0;

	while (base > 0 && word[base - 1] != '/')
		base--;
	word += base;
	while (same < ours && word[same] == library_name[same])
		same++;
	return same == ours && stem_of(word, size - base) == ours;
}

/* Does the word mean the same file in every directory? */
static bool is_anchored(const char *word, size_t size)
{
	bool has_slash = false;

	for (size_t i = 0; i < size; i++)
		has_slash |= word[i] == '/';
	return !has_slash || word[0] == '/' || word[0] == '$';
}

/* The word of an LD_PRELOAD value that is us; its size, or 0. */
static size_t find_us(const char *preload, const char **word)
{
	size_t size;

	if (!preload)
		return 0;
	while ((size = next_word(&preload, word)))
		if (is_us(*word, size))
			return size;
	return 0;
}

bool ptl_env_names_us(const char *preload)
{
	const char *word;

	return find_us(preload, &word);
}

static bool has_asan_word(const char *value)
{
	for (; *value; value++)
		if (ptl_strpre(value, ASAN_WORD))
			return true;
	return false;
}

const char *ptl_env_value(char *const *envp, const char *name)
{
	const char *value = NULL;

	for (; envp && *envp; envp++)
		if (ptl_strpre(*envp, name))
			value = *envp + ptl_strlen(name);
	return value;
}

const char *ptl_env_setting(const char *name)
{
	const char *value = NULL;

	for (size_t i = 0; i < nr_settings; i++)
		if (ptl_strpre(settings[i], name))
			value = settings[i] + ptl_strlen(name);
	return value && *value ? value : NULL;
}

const char *ptl_env_library(void)
{
	return library;
}

char *ptl_env_scratch(void)
{
	return kept + kept_size;
}

/* A copy that is never freed; "" if there is no room. */
static const char *keep(const char *s, size_t size)
{
	char *copy = kept + kept_size;

	if (size >= KEPT_SIZE - kept_size)
		return "";
	ptl_strcopy(copy, size + 1, s);
	kept_size += size + 1;
	return copy;
}

/* The loader's name of a file may be relative to the current directory. */
static void init_library(const char *loaded)
{
	char *room = kept + kept_size;
	long size;

	if (loaded[0] == '/') {
		library = keep(loaded, ptl_strlen(loaded));
	} else {
		if (ptl_strpre(loaded, "./"))
			loaded += 2;
		size = ptl_sys(SYS_getcwd, room, KEPT_SIZE / 4, 0, 0);
		if (size <= 1 || room[0] != '/')
			return;
		room[size - 1] = '/';
		kept_size += (size_t)size;
		if (!*keep(loaded, ptl_strlen(loaded)))
			return;
		library = room;
	}
	for (const char *s = library; *s; s++)
		if (*s == '/')
			library_name = s + 1;
}

/*
 * The word that ld.so was given is kept if it is valid everywhere: "$LIB" works
 * for other architectures, too.  Otherwise the absolute path is used, unless
 * LD_PRELOAD cannot express it.
 */
static void init_preload_word(const char *preload)
{
	const char *word, *s = library;
	size_t size = find_us(preload, &word);

	while (*s && !is_separator(*s))
		s++;
	if (size && is_anchored(word, size))
		preload_word = keep(word, size);
	else if (!*s)
		preload_word = library;
}

void ptl_env_init(char *const *envp)
{
	const char *file = ptl_lookup_file();

	if (file)
		init_library(file);
	init_preload_word(ptl_env_value(envp, PRELOAD));
	for (; envp && *envp; envp++) {
		const char *setting;

		if (ptl_strpre(*envp, ASAN))
			asan_ours |= has_asan_word(*envp);
		if (!ptl_strpre(*envp, "PTRACE_") ||
		    ptl_strpre(*envp, STREAMS) || nr_settings == MAX_SETTINGS)
			continue;
		setting = keep(*envp, ptl_strlen(*envp));
		if (*setting)
			settings[nr_settings++] = setting;
	}
}

static bool same_name(const char *a, const char *b)
{
	while (*a && *a == *b && *a != '=')
		a++, b++;
	return *a == '=' && *b == '=';
}

static void look_at(struct ptl_env_plan *plan, const char *entry)
{
	if (ptl_strpre(entry, PRELOAD)) {
		plan->preload = entry + sizeof(PRELOAD) - 1;
		plan->preload_at = plan->nr;
		plan->nr_preload++;
	} else if (ptl_strpre(entry, STREAMS)) {
		plan->streams = entry + sizeof(STREAMS) - 1;
		plan->nr_streams++;
	} else if (ptl_strpre(entry, "PTRACE_")) {
		for (size_t i = 0; i < nr_settings; i++)
			if (same_name(entry, settings[i]))
				plan->present |= 1u << i;
	} else if (!plan->asan && ptl_strpre(entry, ASAN)) {
		plan->asan = entry + sizeof(ASAN) - 1;
		plan->asan_at = plan->nr;
	}
}

/* Of those that look_at() reads to their end. */
static bool is_looked_at(const char *entry)
{
	return ptl_strpre(entry, PRELOAD) || ptl_strpre(entry, "PTRACE_") ||
	       ptl_strpre(entry, ASAN);
}

/* The pages of a list of variables, and of its strings. */
struct pages {
	uintptr_t list, text;
};

static bool may_read(struct pages *pages, char *const *at)
{
	return ptl_readable_pointer(&pages->list, at) &&
	       (!*at || (ptl_readable_to(&pages->text, *at, '=') &&
			 (!is_looked_at(*at) ||
			  ptl_readable_to(&pages->text, *at, '\0'))));
}

void ptl_env_look(struct ptl_env_plan *plan, char *const *envp)
{
	struct pages pages = {0};
	const char *word;
	size_t size;

	*plan = (struct ptl_env_plan){.given = envp};
	for (; envp; plan->nr++) {
		plan->is_bad = !may_read(&pages, envp + plan->nr);
		if (plan->is_bad)
			return;
		if (!envp[plan->nr])
			break;
		look_at(plan, envp[plan->nr]);
	}
	size = find_us(plan->preload, &word);
	plan->preload_fits =
		!preload_word[0] ||
		(plan->nr_preload == 1 && size && is_anchored(word, size));
	plan->asan_fits =
		!asan_ours || (plan->asan && has_asan_word(plan->asan));
}

bool ptl_env_lacks_us(const struct ptl_env_plan *plan)
{
	return !plan->preload_fits || !plan->asan_fits ||
	       plan->present != (uint32_t)((1ull << nr_settings) - 1);
}

static size_t plan_size(const struct ptl_env_plan *plan)
{
	/* Three names of ours, the settings, the null. */
	size_t entries = plan->nr + 3 + nr_settings + 1;
	size_t text = sizeof(PRELOAD) + sizeof(STREAMS) + PTL_STREAMS_SIZE +
		      sizeof(ASAN) + sizeof(ASAN_WORD) +
		      ptl_strlen(preload_word) + 1;

	if (plan->preload)
		text += ptl_strlen(plan->preload);
	if (plan->asan)
		text += ptl_strlen(plan->asan);
	return entries * sizeof(char *) + text;
}

void ptl_env_reserve(void)
{
	struct ptl_env_plan plan;

	ptl_env_look(&plan, environ);
	if (!plan.is_bad)
		ptl_scratch_reserve(plan_size(&plan));
}

static void add(struct list *list, const char *entry)
{
	*list->entry++ = entry;
}

/* The text grows after the array; plan_size() made room for all of it. */
static void put(struct list *list, const char *s, size_t size)
{
	while (size--)
		*list->text++ = *s++;
}

/* An LD_PRELOAD value without us; the text of the others is as it was.  It may
 * be made in place.  Returns its end. */
static char *put_others(char *to, const char *list)
{
	const char *begin = to, *gap = list, *word;
	size_t size;

	for (; (size = next_word(&list, &word)); gap = list) {
		if (is_us(word, size))
			continue;
		if (to == begin)
			gap = word;
		while (gap < list)
			*to++ = *gap++;
	}
	return to;
}

static void add_preload(struct list *list, const char *old)
{
	char *others;

	add(list, list->text);
	put(list, PRELOAD, sizeof(PRELOAD) - 1);
	put(list, preload_word, ptl_strlen(preload_word));
	*list->text = ':';
	others = list->text + 1;
	list->text = put_others(others, old ? old : "");
	if (list->text == others)
		list->text--;
	*list->text++ = '\0';
}

static void add_pair(struct list *list, const char *name, const char *value,
		     const char *more)
{
	add(list, list->text);
	put(list, name, ptl_strlen(name));
	put(list, value, ptl_strlen(value));
	if (*value && *more)
		*list->text++ = ':';
	put(list, more, ptl_strlen(more));
	*list->text++ = '\0';
}

static void fill(struct list *list, const struct ptl_env_plan *plan,
		 const char *streams)
{
	for (size_t i = 0; i < plan->nr; i++) {
		const char *entry = plan->given[i];

		if (ptl_strpre(entry, STREAMS))
			continue;
		if (!plan->preload_fits && ptl_strpre(entry, PRELOAD)) {
			if (i == plan->preload_at)
				add_preload(list, plan->preload);
		} else if (!plan->asan_fits && plan->asan &&
			   i == plan->asan_at) {
			add_pair(list, ASAN, plan->asan, ASAN_WORD);
		} else {
			add(list, entry);
		}
	}
	if (!plan->preload_fits && !plan->preload)
		add_preload(list, NULL);
	if (!plan->asan_fits && !plan->asan)
		add_pair(list, ASAN, "", ASAN_WORD);
	add_pair(list, STREAMS, streams, "");
	for (size_t i = 0; i < nr_settings; i++)
		if (!(plan->present & 1u << i))
			add(list, settings[i]);
	add(list, NULL);
}

static bool begin_list(struct list *list, const struct ptl_env_plan *plan,
		       char *const **env, struct ptl_scratch *scratch)
{
	if (!ptl_scratch_get(scratch, plan_size(plan)))
		return false;
	list->entry = (const char **)scratch->base;
	list->text = scratch->base +
		     (plan->nr + 3 + nr_settings + 1) * sizeof(char *);
	*env = (char *const *)scratch->base;
	return true;
}

enum ptl_env_result ptl_env_rewrite(const struct ptl_env_plan *plan,
				    enum ptl_core_launch launch, bool bridged,
				    char *const **env,
				    struct ptl_scratch *scratch)
{
	char streams[PTL_STREAMS_SIZE];
	struct list list;

	*env = plan->given;
	if (plan->is_bad ||
	    ptl_core_streams(streams, sizeof(streams), launch, bridged) == 0)
		return PTL_ENV_AS_IS;
	if (plan->nr_streams == 1 && ptl_streq(plan->streams, streams) &&
	    !ptl_env_lacks_us(plan))
		return PTL_ENV_AS_IS;
	if (!begin_list(&list, plan, env, scratch))
		return PTL_ENV_NO_ROOM;
	fill(&list, plan, streams);
	return PTL_ENV_REWRITTEN;
}

/* That there are none is said as in core_exec.c. */
static bool has_no_streams(const struct ptl_env_plan *plan)
{
	return plan->nr_streams == 1 &&
	       (!*plan->streams || ptl_strpre(plan->streams, NO_STREAMS));
}

enum ptl_env_result ptl_env_sign(const struct ptl_env_plan *plan,
				 char *const **env, struct ptl_scratch *scratch)
{
	char streams[PTL_STREAMS_SIZE];
	struct list list;

	*env = plan->given;
	/* Where nothing says that there may be a trace nothing may say so, and
	 * what would not load us is not made to. */
	if (plan->is_bad || !has_no_streams(plan) || !plan->preload ||
	    ptl_env_lacks_us(plan) || ptl_core_token(streams) == 0)
		return PTL_ENV_AS_IS;
	if (!begin_list(&list, plan, env, scratch))
		return PTL_ENV_NO_ROOM;
	fill(&list, plan, streams);
	return PTL_ENV_REWRITTEN;
}

void ptl_env_disown(char **envp)
{
	for (; *envp; envp++) {
		char *list = *envp + sizeof(PRELOAD) - 1;

		if (ptl_strpre(*envp, PRELOAD))
			*put_others(list, list) = '\0';
	}
}
