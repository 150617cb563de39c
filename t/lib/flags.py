# SPDX-License-Identifier: MIT
"""Calls, all of which fail or do nothing, with each bit of their flags and the
first values of their constants; and with addresses of all kinds."""
import ctypes
import os
import struct

libc = ctypes.CDLL(None)
name = b"none"
room = ctypes.create_string_buffer(16)
size = ctypes.c_long
futex = 202 if os.uname().machine == "x86_64" else 98


def with_flags(n):
    """n: one bit, or none."""
    flags = ctypes.c_int(n)
    if not n & 0o20000100:  # nothing is created
        libc.open(name, flags)
    libc.fstatat(-1, name, None, flags)
    libc.faccessat(-1, name, 7, flags)
    libc.unlinkat(-1, name, flags)
    libc.renameat2(-1, name, -1, name, flags)
    libc.linkat(-1, name, -1, name, flags)
    libc.fchownat(-1, name, 1, 1, flags)
    libc.utimensat(-1, name, None, flags)
    libc.close_range(5, 4, flags)
    libc.flock(-1, flags)
    if not n & 0x1e3020:  # with these there is no type
        libc.mount(name, b"/no/such", name, flags, None)
    libc.umount2(name, flags)
    libc.preadv2(-1, None, 0, size(0), flags)
    libc.dup3(-1, 5, flags)
    libc.pipe2(size(1), flags)
    libc.splice(-1, None, -1, None, size(1), flags)
    libc.inotify_add_watch(-1, name, flags)
    libc.fallocate(-1, flags, size(0), size(1))
    libc.mmap(None, size(4096), flags, 2, -1, size(0))
    if not n & 0x20:  # nor mapped
        libc.mmap(None, size(4096), 0, flags, -1, size(0))
    libc.mprotect(size(1), size(4096), flags)
    libc.msync(size(1), size(4096), flags)
    libc.accept4(-1, None, None, flags)
    libc.socketpair(0, flags, 0, None)
    libc.send(-1, None, size(0), flags)
    libc.timerfd_settime(-1, flags, None, None)
    if n & ~0x80801:  # nor a descriptor opened
        libc.epoll_create1(flags)
        libc.eventfd(0, flags)
        libc.inotify_init1(flags)
        libc.timerfd_create(0, flags)


def with_number(n):
    libc.socket(n, 99, 0)
    libc.socketpair(n, 99, 0, None)
    libc.socketpair(1, n, 99, None)
    libc.lseek(-1, size(0), n)
    libc.epoll_ctl(-1, n, -1, room)
    libc.madvise(size(1), size(4096), n)
    libc.shutdown(-1, n)
    libc.timerfd_create(n, -1)
    libc.clock_settime(n + 20, room)
    libc.syscall(futex, size(1), n + 16, 0, 0, 0, 0)
    libc.ioctl(-1, 0x5400 + n, None)
    libc.getsockopt(-1, n, 999, None, None)
    for level in 0, 1, 6, 41:
        libc.setsockopt(-1, level, n, None, 0)
    if n != 9:  # for F_GETOWN libc asks otherwise
        libc.fcntl(-1, n, size(1))
    if n > 2:
        libc.setitimer(n, None, None)


def with_address(address):
    libc.bind(-1, address, len(address))
    libc.connect(-1, address, len(address))


with_flags(0)
for bit in range(32):
    with_flags(1 << bit)
for number in range(48):
    with_number(number)
libc.futimens(999, None)
with_address(struct.pack("=H6s", 1, b"/a b\n"))
with_address(struct.pack("=H6s", 1, b"\0a b\n"))
with_address(struct.pack("=H", 1))
with_address(struct.pack("=H", 2))
with_address(struct.pack("=H2s4s8x", 2, b"\0\x50", b"\x7f\0\0\1"))
with_address(struct.pack("=H2sI16sI", 10, b"\0\x50", 0, b"\0" * 15 + b"\1", 0))
with_address(struct.pack("=H2sI16sI", 10, b"\0\x50", 7, b"\xfe\x80" +
                         b"\0" * 13 + b"\1", 0))
with_address(struct.pack("=H2xII", 16, 77, 5))
with_address(struct.pack("=H2x12x", 17))
