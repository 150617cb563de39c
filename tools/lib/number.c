/* SPDX-License-Identifier: MIT */
/* Numbers for people; see number.h. */
#include "tools/lib/number.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int64_t ptl_number_share(int64_t number, double factor, int64_t by)
{
	double share = by > 0 ? (double)number * factor / (double)by : 0;

	if (share >= 9e18)
		return INT64_MAX;
	return share <= -9e18 ? -INT64_MAX : (int64_t)share;
}

int64_t ptl_number_add(int64_t number, int64_t more)
{
	int64_t sum;

	if (__builtin_add_overflow(number, more, &sum))
		return more < 0 ? INT64_MIN : INT64_MAX;
	return sum;
}

static char *put_digits(char *to, unsigned int n, unsigned int digits)
{
	for (unsigned int i = digits; i > 0; n /= 10)
		to[--i] = (char)('0' + n % 10);
	return to + digits;
}

/* Three digits, some of them behind the point; less than 999.5. */
static char *put_three(char *to, unsigned int thousandths)
{
	if (thousandths >= 99950)
		return put_digits(to, (thousandths + 500) / 1000, 3);
	if (thousandths >= 9995) {
		thousandths += 50;
		to = put_digits(to, thousandths / 1000, 2);
		*to++ = '.';
		return put_digits(to, thousandths / 100 % 10, 1);
	}
	thousandths += 5;
	to = put_digits(to, thousandths / 1000, 1);
	*to++ = '.';
	return put_digits(to, thousandths / 10 % 100, 2);
}

/* From a minute on: in two units. */
static void put_long(char buf[PTL_NUMBER_SIZE - 1], uint64_t ns)
{
	unsigned long long seconds =
		ns / 1000000000 + (ns % 1000000000 >= 500000000);

	if (seconds < 3600)
		snprintf(buf, PTL_NUMBER_SIZE - 1, "%llum%02llus", seconds / 60,
			 seconds % 60);
	else
		snprintf(buf, PTL_NUMBER_SIZE - 1, "%lluh%02llum",
			 seconds / 3600, seconds / 60 % 60);
}

static void put_short(char *to, unsigned int ns)
{
	to = put_digits(to, ns, ns >= 100 ? 3 : ns >= 10 ? 2 : 1);
	strcpy(to, ns > 0 ? "ns" : "");
}

const char *ptl_number_duration_as(char buf[PTL_NUMBER_SIZE], int64_t signed_ns,
				   const char *microseconds)
{
	uint64_t ns =
		signed_ns < 0 ? -(uint64_t)signed_ns : (uint64_t)signed_ns;
	char *to = buf;

	if (signed_ns < 0)
		*to++ = '-';
	if (ns < 1000)
		put_short(to, (unsigned int)ns);
	else if (ns < 999500)
		strcpy(put_three(to, (unsigned int)ns), microseconds);
	else if (ns < 999500000)
		strcpy(put_three(to, (unsigned int)(ns / 1000)), "ms");
	else if (ns < 59950000000)
		strcpy(put_three(to, (unsigned int)(ns / 1000000)), "s");
	else
		put_long(to, ns);
	return buf;
}

const char *ptl_number_duration(char buf[PTL_NUMBER_SIZE], int64_t ns)
{
	return ptl_number_duration_as(buf, ns, "µs");
}

const char *ptl_number_bytes(char buf[PTL_NUMBER_SIZE], int64_t bytes)
{
	static const char units[] = "KMGTPE";
	double value = (double)bytes;
	size_t i = 0;

	if (bytes == INT64_MIN)
		bytes++;
	if (bytes < 0) {
		snprintf(buf, PTL_NUMBER_SIZE, "-%s",
			 ptl_number_bytes((char[PTL_NUMBER_SIZE]){0}, -bytes));
		return buf;
	}
	if (bytes < 1024) {
		snprintf(buf, PTL_NUMBER_SIZE, "%lld", (long long)bytes);
		return buf;
	}
	for (value /= 1024; value >= 1023.5 && units[i + 1] != '\0'; i++)
		value /= 1024;
	snprintf(buf, PTL_NUMBER_SIZE, "%.*f%c", value < 99.95 ? 1 : 0, value,
		 units[i]);
	return buf;
}

static bool is_grouped;

void ptl_number_group(void)
{
	is_grouped = true;
}

const char *ptl_number_count(char buf[PTL_NUMBER_SIZE], int64_t count)
{
	static const char thin[] = " ";
	char digits[24];
	size_t size, at = 0;

	size = (size_t)snprintf(digits, sizeof(digits), "%llu",
				count < 0 ? -(unsigned long long)count :
					    (unsigned long long)count);
	if (count < 0)
		buf[at++] = '-';
	for (size_t i = 0; i < size; i++) {
		if (is_grouped && i > 0 && (size - i) % 3 == 0) {
			memcpy(buf + at, thin, strlen(thin));
			at += strlen(thin);
		}
		buf[at++] = digits[i];
	}
	buf[at] = '\0';
	return buf;
}

const char *ptl_number_real(char buf[PTL_NUMBER_SIZE], double number)
{
	double size = number < 0 ? -number : number;

	if (size >= 1e5 && size < 1e15)
		number += number < 0 ? -0.5 : 0.5;
	if ((size >= 1e5 && size < 1e15) ||
	    (size < 1e5 && number == (double)(int64_t)number))
		return ptl_number_count(buf, (int64_t)number);
	snprintf(buf, PTL_NUMBER_SIZE,
		 size >= 1000 && size < 1e5 ? "%.1f" : "%.4g", number);
	return buf;
}

const char *ptl_number_time(char buf[PTL_NUMBER_SIZE], int64_t ns)
{
	snprintf(buf, PTL_NUMBER_SIZE, "%.4f", (double)ns / 1e9);
	return buf;
}

const char *ptl_number_percent(char buf[PTL_NUMBER_SIZE], int64_t permille)
{
	snprintf(buf, PTL_NUMBER_SIZE, "%.1f%%", (double)permille / 10);
	return buf;
}
