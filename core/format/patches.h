/* SPDX-License-Identifier: MIT */
/*
 * What is to be written over the functions of programs and libraries, so that
 * they are recorded: one block for each file, one behind the other.  Made from
 * the file alone (tools/plan); used in each process that has the file mapped
 * (preload/patch), if all that was looked at is there as it was in the file.
 *
 * A patch is a jump over the first instructions of a function, or those with
 * which it is left.  It leads into the arena: memory near the file's, with the
 * instructions that were there, what calls the recorder, and rules for
 * unwinders.  Or over a system call of the file's own: those of a file are a
 * block of their own.  Or over an operation that does nothing, where the
 * program has a probe (USDT) that its notes describe.  Its bytes are ready
 * for a file that is mapped at 0 and an arena at a place that is free as a
 * rule; addresses are those of the file.
 *
 *   block:  head, patches, bytes that were there, relocations, told, arena,
 *           prototypes, texts, probes, arguments
 *   arena:  slots, code, words, two of .eh_frame_hdr, .eh_frame
 */
#ifndef PTL_CORE_FORMAT_PATCHES_H
#define PTL_CORE_FORMAT_PATCHES_H

#include "core/base.h"

#define PTL_PATCH_MAGIC 0x484c5450u /* "PTLH" */
#define PTL_PATCH_VERSION 7
#define PTL_PATCH_ID 64 /* of a build-id, that is as long as one may be */

/* Which file it is: by its build-id; if it has none, by what changes with it.
 */
struct ptl_patch_file {
	uint64_t size, device, inode;
	int64_t mtime_sec, mtime_nsec;
	uint32_t id_size; /* 0: no build-id */
	uint32_t reserved;
	unsigned char id[PTL_PATCH_ID];
};

/* Places are numbers of bytes from the block's first one. */
struct ptl_patch_block {
	uint32_t magic, version;
	uint64_t size; /* of all of it, a multiple of 8 */
	struct ptl_patch_file file;
	uint64_t patches, nr_patches;
	uint64_t was, was_size;
	uint64_t relocations, nr_relocations; /* uint32_t, in the arena */
	uint64_t told, told_size; /* lines: "COUNT PATTERN", "-COUNT WHY" */
	uint64_t arena, arena_size;
	uint64_t arena_at; /* where its bytes are ready for */
	uint64_t nr_functions;
	uint64_t prototypes, nr_prototypes;
	uint64_t texts, texts_size;
	uint64_t probes, nr_probes;
	uint64_t arguments, nr_arguments;
	/* In the arena. */
	uint32_t nr_words; /* to which the file's place is added */
	uint32_t code, code_size;
	uint32_t frames;      /* .eh_frame_hdr of its code */
	uint32_t islands;     /* the same of islands, which are in the file */
	uint32_t has_hooks;   /* what is behind hooks is called */
	uint32_t is_of_calls; /* of system calls, not of functions */
	uint32_t uses_gs;     /* an instruction of the file's sets %gs */
};
static_assert(sizeof(struct ptl_patch_block) % 8 == 0, "aligned");

/* Of the bytes that were there each patch has the next ones. */
struct ptl_patch {
	uint64_t at;	 /* what is written begins there */
	uint32_t to;	 /* of five bytes (four): where in the arena it leads */
	uint8_t size;	 /* that is written: 5 (4); or 2, leading to: */
	int8_t distance; /* an island, from behind these two */
	uint8_t was;	 /* bytes there that are compared before */
	uint8_t reserved;
};
static_assert(sizeof(struct ptl_patch) == 16, "ABI");

/*
 * Before the blocks: who makes them of other files, a socket (SOCK_SEQPACKET).
 * A question has the file with it; the answer, a byte, a file with its block,
 * if one could be made.
 */
#define PTL_PATCH_SOURCE 0x514c5450u   /* "PTLQ" */
#define PTL_PATCH_QUESTION 0x3f4c5450u /* "PTL?" */

struct ptl_patch_source {
	uint32_t magic, version;
	uint64_t size; /* of this */
	char path[112];
	char start[112]; /* for PTL_PATCH_REACH*; "": nobody is there */
};
static_assert(sizeof(struct ptl_patch_source) % 8 == 0, "aligned");

/* What is asked for: functions of a library; of a program; its system calls.
 * Or that the recorder be put into the static program that the thread is about
 * to execute (--reach static), or its next child, for which it waits: what is
 * answered then is why not, as text, or "".  If it does not come to that after
 * all the process says so by a byte, and waits for the end of the connection.
 * PTL_PATCH_KEEP asks nothing: the file is one whose symbols may be needed when
 * it is gone, and nobody waits for an answer.
 */
enum {
	PTL_PATCH_OBJECT,
	PTL_PATCH_PROGRAM,
	PTL_PATCH_CALLS,
	PTL_PATCH_REACH,
	PTL_PATCH_REACH_CHILD,
	PTL_PATCH_KEEP,
	PTL_PATCH_INSIDE, /* system calls of a library */
};
#define PTL_PATCH_WHY 96 /* bytes of that text */

struct ptl_patch_question {
	uint32_t magic;
	uint32_t what;
	uint32_t thread; /* PTL_PATCH_REACH*: if it is not the first one */
	uint32_t reserved;
	char path[4096]; /* what the process calls it; nothing of it is sent
			  * with PTL_PATCH_REACH* */
};

/* A function that counts as malloc() or one of its like is recorded as that. */
enum ptl_patch_role_kind {
	PTL_ROLE_NONE,
	PTL_ROLE_MALLOC,
	PTL_ROLE_CALLOC,
	PTL_ROLE_REALLOC,
	PTL_ROLE_ALIGNED,
	PTL_ROLE_FREE,
};

/* Which of its arguments, from 1, are those of malloc(), in the same order. */
struct ptl_patch_role {
	uint8_t kind; /* enum ptl_patch_role_kind */
	uint8_t nr;
	uint8_t argument[2];
};

/* The result and the first parameters: how large structures are that are
 * recorded in memory. */
#define PTL_PATCH_SIZED 9

/* Where in a structure it says what it leads to, in the place of its size: of
 * its words that with the pointer, that with how many elements there are, or
 * where they end; and what power of two in bytes an element takes. */
#define PTL_SLICE_POINTER 0
#define PTL_SLICE_COUNT 2
#define PTL_SLICE_ELEMENT 4
#define PTL_SLICE_IS_END 64

/* A function whose arguments and result are recorded. */
struct ptl_patch_prototype {
	uint32_t word; /* that has its address; the next one is for the process:
			* where there what is known of the function is */
	uint32_t text, text_size; /* data of its call:symbol, but the address */
	uint32_t has_loop;
	char code[16]; /* the prototype, with a null */
	struct ptl_patch_role role;
	uint8_t size[PTL_PATCH_SIZED]; /* as struct ptl_typed has them */
	uint8_t reserved[3];
};
static_assert(sizeof(struct ptl_patch_prototype) == 48, "ABI");

/* What is recorded of a probe: a word each, of those that are understood. */
enum ptl_patch_argument_kind {
	PTL_ARGUMENT_CONSTANT,
	PTL_ARGUMENT_REGISTER,
	PTL_ARGUMENT_VECTOR,
	PTL_ARGUMENT_MEMORY, /* base + index * scale + value */
	PTL_ARGUMENT_DATA,   /* value: an address of the file */
};
#define PTL_PATCH_SIGNED 1
#define PTL_PATCH_FLOAT 2
#define PTL_PATCH_HIGH 4   /* the second byte of the register */
#define PTL_PATCH_STRING 8 /* where one is, which is copied */
#define PTL_PATCH_NO_REGISTER 255

struct ptl_patch_argument {
	uint8_t kind; /* enum ptl_patch_argument_kind */
	uint8_t size; /* 1, 2, 4, 8 */
	uint8_t how;  /* PTL_PATCH_SIGNED ... */
	uint8_t base; /* registers, by the numbers that instructions have */
	uint8_t index, scale;
	uint8_t reserved[2];
	int64_t value;
};
static_assert(sizeof(struct ptl_patch_argument) == 16, "ABI");

#define PTL_PATCH_ARGUMENTS 12 /* of a probe */

/* A probe: of the type of event that its texts name, with these fields. */
struct ptl_patch_probe {
	uint64_t semaphore; /* a counter of 16 bits in the file; 0: none */
	uint32_t word;	    /* that has its address; behind it, one for the
			     * process */
	uint32_t argument, nr_arguments; /* the first of its arguments */
	uint32_t text, text_size; /* a name, its fields, each with a null */
	uint32_t reserved;
};
static_assert(sizeof(struct ptl_patch_probe) == 32, "ABI");

/* Of .eh_frame_hdr: bytes before its table, and of each entry: two distances
 * from its own beginning, to an address and to its rules. */
#define PTL_PATCH_TABLE 12
#define PTL_PATCH_TABLE_ENTRY 8

#define PTL_PATCH_LONG 5
#define PTL_PATCH_SHORT 2
#define PTL_PATCH_WORD 4 /* on aarch64 */

/* Of an arena: addresses of what its code calls, in the process. */
enum ptl_patch_slot {
	PTL_PATCH_BEGIN, /* a function whose exits are patched */
	PTL_PATCH_LOOP,	 /* the same; it may come to its first instruction
			  * again */
	PTL_PATCH_ENTRY, /* others */
	PTL_PATCH_END,	 /* at a return */
	PTL_PATCH_LEFT,	 /* at a jump to another function */

	/* What is behind the hooks that compilers call: of a program as it is
	 * without the recorder. */
	PTL_PATCH_MCOUNT,
	PTL_PATCH_FENTRY,
	PTL_PATCH_CYG_ENTER,
	PTL_PATCH_CYG_EXIT,

	/* Of functions with prototypes. */
	PTL_PATCH_BEGIN_TYPED,
	PTL_PATCH_LOOP_TYPED,
	PTL_PATCH_ENTRY_TYPED,
	PTL_PATCH_END_TYPED,

	PTL_PATCH_SYSTEM, /* a system call; jumped to, not called */
	PTL_PATCH_PROBE,
	PTL_PATCH_LEFT_ROLE, /* PTL_PATCH_LEFT of a function with a role */
	PTL_PATCH_SLOTS = 16,
};

/*
 * The calls are of six bytes, and behind each is the word that says which
 * function it is: an operation of seven bytes that does nothing, the last four
 * of which are the distance from its end to the word with the function's
 * address.
 */
#define PTL_PATCH_MARK 3 /* bytes of it before the distance */
#define PTL_PATCH_MARK_SIZE 7

/*
 * On aarch64 a call is five instructions:
 *
 *	stp x0, x30, [sp, #-16]!; adrp x30, SLOT; ldr x30, [x30, SLOT];
 *	blr x30; ldp x0, x30, [sp], #16
 *
 * Before them is a word that nobody executes, the distance from its own end to
 * the word with the function's address.  What is called finds them by its
 * return address.
 */
#define PTL_PATCH_A64_MARK (-20)
#define PTL_PATCH_A64_MARK_END (-16)

/*
 * A system call's piece loads %rcx, which the kernel destroys anyway, with the
 * address of the instruction, now in the piece, and jumps to the slot.  There
 * it is decided whether to jump back to that, or, when the call was made
 * otherwise, behind it.  The four bytes before the instruction are the distance
 * from its address to the word with where in the file the call returned to.
 */
#define PTL_PATCH_SYSTEM_SIZE 2

/*
 * In a program that runs already others write: who holds its threads by
 * ptrace(2), so that none is where a jump will be.  What is to be written the
 * process has ready in its memory (posix_trace_hook_np()), a batch for each
 * object, in the order of addresses.
 */
enum ptl_pending_kind {
	PTL_PENDING_JUMP,   /* over what begins there */
	PTL_PENDING_ISLAND, /* over what was in the midst of moved code */
	PTL_PENDING_SHORT,  /* to an island, which is there before */
	PTL_PENDING_LOADER, /* over what is called under the loader's lock */
};
#define PTL_PENDING_NONE UINT32_MAX

struct ptl_pending {
	uint64_t at;
	unsigned char bytes[PTL_PATCH_LONG], was[PTL_PATCH_LONG];
	uint8_t size, kind;
	uint32_t behind; /* which of the batch must be there before */
};
static_assert(sizeof(struct ptl_pending) == 24, "ABI");

/* Addresses are those of the process. */
struct ptl_pending_batch {
	uint64_t pending, nr;
	uint64_t told, told_size; /* what the block says of its functions */
};

#endif
