/* SPDX-License-Identifier: MIT */
#include "preload/libc/env.h"

#include "core/core.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include "preload/libc/ldpreload.h"
#include "preload/libc/lookup.h"
#include "preload/libc/readable.h"

#define PRELOAD "LD_PRELOAD="
#define STREAMS "PTRACE_STREAMS="
#define NO_STREAMS "0:"
#define ASAN "ASAN_OPTIONS="
/* Without it an ASan program refuses to start with a library preloaded before
 * its runtime. */
#define ASAN_WORD "verify_asan_link_order=0"
/* Kept by traceparent.c. */
#define TRACEPARENT "TRACEPARENT="
/* Of ld.so: whatever its value is. */
#define LISTS "LD_TRACE_LOADED_OBJECTS="
#define MAX_SETTINGS 32
#define KEPT_SIZE 16384
/* For the path of the other library. */
#define OTHER_ROOM 512

/* The word that LD_PRELOAD gets for us, and our file. */
static const char *preload_word = "";
static const char *library = "";

/* Each PTRACE_*= of our own environment, except the streams: where in kept. */
static uint16_t settings[MAX_SETTINGS];
static_assert(KEPT_SIZE <= UINT16_MAX + 1, "all places in it");
static size_t nr_settings;
static bool asan_ours, is_preloaded;

/* Holds the strings above, closely packed, where a start writes anyway: each
 * page that is touched costs as much as many system calls. */
static char kept[KEPT_SIZE + PTL_ENV_SCRATCH] PTL_BULK_FIRST;
static size_t kept_size;

/* The new list under construction. */
struct list {
	const char **entry;
	char *text;
};

static const char *setting_at(size_t i)
{
	return kept + settings[i];
}

bool ptl_env_names_us(const char *preload)
{
	const char *word;

	return ptl_ldpreload_us(preload, &word);
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
		if (ptl_strpre(setting_at(i), name))
			value = setting_at(i) + ptl_strlen(name);
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
			ptl_ldpreload_name = s + 1;
}

/*
 * The word that ld.so was given is kept if it is valid everywhere: "$LIB" works
 * for other architectures, too.  Otherwise the absolute path is used, unless
 * LD_PRELOAD cannot express it.
 */
static void init_preload_word(const char *preload)
{
	const char *word, *s = library;
	size_t size = ptl_ldpreload_us(preload, &word);

	while (*s && *s != ':' && *s != ' ')
		s++;
	if (size && ptl_ldpreload_is_anchored(word, size))
		preload_word = keep(word, size);
	else if (!*s)
		preload_word = library;
}

void ptl_env_keep(const char *setting)
{
	if (nr_settings == MAX_SETTINGS)
		return;
	setting = keep(setting, ptl_strlen(setting));
	if (*setting)
		settings[nr_settings++] = (uint16_t)(setting - kept);
}

void ptl_env_init(char *const *envp)
{
	const char *file = ptl_lookup_file();

	if (file)
		init_library(file);
	is_preloaded = ptl_env_names_us(ptl_env_value(envp, PRELOAD));
	init_preload_word(ptl_env_value(envp, PRELOAD));
	for (; envp && *envp; envp++) {
		if (ptl_strpre(*envp, ASAN))
			asan_ours |= has_asan_word(*envp);
		if (ptl_strpre(*envp, "PTRACE_") && !ptl_strpre(*envp, STREAMS))
			ptl_env_keep(*envp);
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
	} else if (ptl_strpre(entry, "PTRACE_") ||
		   ptl_strpre(entry, TRACEPARENT)) {
		for (size_t i = 0; i < nr_settings; i++)
			if (same_name(entry, setting_at(i)))
				plan->present |= 1u << i;
	} else if (!plan->asan && ptl_strpre(entry, ASAN)) {
		plan->asan = entry + sizeof(ASAN) - 1;
		plan->asan_at = plan->nr;
	} else if (ptl_strpre(entry, LISTS)) {
		plan->lists = true;
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
	size = ptl_ldpreload_us(plan->preload, &word);
	plan->preload_fits =
		!preload_word[0] || (plan->nr_preload == 1 && size &&
				     ptl_ldpreload_is_anchored(word, size));
	plan->asan_fits =
		!asan_ours || (plan->asan && has_asan_word(plan->asan));
}

bool ptl_env_turn(struct ptl_env_plan *plan)
{
	char path[OTHER_ROOM];
	const char *word;
	size_t size = ptl_ldpreload_us(plan->preload, &word), i = 0;

	if (!ptl_ldpreload_other(path, sizeof(path), library))
		return false;
	plan->is_other = true;
	while (i < size && word[i] == path[i])
		i++;
	/* Who gave us as $LIB knows of both. */
	plan->preload_fits = plan->nr_preload == 1 && size &&
			     ((i == size && !path[i]) || word[0] == '$');
	return true;
}

bool ptl_env_has_us(const struct ptl_env_plan *plan)
{
	return !plan->is_bad && ptl_env_names_us(plan->preload);
}

/* A name without directories, and one with tokens that ld.so replaces, led to
 * our file when we were loaded. */
const char *ptl_env_loads(const struct ptl_env_plan *plan, char *buf,
			  size_t size)
{
	const char *word = preload_word;
	size_t length = ptl_strlen(word);

	if (plan->is_other && ptl_ldpreload_other(buf, size, library))
		return buf;
	if (plan->preload_fits && plan->preload)
		length = ptl_ldpreload_us(plan->preload, &word);
	for (size_t i = 0; i < length; i++)
		if (word[0] != '/' || word[i] == '$')
			return library;
	return ptl_strcopy(buf, PTL_MIN(size, length + 1), word) == length ?
		       buf :
		       library;
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

	if (plan->is_other)
		text += OTHER_ROOM;
	if (plan->preload)
		text += ptl_strlen(plan->preload);
	if (plan->asan)
		text += ptl_strlen(plan->asan);
	return entries * sizeof(char *) + text;
}

void ptl_env_reserve(bool hands_down)
{
	struct ptl_env_plan plan;

	if (!hands_down && !is_preloaded)
		return;
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

static void add_preload(struct list *list, const struct ptl_env_plan *plan)
{
	const char *old = plan->preload;
	char *others;

	add(list, list->text);
	put(list, PRELOAD, sizeof(PRELOAD) - 1);
	if (plan->is_other)
		list->text +=
			ptl_ldpreload_other(list->text, OTHER_ROOM, library);
	else
		put(list, preload_word, ptl_strlen(preload_word));
	*list->text = ':';
	others = list->text + 1;
	list->text = ptl_ldpreload_others(others, old ? old : "");
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

/* NAME= without a value remains if an earlier one would be used instead. */
static void add_others(struct list *list, const struct ptl_env_plan *plan)
{
	char *entry = list->text, *others;

	put(list, PRELOAD, sizeof(PRELOAD) - 1);
	others = list->text;
	list->text = ptl_ldpreload_others(others, plan->preload);
	if (list->text > others || plan->nr_preload > 1)
		add(list, entry);
	*list->text++ = '\0';
}

/* What is behind the variables of the list. */
static void add_missing(struct list *list, const struct ptl_env_plan *plan,
			const char *streams)
{
	if (!plan->asan_fits && !plan->asan)
		add_pair(list, ASAN, "", ASAN_WORD);
	add_pair(list, STREAMS, streams, "");
	for (size_t i = 0; i < nr_settings; i++)
		if (!(plan->present & 1u << i))
			add(list, setting_at(i));
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
				add_preload(list, plan);
		} else if (!plan->asan_fits && plan->asan &&
			   i == plan->asan_at) {
			add_pair(list, ASAN, plan->asan, ASAN_WORD);
		} else {
			add(list, entry);
		}
	}
	if (!plan->preload_fits && !plan->preload)
		add_preload(list, plan);
	add_missing(list, plan, streams);
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

static void put_voucher(char *end, bool clean)
{
	end[0] = clean ? PTL_ENV_CLEAN : '\0';
	end[1] = '\0';
}

enum ptl_env_result ptl_env_rewrite(const struct ptl_env_plan *plan,
				    enum ptl_core_launch launch, bool bridged,
				    bool clean, char *const **env,
				    struct ptl_scratch *scratch)
{
	char streams[PTL_STREAMS_SIZE];
	struct list list;
	size_t size;

	*env = plan->given;
	if (plan->is_bad)
		return PTL_ENV_AS_IS;
	size = ptl_core_streams(streams, sizeof(streams) - 1, launch, bridged);
	if (size == 0)
		return PTL_ENV_AS_IS;
	put_voucher(streams + size, clean);
	if (plan->nr_streams == 1 && ptl_streq(plan->streams, streams) &&
	    !ptl_env_lacks_us(plan))
		return PTL_ENV_AS_IS;
	if (!begin_list(&list, plan, env, scratch))
		return PTL_ENV_NO_ROOM;
	fill(&list, plan, streams);
	return PTL_ENV_REWRITTEN;
}

enum ptl_env_result ptl_env_leave_out(const struct ptl_env_plan *plan,
				      enum ptl_core_launch launch,
				      char *const **env,
				      struct ptl_scratch *scratch)
{
	char streams[PTL_STREAMS_SIZE];
	struct list list;
	bool hands_down;

	*env = plan->given;
	if (!ptl_env_has_us(plan))
		return PTL_ENV_AS_IS;
	if (!begin_list(&list, plan, env, scratch))
		return PTL_ENV_NO_ROOM;
	hands_down = ptl_core_streams(streams, sizeof(streams), launch, false);
	for (size_t i = 0; i < plan->nr; i++)
		if (i == plan->preload_at)
			add_others(&list, plan);
		else if (!hands_down || !ptl_strpre(plan->given[i], STREAMS))
			add(&list, plan->given[i]);
	if (hands_down)
		add_missing(&list, plan, streams);
	add(&list, NULL);
	return PTL_ENV_REWRITTEN;
}

/* That there are none is said as in core_exec.c. */
static bool has_no_streams(const struct ptl_env_plan *plan)
{
	return plan->nr_streams == 1 &&
	       (!*plan->streams || ptl_strpre(plan->streams, NO_STREAMS));
}

enum ptl_env_result ptl_env_sign(const struct ptl_env_plan *plan, bool clean,
				 char *const **env, struct ptl_scratch *scratch)
{
	char streams[PTL_STREAMS_SIZE];
	struct list list;
	size_t size;

	*env = plan->given;
	/* Where nothing says that there may be a trace nothing may say so, and
	 * what would not load us is not made to. */
	if (plan->is_bad || !has_no_streams(plan) || !plan->preload ||
	    ptl_env_lacks_us(plan))
		return PTL_ENV_AS_IS;
	size = ptl_core_token(streams);
	if (size == 0)
		return PTL_ENV_AS_IS;
	put_voucher(streams + size, clean);
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
			*ptl_ldpreload_others(list, list) = '\0';
	}
}
