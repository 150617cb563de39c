/* SPDX-License-Identifier: MIT */
/* What the views have to know of event types; see kinds.h. */
#include "tools/report/model/kinds.h"

#include <string.h>

#include "tools/report/model/map.h"

static const char *const families[PTL_FAMILIES] = {
	[PTL_FAMILY_USER] = "user",	  [PTL_FAMILY_TRACE] = "posix_trace",
	[PTL_FAMILY_PROCESS] = "process", [PTL_FAMILY_THREAD] = "thread",
	[PTL_FAMILY_SIGNAL] = "signal",	  [PTL_FAMILY_FILE] = "file",
	[PTL_FAMILY_IO] = "io",		  [PTL_FAMILY_MEM] = "mem",
	[PTL_FAMILY_SYNC] = "sync",	  [PTL_FAMILY_TIME] = "time",
	[PTL_FAMILY_NET] = "net",	  [PTL_FAMILY_DL] = "dl",
	[PTL_FAMILY_CALL] = "call",
};

static const struct {
	enum ptl_act act;
	const char *names; /* each between blanks */
} acts[] = {
	{PTL_ACT_TRACE_START, " posix_trace_start "},
	{PTL_ACT_TRACE_FILTER, " posix_trace_filter "},
	{PTL_ACT_OVERFLOW, " posix_trace_overflow "},
	{PTL_ACT_START, " process:start "},
	{PTL_ACT_PROGRAM, " process:program "},
	{PTL_ACT_FORK, " process:fork "},
	{PTL_ACT_EXEC, " process:exec "},
	{PTL_ACT_EXEC_FAILED, " process:exec_failed "},
	{PTL_ACT_EXIT, " process:exit "},
	{PTL_ACT_UNTRACED, " process:untraced "},
	{PTL_ACT_THREAD_START, " thread:start "},
	{PTL_ACT_THREAD_EXIT, " thread:exit "},
	{PTL_ACT_ENTER, " call:enter "},
	{PTL_ACT_LEAVE, " call:exit "},
	{PTL_ACT_OPEN, " file:open file:mkstemp io:memfd_create "
		       "mem:shm_open io:mq_open "},
	{PTL_ACT_FOPEN, " file:fopen file:opendir file:tmpfile "},
	{PTL_ACT_FREOPEN, " file:freopen "},
	{PTL_ACT_FDOPEN, " file:fdopen file:fdopendir "},
	{PTL_ACT_DUP, " io:dup "},
	{PTL_ACT_FCNTL, " io:fcntl "},
	{PTL_ACT_PIPE, " io:pipe "},
	{PTL_ACT_SOCKET, " net:socket "},
	{PTL_ACT_SOCKETPAIR, " net:socketpair "},
	{PTL_ACT_ACCEPT, " net:accept "},
	{PTL_ACT_CONNECT, " net:connect net:bind "},
	{PTL_ACT_UNNAMED, " io:epoll_create io:eventfd io:inotify_init "
			  "time:timerfd_create "},
	{PTL_ACT_CLOSE, " file:close io:mq_close "},
	{PTL_ACT_FCLOSE, " file:fclose file:closedir "},
	{PTL_ACT_CLOSE_RANGE, " file:close_range "},
	{PTL_ACT_RENAME, " file:rename "},
	{PTL_ACT_READ, " io:read io:pread io:readv io:preadv io:scanf io:gets "
		       "net:recv net:recvfrom net:recvmsg io:mq_receive "},
	{PTL_ACT_WRITE, " io:write io:pwrite io:writev io:pwritev io:printf "
			"io:puts net:send net:sendto net:sendmsg io:mq_send "},
	{PTL_ACT_FREAD, " io:fread "},
	{PTL_ACT_FWRITE, " io:fwrite "},
	{PTL_ACT_GETC, " io:getc "},
	{PTL_ACT_PUTC, " io:putc "},
	{PTL_ACT_MOVE, " io:sendfile io:splice io:copy_file_range "},
	{PTL_ACT_POLL, " io:poll io:ppoll io:select io:epoll_wait "},
	{PTL_ACT_ALLOCATE, " mem:malloc mem:calloc mem:aligned "},
	{PTL_ACT_REALLOCATE, " mem:realloc "},
	{PTL_ACT_FREE, " mem:free "},
	{PTL_ACT_LOCK, " sync:lock sync:timedlock sync:wrlock sync:spin_lock "
		       "sync:mtx_lock "},
	{PTL_ACT_TRYLOCK, " sync:trylock sync:trywrlock sync:spin_trylock "
			  "sync:mtx_trylock "},
	{PTL_ACT_UNLOCK, " sync:unlock sync:rwunlock sync:spin_unlock "
			 "sync:mtx_unlock "},
	{PTL_ACT_RDLOCK, " sync:rdlock "},
	{PTL_ACT_TRYRDLOCK, " sync:tryrdlock "},
	{PTL_ACT_CONDITION, " sync:wait sync:timedwait sync:cnd_wait "},
	{PTL_ACT_SEM_WAIT, " sync:sem_wait sync:sem_timedwait "},
	{PTL_ACT_SEM_TRYWAIT, " sync:sem_trywait "},
	{PTL_ACT_BARRIER, " sync:barrier "},
	{PTL_ACT_JOIN, " sync:join "},
};

static enum ptl_act act_of(const char *name)
{
	size_t size = strlen(name);

	for (size_t i = 0; i < sizeof(acts) / sizeof(*acts); i++)
		for (const char *at = strstr(acts[i].names, name); at != NULL;
		     at = strstr(at + 1, name))
			if (at[-1] == ' ' && at[size] == ' ')
				return acts[i].act;
	return PTL_ACT_OTHER;
}

static enum ptl_family family_of(const char *name)
{
	if (strncmp(name, "posix_trace_", 12) == 0)
		return PTL_FAMILY_TRACE;
	for (int i = PTL_FAMILY_PROCESS; i < PTL_FAMILIES; i++) {
		size_t size = strlen(families[i]);

		if (strncmp(name, families[i], size) == 0 && name[size] == ':')
			return (enum ptl_family)i;
	}
	return PTL_FAMILY_USER;
}

const char *ptl_family_name(enum ptl_family family)
{
	return families[family];
}

/* Functions of pthreads return the error, those of <netdb.h> one of theirs. */
static void find_error(struct ptl_event_kind *kind,
		       const struct ptl_layout *layout)
{
	kind->error_at = -1;
	for (unsigned int i = 0; i < layout->nr_fields; i++) {
		const char *name = layout->field[i].name;

		if (strcmp(name, "errno") == 0) {
			kind->error_at = (int)i;
			kind->is_result_error = false;
			return;
		}
		if (strcmp(name, "ret") == 0 &&
		    layout->field[i].words != NULL &&
		    (kind->family == PTL_FAMILY_SYNC ||
		     kind->family == PTL_FAMILY_NET)) {
			kind->error_at = (int)i;
			kind->is_result_error = true;
		}
	}
}

static struct ptl_map kinds = {.value_size = sizeof(struct ptl_event_kind)};

const struct ptl_event_kind *ptl_kind_of(const struct ptl_type *type)
{
	struct {
		bool is_system;
		char name[TRACE_EVENT_NAME_MAX + 1];
		unsigned int nr_fields;
	} key;
	struct ptl_event_kind *kind;

	/* Two types of one name have different fields. */
	memset(&key, 0, sizeof(key));
	key.is_system = type->is_system;
	key.nr_fields = type->layout.nr_fields;
	strcpy(key.name, type->name);
	kind = ptl_map_get(&kinds, &key, sizeof(key));
	if (kind->name != NULL)
		return kind;
	kind->name = ptl_map_string(type->name, sizeof(type->name));
	kind->error_at = -1;
	if (!type->is_system)
		return kind;
	kind->family = family_of(type->name);
	kind->act = act_of(type->name);
	find_error(kind, &type->layout);
	return kind;
}
