/* SPDX-License-Identifier: MIT */
#include "preload/hook/limits.h"

struct ptl_core_limits ptl_limits;
