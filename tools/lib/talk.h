/* SPDX-License-Identifier: MIT */
/*
 * Messages between ptrace-ctl and a controller: each is one packet on a socket
 * that preserves message boundaries, and consists of words, each with its null.
 * There is nothing to quote and little to parse, and what is in a word is never
 * more than a word.  The first is the version.
 *
 * Request: 1 COMMAND ARGUMENT..., with a descriptor if the command writes a
 * file.  Reply: 1 ok KEY VALUE..., or 1 failed MESSAGE.
 */
#ifndef PTL_TOOLS_LIB_TALK_H
#define PTL_TOOLS_LIB_TALK_H

#include <stdbool.h>
#include <stddef.h>

#define PTL_TALK_VERSION "1"
#define PTL_TALK_OK "ok"
#define PTL_TALK_FAILED "failed"

/* What is not a word of a command can have, all together. */
#define PTL_TALK_SIZE 65536

struct ptl_talk {
	size_t size;
	char bytes[PTL_TALK_SIZE];
};

/* A message that has only its version. */
void ptl_talk_begin(struct ptl_talk *talk);

/* Adds a word.  False: there is no room, and nothing has changed. */
bool ptl_talk_add(struct ptl_talk *talk, const char *word);
bool ptl_talk_add_number(struct ptl_talk *talk, unsigned long long number);

/* The next word, from *at on, which is 0 at first; NULL: there is none. */
const char *ptl_talk_next(const struct ptl_talk *talk, size_t *at);

/* The word behind that one, which is a key; NULL: it is not there. */
const char *ptl_talk_find(const struct ptl_talk *talk, const char *key);

/*
 * Sends it, with a descriptor or -1.  Never waits, and raises no SIGPIPE.
 * False: errno is set.
 */
bool ptl_talk_send(int fd, const struct ptl_talk *talk, int file);

/*
 * Receives a message that is there, and a descriptor, which is the caller's, or
 * -1.  False: errno is set; 0: the other side has closed the connection;
 * EMSGSIZE, EBADMSG: what came is no message.
 */
bool ptl_talk_receive(int fd, struct ptl_talk *talk, int *file);

#endif
