/* SPDX-License-Identifier: MIT */
/*
 * usage: ptrace-functions --min-size=N MODE PATTERNS FILE
 *        ptrace-functions --min-size=N MODE PATTERNS program | object NAME
 *
 * For ptrace-run --functions-list (MODE --list): what could be traced of the
 * functions inside a program and the libraries that it needs; -v: a line for
 * each function.  For ptrace-run -f (--patches), and with --entry-only
 * (--entries): the patches for those that are meant (core/format/patches.h), on
 * standard output; for -a (--patches-typed, --entries-typed) with prototypes;
 * with a NAME of the file alone that is standard input, and was loaded by that
 * name.  For ptrace-run --reach-list (--sites, no PATTERNS) the system calls in
 * the file, and how they could be patched; for --reach raw (--calls) the
 * patches.  With --probes LIST behind --min-size: of the probes that the LIST
 * means, in place of functions or with them.  Nothing is run.  A program of its
 * own, so that ptrace-run need not load libelf, and what a damaged file does to
 * that ends nothing else.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/lib/say.h"
#include "tools/lib/stack.h"
#include "tools/objects/loaded.h"
#include "tools/objects/needed.h"
#include "tools/functions/cache.h"
#include "tools/functions/probes.h"
#include "tools/functions/roles.h"
#include "tools/plan/make.h"
#include "tools/plan/places.h"
#include "tools/plan/patches.h"
#include "tools/functions/select.h"
#include "tools/functions/show.h"
#include "tools/plan/typed.h"

/* As of ptrace-run, which becomes this program. */
#define EXIT_FAILED 125
#define EXIT_NOT_RUN 126

enum mode { LIST, LIST_EACH, PATCHES, ENTRIES, SITES, CALLS };

struct asked {
	uint64_t min_size;
	enum mode mode;
	const char *option,
		*patterns; /* MODE and PATTERNS, as they were given */
	struct ptl_select *select;
	size_t nr;
	struct ptl_probes_wanted wanted; /* probes */
	bool is_typed, has_program, has_failed;
	bool is_input;	/* the file is open already */
	bool is_inside; /* of system calls those that look at files */
	struct ptl_buffer made;
};

/* Which patterns mean an object. */
struct meant {
	bool fits_object;
	size_t nr; /* of functions of it that are traced */
};

/* Each pattern is asked: one that fits nothing is told. */
static bool fits(const struct asked *asked, const struct meant *meant,
		 const struct ptl_plan *plan,
		 const struct ptl_plan_function *function, bool *fitting)
{
	bool any = false;

	for (size_t k = 0; k < asked->nr; k++) {
		fitting[k] =
			meant[k].fits_object &&
			ptl_select_function(&asked->select[k], plan, function);
		any |= fitting[k];
	}
	return any;
}

static void list(const struct asked *asked, struct ptl_plan *plan,
		 struct meant *meant, const char *path)
{
	bool *fitting = ptl_alloc(asked->nr * sizeof(*fitting));
	struct ptl_show_totals totals = {.nr = 0};

	for (size_t i = 0; i < plan->nr; i++) {
		const struct ptl_plan_function *function = &plan->function[i];

		if (function->is_part ||
		    !fits(asked, meant, plan, function, fitting))
			continue;
		if (asked->mode == LIST_EACH && totals.nr == 0)
			ptl_show_head();
		if (asked->mode == LIST_EACH)
			ptl_show_function(function);
		ptl_show_count(&totals, function);
	}
	ptl_show_totals(plan, path, &totals);
	free(fitting);
}

/* Where the file can be found again, and what was split off it: in a container
 * there may be another one by its name. */
static const char *path_of(const struct asked *asked, const char *path)
{
	struct stat here, given;

	if (!asked->is_input ||
	    (stat(path, &here) == 0 && fstat(STDIN_FILENO, &given) == 0 &&
	     here.st_dev == given.st_dev && here.st_ino == given.st_ino))
		return path;
	return "/proc/self/fd/0";
}

/* Before any is moved: whose prototype is known calls the recorder otherwise.
 */
static void find_prototypes(const struct asked *asked, struct ptl_plan *plan,
			    const struct meant *meant, const char *path)
{
	bool *fitting = ptl_alloc(asked->nr * sizeof(*fitting));
	bool *is_wanted = ptl_alloc((plan->nr + 1) * sizeof(*is_wanted));

	for (size_t i = 0; i < plan->nr; i++)
		is_wanted[i] =
			!plan->function[i].is_part &&
			fits(asked, meant, plan, &plan->function[i], fitting);
	ptl_typed_find(plan, is_wanted, path_of(asked, path));
	free(is_wanted);
	free(fitting);
}

static void make_patches(struct asked *asked, struct ptl_plan *plan,
			 struct meant *meant, const char *path, bool has_probes)
{
	bool *fitting = ptl_alloc(asked->nr * sizeof(*fitting));
	struct ptl_patches patches;

	if (asked->is_typed)
		find_prototypes(asked, plan, meant, path);
	ptl_patches_begin(&patches, plan, asked->mode == ENTRIES);
	for (size_t i = 0; i < plan->nr; i++) {
		struct ptl_plan_function *function = &plan->function[i];
		enum ptl_plan_why why;

		if (function->is_part ||
		    !fits(asked, meant, plan, function, fitting))
			continue;
		for (size_t k = 0; k < asked->nr; k++)
			if (fitting[k])
				ptl_roles_give(&asked->select[k], function);
		why = ptl_patches_add(&patches, function);
		for (size_t k = 0; k < asked->nr; k++) {
			if (!fitting[k])
				continue;
			meant[k].nr += why == PTL_PLAN_WHY_NOT;
			ptl_select_note(&asked->select[k], function, why);
		}
	}
	for (size_t k = 0; k < asked->nr; k++)
		if (meant[k].fits_object)
			ptl_patches_tell(&patches, meant[k].nr,
					 asked->select[k].text);
	if (has_probes)
		ptl_wanted_add(&asked->wanted, plan, &patches);
	ptl_patches_finish(&patches, &asked->made);
	ptl_patches_free(&patches);
	free(fitting);
}

static const char *make_plan(struct ptl_plan *plan, const struct asked *asked,
			     const char *path)
{
	return asked->is_input ?
		       ptl_plan_make_file(plan, dup(STDIN_FILENO), path) :
		       ptl_plan_make(plan, path);
}

/* Parts of it that are elsewhere do not count. */
static void refuse_small(const struct asked *asked, struct ptl_plan *plan)
{
	for (size_t i = 0; i < plan->nr; i++) {
		struct ptl_plan_function *function = &plan->function[i];

		if (function->why == PTL_PLAN_WHY_NOT &&
		    function->end - function->start < asked->min_size)
			function->why = PTL_PLAN_SMALL;
	}
}

static bool stat_file(const struct asked *asked, const char *path,
		      struct stat *status)
{
	return (asked->is_input ? fstat(STDIN_FILENO, status) :
				  stat(path, status)) == 0;
}

/* Where patches of that file, for what is asked, would be kept. */
static void begin_cache(struct ptl_cache_key *key, const struct asked *asked,
			const char *path, bool is_program)
{
	struct stat status;
	char *question;

	*key = (struct ptl_cache_key){.text = NULL};
	/* Prototypes may be in other files, of which it is not known whether
	 * they changed. */
	if (asked->mode < PATCHES || asked->is_typed ||
	    !stat_file(asked, path, &status) ||
	    asprintf(&question, "%llu %s %d %s",
		     (unsigned long long)asked->min_size, asked->option,
		     is_program, asked->patterns) < 0)
		return;
	ptl_cache_begin(key, &status, path, question);
	free(question);
}

/* What was found is found again: names that are in the file itself, or it is
 * all the same.  A pattern of which nothing is traced would have to be told. */
static bool may_keep(const struct asked *asked, const struct ptl_plan *plan,
		     const struct meant *meant)
{
	for (size_t k = 0; k < asked->nr; k++)
		if (meant[k].fits_object &&
		    (meant[k].nr == 0 ||
		     (!plan->has_own_symbols &&
		      strcmp(asked->select[k].name, "*") != 0)))
			return false;
	return true;
}

static void note_kept(struct asked *asked, const struct meant *meant)
{
	for (size_t k = 0; k < asked->nr; k++)
		if (meant[k].fits_object)
			asked->select[k].fits_function =
				asked->select[k].is_traced = true;
}

/* The file may have changed meanwhile. */
static void keep(const struct asked *asked, const char *path, bool is_program,
		 const struct ptl_cache_key *key, size_t before)
{
	struct ptl_cache_key now;

	begin_cache(&now, asked, path, is_program);
	if (key->text != NULL && now.text != NULL &&
	    strcmp(key->text, now.text) == 0)
		ptl_cache_keep(key, asked->made.bytes + before,
			       asked->made.nr - before);
	ptl_cache_end(&now);
}

static void add_meant(struct asked *asked, const char *path, bool is_program,
		      struct meant *meant, bool has_probes)
{
	size_t before = asked->made.nr;
	struct ptl_cache_key key;
	struct ptl_plan plan;
	const char *why;

	begin_cache(&key, asked, path, is_program);
	if (!has_probes && ptl_cache_find(&key, &asked->made)) {
		note_kept(asked, meant);
		ptl_cache_end(&key);
		return;
	}
	why = make_plan(&plan, asked, path);
	if (why != NULL) {
		ptl_say("%s: %s", path, why);
		asked->has_failed |= is_program;
	} else {
		refuse_small(asked, &plan);
		if (asked->mode > LIST_EACH)
			make_patches(asked, &plan, meant, path, has_probes);
		else if (has_probes)
			ptl_wanted_list(&asked->wanted, &plan, path);
		else
			list(asked, &plan, meant, path);
		if (!has_probes && may_keep(asked, &plan, meant))
			keep(asked, path, is_program, &key, before);
		ptl_plan_free(&plan);
	}
	ptl_cache_end(&key);
}

static void add_named(struct asked *asked, const char *path, bool is_program)
{
	struct meant *meant = ptl_alloc((asked->nr + 1) * sizeof(*meant));
	bool is_meant = false, has_probes = false;

	for (size_t i = 0; i < asked->nr; i++) {
		meant[i].fits_object =
			ptl_select_object(&asked->select[i], path, is_program);
		is_meant |= meant[i].fits_object;
	}
	if (asked->wanted.nr > 0)
		has_probes =
			ptl_wanted_find(&asked->wanted, path, asked->is_input);
	if (is_meant || has_probes)
		add_meant(asked, path, is_program, meant, has_probes);
	else if (asked->wanted.nr > 0 && asked->mode > LIST_EACH)
		ptl_wanted_nothing(path, asked->is_input, &asked->made);
	free(meant);
}

static void add_object(const char *path, void *arg)
{
	struct asked *asked = arg;
	bool is_program = !asked->has_program;

	asked->has_program = true;
	add_named(asked, path, is_program);
}

/* Files that the program does not need itself: it may load or execute them. */
static void add_paths(struct asked *asked)
{
	for (size_t i = 0; i < asked->nr; i++) {
		const char *path = asked->select[i].object;

		if (asked->select[i].fits_object ||
		    !ptl_select_is_path(&asked->select[i]))
			continue;
		if (access(path, R_OK) == 0)
			add_object(path, asked);
		else
			ptl_say("--functions: %s: %s", path, strerror(errno));
	}
}

/* What is only listed is listed with the reason. */
static void tell_refused(const struct asked *asked)
{
	for (size_t i = 0; i < asked->nr; i++) {
		const struct ptl_select *select = &asked->select[i];

		if (select->nr_refused > 0 && !select->is_traced)
			ptl_say("%s: no function that fits '%s' can be traced: "
				"%s%s",
				ptl_select_option(select), select->text,
				select->refused,
				select->nr_refused > PTL_SELECT_NAMED ?
					", ..." :
					"");
		else if (select->nr_xray > 0)
			/* Mostly all that the program has itself: others are
			 * of the runtime. */
			ptl_say("%s: of what fits '%s' %zu functions are not "
				"traced: %s (--functions-list)",
				ptl_select_option(select), select->text,
				select->nr_xray, ptl_plan_why(PTL_PLAN_XRAY));
	}
}

/* A pattern that means nothing is a slip.  Of a path that is told already. */
static bool tell_idle(const struct asked *asked)
{
	bool is_idle = false;

	for (size_t i = 0; i < asked->nr; i++) {
		const struct ptl_select *select = &asked->select[i];
		bool is_known = select->fits_object;

		if (is_known && (select->fits_function || asked->has_failed))
			continue;
		if (select->is_optional)
			continue;
		is_idle = true;
		if (is_known)
			ptl_say("%s: no function fits '%s'",
				ptl_select_option(select), select->text);
		else if (!ptl_select_is_path(select))
			ptl_say(asked->mode <= LIST_EACH ?
					"--functions: no library of it is "
					"'%s'" :
					"--functions: not in COMMAND nor a "
					"library that it needs: '%s'; "
					"what it starts or loads is looked "
					"at then",
				select->object);
	}
	return is_idle;
}

static enum mode mode_of(const char *option)
{
	return strcmp(option, "-v") == 0	    ? LIST_EACH :
	       strncmp(option, "--patches", 9) == 0 ? PATCHES :
	       strncmp(option, "--entries", 9) == 0 ? ENTRIES :
	       strcmp(option, "--sites") == 0	    ? SITES :
	       strcmp(option, "--calls") == 0	    ? CALLS :
						      LIST;
}

static bool is_typed(const char *option)
{
	return strstr(option, "-typed") != NULL;
}

/* False: who asked is gone. */
static bool write_all(const struct ptl_buffer *made)
{
	size_t done = 0;

	while (done < made->nr) {
		ssize_t nr = write(STDOUT_FILENO, made->bytes + done,
				   made->nr - done);

		if (nr <= 0)
			return false;
		done += (size_t)nr;
	}
	return true;
}

static int finish(struct asked *asked)
{
	bool is_idle;

	if (asked->mode <= LIST_EACH)
		ptl_show_flush();
	else if (!write_all(&asked->made))
		return EXIT_FAILED;
	if (asked->has_failed)
		return EXIT_NOT_RUN;
	tell_refused(asked);
	is_idle = ptl_wanted_tell(&asked->wanted, asked->mode <= LIST_EACH);
	return tell_idle(asked) || is_idle ? EXIT_FAILED : 0;
}

/* Of a file that a process has loaded. */
static int make_one(struct asked *asked, const char *kind, const char *name)
{
	asked->is_input = true;
	add_named(asked, name, strcmp(kind, "program") == 0);
	return write_all(&asked->made) ? 0 : EXIT_FAILED;
}

/* What the user has said, for what goes wrong. */
static const char *option_of(const struct asked *asked)
{
	return asked->nr > 0		? "--functions" :
	       asked->mode <= LIST_EACH ? "--probes-list" :
					  "--events";
}

/* Of a program and its libraries. */
static int make_all(struct asked *asked, const char *file)
{
	const char *path = ptl_loaded_program(file), *why;
	struct ptl_plan plan;

	if (path == NULL)
		path = file;
	/* To run it is allowed, perhaps. */
	if (access(path, R_OK) != 0) {
		ptl_say("%s: %s cannot be read: %s", option_of(asked), path,
			strerror(errno));
		return EXIT_NOT_RUN;
	}
	if (strcmp(path, file) != 0)
		ptl_say("%s is a script: %s of its interpreter, %s%s", file,
			asked->nr > 0 ? "functions" : "probes", path,
			asked->mode <= LIST_EACH ? "" :
						   ", and of what it starts");
	if (asked->nr > 0 && ptl_loaded_is_static(path))
		ptl_say("--functions: %s is a static program, whose functions "
			"are not traced",
			path);
	ptl_needed_by(path, add_object, asked);
	if (asked->has_program) {
		add_paths(asked);
		return finish(asked);
	}
	why = ptl_plan_make(&plan, path);
	ptl_say("%s: %s", path, why != NULL ? why : "cannot be read");
	return EXIT_NOT_RUN;
}

/* Of a program alone, or any other file. */
static int list_sites(const char *file)
{
	const char *path = ptl_loaded_program(file), *why;
	struct ptl_plan plan;

	if (path == NULL)
		path = file;
	if (strcmp(path, file) != 0)
		ptl_say("%s is a script: system calls of its interpreter, %s",
			file, path);
	why = ptl_plan_make_calls(&plan, -1, path);
	if (why != NULL) {
		ptl_say("%s: %s", path, why);
		return EXIT_NOT_RUN;
	}
	ptl_show_sites(&plan, path);
	ptl_plan_free(&plan);
	ptl_show_flush();
	return 0;
}

static void add_calls(struct asked *asked, const char *path)
{
	struct ptl_patches patches;
	struct ptl_plan plan;

	if (ptl_plan_make_calls(&plan, asked->is_input ? dup(STDIN_FILENO) : -1,
				path) != NULL)
		return;
	ptl_patches_begin(&patches, &plan, false);
	patches.is_of_calls = true;
	for (size_t i = 0; i < plan.nr_sites; i++)
		if (!asked->is_inside ||
		    ptl_site_looks_at_files(plan.site[i].number))
			ptl_patches_add_site(&patches, &plan.site[i]);
	ptl_patches_finish(&patches, &asked->made);
	ptl_patches_free(&patches);
	ptl_plan_free(&plan);
}

/* The patches for these. */
static int make_calls(struct asked *asked, const char *file, const char *name)
{
	const char *path = name != NULL ? name : ptl_loaded_program(file);
	struct ptl_cache_key key;

	if (path == NULL)
		path = file;
	asked->is_input = name != NULL;
	asked->is_inside = name != NULL && strcmp(file, "inside") == 0;
	begin_cache(&key, asked, path, !asked->is_inside);
	if (!ptl_cache_find(&key, &asked->made)) {
		add_calls(asked, path);
		keep(asked, path, !asked->is_inside, &key, 0);
	}
	ptl_cache_end(&key);
	return write_all(&asked->made) ? 0 : EXIT_FAILED;
}

static int make_plans(int argc, char **argv)
{
	static const char min_size[] = "--min-size=";
	struct asked asked = {.nr = 0};

	ptl_say_as("ptrace-run");
	if (argc < 5 || strncmp(argv[1], min_size, sizeof(min_size) - 1) != 0)
		return 2;
	asked.min_size = strtoull(argv[1] + sizeof(min_size) - 1, NULL, 10);
	if (strcmp(argv[2], "--probes") == 0) {
		ptl_wanted_parse(&asked.wanted, argv[3]);
		argc -= 2;
		argv += 2;
	}
	if (argc != 5 && argc != 6)
		return 2;
	asked.option = argv[2];
	asked.patterns = argv[3];
	asked.mode = mode_of(asked.option);
	if (asked.mode == SITES)
		return list_sites(argv[4]);
	if (asked.mode == CALLS)
		return make_calls(&asked, argv[4], argc == 6 ? argv[5] : NULL);
	asked.is_typed = is_typed(asked.option);
	asked.select = ptl_select_parse(asked.patterns, &asked.nr);
	return argc == 6 ? make_one(&asked, argv[4], argv[5]) :
			   make_all(&asked, argv[4]);
}

int main(int argc, char **argv)
{
	return ptl_stack_ensure(make_plans, argc, argv);
}
