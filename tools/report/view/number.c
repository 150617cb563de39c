/* SPDX-License-Identifier: MIT */
/* Numbers for people; see number.h. */
#include "tools/report/view/number.h"

#include <stdio.h>
#include <string.h>

int64_t ptl_number_share(int64_t number, double factor, int64_t by)
{
	double share = by > 0 ? (double)number * factor / (double)by : 0;

	if (share >= 9e18)
		return INT64_MAX;
	return share <= -9e18 ? -INT64_MAX : (int64_t)share;
}

/* Three digits of a number below 1000. */
static void put_three(char *buf, double value, const char *unit)
{
	int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;

	snprintf(buf, PTL_NUMBER_SIZE, "%.*f%s", digits, value, unit);
}

const char *ptl_number_duration(char buf[PTL_NUMBER_SIZE], int64_t ns)
{
	long long seconds = (long long)((ns + 500000000) / 1000000000);
	double value = (double)ns;

	if (ns == INT64_MIN)
		ns++;
	if (ns < 0)
		snprintf(buf, PTL_NUMBER_SIZE, "-%s",
			 ptl_number_duration((char[PTL_NUMBER_SIZE]){0}, -ns));
	else if (ns == 0)
		strcpy(buf, "0");
	else if (ns < 1000)
		snprintf(buf, PTL_NUMBER_SIZE, "%lldns", (long long)ns);
	else if (value < 999.5e3)
		put_three(buf, value / 1e3, "µs");
	else if (value < 999.5e6)
		put_three(buf, value / 1e6, "ms");
	else if (value < 59.95e9)
		put_three(buf, value / 1e9, "s");
	else if (seconds < 3600)
		snprintf(buf, PTL_NUMBER_SIZE, "%lldm%02llds", seconds / 60,
			 seconds % 60);
	else
		snprintf(buf, PTL_NUMBER_SIZE, "%lldh%02lldm", seconds / 3600,
			 seconds / 60 % 60);
	return buf;
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
		if (i > 0 && (size - i) % 3 == 0) {
			memcpy(buf + at, thin, strlen(thin));
			at += strlen(thin);
		}
		buf[at++] = digits[i];
	}
	buf[at] = '\0';
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
