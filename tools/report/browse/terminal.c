/* SPDX-License-Identifier: MIT */
/* The terminal by ncurses; see terminal.h. */
#include "tools/report/browse/terminal.h"

#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "tools/lib/fault.h"
#include "tools/lib/say.h"
#include "tools/report/browse/kind.h"
#include "tools/report/show/screen.h"

/* An escape sequence of a key takes no longer, ms. */
#define ESCAPE_MS 50

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static const int fatal[] = {SIGSEGV, SIGABRT, SIGFPE, SIGILL};

static struct {
	SCREEN *screen;
	bool is_open;
	struct termios before;
	char leave[64]; /* what the terminal is sent at the end */
	sigset_t waited, mask_before;
	int signals;	  /* of `waited', read from here */
	int said, errors; /* what is said; where it belongs */
	int ended_by;	  /* a signal, or 0 */
	bool has_color;
} tty = {.signals = -1, .said = -1, .errors = -1};

/* Async-signal-safe: as much as a handler can do. */
static void restore(void)
{
	ssize_t done;

	if (!tty.is_open)
		return;
	tty.is_open = false;
	done = write(STDOUT_FILENO, tty.leave, strlen(tty.leave));
	(void)done;
	tcsetattr(STDIN_FILENO, TCSANOW, &tty.before);
	if (tty.errors >= 0)
		dup2(tty.errors, STDERR_FILENO);
}

static void die(int signo)
{
	restore();
	signal(signo, SIG_DFL);
	raise(signo);
}

static void catch_signals(void)
{
	sigemptyset(&tty.waited);
	for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++)
		sigaddset(&tty.waited, ending[i]);
	sigaddset(&tty.waited, SIGTSTP);
	sigaddset(&tty.waited, SIGWINCH);
	sigprocmask(SIG_BLOCK, &tty.waited, &tty.mask_before);
	tty.signals = signalfd(-1, &tty.waited, SFD_CLOEXEC | SFD_NONBLOCK);
	for (size_t i = 0; i < sizeof(fatal) / sizeof(*fatal); i++)
		signal(fatal[i], die);
	ptl_fault_before(restore);
}

static void hold_errors(void)
{
	tty.said = memfd_create("messages", MFD_CLOEXEC);
	if (tty.said < 0 || !isatty(STDERR_FILENO))
		return;
	tty.errors = dup(STDERR_FILENO);
	dup2(tty.said, STDERR_FILENO);
}

static void release_errors(void)
{
	char bytes[4096];
	ssize_t size, done;

	if (tty.errors < 0)
		return;
	dup2(tty.errors, STDERR_FILENO);
	close(tty.errors);
	tty.errors = -1;
	lseek(tty.said, 0, SEEK_SET);
	while ((size = read(tty.said, bytes, sizeof(bytes))) > 0) {
		done = write(STDERR_FILENO, bytes, (size_t)size);
		(void)done;
	}
}

static void set_up(void)
{
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(ESCAPE_MS / 2);
	leaveok(stdscr, FALSE);
	curs_set(0);
	if (!tty.has_color)
		return;
	start_color();
	use_default_colors();
	init_pair(PTL_COLOR_RED, COLOR_RED, -1);
	init_pair(PTL_COLOR_YELLOW, COLOR_YELLOW, -1);
}

bool ptl_terminal_open(bool wants_color)
{
	if (!ptl_terminal_check(tty.leave, sizeof(tty.leave)))
		return false;
	tcgetattr(STDIN_FILENO, &tty.before);
	catch_signals();
	tty.screen = newterm(NULL, stdout, stdin);
	if (tty.screen == NULL) {
		ptl_say("--browse: this terminal cannot be set up");
		return false;
	}
	/* Not as ncurses does, in a handler. */
	signal(SIGTSTP, SIG_DFL);
	tty.is_open = true;
	atexit(ptl_terminal_close);
	tty.has_color = wants_color && has_colors();
	set_up();
	hold_errors();
	return true;
}

void ptl_terminal_close(void)
{
	if (tty.screen == NULL)
		return;
	if (tty.is_open)
		endwin();
	tty.is_open = false;
	delscreen(tty.screen);
	tty.screen = NULL;
	tcsetattr(STDIN_FILENO, TCSADRAIN, &tty.before);
	release_errors();
}

void ptl_terminal_end(void)
{
	if (tty.ended_by == 0)
		return;
	ptl_terminal_close();
	signal(tty.ended_by, SIG_DFL);
	raise(tty.ended_by);
	sigprocmask(SIG_SETMASK, &tty.mask_before, NULL);
}

size_t ptl_terminal_rows(void)
{
	return (size_t)getmaxy(stdscr);
}

size_t ptl_terminal_columns(void)
{
	return (size_t)getmaxx(stdscr);
}

static void find_size(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 &&
	    size.ws_col > 0)
		resizeterm(size.ws_row, size.ws_col);
	clearok(stdscr, TRUE);
}

/* Until somebody says that we go on. */
static void stop(void)
{
	sigset_t one;

	endwin();
	sigemptyset(&one);
	sigaddset(&one, SIGTSTP);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &one, NULL);
	sigprocmask(SIG_BLOCK, &one, NULL);
	find_size();
	refresh();
}

/* The other one's SIGTSTP stops us, too. */
void ptl_terminal_lend(void)
{
	sigset_t one;

	endwin();
	sigemptyset(&one);
	sigaddset(&one, SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &one, NULL);
	if (tty.errors >= 0)
		dup2(tty.errors, STDERR_FILENO);
}

void ptl_terminal_child(void)
{
	sigprocmask(SIG_SETMASK, &tty.mask_before, NULL);
}

void ptl_terminal_take_back(void)
{
	sigprocmask(SIG_BLOCK, &tty.waited, NULL);
	if (tty.errors >= 0)
		dup2(tty.said, STDERR_FILENO);
	find_size();
	refresh();
}

/* What a signal means as a key, or PTL_KEY_NONE. */
static int take_signal(void)
{
	struct signalfd_siginfo info;

	if (tty.ended_by != 0)
		return PTL_KEY_END;
	if (read(tty.signals, &info, sizeof(info)) != sizeof(info))
		return PTL_KEY_NONE;
	if (info.ssi_signo == SIGTSTP)
		stop();
	else if (info.ssi_signo == SIGWINCH)
		find_size();
	else
		tty.ended_by = (int)info.ssi_signo;
	return tty.ended_by != 0 ? PTL_KEY_END : PTL_KEY_RESIZED;
}

static int key_of(int code)
{
	static const int keys[][2] = {
		{KEY_UP, PTL_KEY_UP},	      {KEY_DOWN, PTL_KEY_DOWN},
		{KEY_LEFT, PTL_KEY_LEFT},     {KEY_RIGHT, PTL_KEY_RIGHT},
		{KEY_PPAGE, PTL_KEY_PAGE_UP}, {KEY_NPAGE, PTL_KEY_PAGE_DOWN},
		{KEY_HOME, PTL_KEY_HOME},     {KEY_END, PTL_KEY_LAST},
		{KEY_ENTER, PTL_KEY_ENTER},   {'\r', PTL_KEY_ENTER},
		{'\n', PTL_KEY_ENTER},	      {KEY_BACKSPACE, PTL_KEY_BACK},
		{127, PTL_KEY_BACK},	      {8, PTL_KEY_BACK},
		{27, PTL_KEY_ESCAPE},	      {'\t', PTL_KEY_TAB},
		{KEY_BTAB, PTL_KEY_TAB_BACK}, {KEY_RESIZE, PTL_KEY_RESIZED},
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (keys[i][0] == code)
			return keys[i][1];
	return code >= 0 && code < PTL_KEY_NONE ? code : PTL_KEY_NONE;
}

int ptl_terminal_key(int ms)
{
	for (;;) {
		struct pollfd wait[] = {
			{.fd = STDIN_FILENO, .events = POLLIN},
			{.fd = tty.signals, .events = POLLIN},
		};
		int key = take_signal(), code;

		if (key != PTL_KEY_NONE)
			return key;
		code = getch();
		if (code != ERR)
			return key_of(code);
		if (poll(wait, 2, ms) == 0)
			return PTL_KEY_NONE;
		/* Nobody is at the other end of the terminal. */
		if ((wait[0].revents & (POLLHUP | POLLERR)) != 0)
			tty.ended_by = SIGHUP;
	}
}

bool ptl_terminal_is_broken_off(void)
{
	int key = ptl_terminal_key(0);

	return key == PTL_KEY_END || key == 'q' || key == PTL_KEY_ESCAPE;
}

static attr_t attribute(enum ptl_color color)
{
	switch (color) {
	case PTL_COLOR_RED:
	case PTL_COLOR_YELLOW:
		return tty.has_color ? (attr_t)COLOR_PAIR(color) : A_BOLD;
	case PTL_COLOR_DIM:
		return A_DIM;
	case PTL_COLOR_BOLD:
		return A_BOLD;
	default:
		return A_NORMAL;
	}
}

/* A character at the cursor, if it fits; returns how many bytes it has. */
static size_t put_char(const char *bytes, size_t size, size_t *left)
{
	mbstate_t state = {0};
	wchar_t wide[2] = {0};
	size_t taken = mbrtowc(wide, bytes, size, &state);
	int columns;

	if (taken == 0 || taken > size) {
		wide[0] = '?';
		taken = 1;
	}
	columns = wcwidth(wide[0]);
	if (columns < 0) {
		wide[0] = '?';
		columns = 1;
	}
	if ((size_t)columns > *left) {
		*left = 0;
		return size;
	}
	*left -= (size_t)columns;
	addnwstr(wide, 1);
	return taken;
}

void ptl_terminal_put(size_t row, const char *line, size_t size,
		      enum ptl_line_style style)
{
	static const attr_t styles[] = {A_NORMAL, A_REVERSE, A_REVERSE | A_BOLD,
					A_BOLD};
	size_t left = ptl_terminal_columns(), code;

	if (row >= ptl_terminal_rows())
		return;
	move((int)row, 0);
	attrset((int)styles[style]);
	while (size > 0 && left > 0) {
		enum ptl_color color = ptl_screen_code(line, &code);

		if (code > 0 && style != PTL_STYLE_HEADING)
			attrset((int)(styles[style] | attribute(color)));
		if (code == 0)
			code = put_char(line, size, &left);
		line += code;
		size -= code;
	}
	attrset((int)(style == PTL_STYLE_HEADING ? A_NORMAL : styles[style]));
	while (left-- > 0 && left != SIZE_MAX)
		addch(' ');
	attrset(A_NORMAL);
}

void ptl_terminal_show(size_t row, size_t column)
{
	curs_set(row != SIZE_MAX);
	if (row != SIZE_MAX)
		move((int)row, (int)column);
	refresh();
}
