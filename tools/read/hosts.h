/* SPDX-License-Identifier: MIT */
/* Of which hosts several logs are, and how their times go together. */
#ifndef PTL_TOOLS_READ_HOSTS_H
#define PTL_TOOLS_READ_HOSTS_H

#include "tools/read/source.h"

/*
 * Finds out what is in the sources' `host_name', `host' and `shift': hosts are
 * told apart if there are several; logs of one boot are put in order by
 * CLOCK_MONOTONIC, whenever the clock was set between them.
 */
void ptl_hosts_find(struct ptl_source *source, size_t nr);

/* Forgets the names. */
void ptl_hosts_free(struct ptl_source *source, size_t nr);

/* If there are several: says how far their clocks may be apart. */
void ptl_hosts_say(const struct ptl_source *source, size_t nr);

#endif
