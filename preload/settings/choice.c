/* SPDX-License-Identifier: MIT */
/* What a word of -e stands for; see choice.h. */
#include "preload/settings/choice.h"

#include "core/format/sysevents.h"
#include "core/sys/text.h"

#include "preload/settings/list.h"

/* Not pointers, which the loader would have to relocate one by one. */
static const char names[][32] = {
#define NAME(id, identifier, name, act, fields) name,
	PTL_SYSEVENTS(NAME)
#undef NAME
};
static_assert(PTL_ARRAY_SIZE(names) <= PTL_CHOICE_MAX, "each has its bit");

/* Names that strace knows, where they are not those of libc without digits and
 * without "at". */
static const struct {
	char theirs[16], ours[16];
} others[] = {
	{"execve", "process:exec"},
	{"execveat", "process:exec"},
	{"vfork", "process:fork"},
	{"clone", "process:fork"},
	{"clone3", "process:fork"},
	{"exit_group", "process:exit"},
	{"kill", "signal:send"},
	{"tgkill", "signal:send"},
	{"creat", "file:open"},
	{"lstat", "file:stat"},
	{"newfstatat", "file:stat"},
	{"fstatat", "file:stat"},
	{"statx", "file:stat"},
	{"renameat2", "file:rename"},
	{"getdents64", "file:opendir"},
	{"fdatasync", "io:fsync"},
	{"pselect6", "io:select"},
	{"epoll_pwait", "io:epoll_wait"},
	{"clock_nanosleep", "time:nanosleep"},
	{"dlopen", "dl:open"},
	{"dlclose", "dl:close"},
};

static const struct {
	char theirs[12], ours[3][8];
} classes[] = {
	{"network", {"net"}},	{"memory", {"mem"}},
	{"clock", {"time"}},	{"desc", {"file", "io", "net"}},
	{"creds", {"process"}},
};

int ptl_choice_number(const char *event_name)
{
	for (size_t i = 0; i < PTL_ARRAY_SIZE(names); i++)
		if (ptl_streq(names[i], event_name))
			return (int)i;
	return -1;
}

static void choose(struct ptl_choice *choice, size_t at)
{
	choice->word[at / 64] |= UINT64_C(1) << (at % 64);
}

/* Behind the colon, or NULL: not a call's. */
static const char *call_of(const char *name)
{
	if (ptl_strpre(name, "dl:") || ptl_strpre(name, "call:") ||
	    ptl_strpre(name, "cpu:") || ptl_strpre(name, "sched:") ||
	    ptl_strpre(name, "posix_trace_"))
		return NULL;
	while (*name && *name != ':')
		name++;
	return *name ? name + 1 : NULL;
}

static bool choose_exact(const char *word, size_t size,
			 struct ptl_choice *calls)
{
	bool is_found = false;

	for (size_t i = 0; i < PTL_ARRAY_SIZE(names); i++) {
		const char *call = call_of(names[i]);

		if (!ptl_list_is(word, size, names[i]) &&
		    (!call || !ptl_list_is(word, size, call)))
			continue;
		choose(calls, i);
		is_found = true;
	}
	return is_found;
}

bool ptl_choice_calls(const char *word, size_t size, struct ptl_choice *calls)
{
	if (choose_exact(word, size, calls))
		return true;
	for (size_t i = 0; i < PTL_ARRAY_SIZE(others); i++)
		if (ptl_list_is(word, size, others[i].theirs))
			return choose_exact(others[i].ours,
					    ptl_strlen(others[i].ours), calls);
	/* openat2, accept4, pread64 */
	while (size > 1 && word[size - 1] >= '0' && word[size - 1] <= '9')
		size--;
	if (choose_exact(word, size, calls))
		return true;
	return size > 2 && word[size - 2] == 'a' && word[size - 1] == 't' &&
	       choose_exact(word, size - 2, calls);
}

void ptl_choice_family(const char *family, struct ptl_choice *types)
{
	size_t size = ptl_strlen(family);

	for (size_t i = 0; i < PTL_ARRAY_SIZE(names); i++)
		if (ptl_strpre(names[i], family) && names[i][size] == ':')
			choose(types, i);
}

const char *ptl_choice_class(const char *word, size_t size, unsigned int index)
{
	for (size_t i = 0; i < PTL_ARRAY_SIZE(classes); i++)
		if (ptl_list_is(word, size, classes[i].theirs) &&
		    index < PTL_ARRAY_SIZE(classes[i].ours) &&
		    classes[i].ours[index][0])
			return classes[i].ours[index];
	return NULL;
}
