/* SPDX-License-Identifier: MIT */
/* The family net: sockets and names of hosts. */
#include "preload/wrap/call.h"

#include <netdb.h>
#include <sys/socket.h>

/* How large an address may become; 0: it is not known, and not read. */
static socklen_t room_of(const socklen_t *size, bool wanted)
{
	return wanted && ptl_call_readable(size, sizeof(*size)) ? *size : 0;
}

/* The tools take an address of any family, so the type is not asked for. */
#define SOCKADDR(at) ((const void *)(at).__sockaddr__)

/* clang-format off */

#define CALL_ADDRESS(name, event) \
	WRAP(int, name, \
	     (int fd, __CONST_SOCKADDR_ARG at, socklen_t size), \
	     (fd, at, size), INT, event, (fd), ADDRESS(SOCKADDR(at), size))

/* As WRAP, for functions that tell an address. */
#define CALL_TELLS(type, name, params, args, event, values) \
	type name params; \
	static type(*real_##name) params; \
	__attribute__((noinline)) PTL_ALIGNS static type told_##name( \
		CALL_LIST params, const void *addr) \
	{ \
		bool wanted = ptl_core_wants_call(PTL_EV_##event); \
		socklen_t room = room_of(size, wanted); \
		type ret = CALL_REAL(name, INT) args; \
\
		if (ret == -1) \
			room = 0; \
		if (wanted) \
			CALL_RECORD(event, INT, values, \
				    ADDRESS(room ? SOCKADDR(at) : NULL, \
					    room ? PTL_MIN(room, *size) : 0)); \
		return ret; \
	} \
	PTL_JUMP type name params \
	{ \
		if (PTL_LIKELY(!ptl_core_maybe() && real_##name)) \
			return real_##name args; \
		return told_##name(CALL_LIST args, \
				   __builtin_return_address(0)); \
	}

#define CALL_SEND(name) \
	WRAP(ssize_t, name, (int fd, const void *buf, size_t n, int flags), \
	     (fd, buf, n, flags), INT, NET_SEND, \
	     (fd, (int64_t)n, (unsigned int)flags), NOTHING)

/* ---- the table ---- */

WRAP(int, socket, (int domain, int type, int protocol),
     (domain, type, protocol), INT, NET_SOCKET,
     (domain, (unsigned int)type, protocol), NOTHING)
WRAP(int, socketpair, (int domain, int type, int protocol, int fd[2]),
     (domain, type, protocol, fd), INT, NET_SOCKETPAIR,
     (domain, (unsigned int)type, protocol, ret ? -1 : fd[0],
      ret ? -1 : fd[1]), NOTHING)
CALL_ADDRESS(bind, NET_BIND)
CALL_ADDRESS(connect, NET_CONNECT)
CALL_ADDRESS(__connect, NET_CONNECT)
WRAP(int, listen, (int fd, int backlog), (fd, backlog), INT, NET_LISTEN,
     (fd, backlog), NOTHING)
CALL_TELLS(int, accept, (int fd, __SOCKADDR_ARG at,
	   socklen_t *restrict size), (fd, at, size), NET_ACCEPT, (fd, 0))
CALL_TELLS(int, accept4, (int fd, __SOCKADDR_ARG at,
	   socklen_t *restrict size, int flags), (fd, at, size, flags),
	   NET_ACCEPT, (fd, (unsigned int)flags))
CALL_TELLS(int, getsockname, (int fd, __SOCKADDR_ARG at,
	   socklen_t *restrict size), (fd, at, size), NET_GETSOCKNAME, (fd))
CALL_TELLS(int, getpeername, (int fd, __SOCKADDR_ARG at,
	   socklen_t *restrict size), (fd, at, size), NET_GETPEERNAME, (fd))

CALL_SEND(send)
CALL_SEND(__send)
WRAP(ssize_t, sendto, (int fd, const void *buf, size_t n, int flags,
     __CONST_SOCKADDR_ARG at, socklen_t size),
     (fd, buf, n, flags, at, size), INT, NET_SENDTO,
     (fd, (int64_t)n, (unsigned int)flags), ADDRESS(SOCKADDR(at), size))
WRAP(ssize_t, sendmsg, (int fd, const struct msghdr *msg, int flags),
     (fd, msg, flags), INT, NET_SENDMSG, (fd, (unsigned int)flags), NOTHING)
WRAP(int, sendmmsg, (int fd, struct mmsghdr *msg, unsigned int nr, int flags),
     (fd, msg, nr, flags), INT, NET_SENDMMSG,
     (fd, nr, (unsigned int)flags), NOTHING)
WRAP(ssize_t, recv, (int fd, void *buf, size_t n, int flags),
     (fd, buf, n, flags), INT, NET_RECV,
     (fd, (int64_t)n, (unsigned int)flags), NOTHING)
WRAP(ssize_t, __recv_chk, (int fd, void *buf, size_t n, size_t room,
     int flags), (fd, buf, n, room, flags), INT, NET_RECV,
     (fd, (int64_t)n, (unsigned int)flags), NOTHING)
CALL_TELLS(ssize_t, recvfrom, (int fd, void *restrict buf, size_t n,
	   int flags, __SOCKADDR_ARG at, socklen_t *restrict size),
	   (fd, buf, n, flags, at, size), NET_RECVFROM,
	   (fd, (int64_t)n, (unsigned int)flags))
CALL_TELLS(ssize_t, __recvfrom_chk, (int fd, void *restrict buf, size_t n,
	   size_t buf_room, int flags, __SOCKADDR_ARG at,
	   socklen_t *restrict size), (fd, buf, n, buf_room, flags, at, size),
	   NET_RECVFROM, (fd, (int64_t)n, (unsigned int)flags))
WRAP(ssize_t, recvmsg, (int fd, struct msghdr *msg, int flags),
     (fd, msg, flags), INT, NET_RECVMSG, (fd, (unsigned int)flags), NOTHING)
WRAP(int, recvmmsg, (int fd, struct mmsghdr *msg, unsigned int nr, int flags,
     struct timespec *timeout), (fd, msg, nr, flags, timeout), INT,
     NET_RECVMMSG, (fd, nr, (unsigned int)flags), NOTHING)

WRAP(int, shutdown, (int fd, int how), (fd, how), INT, NET_SHUTDOWN,
     (fd, how), NOTHING)
WRAP(int, getsockopt, (int fd, int level, int option, void *restrict value,
     socklen_t *restrict size), (fd, level, option, value, size), INT,
     NET_GETSOCKOPT, (fd, level, option), NOTHING)
WRAP(int, setsockopt, (int fd, int level, int option, const void *value,
     socklen_t size), (fd, level, option, value, size), INT, NET_SETSOCKOPT,
     (fd, level, option, (int64_t)size), NOTHING)

WRAP(int, getaddrinfo, (const char *restrict node,
     const char *restrict service, const struct addrinfo *restrict hints,
     struct addrinfo **restrict result), (node, service, hints, result), NUM,
     NET_GETADDRINFO, (), STRINGS2(node, service))
WRAP(int, getnameinfo, (const struct sockaddr *restrict at, socklen_t size,
     char *restrict host, socklen_t host_room, char *restrict service,
     socklen_t service_room, int flags),
     (at, size, host, host_room, service, service_room, flags), NUM,
     NET_GETNAMEINFO, (), ADDRESS(at, size))
