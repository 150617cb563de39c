/* SPDX-License-Identifier: MIT */
/* Pieces of lines that repeat; see kept.h. */
#include "tools/dump/parts/kept.h"

#include <string.h>

struct ptl_kept_key ptl_kept_who(const struct ptl_view *view)
{
	const struct posix_trace_event_info *event = view->event;

	return (struct ptl_kept_key){
		.what = view->program,
		.where = view->source->host,
		.number = (uint64_t)event->posix_pid << 32 |
			  (uint32_t)event->posix_tid_np,
		.other = (uint64_t)(view->rank + 1) << 32 |
			 event->posix_pidns_np,
	};
}

struct ptl_kept_key ptl_kept_where(const struct ptl_view *view)
{
	return (struct ptl_kept_key){
		.what = view->file,
		.where = view->event->posix_prog_address,
		.number = view->offset,
		.other = view->type->kind->act == PTL_ACT_THREAD_START,
	};
}

struct ptl_kept *ptl_kept_put(struct ptl_kept lately[PTL_KEPT],
			      const struct ptl_kept_key *key,
			      struct ptl_out *out)
{
	struct ptl_kept *kept =
		&lately[(key->number ^ key->number >> 9) % PTL_KEPT];

	if (kept->size > 0 && ptl_kept_is(&kept->key, key)) {
		ptl_out_bytes(out, kept->bytes, kept->size);
		return NULL;
	}
	kept->key = *key;
	/* What is short enough to be kept is then in the buffer. */
	ptl_out_room(out, 512);
	kept->start = out->used;
	return kept;
}

void ptl_kept_end(struct ptl_kept *kept, const struct ptl_out *out)
{
	/* If it was long, some of it may have been flushed already. */
	bool is_whole = out->used >= kept->start &&
			out->used - kept->start <= PTL_KEPT_BYTES;

	kept->size = is_whole ? out->used - kept->start : 0;
	memcpy(kept->bytes, out->buf + kept->start, kept->size);
}
