/* SPDX-License-Identifier: MIT */
/* Programs that share memory, messages and semaphores by name or number. */
#include "t/table/table.h"

#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char name[64];

static const char *own_name(void)
{
	snprintf(name, sizeof(name), "/table-%d", (int)getpid());
	return name;
}

static int system_v_memory(void)
{
	int id = shmget(IPC_PRIVATE, 4096, 0600);
	char *area = shmat(id, NULL, 0);
	struct shmid_ds ds;

	if (fork() == 0) {
		strcpy(area, "from the child");
		_exit(0);
	}
	wait(NULL);
	say("%s", area);
	shmctl(id, IPC_STAT, &ds);
	say("attached: %d", (int)ds.shm_nattch);
	said("remove", shmctl(id, IPC_RMID, NULL));
	said("detach", shmdt(area));
	said("gone", shmat(id, NULL, 0) == (void *)-1 ? -1 : 0);
	said("huge", shmget(IPC_PRIVATE, (size_t)1 << 62, 0600));
	return 0;
}

static int id;

static int take_and_die(void)
{
	struct sembuf op = {0, -1, SEM_UNDO};

	semop(id, &op, 1);
	raise(SIGKILL);
	return 0;
}

static int undone(void)
{
	struct sembuf op = {0, -1, IPC_NOWAIT};

	id = semget(IPC_PRIVATE, 2, 0600);
	said("set", semctl(id, 0, SETVAL, 1));
	try_child("child", take_and_die);
	said("value", semctl(id, 0, GETVAL));
	said("take", semop(id, &op, 1));
	said("take", semop(id, &op, 1));
	said("timed", semtimedop(id, &(struct sembuf){0, -1, 0}, 1,
				 &(struct timespec){0, 1}));
	said("remove", semctl(id, 0, IPC_RMID));
	return 0;
}

static int messages(void)
{
	struct {
		long type;
		char text[16];
	} msg = {2, "hello"};

	id = msgget(IPC_PRIVATE, 0600);
	said("send", msgsnd(id, &msg, 6, 0));
	msg.type = 1;
	strcpy(msg.text, "world");
	said("send", msgsnd(id, &msg, 6, 0));
	memset(&msg, 0, sizeof(msg));
	said("receive", msgrcv(id, &msg, 16, 1, 0));
	say("%s", msg.text);
	said("too long", msgrcv(id, &msg, 2, 0, 0));
	said("none", msgrcv(id, &msg, 16, 9, IPC_NOWAIT));
	said("remove", msgctl(id, IPC_RMID, NULL));
	said("gone", msgsnd(id, &msg, 1, 0));
	return 0;
}

static int named_memory(void)
{
	int fd = shm_open(own_name(), O_CREAT | O_EXCL | O_RDWR, 0600);
	char *area;

	said("again", shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0600));
	ftruncate(fd, 4096);
	area = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fork() == 0) {
		area[0] = 'x';
		_exit(0);
	}
	wait(NULL);
	say("%c", area[0]);
	said("unlink", shm_unlink(name));
	said("unlink", shm_unlink(name));
	said("bad", shm_open("/a/b", O_CREAT, 0600));
	return 0;
}

static volatile int got;

static void take(int sig)
{
	got = sig;
}

static int queues(void)
{
	struct mq_attr attr = {.mq_maxmsg = 2, .mq_msgsize = 16};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL};
	struct timespec past = {1, 0};
	char text[16] = "";
	unsigned int priority = 0;
	mqd_t mq = mq_open(own_name(), O_CREAT | O_RDWR, 0600, &attr);

	if (mq == (mqd_t)-1) {
		said("mq_open", -1);
		return 0;
	}
	on_signal(SIGUSR1, take);
	event.sigev_signo = SIGUSR1;
	said("notify", mq_notify(mq, &event));
	said("send", mq_send(mq, "one", 4, 1));
	say("notified: %d", got == SIGUSR1);
	said("send", mq_send(mq, "two", 4, 2));
	said("full", mq_timedsend(mq, "x", 1, 0, &past));
	said("receive", mq_receive(mq, text, 16, &priority));
	say("%s %u", text, priority);
	said("receive", mq_receive(mq, text, 16, NULL));
	said("empty", mq_timedreceive(mq, text, 16, NULL, &past));
	said("small", mq_receive(mq, text, 1, NULL));
	said("close", mq_close(mq));
	said("unlink", mq_unlink(name));
	return 0;
}

static int named_semaphore(void)
{
	sem_t *sem = sem_open(own_name(), O_CREAT | O_EXCL, 0600, 0);
	pid_t pid;

	if (sem == SEM_FAILED)
		return 1;
	pid = fork();
	if (pid == 0) {
		sem_post(sem);
		_exit(0);
	}
	said("wait", sem_wait(sem));
	say_end("child", pid);
	say("the same: %d", sem_open(name, 0) == sem);
	said("close", sem_close(sem));
	said("unlink", sem_unlink(name));
	said("unlink", sem_unlink(name));
	return 0;
}

static int asynchronous(void)
{
	static char text[16], zeros[16];
	struct aiocb write_cb, read_cb;
	const struct aiocb *list[1] = {&read_cb};
	int fd = open("file", O_CREAT | O_RDWR, 0600);

	memset(&write_cb, 0, sizeof(write_cb));
	write_cb.aio_fildes = fd;
	strcpy(zeros, "asynchronously");
	write_cb.aio_buf = zeros;
	write_cb.aio_nbytes = 15;
	write_cb.aio_sigevent.sigev_notify = SIGEV_NONE;
	said("write", aio_write(&write_cb));
	while (aio_error(&write_cb) == EINPROGRESS)
		;
	said("return", aio_return(&write_cb));
	memset(&read_cb, 0, sizeof(read_cb));
	read_cb.aio_fildes = fd;
	read_cb.aio_buf = text;
	read_cb.aio_nbytes = 15;
	read_cb.aio_sigevent.sigev_notify = SIGEV_NONE;
	said("read", aio_read(&read_cb));
	said("suspend", aio_suspend(list, 1, NULL));
	said("return", aio_return(&read_cb));
	say("%s", text);
	read_cb.aio_fildes = -1;
	aio_read(&read_cb);
	while (aio_error(&read_cb) == EINPROGRESS)
		;
	say_error("bad", aio_error(&read_cb));
	return 0;
}

const struct program ipc_programs[] = {
	{"system-v-memory", system_v_memory, false},
	{"undone", undone, false},
	{"messages", messages, false},
	{"named-memory", named_memory, false},
	{"queues", queues, false},
	{"named-semaphore", named_semaphore, false},
	{"asynchronous", asynchronous, false},
	{NULL, NULL, false},
};
