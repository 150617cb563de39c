/* SPDX-License-Identifier: MIT */
/*
 * Processes for tests: children that die with the test, take turns with it by
 * pipe instead of by sleeping, and cannot hang for ever.
 */
#ifndef PTL_T_LIB_PROC_H
#define PTL_T_LIB_PROC_H

#include <sys/types.h>

/* The same struct on both sides; the descriptors are each side's own ends. */
struct proc {
	pid_t pid; /* of the child; 0 in the child */
	int read_fd;
	int write_fd;
};

/*
 * SIGALRM will end the calling process after this many seconds, or after
 * $TAP_DEADLINE if that is set; not under t/lib/patience.  plan() and
 * proc_start() ask for 100.
 */
void proc_deadline(unsigned int seconds);

/*
 * Starts a child that runs fn(self, arg) and exits with its value.  On failure
 * the test ends.
 */
void proc_start(struct proc *p, int (*fn)(struct proc *self, void *arg),
		void *arg);

/*
 * The same, in the first process of a pid namespace, a child of that child: the
 * test stays in its own.  When the child is killed, so are all there.
 */
void proc_start_first(struct proc *p, int (*fn)(struct proc *self, void *arg),
		      void *arg);

/* For the child: runs fn so, and waits for it.  Returns its exit status, 128
 * and more if it was killed, or 77 if there can be no namespace.  From then on
 * the child can make no process, and must end by _exit(). */
int proc_as_first(struct proc *self, int (*fn)(struct proc *self, void *arg),
		  void *arg);

/*
 * Take turns, from either side: proc_await() returns 1 after the other side's
 * proc_tell(), 0 if the other side is gone.
 */
void proc_tell(struct proc *p);
int proc_await(struct proc *p);

/* Tells the other side to go on, and waits until it does the same. */
int proc_turn(struct proc *p);

/* Move bytes, all or none.  Return 1, or 0 if the other side is gone. */
int proc_send(struct proc *p, const void *data, size_t size);
int proc_receive(struct proc *p, void *data, size_t size);

/* Waits for the child.  Returns its exit status, or 128 + the signal. */
int proc_wait(struct proc *p);

/* Sends the child a signal, and waits as proc_wait() does. */
int proc_kill(struct proc *p, int sig);

/*
 * Sends SIGKILL as soon as the child has counted this far, a short time
 * (`spin') into its next step.  Returns like proc_wait().
 */
int proc_kill_at(struct proc *p, const _Atomic unsigned long *count,
		 unsigned long until, unsigned int spin);

/* The number of entries in /proc/self/DIR: "fd", "map_files". */
int proc_entries(const char *dir);

/* A page of zeroes that children started from now on share with us. */
void *proc_shared(void);

/*
 * Replaces a child by a new image of that program, which finds `what' in
 * argv[1] and its ends of the pipes by proc_again().  Returns if exec fails.
 */
void proc_exec(const struct proc *self, const char *path, const char *what);
struct proc proc_again(char **argv);

#endif
