/* SPDX-License-Identifier: MIT */
/*
 * What is written: some instructions behind the last one of the program's text,
 * in the rest of its page, which no instruction of the program comes to; and
 * the path of our file, below the stack.  If the file cannot be opened or
 * mapped, they go on to where the program begins, with registers as they were.
 */
#include "tools/inject/boot.h"

#if defined(__x86_64__)

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <unistd.h>

#include "tools/inject/maps.h"
#include "tools/inject/target.h"
#include "tools/lib/beside.h"

#define PAGE UINT64_C(4096)
#define HEADERS 64 /* of a program, at most */
#define OWN_HEADERS 16
#define BELOW 8192 /* the stack: the path is there */

/*
 * With the arguments of openat() in place, %r12 the size to map, %r13 where
 * the program begins and %r14 where ours does in the file.
 */
static const unsigned char code[] = {
	0xb8, 0x01, 0x01, 0x00, 0x00, /* mov $SYS_openat,%eax: the kernel
				       * sets it behind the stop */
	0x0f, 0x05,		      /* syscall */
	0x85, 0xc0,		      /* test %eax,%eax */
	0x78, 0x30,		      /* js fail */
	0x49, 0x89, 0xc0,	      /* mov %rax,%r8 */
	0xb8, 0x09, 0x00, 0x00, 0x00, /* mov $SYS_mmap,%eax */
	0x31, 0xff,		      /* xor %edi,%edi */
	0x4c, 0x89, 0xe6,	      /* mov %r12,%rsi */
	0xba, 0x05, 0x00, 0x00, 0x00, /* mov $(PROT_READ|PROT_EXEC),%edx */
	0x41, 0xba, 0x02, 0x00, 0x00, 0x00, /* mov $MAP_PRIVATE,%r10d */
	0x45, 0x31, 0xc9,		    /* xor %r9d,%r9d */
	0x0f, 0x05,			    /* syscall */
	0x48, 0x85, 0xc0,		    /* test %rax,%rax */
	0x78, 0x06,			    /* js close */
	0x4c, 0x01, 0xf0,		    /* add %r14,%rax */
	0xff, 0xe0,			    /* jmp *%rax */
	0x90,				    /* nop */
	/* close: */
	0x44, 0x89, 0xc7, /* mov %r8d,%edi */
	0x6a, 0x03,	  /* push $SYS_close */
	0x58,		  /* pop %rax */
	0x0f, 0x05,	  /* syscall */
	/* fail: */
	0x31, 0xc0,	  /* xor %eax,%eax; and all that was set */
	0x31, 0xd2,	  /* xor %edx,%edx */
	0x31, 0xf6,	  /* xor %esi,%esi */
	0x31, 0xff,	  /* xor %edi,%edi */
	0x4c, 0x89, 0xe9, /* mov %r13,%rcx */
	0x45, 0x31, 0xd2, /* xor %r10d,%r10d */
	0x45, 0x31, 0xdb, /* xor %r11d,%r11d */
	0x45, 0x31, 0xc0, /* xor %r8d,%r8d */
	0x45, 0x31, 0xe4, /* xor %r12d,%r12d */
	0x45, 0x31, 0xed, /* xor %r13d,%r13d */
	0x45, 0x31, 0xf6, /* xor %r14d,%r14d */
	0xff, 0xe1,	  /* jmp *%rcx */
};

struct own_file {
	Elf64_Ehdr head;
	Elf64_Phdr ph[OWN_HEADERS];
};

/* NULL: it is not known. */
static const char *own_path(void)
{
	static char path[PATH_MAX];

	if (path[0] == '\0' && !ptl_beside(path, sizeof(path), "ptrace-static"))
		path[0] = '\0';
	return path[0] != '\0' ? path : NULL;
}

/* How much there is of it in memory; 0: it is not ours. */
static uint64_t find_size(const struct own_file *file, uint64_t size)
{
	const Elf64_Ehdr *head = &file->head;
	uint64_t end = 0;

	if (memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
	    head->e_entry >= size || head->e_phoff != sizeof(*head) ||
	    head->e_phnum > OWN_HEADERS)
		return 0;
	for (unsigned int i = 0; i < head->e_phnum; i++)
		if (file->ph[i].p_type == PT_LOAD)
			end = file->ph[i].p_vaddr + file->ph[i].p_memsz;
	return (end + PAGE - 1) & -PAGE;
}

/* What is mapped of a file, and which file it is. */
struct recorder {
	struct stat status;
	uint64_t size, entry;
};

static bool read_recorder(int fd, struct recorder *recorder)
{
	struct own_file file;

	recorder->size = 0;
	if (fstat(fd, &recorder->status) == 0 &&
	    S_ISREG(recorder->status.st_mode) &&
	    pread(fd, &file, sizeof(file), 0) == sizeof(file)) {
		recorder->size =
			find_size(&file, (uint64_t)recorder->status.st_size);
		recorder->entry = file.head.e_entry;
	}
	return recorder->size > 0;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
	       a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Ours, which is read once for as long as it is as it was, and has a name. */
static const struct recorder *own_recorder(void)
{
	static struct recorder own;
	static int fd = -1;
	const char *path = own_path();
	struct stat now;

	if (fd >= 0 && fstat(fd, &now) == 0 && now.st_nlink > 0 &&
	    is_same(&now, &own.status))
		return &own;
	if (fd >= 0)
		close(fd);
	fd = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd >= 0 && read_recorder(fd, &own))
		return &own;
	if (fd >= 0)
		close(fd);
	fd = -1;
	return NULL;
}

bool ptl_boot_is_there(void)
{
	return own_recorder() != NULL;
}

/* As the process would find it, in its root. */
static bool find_recorder(pid_t pid, const char *path, struct recorder *found)
{
	const struct recorder *own = own_recorder();
	char whole[PATH_MAX + 32];
	struct stat now;
	bool is_found;
	int fd;

	snprintf(whole, sizeof(whole), "/proc/%d/root%s", (int)pid, path);
	if (own != NULL && stat(whole, &now) == 0 &&
	    is_same(&now, &own->status)) {
		*found = *own;
		return true;
	}
	/* There it may be anything, and not to be waited for. */
	fd = open(whole, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	is_found = read_recorder(fd, found);
	close(fd);
	return is_found;
}

struct place {
	uint64_t begin; /* of the program */
	uint64_t room;	/* where there is room for our code */
};

struct auxv {
	uint64_t entry, phdr, nr; /* 0: it is not there */
};

#define AUXV_MAX 64 /* elements that are looked at */

/* What the kernel has put on the stack of a program that begins: a number of
 * arguments, they, the environment, the auxiliary vector. */
struct words {
	pid_t pid;
	uint64_t at; /* of what is not read yet */
	size_t i, nr;
	uint64_t word[PAGE / sizeof(uint64_t)];
};

/* 0 also where no more can be read. */
static uint64_t next(struct words *words)
{
	if (words->i == words->nr) {
		size_t size = PAGE - words->at % PAGE;

		if (!ptl_target_read(words->pid, words->at, words->word, size))
			return 0;
		words->at += size;
		words->nr = size / sizeof(uint64_t);
		words->i = 0;
	}
	return words->word[words->i++];
}

static void read_auxv(pid_t pid, uint64_t stack, struct auxv *found)
{
	struct words words = {.pid = pid, .at = stack};

	*found = (struct auxv){0};
	next(&words);
	while (next(&words) != 0)
		;
	while (next(&words) != 0)
		;
	for (int i = 0; i < AUXV_MAX; i++) {
		uint64_t type = next(&words), value = next(&words);

		if (type == AT_NULL)
			break;
		if (type == AT_ENTRY)
			found->entry = value;
		else if (type == AT_PHDR)
			found->phdr = value;
		else if (type == AT_PHNUM)
			found->nr = value;
	}
}

/* How far from where its file has it the program is, which has its headers at
 * that address. */
static uint64_t find_slide(const Elf64_Phdr *ph, uint64_t nr, uint64_t at)
{
	for (uint64_t i = 0; i < nr; i++)
		if (ph[i].p_type == PT_PHDR)
			return at - ph[i].p_vaddr;
	/* A program at fixed addresses may have no such header; they are behind
	 * the file's first bytes then. */
	for (uint64_t i = 0; i < nr; i++)
		if (ph[i].p_type == PT_LOAD && ph[i].p_offset == 0)
			return (at & -PAGE) - (ph[i].p_vaddr & -PAGE);
	return 0;
}

/* Behind the segment in which the program begins, up to the end of its page: an
 * address of the file, as that of the beginning is. */
static bool find_gap(const Elf64_Phdr *ph, uint64_t nr, uint64_t begin,
		     uint64_t *gap)
{
	for (uint64_t i = 0; i < nr; i++) {
		uint64_t from = ph[i].p_vaddr, to = from + ph[i].p_memsz;

		if (ph[i].p_type != PT_LOAD || begin < from || begin >= to ||
		    ph[i].p_flags & PF_W)
			continue;
		*gap = (to + 15) & ~UINT64_C(15);
		return *gap + sizeof(code) <= ((to + PAGE - 1) & -PAGE);
	}
	return false;
}

bool ptl_boot_has_room(int file)
{
	Elf64_Ehdr head;
	Elf64_Phdr ph[HEADERS];
	uint64_t gap;
	ssize_t size;

	if (pread(file, &head, sizeof(head), 0) != sizeof(head) ||
	    head.e_phnum > HEADERS)
		return false;
	size = (ssize_t)(head.e_phnum * sizeof(*ph));
	return pread(file, ph, (size_t)size, (off_t)head.e_phoff) == size &&
	       find_gap(ph, head.e_phnum, head.e_entry, &gap);
}

static bool find_room(pid_t pid, uint64_t stack, struct place *place)
{
	struct auxv auxv;
	Elf64_Phdr ph[HEADERS];
	uint64_t slide, gap;

	read_auxv(pid, stack, &auxv);
	if (auxv.entry == 0 || auxv.phdr == 0 || auxv.nr == 0 ||
	    auxv.nr > HEADERS ||
	    !ptl_target_read(pid, auxv.phdr, ph, auxv.nr * sizeof(*ph)))
		return false;
	place->begin = auxv.entry;
	slide = find_slide(ph, auxv.nr, auxv.phdr);
	if (!find_gap(ph, auxv.nr, place->begin - slide, &gap))
		return false;
	place->room = slide + gap;
	return true;
}

/* Into memory that the process itself cannot write. */
static bool write_code(pid_t pid, uint64_t at)
{
	for (size_t i = 0; i < sizeof(code); i += sizeof(long)) {
		size_t size = sizeof(code) - i;
		long word;

		if (size < sizeof(word))
			word = ptrace(PTRACE_PEEKTEXT, pid, at + i, NULL);
		memcpy(&word, code + i,
		       size < sizeof(word) ? size : sizeof(word));
		if (ptrace(PTRACE_POKETEXT, pid, at + i, word) != 0)
			return false;
	}
	return true;
}

/* Another one has stacks of 32-bit words. */
#define CODE_64 0x33

void ptl_boot_put(pid_t pid)
{
	struct user_regs_struct regs;
	const char *path = own_path();
	struct recorder recorder;
	struct place place;

	if (path == NULL || ptrace(PTRACE_GETREGS, pid, NULL, &regs) != 0 ||
	    regs.cs != CODE_64 || !find_room(pid, regs.rsp, &place) ||
	    regs.rip != place.begin || !find_recorder(pid, path, &recorder) ||
	    !ptl_target_write(pid, regs.rsp - BELOW, path, strlen(path) + 1) ||
	    !write_code(pid, place.room))
		return;
	regs.rdi = (unsigned long)AT_FDCWD;
	regs.rsi = regs.rsp - BELOW;
	regs.rdx = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
	regs.r10 = 0;
	regs.r12 = recorder.size;
	regs.r13 = place.begin;
	regs.r14 = recorder.entry;
	regs.rip = place.room;
	/* All at once, or not at all. */
	ptrace(PTRACE_SETREGS, pid, NULL, &regs);
}

#else

bool ptl_boot_is_there(void)
{
	return false;
}

bool ptl_boot_has_room(int file)
{
	(void)file;
	return false;
}

void ptl_boot_put(pid_t pid)
{
	(void)pid;
}

#endif
