/* SPDX-License-Identifier: MIT */
#ifndef PTL_CORE_CONTROL_SURVEY_H
#define PTL_CORE_CONTROL_SURVEY_H

#include "core/shm/registry.h"

/*
 * Ends the entries of dead processes, and tells their end.  Whoever starts a
 * trace does so, and shall not be held up by a thousand processes that are
 * there: beyond some hundred it sees a part of them, another one each time.
 */
void ptl_survey(const struct ptl_registry *reg, int dir);

#endif
