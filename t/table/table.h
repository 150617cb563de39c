/* SPDX-License-Identifier: MIT */
/*
 * Small programs, each of which does one thing that a guest in its process may
 * spoil, and prints what it saw of it: nothing that differs from run to run.
 */
#ifndef PTL_T_TABLE_H
#define PTL_T_TABLE_H

#include <stdbool.h>
#include <sys/types.h>

struct program {
	const char *name;
	/* What it returns is the exit status. */
	int (*run)(void);
	bool needs_root;
};

/* Ends with a row without a name. */
struct family {
	const char *name;
	const struct program *programs;
};

extern const struct program cancel_programs[];
extern const struct program clone_programs[];
extern const struct program credentials_programs[];
extern const struct program dl_programs[];
extern const struct program eintr_programs[];
extern const struct program exec_programs[];
extern const struct program exit_programs[];
extern const struct program fd_programs[];
extern const struct program fork_programs[];
extern const struct program ipc_programs[];
extern const struct program library_programs[];
extern const struct program limit_programs[];
extern const struct program memory_programs[];
extern const struct program namespace_programs[];
extern const struct program prctl_programs[];
extern const struct program process_programs[];
extern const struct program registers_programs[];
extern const struct program signal_programs[];
extern const struct program socket_programs[];
extern const struct program stack_programs[];
extern const struct program stdio_programs[];
extern const struct program sync_programs[];
extern const struct program thread_programs[];
extern const struct program time_programs[];
extern const struct program tls_programs[];

/* The victim's own path, for those that execute it again. */
extern char self[4096];

/* A line on standard output, by one write(). */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Says "WHAT: GOT", and errno's name if that is -1. */
void said(const char *what, long got);

/* Says "WHAT: NAME" of an errno value. */
void say_error(const char *what, int error);

/* Says how a child ended, stopped or went on. */
void say_status(const char *what, int status);

/* Waits for the child, and says how it ended. */
void say_end(const char *what, pid_t pid);

/* A child that exits with what fn() returns. */
pid_t start(int (*fn)(void));

/* start() and say_end(). */
void try_child(const char *what, int (*fn)(void));

/* An action without flags. */
void on_signal(int sig, void (*handler)(int));

/* How many entries a directory has. */
int count_entries(const char *path);

#endif
