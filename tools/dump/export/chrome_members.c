/* SPDX-License-Identifier: MIT */
/* See chrome_members.h. */
#include "tools/dump/export/chrome_members.h"

#include <stdlib.h>
#include <string.h>

#include "tools/dump/parts/json.h"
#include "tools/lib/quote.h"
#include "tools/lib/say.h"

/* Text that is kept until it is written. */
static struct ptl_out kept;
static char *kept_text;
static size_t kept_size, kept_room;

/* Text, or in hexadecimal. */
static void put_data(struct ptl_out *out, const struct ptl_view *view)
{
	size_t size = view->data_size;

	if (size > 1 && view->data[size - 1] == '\0')
		size--;
	if (ptl_quote_is_text(view->data, size)) {
		ptl_quote_json(out, view->data, size);
	} else {
		ptl_out_str(out, "\"0x");
		ptl_out_hexdump(out, view->data, view->data_size);
		ptl_out_char(out, '"');
	}
}

/* The innermost function of its stack is where it was recorded. */
static bool is_in_stack(const struct ptl_view *view)
{
	struct ptl_view_frame frame;
	const char *name;

	if (view->source->nr_stack == 0)
		return false;
	frame = ptl_view_frame(view, 0);
	name = ptl_view_frame_name(&frame);
	if (name == NULL || view->sym == NULL)
		return name == view->sym &&
		       frame.address ==
			       (uintptr_t)view->event->posix_prog_address;
	return strcmp(name, view->sym) == 0;
}

/* Was it recorded by the program, and not said by its stack? */
static bool has_place(const struct ptl_view *view)
{
	return (view->sym != NULL || view->event->posix_prog_address != NULL) &&
	       !is_in_stack(view);
}

static void put_place(struct ptl_out *out, const struct ptl_view *view)
{
	if (view->sym != NULL) {
		ptl_quote_json(out, view->sym, strlen(view->sym));
		return;
	}
	ptl_out_char(out, '"');
	ptl_out_hex(out, (uintptr_t)view->event->posix_prog_address);
	ptl_out_char(out, '"');
}

static void put_member(struct ptl_out *out, const char *name, bool *is_behind)
{
	if (*is_behind)
		ptl_out_char(out, ',');
	*is_behind = true;
	ptl_quote_json(out, name, strlen(name));
	ptl_out_char(out, ':');
}

/* Of a call that returns its begin has said what it is. */
static bool is_return(const struct ptl_view *view, char phase)
{
	return phase == 'E' && view->type->kind->act == PTL_ACT_LEAVE;
}

static const char *const *repeated(const struct ptl_view *view, char phase,
				   const struct ptl_span *span)
{
	static const char *const nothing[] = {NULL};
	static const char *const name[] = {"function", NULL};
	static const char *const all[] = {"function", "library", "callee",
					  "duration", NULL};
	const struct ptl_arg *arg = ptl_decode_find(&view->args, "function");

	if (is_return(view, phase))
		return all;
	return arg != NULL && arg->bytes != NULL &&
			       arg->size == span->name_size &&
			       memcmp(arg->bytes, span->name, arg->size) == 0 ?
		       name :
		       nothing;
}

void ptl_chrome_members_put(struct ptl_out *out, const struct ptl_view *view,
			    char phase, const struct ptl_span *span)
{
	const struct ptl_type *type = view->type;
	bool is_behind;

	is_behind = ptl_json_members(out, view, repeated(view, phase, span));
	if (!type->is_system && type->layout.nr_fields == 0 &&
	    view->data_size > 0) {
		put_member(out, "data", &is_behind);
		put_data(out, view);
	}
	if (ptl_view_is_cut(view)) {
		put_member(out, "(cut)", &is_behind);
		ptl_out_str(out, "true");
	}
	if (has_place(view) && !is_return(view, phase)) {
		put_member(out, "@", &is_behind);
		put_place(out, view);
	}
}

static void keep_text(const char *bytes, size_t size)
{
	while (kept_room - kept_size < size)
		kept_text = ptl_grow(kept_text, kept_room, &kept_room, 1);
	memcpy(kept_text + kept_size, bytes, size);
	kept_size += size;
}

char *ptl_chrome_members_kept(const struct ptl_view *view, char phase,
			      const struct ptl_span *span)
{
	kept.take = keep_text;
	kept_size = 0;
	ptl_chrome_members_put(&kept, view, phase, span);
	ptl_out_char(&kept, '\0');
	ptl_out_flush(&kept);
	return memcpy(ptl_alloc(kept_size), kept_text, kept_size);
}

void ptl_chrome_members_free(void)
{
	free(kept_text);
	kept_text = NULL;
	kept_size = kept_room = 0;
}
