/* SPDX-License-Identifier: MIT */
/* Messages of words; see talk.h. */
#include "tools/lib/talk.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/lib/handover.h"

void ptl_talk_begin(struct ptl_talk *talk)
{
	talk->size = 0;
	ptl_talk_add(talk, PTL_TALK_VERSION);
}

bool ptl_talk_add(struct ptl_talk *talk, const char *word)
{
	size_t size = strlen(word) + 1;

	if (size > sizeof(talk->bytes) - talk->size)
		return false;
	memcpy(talk->bytes + talk->size, word, size);
	talk->size += size;
	return true;
}

bool ptl_talk_add_number(struct ptl_talk *talk, unsigned long long number)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%llu", number);
	return ptl_talk_add(talk, digits);
}

const char *ptl_talk_next(const struct ptl_talk *talk, size_t *at)
{
	const char *word = talk->bytes + *at;

	if (*at >= talk->size)
		return NULL;
	*at += strlen(word) + 1;
	return word;
}

const char *ptl_talk_find(const struct ptl_talk *talk, const char *key)
{
	size_t at = 0;
	const char *word;

	/* The version, and whether it is a good reply. */
	ptl_talk_next(talk, &at);
	ptl_talk_next(talk, &at);
	while ((word = ptl_talk_next(talk, &at)) != NULL) {
		const char *value = ptl_talk_next(talk, &at);

		if (value != NULL && strcmp(word, key) == 0)
			return value;
	}
	return NULL;
}

bool ptl_talk_send(int fd, const struct ptl_talk *talk, int file)
{
	struct iovec data = {(void *)talk->bytes, talk->size}; /* NOLINT */
	struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
	union ptl_handover room;
	ssize_t sent;

	ptl_handover_put(&message, &room, file);
	do
		sent = sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
	while (sent < 0 && errno == EINTR);
	return sent == (ssize_t)talk->size;
}

/* Is it words, of our version? */
static int check(const struct ptl_talk *talk, const struct msghdr *message)
{
	if (talk->size == 0)
		return 0;
	if (message->msg_flags & MSG_TRUNC)
		return EMSGSIZE;
	if (talk->bytes[talk->size - 1] != '\0' ||
	    strcmp(talk->bytes, PTL_TALK_VERSION) != 0)
		return EBADMSG;
	return -1;
}

bool ptl_talk_receive(int fd, struct ptl_talk *talk, int *file)
{
	struct iovec data = {talk->bytes, sizeof(talk->bytes)};
	struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
	union ptl_handover room;
	ssize_t size;
	int error;

	ptl_handover_expect(&message, &room);
	*file = -1;
	do
		size = recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	while (size < 0 && errno == EINTR);
	if (size < 0)
		return false;
	talk->size = (size_t)size;
	*file = ptl_handover_take(&message);
	error = check(talk, &message);
	if (error < 0)
		return true;
	if (*file >= 0)
		close(*file);
	*file = -1;
	errno = error;
	return false;
}
