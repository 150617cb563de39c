/* SPDX-License-Identifier: MIT */
/* Programs that libraries call back, or that leave them sideways. */
#include "t/table/table.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <ftw.h>
#include <getopt.h>
#include <glob.h>
#include <iconv.h>
#include <langinfo.h>
#include <locale.h>
#include <dirent.h>
#include <regex.h>
#include <search.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wordexp.h>

static jmp_buf back;
static int calls;

static int compare(const void *a, const void *b)
{
	calls++;
	raise(0);
	return *(const int *)a - *(const int *)b;
}

static int compare_and_leave(const void *a, const void *b)
{
	if (++calls == 5)
		longjmp(back, 1);
	return *(const int *)a - *(const int *)b;
}

static int sorting(void)
{
	int numbers[20], key = 7, *found;

	for (int i = 0; i < 20; i++)
		numbers[i] = i * 7 % 20;
	qsort(numbers, 20, sizeof(int), compare);
	say("%d %d %d", numbers[0], numbers[10], numbers[19]);
	found = bsearch(&key, numbers, 20, sizeof(int), compare);
	say("found: %td", found - numbers);
	for (int i = 0; i < 20; i++) {
		calls = 0;
		if (setjmp(back) == 0)
			qsort(numbers, 20, sizeof(int), compare_and_leave);
		else if (i == 19)
			say("left after %d", calls);
	}
	return 0;
}

static int fail_glob(const char *path, int error)
{
	say("%s: %s", path, strerrorname_np(error));
	return 0;
}

static int globbing(void)
{
	glob_t found;

	mkdir("dir", 0700);
	close(open("dir/a.c", O_CREAT, 0600));
	close(open("dir/b.c", O_CREAT, 0600));
	say("glob: %d", glob("*/*.c", GLOB_ERR, fail_glob, &found));
	for (size_t i = 0; i < found.gl_pathc; i++)
		say("%s", found.gl_pathv[i]);
	globfree(&found);
	say("none: %d", glob("*.none", 0, NULL, &found) == GLOB_NOMATCH);
	say("file: %d", glob("dir/a.c/*", 0, fail_glob, &found));
	say("fnmatch: %d", fnmatch("*.[ch]", "a.c", 0));
	return 0;
}

static int expanding(void)
{
	wordexp_t words;

	setenv("TABLE", "two words", 1);
	say("wordexp: %d",
	    wordexp("a $TABLE \"$TABLE\" $(echo run) $((2+3))", &words, 0));
	for (size_t i = 0; i < words.we_wordc; i++)
		say("%s", words.we_wordv[i]);
	wordfree(&words);
	say("refused: %d",
	    wordexp("$(true)", &words, WRDE_NOCMD) == WRDE_CMDSUB);
	say("syntax: %d", wordexp("(", &words, 0) == WRDE_BADCHAR);
	return 0;
}

static int visit(const char *path, const struct stat *st, int kind,
		 struct FTW *ftw)
{
	(void)st;
	say("%s %d %d", path, kind, ftw->level);
	raise(0);
	return strcmp(path, "./a/z") == 0 ? 42 : 0;
}

static int no_dots(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int walking(void)
{
	struct dirent **list = NULL;
	int nr;

	mkdir("a", 0700);
	mkdir("a/z", 0700);
	say("nftw: %d", nftw(".", visit, 5, FTW_PHYS));
	say("depth: %d", nftw("a", visit, 5, FTW_DEPTH));
	nr = scandir(".", &list, no_dots, alphasort);
	say("scandir: %d %s", nr, list[0]->d_name);
	return 0;
}

static void node(const void *nodep, VISIT which, int depth)
{
	if (which == leaf || which == postorder)
		say("%d at %d", **(int *const *)nodep, depth);
}

static int trees(void)
{
	static int numbers[] = {5, 2, 8, 1, 9};
	void *root = NULL;
	ENTRY entry = {(char *)"key", (char *)"value"}, *found;

	for (int i = 0; i < 5; i++)
		tsearch(&numbers[i], &root, compare);
	twalk(root, node);
	say("found: %d", tfind(&numbers[3], &root, compare) != NULL);
	tdelete(&numbers[3], &root, compare);
	hcreate(10);
	hsearch(entry, ENTER);
	found = hsearch(entry, FIND);
	say("%s", found ? (char *)found->data : "none");
	hdestroy();
	return 0;
}

static int words(void)
{
	char text[] = "a,b,,c", *rest = text, *state = NULL;
	regmatch_t match[2];
	regex_t regex;

	for (char *p; (p = strsep(&rest, ","));)
		say("[%s]", p);
	say("%s", strtok_r(strdup("x y"), " ", &state));
	say("regcomp: %d", regcomp(&regex, "a(b+)c", REG_EXTENDED));
	say("regexec: %d", regexec(&regex, "xxabbbc", 2, match, 0));
	say("%d %d", match[1].rm_so, match[1].rm_eo);
	regfree(&regex);
	say("%s", strerror(ENOENT));
	say("%d", strverscmp("a10", "a9") > 0);
	return 0;
}

static int options(void)
{
	char *argv[] = {(char *)"x",   (char *)"-a",	   (char *)"-b",
			(char *)"val", (char *)"--long=1", (char *)"rest",
			NULL};
	struct option longs[] = {{"long", 1, NULL, 'l'}, {NULL, 0, NULL, 0}};
	int c;

	while ((c = getopt_long(6, argv, "ab:", longs, NULL)) != -1)
		say("%c %s", c, optarg ? optarg : "none");
	say("left: %s", argv[optind]);
	return 0;
}

/* Nobody else draws from the same urn. */
static int random_numbers(void)
{
	unsigned short seed[3] = {1, 2, 3};
	unsigned int state = 5;
	int fd;

	srand(1);
	say("%d %d", rand(), rand());
	srandom(2);
	getppid();
	fork() ?: (_exit(0), 0);
	wait(NULL);
	say("%ld %ld", random(), random());
	srand48(3);
	say("%ld %g", lrand48(), drand48());
	say("%ld %d", nrand48(seed), rand_r(&state));
	fd = mkstemp((char[]){"tableXXXXXX"});
	say("mkstemp: %d", fd > 0);
	say("getrandom: %zd", getrandom(&state, 4, 0));
	return 0;
}

static int languages(void)
{
	char in[] = "\xc3\xa9x", out[16] = "", *from = in, *to = out;
	size_t in_left = 3, out_left = 15;
	iconv_t cd = iconv_open("ISO-8859-1", "UTF-8");
	mbstate_t state;
	wchar_t wide;

	say("iconv: %zd", (ssize_t)iconv(cd, &from, &in_left, &to, &out_left));
	say("%x %x", (unsigned char)out[0], (unsigned char)out[1]);
	iconv_close(cd);
	said("bad", iconv_open("no-such", "UTF-8") == (iconv_t)-1 ? -1 : 0);
	say("%s", setlocale(LC_ALL, "C.UTF-8") ? "C.UTF-8" : "none");
	memset(&state, 0, sizeof(state));
	say("mbrtowc: %zd", (ssize_t)mbrtowc(&wide, "\xc3\xa9", 2, &state));
	say("%s", nl_langinfo(CODESET));
	say("%s", setlocale(LC_ALL, "no_SUCH") ? "set" : "kept");
	say("%c", localeconv()->decimal_point[0]);
	return 0;
}

__attribute__((noinline)) static int depth(void)
{
	void *frames[64];

	return backtrace(frames, 64);
}

/* As deep from within a function that a library calls. */
static int compare_deep(const void *a, const void *b)
{
	int nr = depth();

	if (nr > calls)
		calls = nr;
	return *(const int *)a - *(const int *)b;
}

static int backtraces(void)
{
	int numbers[] = {3, 1, 2}, outside = depth();

	qsort(numbers, 3, sizeof(int), compare_deep);
	say("deeper: %d", calls > outside);
	return 0;
}

static int jumps(void)
{
	volatile int nr = 0;
	sigjmp_buf buf;

	for (volatile int i = 0; i < 100; i++) {
		if (sigsetjmp(buf, i % 2) == 0)
			siglongjmp(buf, i + 1);
		else
			nr++;
	}
	say("jumps: %d", nr);
	if (_setjmp(back) == 0)
		_longjmp(back, 5);
	say("value: %d", setjmp(back));
	if (nr++ < 103)
		longjmp(back, 0);
	return nr;
}

static int environment(void)
{
	static char own[] = "TABLE=own", *only[] = {own, NULL};

	say("put: %d", putenv(own));
	own[6] = 'O';
	say("%s", getenv("TABLE"));
	say("set: %d", setenv("TABLE", "kept", 0));
	say("%s", getenv("TABLE"));
	said("bad", setenv("A=B", "x", 1));
	say("unset: %d", unsetenv("TABLE"));
	say("%d", secure_getenv("TABLE") == NULL);
	environ = only;
	say("%s", getenv("TABLE"));
	say_status("system", system("echo $TABLE"));
	return 0;
}

static int paths(void)
{
	char text[4096];

	close(open("file", O_CREAT, 0600));
	symlink("file", "link");
	say("%d", realpath("link", text) && strstr(text, "/file"));
	said("none", realpath("nothing/x", text) ? 0 : -1);
	said("readlink", readlink("link", text, sizeof(text)));
	mkdir("deep", 0700);
	chdir("deep");
	rmdir("../deep");
	said("getcwd", getcwd(text, sizeof(text)) ? 0 : -1);
	said("chdir", chdir("/"));
	say("%s", canonicalize_file_name("/usr/../etc/.") ?: "none");
	say("confstr: %zu", confstr(_CS_PATH, text, sizeof(text)));
	return 0;
}

const struct program library_programs[] = {
	{"sorting", sorting, false},
	{"globbing", globbing, false},
	{"expanding", expanding, false},
	{"walking", walking, false},
	{"trees", trees, false},
	{"words", words, false},
	{"options", options, false},
	{"random-numbers", random_numbers, false},
	{"languages", languages, false},
	{"backtraces", backtraces, false},
	{"jumps", jumps, false},
	{"environment", environment, false},
	{"paths", paths, false},
	{NULL, NULL, false},
};
