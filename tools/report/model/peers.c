/* SPDX-License-Identifier: MIT */
/* Sockets by address; see peers.h. */
#include "tools/report/model/peers.h"

#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

#include "tools/lib/say.h"

struct address {
	const char *host;
	uint16_t family, port;
	char path[sizeof(((struct sockaddr_un *)NULL)->sun_path)];
	/* What follows is no part of what is looked for. */
	bool is_any, is_own; /* of all interfaces; of this machine alone */
	unsigned char ip[16];
};

/* How much of it is looked for. */
#define KEY_SIZE offsetof(struct address, is_any)

struct bound {
	struct address address;
	struct ptl_peers *peers;
};

struct end {
	struct ptl_peers *peers;
	enum ptl_peer_side side;
};

struct ptl_peers_all {
	struct ptl_hash ends;  /* struct end, by file */
	struct ptl_hash bound; /* struct bound, by address */
	struct ptl_hash peers; /* struct ptl_peers, by listener or file */
};

struct ptl_peers_all *ptl_peers_new(void)
{
	struct ptl_peers_all *all = ptl_alloc(sizeof(*all));

	all->ends.value_size = sizeof(struct end);
	all->bound.value_size = sizeof(struct bound);
	all->peers.value_size = sizeof(struct ptl_peers);
	return all;
}

void ptl_peers_free(struct ptl_peers_all *all)
{
	ptl_hash_clear(&all->ends);
	ptl_hash_clear(&all->bound);
	ptl_hash_clear(&all->peers);
	free(all);
}

static void set_ip(struct address *address, const unsigned char *ip,
		   size_t size)
{
	static const unsigned char zeros[16], one[16] = {[15] = 1},
					      mapped[12] = {[10] = 255, 255};

	address->is_any = memcmp(ip, zeros, size) == 0;
	if (size == 16 && memcmp(ip, mapped, sizeof(mapped)) == 0) {
		ip += 12;
		size = 4;
	}
	address->is_own = size == 4 ? ip[0] == 127 : memcmp(ip, one, 16) == 0;
	memcpy(address->ip + 16 - size, ip, size);
}

/* Of what was recorded; false: it is none that is known here. */
static bool read_address(const struct ptl_step *step, struct address *address)
{
	const struct ptl_arg *arg = ptl_decode_find(&step->view->args, "addr");
	const unsigned char *bytes;
	uint16_t family;

	memset(address, 0, sizeof(*address));
	address->host = step->process->host;
	if (arg == NULL || arg->bytes == NULL || arg->size < 4)
		return false;
	bytes = (const unsigned char *)arg->bytes;
	memcpy(&family, bytes, sizeof(family));
	address->family = family;
	if (family == AF_UNIX) {
		size_t size = arg->size - 2;

		if (size > sizeof(address->path))
			size = sizeof(address->path);
		memcpy(address->path, bytes + 2, size);
		/* Behind the end of a name there may be anything. */
		if (address->path[0] != '\0')
			memset(address->path + strnlen(address->path, size), 0,
			       sizeof(address->path) -
				       strnlen(address->path, size));
		address->is_any = address->is_own = true;
		return true;
	}
	memcpy(&address->port, bytes + 2, sizeof(address->port));
	if (family == AF_INET && arg->size >= 8)
		set_ip(address, bytes + 4, 4);
	else if (family == AF_INET6 && arg->size >= 24)
		set_ip(address, bytes + 8, 16);
	else
		return false;
	return address->port != 0;
}

static void set_end(struct ptl_peers_all *all, const struct ptl_file *file,
		    struct ptl_peers *peers, enum ptl_peer_side side)
{
	const struct ptl_file *key = ptl_file_same(file);
	struct end *end = ptl_hash_get(&all->ends, &key, sizeof(key));

	*end = (struct end){peers, side};
}

static struct ptl_peers *get_peers(struct ptl_peers_all *all,
				   const struct ptl_file *file,
				   enum ptl_peer_side side)
{
	const struct ptl_file *key = ptl_file_same(file);
	struct ptl_peers *peers = ptl_hash_get(&all->peers, &key, sizeof(key));

	set_end(all, file, peers, side);
	return peers;
}

/* The listening socket that a connection to that address is with. */
static struct ptl_peers *find_bound(const struct ptl_peers_all *all,
				    const struct address *to)
{
	const struct bound *bound = ptl_hash_find(&all->bound, to, KEY_SIZE);
	struct address other = *to;

	/* One of both families may be there. */
	other.family = AF_INET6;
	if (bound == NULL && to->family == AF_INET)
		bound = ptl_hash_find(&all->bound, &other, KEY_SIZE);
	if (bound == NULL)
		return NULL;
	if (bound->address.is_any ?
		    to->is_own || to->is_any :
		    memcmp(bound->address.ip, to->ip, sizeof(to->ip)) == 0)
		return bound->peers;
	return NULL;
}

void ptl_peers_bind(struct ptl_peers_all *all, const struct ptl_step *step,
		    const struct ptl_file *file)
{
	struct address address;
	struct bound *bound;

	if (step->error != NULL || !read_address(step, &address))
		return;
	/* Of several the last. */
	bound = ptl_hash_get(&all->bound, &address, KEY_SIZE);
	bound->address = address;
	bound->peers = get_peers(all, file, PTL_PEER_LISTENER);
}

/* Without a listening socket that is known it is with somebody elsewhere. */
struct ptl_peers *ptl_peers_connect(struct ptl_peers_all *all,
				    const struct ptl_step *step,
				    const struct ptl_file *file)
{
	struct ptl_peers *peers = NULL;
	struct address address;

	if (read_address(step, &address))
		peers = find_bound(all, &address);
	if (peers == NULL)
		peers = get_peers(all, file, PTL_PEER_CLIENT);
	set_end(all, file, peers, PTL_PEER_CLIENT);
	ptl_peers_note(peers, PTL_PEER_CLIENT, step->process);
	return peers;
}

struct ptl_peers *ptl_peers_accept(struct ptl_peers_all *all,
				   const struct ptl_file *listener,
				   const struct ptl_file *file)
{
	struct ptl_peers *peers = get_peers(all, listener, PTL_PEER_LISTENER);

	if (file != NULL)
		set_end(all, file, peers, PTL_PEER_SERVER);
	return peers;
}

struct ptl_peers *ptl_peers_of(const struct ptl_peers_all *all,
			       const struct ptl_file *file,
			       enum ptl_peer_side *side)
{
	const struct ptl_file *key = ptl_file_same(file);
	const struct end *end = ptl_hash_find(&all->ends, &key, sizeof(key));

	if (end == NULL)
		return NULL;
	*side = end->side;
	return end->peers;
}

void ptl_peers_note(struct ptl_peers *peers, enum ptl_peer_side side,
		    const struct ptl_process *process)
{
	const struct ptl_process **known = &peers->process[side];

	peers->are_several[side] |= *known != NULL && *known != process;
	*known = process;
}
