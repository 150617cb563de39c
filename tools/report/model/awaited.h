/* SPDX-License-Identifier: MIT */
/*
 * What threads wait for, with those who wait, as long as it is not known who
 * ends that: a lock, the end of a thread, the content of a pipe.
 */
#ifndef PTL_TOOLS_REPORT_MODEL_AWAITED_H
#define PTL_TOOLS_REPORT_MODEL_AWAITED_H

#include "tools/model/model.h"

/* What a thread waits for. */
enum ptl_wait_kind {
	PTL_WAIT_LOCK,
	PTL_WAIT_CONDITION, /* and semaphores */
	PTL_WAIT_BARRIER,
	PTL_WAIT_THREAD, /* its end */
	PTL_WAIT_CHILD,	 /* the end of a process */
	PTL_WAIT_DATA,	 /* from another process or thread, in a pipe */
	PTL_WAIT_ROOM,	 /* for it */
	PTL_WAIT_SIGNAL, /* it was interrupted */
	PTL_WAIT_SLEEP,
	PTL_WAIT_CALL, /* of another function: for a disk, the network */
};

struct ptl_wait {
	struct ptl_strand *strand;
	int64_t begin, end; /* ns since the first event */
	enum ptl_wait_kind kind;
	const char *what; /* interned: the object, or the event's name */
	const struct ptl_process *child; /* of a CHILD; NULL: not known */
	const struct ptl_site *site;

	struct ptl_strand *holder; /* who had the lock at its begin; or NULL */
	struct ptl_strand *waker;  /* NULL: it is not known who ended it */
	int64_t woken;		   /* when that was */
	int64_t told;		   /* the time of the event that says so */
	void *kept;		   /* of whoever asks for waits */

	/* Private: of those for the same object that may be ended yet. */
	struct ptl_wait *next;
	bool is_first; /* ended by the first that may have, not the last */
	bool is_over;  /* the thread has let the lock go since */
	bool takes;    /* a lock, which it has at the end */
};

/* A thread asked for the end of a process or thread that was over already: it
 * could not have gone on earlier than then, though it did not wait. */
struct ptl_meeting {
	struct ptl_strand *other;
	int64_t over, at; /* when that was, and when it asked */
};

/* A thread while it runs one program. */
struct ptl_strand {
	struct ptl_strand *next; /* in the order of their first events */
	const struct ptl_process *process;
	const struct ptl_label *label; /* the program */
	pid_t tid;
	const char *name; /* of the thread; NULL: not known */
	uint64_t life;
	int64_t begin, end;
	struct ptl_strand *from; /* who began it; NULL: not known */
	int64_t from_at;
	struct ptl_wait **wait; /* in the order in which they began */
	size_t nr, room;
	struct ptl_meeting *meeting;
	size_t nr_meetings, meetings_room;
	void *kept; /* of whoever asks for strands */
};

enum ptl_awaited_what {
	PTL_AWAITED_SYNC,    /* an address */
	PTL_AWAITED_THREAD,  /* its end */
	PTL_AWAITED_CHILD,   /* the end of a process, by its number */
	PTL_AWAITED_CONTENT, /* of a file */
	PTL_AWAITED_SPACE,   /* in a file */
	PTL_AWAITED_SIGNAL,  /* to a process, by its number */
};

struct ptl_awaited {
	struct ptl_wait *first;
	size_t nr;
	const struct ptl_process *writer; /* the last, of CONTENT */
	/* Of a lock: who had it last, of those that are no more in the list,
	 * and since when; NULL: it was let go, or is not known. */
	struct ptl_strand *owner;
	int64_t owned_since;
	/* Of a THREAD or CHILD: whose end that was, and when; or NULL. */
	struct ptl_strand *ended;
	int64_t ended_at;
};

/* Waits of that many ns and more are kept: of very many only long ones. */
struct ptl_waits_kept {
	uint64_t nr;
	int64_t least;
};

/* The thread waits for that in the event's call: NULL, if that is too short. */
struct ptl_wait *ptl_wait_add(struct ptl_waits_kept *kept,
			      struct ptl_strand *strand,
			      const struct ptl_step *step,
			      enum ptl_wait_kind kind, const char *what);

/* In a hash of struct ptl_awaited; of: a process or file. */
struct ptl_awaited *ptl_awaited_get(struct ptl_hash *all,
				    enum ptl_awaited_what what, const void *of,
				    uint64_t number, unsigned int image);

/* wait may be NULL. */
void ptl_awaited_keep(struct ptl_awaited *awaited, struct ptl_wait *wait);

/* Whoever waits for it may go on. */
void ptl_awaited_wake(struct ptl_awaited *awaited, struct ptl_strand *strand,
		      int64_t now);

/* The end that others wait for, or will ask for. */
void ptl_awaited_ended(struct ptl_awaited *awaited, struct ptl_strand *strand,
		       int64_t now);

/* The strand asked for it, and perhaps waited; wait may be NULL. */
void ptl_awaited_meet(const struct ptl_awaited *awaited,
		      struct ptl_strand *strand, const struct ptl_wait *wait,
		      int64_t now);

/* The strand has the lock from then on. */
void ptl_awaited_take(struct ptl_awaited *awaited, struct ptl_strand *strand,
		      int64_t since);

/* Who has the lock then; NULL: nobody, or it is not known. */
struct ptl_strand *ptl_awaited_holder(const struct ptl_awaited *awaited,
				      int64_t now);

/* A lock that the strand had: nobody else could have let it go since. */
void ptl_awaited_let_go(struct ptl_awaited *awaited, struct ptl_strand *strand,
			int64_t now);

/* If that thread may have ended the wait then. */
void ptl_awaited_end(struct ptl_wait *wait, struct ptl_strand *strand,
		     int64_t now);

/* "the end of cc1", "mutex &big (prog)"; interned. */
const char *ptl_wait_name(const struct ptl_wait *wait);

/* The name of the program. */
const char *ptl_strand_program(const struct ptl_strand *strand);

#endif
