/* SPDX-License-Identifier: MIT */
/* Sleds of XRay; see xray.h. */
#include "tools/plan/xray.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* On x86-64: those of entries, exits and tail calls; of events. */
#define SLED_SIZE 11
#define EVENT_SIZE 20
#define KIND_EVENT 4 /* and above */

/* An element of xray_instr_map, whose addresses are from where they are
 * themselves since version 2. */
struct sled {
	uint64_t address, function;
	uint8_t kind, always, version;
	uint8_t reserved[13];
};

static const struct ptl_section *find_map(const struct ptl_plan *plan)
{
	for (size_t i = 0; i < plan->code.nr; i++)
		if (strcmp(plan->code.section[i].name, "xray_instr_map") == 0)
			return &plan->code.section[i];
	return NULL;
}

static void refuse(struct ptl_plan *plan, uint64_t address)
{
	struct ptl_plan_function *function = ptl_plan_in(plan, address);

	if (function != NULL)
		function->why = PTL_PLAN_XRAY;
}

void ptl_xray_refuse(struct ptl_plan *plan)
{
	const struct ptl_section *map = find_map(plan);
	struct sled sled;
	uint64_t at;

	if (map == NULL || map->bytes == NULL)
		return;
	for (at = map->start; at + sizeof(sled) <= map->end;
	     at += sizeof(sled)) {
		memcpy(&sled, map->bytes + (at - map->start), sizeof(sled));
		if (sled.version >= 2) {
			sled.address += at;
			sled.function += at + offsetof(struct sled, function);
		}
		refuse(plan, sled.function);
		refuse(plan, sled.address);
		/* What is behind the last instruction of one looks unused. */
		ptl_code_mark(&plan->code, sled.address,
			      sled.address + (sled.kind < KIND_EVENT ?
						      SLED_SIZE :
						      EVENT_SIZE),
			      PTL_BYTE_TAKEN);
	}
}
