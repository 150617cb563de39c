/* SPDX-License-Identifier: MIT */
/* Numbers for people: three digits and a unit. */
#ifndef PTL_TOOLS_LIB_NUMBER_H
#define PTL_TOOLS_LIB_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#define PTL_NUMBER_SIZE 48

/* number * factor / by, rounded down; as much of it as there is room for. */
int64_t ptl_number_share(int64_t number, double factor, int64_t by);

/* Numbers of a log may be anything: a sum ends at the largest there are. */
int64_t ptl_number_add(int64_t number, int64_t more);

/* Each writes a string into buf and returns it. */

/*
 * 812ns 3.10µs 41.2ms 1.01s 4m07s 2h05m: three digits, rounded half up as
 * tools/page/script/format.js does.  The second: where there may be no µ, the
 * unit is another.
 */
const char *ptl_number_duration(char buf[PTL_NUMBER_SIZE], int64_t ns);
const char *ptl_number_duration_as(char buf[PTL_NUMBER_SIZE], int64_t ns,
				   const char *microseconds);

/* 512 4.0K 812K 1.9M 2.1G, by 1024 */
const char *ptl_number_bytes(char buf[PTL_NUMBER_SIZE], int64_t bytes);

/* 292901; or 292 901, with thin blanks, once that was asked for: what is no
 * terminal may be a script. */
void ptl_number_group(void);
const char *ptl_number_count(char buf[PTL_NUMBER_SIZE], int64_t count);

/* Any number: a whole or large one as a count, others with four digits or more:
 * 0.125 17.25 4096.5 292901 1.3e+18 */
const char *ptl_number_real(char buf[PTL_NUMBER_SIZE], double number);

/* Seconds, four digits behind the point. */
const char *ptl_number_time(char buf[PTL_NUMBER_SIZE], int64_t ns);

/* A share in percent: 7.5% */
const char *ptl_number_percent(char buf[PTL_NUMBER_SIZE], int64_t permille);

#endif
