/* SPDX-License-Identifier: MIT */
/*
 * The names of values.  They are those of the machine that shows the log, which
 * for some flags differ from one processor to another.
 */
#include "tools/lib/args/words_table.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <linux/magic.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <trace.h>
#include <unistd.h>

/* clang-format off */
#define W(name) {(uint64_t)(name), #name}
#define END {0, NULL}

static const struct ptl_word open_words[] = {
	W(O_RDONLY), W(O_WRONLY), W(O_RDWR), W(O_CREAT), W(O_EXCL),
	W(O_NOCTTY), W(O_TRUNC), W(O_APPEND), W(O_NONBLOCK), W(O_SYNC),
	W(O_DSYNC), W(O_DIRECT), W(O_TMPFILE), W(O_DIRECTORY), W(O_NOFOLLOW),
	W(O_NOATIME), W(O_CLOEXEC), W(O_PATH), {0100000, "O_LARGEFILE"},
	W(O_ASYNC), END
};
static const struct ptl_word at_words[] = {
	W(AT_SYMLINK_NOFOLLOW), W(AT_REMOVEDIR), W(AT_SYMLINK_FOLLOW),
	W(AT_NO_AUTOMOUNT), W(AT_EMPTY_PATH), W(AT_STATX_FORCE_SYNC),
	W(AT_STATX_DONT_SYNC), END
};
/* In place of AT_REMOVEDIR, with the same value. */
static const struct ptl_word at_access_words[] = {
	W(AT_SYMLINK_NOFOLLOW), W(AT_EACCESS), W(AT_EMPTY_PATH), END
};
static const struct ptl_word access_words[] = {
	W(F_OK), W(X_OK), W(W_OK), W(R_OK), END
};
static const struct ptl_word rename_words[] = {
	{1, "RENAME_NOREPLACE"}, {2, "RENAME_EXCHANGE"},
	{4, "RENAME_WHITEOUT"}, END
};
static const struct ptl_word close_range_words[] = {
	W(CLOSE_RANGE_UNSHARE), W(CLOSE_RANGE_CLOEXEC), END
};
static const struct ptl_word wait_words[] = {
	W(WNOHANG), W(WUNTRACED), W(WEXITED), W(WCONTINUED), W(WNOWAIT),
	{0x20000000, "__WNOTHREAD"}, {0x40000000, "__WALL"},
	{0x80000000, "__WCLONE"}, END
};
static const struct ptl_word flock_words[] = {
	W(LOCK_SH), W(LOCK_EX), W(LOCK_UN), W(LOCK_NB), END
};
static const struct ptl_word mount_words[] = {
	W(MS_RDONLY), W(MS_NOSUID), W(MS_NODEV), W(MS_NOEXEC),
	W(MS_SYNCHRONOUS), W(MS_REMOUNT), W(MS_MANDLOCK), W(MS_DIRSYNC),
	{256, "MS_NOSYMFOLLOW"},
	W(MS_NOATIME), W(MS_NODIRATIME), W(MS_BIND), W(MS_MOVE), W(MS_REC),
	W(MS_SILENT), W(MS_UNBINDABLE), W(MS_PRIVATE), W(MS_SLAVE),
	W(MS_SHARED), W(MS_RELATIME), W(MS_STRICTATIME), W(MS_LAZYTIME), END
};
static const struct ptl_word umount_words[] = {
	W(MNT_FORCE), W(MNT_DETACH), W(MNT_EXPIRE), W(UMOUNT_NOFOLLOW), END
};
static const struct ptl_word rwf_words[] = {
	W(RWF_HIPRI), W(RWF_DSYNC), W(RWF_SYNC), W(RWF_NOWAIT), W(RWF_APPEND),
	END
};
static const struct ptl_word whence_words[] = {
	W(SEEK_SET), W(SEEK_CUR), W(SEEK_END), W(SEEK_DATA), W(SEEK_HOLE), END
};
static const struct ptl_word fd_words[] = {
	W(O_CLOEXEC), W(O_NONBLOCK), W(O_DIRECT), W(O_APPEND), W(O_SYNC), END
};
static const struct ptl_word epollfd_words[] = {
	W(EPOLL_CLOEXEC), END
};
static const struct ptl_word inotifyfd_words[] = {
	W(IN_CLOEXEC), W(IN_NONBLOCK), END
};
static const struct ptl_word acceptfd_words[] = {
	W(SOCK_CLOEXEC), W(SOCK_NONBLOCK), END
};
static const struct ptl_word inotify_words[] = {
	W(IN_ACCESS), W(IN_MODIFY), W(IN_ATTRIB), W(IN_CLOSE_WRITE),
	W(IN_CLOSE_NOWRITE), W(IN_OPEN), W(IN_MOVED_FROM), W(IN_MOVED_TO),
	W(IN_CREATE), W(IN_DELETE), W(IN_DELETE_SELF), W(IN_MOVE_SELF),
	W(IN_ONLYDIR), W(IN_DONT_FOLLOW), W(IN_EXCL_UNLINK),
	{0x10000000, "IN_MASK_CREATE"}, W(IN_MASK_ADD), W(IN_ONESHOT), END
};
static const struct ptl_word fcntl_words[] = {
	W(F_DUPFD), W(F_GETFD), W(F_SETFD), W(F_GETFL), W(F_SETFL),
	W(F_GETLK), W(F_SETLK), W(F_SETLKW), W(F_SETOWN), W(F_GETOWN),
	W(F_SETSIG), W(F_GETSIG), W(F_SETOWN_EX), W(F_GETOWN_EX),
	W(F_OFD_GETLK), W(F_OFD_SETLK), W(F_OFD_SETLKW), W(F_SETLEASE),
	W(F_GETLEASE), W(F_NOTIFY), W(F_DUPFD_CLOEXEC), W(F_SETPIPE_SZ),
	W(F_GETPIPE_SZ), W(F_ADD_SEALS), W(F_GET_SEALS), END
};
static const struct ptl_word ioctl_words[] = {
	W(TCGETS), W(TCSETS), W(TCSETSW), W(TCSETSF), W(TCSBRK), W(TCXONC),
	W(TCFLSH), W(TIOCSCTTY), W(TIOCGPGRP), W(TIOCSPGRP), W(TIOCOUTQ),
	W(TIOCSTI), W(TIOCGWINSZ), W(TIOCSWINSZ), W(FIONREAD), W(FIONBIO),
	W(TIOCNOTTY), W(FIONCLEX), W(FIOCLEX), W(FIOASYNC), W(TIOCGPTN),
	W(TIOCSPTLCK), W(TIOCGSID), W(SIOCGIFCONF), W(SIOCGIFFLAGS),
	W(SIOCGIFADDR), W(SIOCGIFINDEX), {0x40049409, "FICLONE"},
	W(TCSBRKP), W(TIOCEXCL), W(TIOCNXCL), W(TIOCMGET), W(TIOCMSET),
	W(TIOCMBIS), W(TIOCMBIC), W(TIOCCONS), W(TIOCPKT), W(TIOCGETD),
	W(TIOCSETD), W(TIOCSBRK), W(TIOCCBRK), W(TIOCGPTLCK), W(TIOCVHANGUP),
	{0x5441, "TIOCGPTPEER"}, W(FIOQSIZE), W(SIOCATMARK), W(SIOCSPGRP),
	W(SIOCGPGRP), W(SIOCGIFNAME), W(SIOCSIFFLAGS), W(SIOCSIFADDR),
	W(SIOCGIFNETMASK), W(SIOCGIFBRDADDR), W(SIOCGIFHWADDR), W(SIOCGIFMTU),
	{0x8946, "SIOCETHTOOL"},
	{0x1260, "BLKGETSIZE"}, {0x80081272, "BLKGETSIZE64"},
	{0x1268, "BLKSSZGET"}, {0x1261, "BLKFLSBUF"}, {0x125f, "BLKRRPART"},
	{0x1277, "BLKDISCARD"}, {0x4020940d, "FICLONERANGE"},
	{0xc020660b, "FS_IOC_FIEMAP"}, {0x80086601, "FS_IOC_GETFLAGS"},
	{0x40086602, "FS_IOC_SETFLAGS"}, {0x80087601, "FS_IOC_GETVERSION"},
	{0xc0189436, "FIDEDUPERANGE"},
	{0xb701, "NS_GET_USERNS"}, {0xb702, "NS_GET_PARENT"},
	{0xb703, "NS_GET_NSTYPE"}, {0xb704, "NS_GET_OWNER_UID"},
	{0x80045200, "RNDGETENTCNT"}, {0x400454ca, "TUNSETIFF"},
	{0xae00, "KVM_GET_API_VERSION"}, {0xae01, "KVM_CREATE_VM"}, END
};
static const struct ptl_word splice_words[] = {
	W(SPLICE_F_MOVE), W(SPLICE_F_NONBLOCK), W(SPLICE_F_MORE),
	W(SPLICE_F_GIFT), END
};
static const struct ptl_word epoll_words[] = {
	W(EPOLL_CTL_ADD), W(EPOLL_CTL_DEL), W(EPOLL_CTL_MOD), END
};
static const struct ptl_word spanlink_words[] = {
	{POSIX_TRACE_SPAN_CAUSE_NP, "cause"},
	{POSIX_TRACE_SPAN_FOLLOWS_NP, "follows"}, END
};
static const struct ptl_word efd_words[] = {
	W(EFD_CLOEXEC), W(EFD_NONBLOCK), W(EFD_SEMAPHORE), END
};
static const struct ptl_word dlopen_words[] = {
	W(RTLD_LAZY), W(RTLD_NOW), W(RTLD_GLOBAL), W(RTLD_NODELETE),
	W(RTLD_NOLOAD), W(RTLD_DEEPBIND), END
};

static const struct ptl_word memfd_words[] = {
	W(MFD_CLOEXEC), W(MFD_ALLOW_SEALING), W(MFD_HUGETLB), END
};
static const struct ptl_word falloc_words[] = {
	W(FALLOC_FL_KEEP_SIZE), W(FALLOC_FL_PUNCH_HOLE),
	W(FALLOC_FL_COLLAPSE_RANGE), W(FALLOC_FL_ZERO_RANGE),
	W(FALLOC_FL_INSERT_RANGE), W(FALLOC_FL_UNSHARE_RANGE), END
};
static const struct ptl_word prot_words[] = {
	W(PROT_NONE), W(PROT_READ), W(PROT_WRITE), W(PROT_EXEC),
	{8, "PROT_SEM"}, W(PROT_GROWSDOWN), W(PROT_GROWSUP), END
};
static const struct ptl_word map_words[] = {
	W(MAP_SHARED), W(MAP_PRIVATE), W(MAP_SHARED_VALIDATE), W(MAP_FIXED),
	W(MAP_ANONYMOUS),
#ifdef MAP_32BIT
	W(MAP_32BIT),
#endif
	W(MAP_GROWSDOWN), W(MAP_DENYWRITE),
	W(MAP_EXECUTABLE), W(MAP_LOCKED), W(MAP_NORESERVE), W(MAP_POPULATE),
	W(MAP_NONBLOCK), W(MAP_STACK), W(MAP_HUGETLB), W(MAP_SYNC),
	W(MAP_FIXED_NOREPLACE), END
};
static const struct ptl_word mremap_words[] = {
	W(MREMAP_MAYMOVE), W(MREMAP_FIXED), W(MREMAP_DONTUNMAP), END
};
static const struct ptl_word madvise_words[] = {
	W(MADV_NORMAL), W(MADV_RANDOM), W(MADV_SEQUENTIAL), W(MADV_WILLNEED),
	W(MADV_DONTNEED), W(MADV_FREE), W(MADV_REMOVE), W(MADV_DONTFORK),
	W(MADV_DOFORK), W(MADV_MERGEABLE), W(MADV_UNMERGEABLE),
	W(MADV_HUGEPAGE), W(MADV_NOHUGEPAGE), W(MADV_DONTDUMP),
	W(MADV_DODUMP), W(MADV_WIPEONFORK), W(MADV_KEEPONFORK), W(MADV_COLD),
	W(MADV_PAGEOUT), END
};
static const struct ptl_word msync_words[] = {
	W(MS_ASYNC), W(MS_SYNC), W(MS_INVALIDATE), END
};
static const struct ptl_word clock_words[] = {
	W(CLOCK_REALTIME), W(CLOCK_MONOTONIC), W(CLOCK_PROCESS_CPUTIME_ID),
	W(CLOCK_THREAD_CPUTIME_ID), W(CLOCK_MONOTONIC_RAW),
	W(CLOCK_REALTIME_COARSE), W(CLOCK_MONOTONIC_COARSE),
	W(CLOCK_BOOTTIME), W(CLOCK_REALTIME_ALARM), W(CLOCK_BOOTTIME_ALARM),
	W(CLOCK_TAI), END
};
static const struct ptl_word timer_words[] = {
	{1, "TIMER_ABSTIME"}, END
};
static const struct ptl_word tfd_words[] = {
	{O_CLOEXEC, "TFD_CLOEXEC"}, {O_NONBLOCK, "TFD_NONBLOCK"}, END
};
static const struct ptl_word tfdset_words[] = {
	{1, "TFD_TIMER_ABSTIME"}, {2, "TFD_TIMER_CANCEL_ON_SET"}, END
};
static const struct ptl_word itimer_words[] = {
	W(ITIMER_REAL), W(ITIMER_VIRTUAL), W(ITIMER_PROF), END
};
static const struct ptl_word rlimit_words[] = {
	W(RLIMIT_CPU), W(RLIMIT_FSIZE), W(RLIMIT_DATA), W(RLIMIT_STACK),
	W(RLIMIT_CORE), W(RLIMIT_RSS), W(RLIMIT_NPROC), W(RLIMIT_NOFILE),
	W(RLIMIT_MEMLOCK), W(RLIMIT_AS), W(RLIMIT_LOCKS), W(RLIMIT_SIGPENDING),
	W(RLIMIT_MSGQUEUE), W(RLIMIT_NICE), W(RLIMIT_RTPRIO), W(RLIMIT_RTTIME),
	END
};
static const struct ptl_word sa_words[] = {
	W(SA_NOCLDSTOP), W(SA_NOCLDWAIT), W(SA_SIGINFO), W(SA_ONSTACK),
	W(SA_RESTART), W(SA_NODEFER), W(SA_RESETHAND),
	{0x04000000, "SA_RESTORER"}, END
};
static const struct ptl_word af_words[] = {
	W(AF_UNSPEC), W(AF_UNIX), W(AF_INET), W(AF_INET6), W(AF_NETLINK),
	W(AF_PACKET), W(AF_VSOCK), W(AF_ALG), W(AF_BLUETOOTH), W(AF_CAN), END
};
static const struct ptl_word sock_words[] = {
	W(SOCK_STREAM), W(SOCK_DGRAM), W(SOCK_RAW), W(SOCK_RDM),
	W(SOCK_SEQPACKET), W(SOCK_PACKET), W(SOCK_CLOEXEC), W(SOCK_NONBLOCK),
	END
};
static const struct ptl_word msg_words[] = {
	W(MSG_OOB), W(MSG_PEEK), W(MSG_DONTROUTE), W(MSG_CTRUNC),
	W(MSG_TRUNC), W(MSG_DONTWAIT), W(MSG_EOR), W(MSG_WAITALL),
	W(MSG_FIN), W(MSG_SYN), W(MSG_RST), W(MSG_CONFIRM), W(MSG_ERRQUEUE), W(MSG_NOSIGNAL), W(MSG_MORE),
	W(MSG_WAITFORONE), W(MSG_FASTOPEN), W(MSG_CMSG_CLOEXEC), END
};
static const struct ptl_word shut_words[] = {
	W(SHUT_RD), W(SHUT_WR), W(SHUT_RDWR), END
};
static const struct ptl_word level_words[] = {
	W(SOL_SOCKET), W(IPPROTO_IP), W(IPPROTO_TCP), W(IPPROTO_UDP),
	W(IPPROTO_IPV6), W(IPPROTO_RAW), {270, "SOL_NETLINK"}, END
};
static const struct ptl_word so_words[] = {
	W(SO_DEBUG), W(SO_REUSEADDR), W(SO_TYPE), W(SO_ERROR),
	W(SO_DONTROUTE), W(SO_BROADCAST), W(SO_SNDBUF), W(SO_RCVBUF),
	W(SO_KEEPALIVE), W(SO_OOBINLINE), W(SO_NO_CHECK), W(SO_PRIORITY),
	W(SO_LINGER), W(SO_REUSEPORT), W(SO_PASSCRED), W(SO_PEERCRED),
	W(SO_RCVLOWAT), W(SO_SNDLOWAT), W(SO_RCVTIMEO), W(SO_SNDTIMEO),
	W(SO_BINDTODEVICE), W(SO_ATTACH_FILTER), W(SO_DETACH_FILTER),
	W(SO_PEERNAME), W(SO_TIMESTAMP), W(SO_ACCEPTCONN), W(SO_PEERSEC),
	W(SO_SNDBUFFORCE), W(SO_RCVBUFFORCE), W(SO_PASSSEC),
	W(SO_TIMESTAMPNS), W(SO_MARK), W(SO_TIMESTAMPING), W(SO_PROTOCOL),
	W(SO_DOMAIN), W(SO_RXQ_OVFL), W(SO_PEEK_OFF), W(SO_BUSY_POLL),
	W(SO_INCOMING_CPU), W(SO_ATTACH_BPF), W(SO_COOKIE), W(SO_PEERGROUPS),
	W(SO_ZEROCOPY), END
};
static const struct ptl_word tcp_words[] = {
	W(TCP_NODELAY), W(TCP_MAXSEG), W(TCP_CORK), W(TCP_KEEPIDLE),
	W(TCP_KEEPINTVL), W(TCP_KEEPCNT), W(TCP_SYNCNT), W(TCP_LINGER2),
	W(TCP_DEFER_ACCEPT), W(TCP_WINDOW_CLAMP), W(TCP_INFO),
	W(TCP_QUICKACK), W(TCP_CONGESTION), W(TCP_USER_TIMEOUT),
	W(TCP_FASTOPEN), W(TCP_ULP), W(TCP_FASTOPEN_CONNECT), END
};
static const struct ptl_word ip_words[] = {
	W(IP_TOS), W(IP_TTL), W(IP_HDRINCL), W(IP_OPTIONS), W(IP_PKTINFO),
	W(IP_MTU_DISCOVER), W(IP_RECVERR), W(IP_RECVTTL), W(IP_RECVTOS),
	W(IP_MTU), W(IP_FREEBIND), W(IP_TRANSPARENT),
	W(IP_BIND_ADDRESS_NO_PORT), W(IP_MULTICAST_IF), W(IP_MULTICAST_TTL),
	W(IP_MULTICAST_LOOP), W(IP_ADD_MEMBERSHIP), W(IP_DROP_MEMBERSHIP), END
};
static const struct ptl_word ipv6_words[] = {
	W(IPV6_UNICAST_HOPS), W(IPV6_MULTICAST_IF), W(IPV6_MULTICAST_HOPS),
	W(IPV6_MULTICAST_LOOP), W(IPV6_MTU_DISCOVER), W(IPV6_MTU),
	W(IPV6_RECVERR), W(IPV6_V6ONLY), W(IPV6_RECVPKTINFO), W(IPV6_PKTINFO),
	W(IPV6_TCLASS), END
};
static const struct ptl_word eai_words[] = {
	W(EAI_BADFLAGS), W(EAI_NONAME), W(EAI_AGAIN), W(EAI_FAIL),
	W(EAI_FAMILY), W(EAI_SOCKTYPE), W(EAI_SERVICE), W(EAI_MEMORY),
	W(EAI_SYSTEM), W(EAI_OVERFLOW), W(EAI_NODATA), W(EAI_ADDRFAMILY), END
};
static const struct ptl_word futex_words[] = {
	W(FUTEX_WAIT), W(FUTEX_WAKE), W(FUTEX_FD), W(FUTEX_REQUEUE),
	W(FUTEX_CMP_REQUEUE), W(FUTEX_WAKE_OP), W(FUTEX_LOCK_PI),
	W(FUTEX_UNLOCK_PI), W(FUTEX_TRYLOCK_PI), W(FUTEX_WAIT_BITSET),
	W(FUTEX_WAKE_BITSET), W(FUTEX_WAIT_REQUEUE_PI),
	W(FUTEX_CMP_REQUEUE_PI), W(FUTEX_PRIVATE_FLAG),
	W(FUTEX_CLOCK_REALTIME), END
};
static const struct ptl_word poll_words[] = {
	W(POLLIN), W(POLLPRI), W(POLLOUT), W(POLLERR), W(POLLHUP), W(POLLNVAL),
	W(POLLRDNORM), W(POLLRDBAND), W(POLLWRNORM), W(POLLWRBAND), W(POLLMSG),
	{0x1000, "POLLREMOVE"}, W(POLLRDHUP), END
};
static const struct ptl_word epollevents_words[] = {
	W(EPOLLIN), W(EPOLLPRI), W(EPOLLOUT), W(EPOLLERR), W(EPOLLHUP),
	{0x20, "EPOLLNVAL"}, W(EPOLLRDNORM), W(EPOLLRDBAND), W(EPOLLWRNORM),
	W(EPOLLWRBAND), W(EPOLLMSG), W(EPOLLRDHUP), W(EPOLLEXCLUSIVE),
	W(EPOLLWAKEUP), W(EPOLLONESHOT), W(EPOLLET), END
};
static const struct ptl_word flocktype_words[] = {
	W(F_RDLCK), W(F_WRLCK), W(F_UNLCK), W(F_EXLCK), W(F_SHLCK), END
};
static const struct ptl_word fstype_words[] = {
	W(AUTOFS_SUPER_MAGIC), W(BINFMTFS_MAGIC), W(BPF_FS_MAGIC),
	W(BTRFS_SUPER_MAGIC), W(CGROUP2_SUPER_MAGIC), W(CGROUP_SUPER_MAGIC),
	W(DEBUGFS_MAGIC), W(DEVPTS_SUPER_MAGIC), {0xe0f5e1e2, "EROFS_SUPER_MAGIC_V1"},
	W(EXT2_SUPER_MAGIC), W(F2FS_SUPER_MAGIC), W(FUSE_SUPER_MAGIC),
	W(HUGETLBFS_MAGIC), W(ISOFS_SUPER_MAGIC), W(MSDOS_SUPER_MAGIC),
	W(NFS_SUPER_MAGIC), W(NSFS_MAGIC), W(OVERLAYFS_SUPER_MAGIC),
	W(PROC_SUPER_MAGIC), W(RAMFS_MAGIC), W(SECURITYFS_MAGIC),
	W(SELINUX_MAGIC), {0xfe534d42, "SMB2_SUPER_MAGIC"}, W(SQUASHFS_MAGIC),
	W(SYSFS_MAGIC), W(TMPFS_MAGIC), W(TRACEFS_MAGIC), W(V9FS_MAGIC),
	W(XFS_SUPER_MAGIC), W(PIPEFS_MAGIC), W(SOCKFS_MAGIC),
	W(ANON_INODE_FS_MAGIC), END
};
/* ST_VALID is the kernel's own: libc has no name for it. */
static const struct ptl_word st_words[] = {
	{0x20, "ST_VALID"}, W(ST_RDONLY), W(ST_NOSUID), W(ST_NODEV),
	W(ST_NOEXEC), W(ST_SYNCHRONOUS), W(ST_MANDLOCK), W(ST_NOATIME),
	W(ST_NODIRATIME), W(ST_RELATIME), END
};
static const struct ptl_word owner_words[] = {
	W(F_OWNER_TID), W(F_OWNER_PID), W(F_OWNER_PGRP), END
};
static const struct ptl_word iflag_words[] = {
	W(IGNBRK), W(BRKINT), W(IGNPAR), W(PARMRK), W(INPCK), W(ISTRIP),
	W(INLCR), W(IGNCR), W(ICRNL), W(IUCLC), W(IXON), W(IXANY), W(IXOFF),
	W(IMAXBEL), W(IUTF8), END
};
static const struct ptl_word oflag_words[] = {
	W(OPOST), W(OLCUC), W(ONLCR), W(OCRNL), W(ONOCR), W(ONLRET), W(OFILL),
	W(OFDEL), END
};
/* Numbers within the flags. */
static const struct ptl_word baud_words[] = {
	W(B0), W(B50), W(B75), W(B110), W(B134), W(B150), W(B200), W(B300),
	W(B600), W(B1200), W(B1800), W(B2400), W(B4800), W(B9600), W(B19200),
	W(B38400), W(B57600), W(B115200), W(B230400), W(B460800), W(B500000),
	W(B576000), W(B921600), W(B1000000), W(B1152000), W(B1500000),
	W(B2000000), W(B2500000), W(B3000000), W(B3500000), W(B4000000), END};
static const struct ptl_word csize_words[] = {W(CS5), W(CS6), W(CS7), W(CS8),
					      END};
static const struct ptl_word cflag_words[] = {
	W(CSTOPB), W(CREAD), W(PARENB), W(PARODD), W(HUPCL),
	W(CLOCAL), W(CMSPAR), W(CRTSCTS), END};
static const struct ptl_word lflag_words[] = {
	W(ISIG), W(ICANON), W(XCASE), W(ECHO), W(ECHOE), W(ECHOK), W(ECHONL),
	W(NOFLSH), W(TOSTOP), W(ECHOCTL), W(ECHOPRT), W(ECHOKE), W(FLUSHO),
	W(PENDIN), W(IEXTEN), W(EXTPROC), END
};
static const struct ptl_word iff_words[] = {
	W(IFF_UP), W(IFF_BROADCAST), W(IFF_DEBUG), W(IFF_LOOPBACK),
	W(IFF_POINTOPOINT), W(IFF_NOTRAILERS), W(IFF_RUNNING), W(IFF_NOARP),
	W(IFF_PROMISC), W(IFF_ALLMULTI), W(IFF_MASTER), W(IFF_SLAVE),
	W(IFF_MULTICAST), W(IFF_PORTSEL), W(IFF_AUTOMEDIA), W(IFF_DYNAMIC), END
};
static const struct ptl_word other_words[] = {END};
static const struct ptl_word thrd_words[] = {
	{0, "thrd_success"}, {1, "thrd_busy"}, {2, "thrd_error"},
	{3, "thrd_nomem"}, {4, "thrd_timedout"}, END
};

const struct ptl_words ptl_words_table[] = {
	{"errno", ERROR, 0, NULL},
	{"dirfd", DIRFD, 0, NULL},
	{"mode", MODE, 0, NULL},
	{"type", TYPE, 0, NULL},
	{"sockaddr", SOCKADDR, 0, NULL},
	{"counts", COUNTS, 0, NULL},
	{"registers", REGISTERS, 0, NULL},
	{"open", ONE_OR, O_ACCMODE, open_words},
	{"at", OR_OF, 0, at_words},
	{"at_access", OR_OF, 0, at_access_words},
	{"access", OR_OF, 0, access_words},
	{"rename", OR_OF, 0, rename_words},
	{"close_range", OR_OF, 0, close_range_words},
	{"flock", OR_OF, 0, flock_words},
	{"mount", OR_OF, 0, mount_words},
	{"umount", OR_OF, 0, umount_words},
	{"rwf", OR_OF, 0, rwf_words},
	{"whence", ONE_OF, 0, whence_words},
	{"fd", OR_OF, 0, fd_words},
	{"epollfd", OR_OF, 0, epollfd_words},
	{"inotifyfd", OR_OF, 0, inotifyfd_words},
	{"acceptfd", OR_OF, 0, acceptfd_words},
	{"inotify", OR_OF, 0, inotify_words},
	{"fcntl", ONE_OF, 0, fcntl_words},
	{"ioctl", ONE_OF, 0, ioctl_words},
	{"splice", OR_OF, 0, splice_words},
	{"epoll", ONE_OF, 0, epoll_words},
	{"spanlink", ONE_OF, 0, spanlink_words},
	{"efd", OR_OF, 0, efd_words},
	{"dlopen", OR_OF, 0, dlopen_words},
	{"memfd", OR_OF, 0, memfd_words},
	{"falloc", OR_OF, 0, falloc_words},
	{"prot", OR_OF, 0, prot_words},
	{"map", ONE_OR, 3, map_words},
	{"mremap", OR_OF, 0, mremap_words},
	{"madvise", ONE_OF, 0, madvise_words},
	{"msync", OR_OF, 0, msync_words},
	{"clock", ONE_OF, 0, clock_words},
	{"timer", OR_OF, 0, timer_words},
	{"tfd", OR_OF, 0, tfd_words},
	{"tfdset", OR_OF, 0, tfdset_words},
	{"itimer", ONE_OF, 0, itimer_words},
	{"af", ONE_OF, 0, af_words},
	{"sock", ONE_OR, 0xf, sock_words},
	{"msg", OR_OF, 0, msg_words},
	{"shut", ONE_OF, 0, shut_words},
	{"level", ONE_OF, 0, level_words},
	{"eai", ONE_OF, 0, eai_words},
	{"thrd", ONE_OF, 0, thrd_words},
	{"wait", OR_OF, 0, wait_words},
	{"wstatus", WSTATUS, 0, NULL},
	{"rlimit", ONE_OF, 0, rlimit_words},
	{"rlimits", RLIMITS, 0, NULL},
	{"cpus", CPUS, 0, NULL},
	{"stat", STAT, 0, NULL},
	{"times", FILETIMES, 0, NULL},
	{"statfs", STATFS, 0, NULL},
	{"fstype", ONE_OF, 0, fstype_words},
	{"st", OR_OF, 0, st_words},
	{"passed", PASSED, 0, NULL},
	{"signo", SIGNO, 0, NULL},
	{"sa", OR_OF, 0, sa_words},
	{"sigactions", SIGACTIONS, 0, NULL},
	{"futex", ONE_OR, 0x7f, futex_words},
	{"bool", BOOL, 0, NULL},
	{"sockopt", SOCKOPT, 0, NULL},
	{"sockval", SOCKVAL, 0, NULL},
	{"fcntlval", FCNTLVAL, 0, NULL},
	{"ioctlval", IOCTLVAL, 0, NULL},
	{"text", TEXT, 0, NULL},
	{"xattr", XATTR, 0, NULL},
	{"pollfds", POLLFDS, 0, NULL},
	{"selectfds", SELECTFDS, 0, NULL},
	{"epollfds", EPOLLFDS, 0, NULL},
	{"epollevents", OR_OF, 0, epollevents_words},
	{"poll", OR_OF, 0, poll_words},
	{"flocktype", ONE_OF, 0, flocktype_words},
	{"owner", ONE_OF, 0, owner_words},
	{"iflag", OR_OF, 0, iflag_words},
	{"oflag", OR_OF, 0, oflag_words},
	{"baud", ONE_OF, 0, baud_words},
	{"csize", ONE_OF, 0, csize_words},
	{"cflag", OR_OF, 0, cflag_words},
	{"lflag", OR_OF, 0, lflag_words},
	{"iff", OR_OF, 0, iff_words},
	{NULL, ONE_OF, 0, NULL},
};

const struct ptl_words ptl_words_options[] = {
	{"sockopt", ONE_OF, SOL_SOCKET, so_words},
	{"sockopt", ONE_OF, IPPROTO_TCP, tcp_words},
	{"sockopt", ONE_OF, IPPROTO_IP, ip_words},
	{"sockopt", ONE_OF, IPPROTO_IPV6, ipv6_words},
	{NULL, ONE_OF, 0, other_words},
};
/* clang-format on */
