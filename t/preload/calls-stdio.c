/* SPDX-License-Identifier: MIT */
/* Streams are written to and read from, in every form, wide and with lists. */
#include "t/preload/calls.h"

#include <stdarg.h>
#include <wchar.h>

/* By name: some have macros, or other names in the headers. */
#define BY(name, type) ((type)dlsym(RTLD_DEFAULT, #name))

typedef int stream_fn(FILE *, const void *, ...);
typedef int flag_fn(FILE *, int, const void *, ...);
typedef int plain_fn(const void *, ...);
typedef int plain_flag_fn(int, const void *, ...);
typedef int stream_list_fn(FILE *, const void *, va_list);
typedef int flag_list_fn(FILE *, int, const void *, va_list);
typedef int list_fn(const void *, va_list);
typedef int plain_flag_list_fn(int, const void *, va_list);

static FILE *stream;
static int n;

/* A list for functions that take one; so many as there are. */
static int stream_list(stream_list_fn *fn, const void *format, ...)
{
	va_list ap;
	int ret;

	va_start(ap, format);
	ret = fn(stream, format, ap);
	va_end(ap);
	return ret;
}

static int flag_list(flag_list_fn *fn, const void *format, ...)
{
	va_list ap;
	int ret;

	va_start(ap, format);
	ret = fn(stream, 1, format, ap);
	va_end(ap);
	return ret;
}

static int list(list_fn *fn, const void *format, ...)
{
	va_list ap;
	int ret;

	va_start(ap, format);
	ret = fn(format, ap);
	va_end(ap);
	return ret;
}

static int plain_flag_list(plain_flag_list_fn *fn, const void *format, ...)
{
	va_list ap;
	int ret;

	va_start(ap, format);
	ret = fn(1, format, ap);
	va_end(ap);
	return ret;
}

static int descriptor_list(const void *format, va_list ap)
{
	return BY(vdprintf, int (*)(int, const void *, va_list))(-1, format,
								 ap);
}

static int descriptor_flag_list(const void *format, va_list ap)
{
	return BY(__vdprintf_chk, int (*)(int, int, const void *, va_list))(
		-1, 1, format, ap);
}

#define P(call) E("io:printf", call)

static void prints(const void *d)
{
	P(BY(fprintf, stream_fn *)(stream, d, 1));
	P(BY(_IO_fprintf, stream_fn *)(stream, d, 1));
	P(BY(__fprintf_chk, flag_fn *)(stream, 1, d, 1));
	P(BY(printf, plain_fn *)(d, 1));
	P(BY(_IO_printf, plain_fn *)(d, 1));
	P(BY(__printf_chk, plain_flag_fn *)(1, d, 1));
	P(stream_list(BY(vfprintf, stream_list_fn *), d, 1));
	P(stream_list(BY(_IO_vfprintf, stream_list_fn *), d, 1));
	P(flag_list(BY(__vfprintf_chk, flag_list_fn *), d, 1));
	P(list(BY(vprintf, list_fn *), d, 1));
	P(plain_flag_list(BY(__vprintf_chk, plain_flag_list_fn *), d, 1));
	P(BY(dprintf, int (*)(int, const void *, ...))(-1, d, 1));
	P(list(descriptor_list, d, 1));
	P(list(descriptor_flag_list, d, 1));
	P(BY(__dprintf_chk, int (*)(int, int, const void *, ...))(-1, 1, d, 1));
}

static void wide_prints(const void *d)
{
	P(BY(fwprintf, stream_fn *)(stream, d, 1));
	P(BY(__fwprintf_chk, flag_fn *)(stream, 1, d, 1));
	P(BY(wprintf, plain_fn *)(d, 1));
	P(BY(__wprintf_chk, plain_flag_fn *)(1, d, 1));
	P(stream_list(BY(vfwprintf, stream_list_fn *), d, 1));
	P(flag_list(BY(__vfwprintf_chk, flag_list_fn *), d, 1));
	P(list(BY(vwprintf, list_fn *), d, 1));
	P(plain_flag_list(BY(__vwprintf_chk, plain_flag_list_fn *), d, 1));
}

#define S(call) E("io:scanf", call)

static void scans(const void *d)
{
	S(BY(fscanf, stream_fn *)(stream, d, &n));
	S(BY(__isoc99_fscanf, stream_fn *)(stream, d, &n));
	S(BY(scanf, plain_fn *)(d, &n));
	S(BY(__isoc99_scanf, plain_fn *)(d, &n));
	S(stream_list(BY(vfscanf, stream_list_fn *), d, &n));
	S(stream_list(BY(__vfscanf, stream_list_fn *), d, &n));
	S(stream_list(BY(__isoc99_vfscanf, stream_list_fn *), d, &n));
	S(list(BY(vscanf, list_fn *), d, &n));
	S(list(BY(__isoc99_vscanf, list_fn *), d, &n));
}

static void wide_scans(const void *d)
{
	S(BY(fwscanf, stream_fn *)(stream, d, &n));
	S(BY(__isoc99_fwscanf, stream_fn *)(stream, d, &n));
	S(BY(wscanf, plain_fn *)(d, &n));
	S(BY(__isoc99_wscanf, plain_fn *)(d, &n));
	S(stream_list(BY(vfwscanf, stream_list_fn *), d, &n));
	S(stream_list(BY(__isoc99_vfwscanf, stream_list_fn *), d, &n));
	S(list(BY(vwscanf, list_fn *), d, &n));
	S(list(BY(__isoc99_vwscanf, list_fn *), d, &n));
}

typedef int put_fn(int, FILE *);
typedef int put_text_fn(const void *, FILE *);
typedef int get_fn(FILE *);
typedef void *gets_fn(void *, int, FILE *);
typedef void *gets_chk_fn(void *, size_t, int, FILE *);

#define T(call) E("io:puts", call)
#define C(call) E("io:putc", call)

static void puts_all(void)
{
	T(BY(fputs, put_text_fn *)("a", stream));
	T(BY(fputs_unlocked, put_text_fn *)("a", stream));
	T(BY(_IO_fputs, put_text_fn *)("a", stream));
	T(BY(puts, plain_fn *)("a"));
	T(BY(_IO_puts, plain_fn *)("a"));
	T(perror("a"));
	T(psignal(SIGINT, "a"));
	C(BY(fputc, put_fn *)('a', stream));
	C(BY(putc, put_fn *)('a', stream));
	C(BY(fputc_unlocked, put_fn *)('a', stream));
	C(BY(putc_unlocked, put_fn *)('a', stream));
	C(BY(_IO_putc, put_fn *)('a', stream));
	C(BY(putw, put_fn *)('a', stream));
	C(BY(putchar, int (*)(int))('a'));
	C(BY(putchar_unlocked, int (*)(int))('a'));
}

static void wide_puts_all(void)
{
	T(BY(fputws, put_text_fn *)(L"a", stream));
	T(BY(fputws_unlocked, put_text_fn *)(L"a", stream));
	C(BY(fputwc, put_fn *)('a', stream));
	C(BY(putwc, put_fn *)('a', stream));
	C(BY(fputwc_unlocked, put_fn *)('a', stream));
	C(BY(putwc_unlocked, put_fn *)('a', stream));
	C(BY(putwchar, int (*)(int))('a'));
	C(BY(putwchar_unlocked, int (*)(int))('a'));
}

#define G(call) E("io:gets", call)
#define B(call) E("io:getc", call)

static void gets_all(void)
{
	static char *line;
	static size_t size;

	G(BY(fgets, gets_fn *)(buf, 9, stream));
	G(BY(fgets_unlocked, gets_fn *)(buf, 9, stream));
	G(BY(_IO_fgets, gets_fn *)(buf, 9, stream));
	G(BY(__fgets_chk, gets_chk_fn *)(buf, 9, 9, stream));
	G(BY(__fgets_unlocked_chk, gets_chk_fn *)(buf, 9, 9, stream));
	G(BY(gets, void *(*)(char *))(buf));
	G(BY(_IO_gets, void *(*)(char *))(buf));
	G(BY(__gets_chk, void *(*)(char *, size_t))(buf, sizeof(buf)));
	G(getline(&line, &size, stream));
	G(getdelim(&line, &size, 'x', stream));
	G(BY(__getdelim, __typeof__(&getdelim))(&line, &size, 'x', stream));
	B(BY(fgetc, get_fn *)(stream));
	B(BY(getc, get_fn *)(stream));
	B(BY(fgetc_unlocked, get_fn *)(stream));
	B(BY(getc_unlocked, get_fn *)(stream));
	B(BY(_IO_getc, get_fn *)(stream));
	B(BY(getw, get_fn *)(stream));
	B(BY(getchar, int (*)(void))());
	B(BY(getchar_unlocked, int (*)(void))());
}

static void wide_gets_all(void)
{
	G(BY(fgetws, gets_fn *)(buf, 9, stream));
	G(BY(fgetws_unlocked, gets_fn *)(buf, 9, stream));
	G(BY(__fgetws_chk, gets_chk_fn *)(buf, 9, 9, stream));
	G(BY(__fgetws_unlocked_chk, gets_chk_fn *)(buf, 9, 9, stream));
	B(BY(fgetwc, get_fn *)(stream));
	B(BY(getwc, get_fn *)(stream));
	B(BY(fgetwc_unlocked, get_fn *)(stream));
	B(BY(getwc_unlocked, get_fn *)(stream));
	B(BY(getwchar, int (*)(void))());
	B(BY(getwchar_unlocked, int (*)(void))());
}

/* A new one, which is not yet narrow or wide. */
static void renew(const char *mode)
{
	if (stream)
		E("file:fclose", fclose(stream));
	stream = E("file:fopen", fopen("stdio", mode));
}

void stdio(void)
{
	FILE *in = stdin, *out = stdout, *err = stderr;

	renew("w");
	stdout = stderr = stream;
	prints("%d ");
	puts_all();
	renew("w");
	stdout = stderr = stream;
	wide_prints(L"%d ");
	wide_puts_all();
	renew("r");
	stdin = stream;
	scans("%d");
	gets_all();
	renew("r");
	stdin = stream;
	wide_scans(L"%d");
	wide_gets_all();
	E("file:fclose", fclose(stream));
	stdin = in;
	stdout = out;
	stderr = err;
}
