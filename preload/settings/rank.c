/* SPDX-License-Identifier: MIT */
/* Launchers of parallel programs, by their variables; see rank.h. */
#include "preload/settings/rank.h"

#include "core/sys/text.h"

/* Who says it first counts: a batch system may have set its own, for what
 * starts the others.  LAUNCHER(name, rank, size, job) */
#define LAUNCHERS(FIRST, NEXT) \
	FIRST("openmpi", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", \
	      "PMIX_NAMESPACE") \
	NEXT("pmix", "PMIX_RANK", "PMIX_SIZE", "PMIX_NAMESPACE") \
	NEXT("pmi", "PMI_RANK", "PMI_SIZE", "PMI_JOBID") \
	NEXT("pals", "PALS_RANKID", "PALS_SIZE", "PALS_APID") \
	NEXT("slurm", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_JOB_ID") \
	NEXT("parallel", "PARALLEL_SEQ", "", "PARALLEL_PID")

#define FIRST(launcher, rank, size, job) rank
#define NEXT(launcher, rank, size, job) ", " rank
const char ptl_rank_none[] =
	"no rank: none of " LAUNCHERS(FIRST, NEXT) " is in the environment";
#undef NEXT
#undef FIRST

/* NULL: it is not there, or empty. */
static const char *find(char *const *envp, const char *name)
{
	size_t size = ptl_strlen(name);

	for (; size && *envp; envp++)
		if (ptl_strpre(*envp, name) && (*envp)[size] == '=' &&
		    (*envp)[size + 1])
			return *envp + size + 1;
	return NULL;
}

bool ptl_rank_find(struct ptl_rank *rank, char *const *envp)
{
#define ROW(launcher, rank, size, job) {launcher, rank, size, job},
	static const char rows[][4][24] = {LAUNCHERS(ROW, ROW)};
#undef ROW

	for (size_t i = 0; envp && i < PTL_ARRAY_SIZE(rows); i++) {
		rank->rank = find(envp, rows[i][1]);
		if (!rank->rank)
			continue;
		rank->launcher = rows[i][0];
		rank->size = find(envp, rows[i][2]);
		rank->job = find(envp, rows[i][3]);
		return true;
	}
	return false;
}
