/* SPDX-License-Identifier: MIT */
/* For programs that have another <trace.h> in their way. */
#include "../trace.h"
