/* SPDX-License-Identifier: MIT */
/*
 * Arguments and results, copied; see typed.h.  A string is read eight bytes at
 * a time, from aligned places, which are in one page, and no further than to
 * the eight bytes that have its end; a structure, as much as there is of it.
 */
#include "preload/hook/typed.h"

#include <string.h>

#include "core/core.h"

#include "preload/hook/limits.h"
#include "preload/hook/pages.h"

/* On the stack, of which a handler may have next to none: in few words, if they
 * are enough. */
#define FEW 12
#define STRING_MAX 128
#define PAGE 4096
/* Arguments that are kept, each two words at most, and the callee. */
#define PARAMS (PTL_CODE_SIZE - 2)
static_assert(1 + 2 * PARAMS < PTL_TYPED_WORDS, "they fit");
/* A word, the size of a string, the string, and a word more. */
static_assert(2 + STRING_MAX / 8 + 1 < PTL_TYPED_RESULT, "that, too");

/* Where a call has a value of that type. */
enum place {
	END,  /* it is not known; nor where those behind it are */
	NONE, /* void */
	GENERAL,
	STRING,	 /* GENERAL, and points to a string; or to bytes, of which the
		  * next argument says how many there are; or to a structure */
	VECTOR,	 /* in the lower half of a vector register */
	WHOLE,	 /* all of it */
	X87,	 /* 16 bytes of the stack; a result, st(0) */
	PARTS,	 /* a structure of up to two words in registers */
	MEMORY,	 /* one on the stack, which is not copied */
	STACKED, /* one that is, as what its place points to */
	SLICE,	 /* PARTS that say where more is */
};

static const unsigned char place_of[128] = {
	['v'] = NONE,	 ['b'] = GENERAL, ['c'] = GENERAL, ['h'] = GENERAL,
	['H'] = GENERAL, ['t'] = GENERAL, ['T'] = GENERAL, ['i'] = GENERAL,
	['I'] = GENERAL, ['l'] = GENERAL, ['L'] = GENERAL, ['e'] = GENERAL,
	['p'] = GENERAL, ['k'] = GENERAL, ['F'] = GENERAL, ['S'] = GENERAL,
	['Z'] = GENERAL, ['s'] = STRING,  ['z'] = STRING,  ['f'] = VECTOR,
	['d'] = VECTOR,	 ['q'] = WHOLE,	  ['B'] = STRING,  ['y'] = STRING,
	['r'] = STRING,	 ['o'] = STRING,  ['U'] = STRING,  ['O'] = STRING,
#if defined(__x86_64__)
	['x'] = X87,	 ['j'] = PARTS,	  ['J'] = PARTS,   ['w'] = PARTS,
	['W'] = PARTS,	 ['m'] = PARTS,	  ['M'] = PARTS,   ['Y'] = MEMORY,
	['R'] = STACKED, ['u'] = SLICE,
#endif
};

static enum place place(char letter)
{
	return (enum place)place_of[letter & 127];
}

/* ---- strings ------------------------------------------------------- */

/* Of a user's own prototypes nobody knows whether the function reads it. */
static bool may_read(char letter, uintptr_t at)
{
#if defined(__aarch64__)
	at &= (UINT64_C(1) << 56) - 1; /* without its tag */
#endif
	if (PTL_LIKELY(letter == 's' || letter == 'S') ||
	    ptl_pages_are_constant(at))
		return ptl_pages_know(at);
	return ptl_pages_ask(at);
}

/* Anywhere. */
typedef uint64_t loose_word __attribute__((aligned(1), may_alias));

/* The first byte of memory is the lowest. */
static uint64_t load(uintptr_t at)
{
	uint64_t word = *(const volatile loose_word *)at;

	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ?
		       word :
		       __builtin_bswap64(word);
}

static void store(unsigned char *to, uint64_t word)
{
	if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
		word = __builtin_bswap64(word);
	__builtin_memcpy(to, &word, sizeof(word));
}

/* How many bytes are before the first that is 0; 8: none is. */
static unsigned int before_null(uint64_t word)
{
	uint64_t nulls = (word - UINT64_C(0x0101010101010101)) & ~word &
			 UINT64_C(0x8080808080808080);

	return nulls ? (unsigned int)__builtin_ctzll(nulls) / 8 : 8;
}

/*
 * Copies a string of at most `max' bytes, and up to 7 more, which are no part
 * of it.  Returns its size, and what else there is to say of it.
 */
PTL_INLINE uint64_t copy_string(unsigned char *to, char letter, uintptr_t from,
				size_t max)
{
	unsigned int skipped = from % 8, nr;
	uintptr_t at = from - skipped;
	size_t size = 8 - skipped;
	uint64_t word;

	if (PTL_UNLIKELY(!may_read(letter, from)))
		return PTL_STRING_UNKNOWN;
	word = load(at) >> 8 * skipped;
	store(to, word);
	nr = before_null(word);
	if (nr < size)
		return nr;
	while (size < max) {
		at += 8;
		if (PTL_UNLIKELY(at % PAGE == 0) && !may_read(letter, at))
			break;
		word = load(at);
		store(to + size, word);
		nr = before_null(word);
		size += nr;
		if (nr < 8 && size <= max)
			return size;
	}
	return PTL_MIN(size, max) | PTL_STRING_CUT;
}

/* As copy_string(), of that many bytes; they are in two pages at most. */
static __attribute__((noinline)) uint64_t
copy_bytes(unsigned char *to, uintptr_t from, uint64_t whole, size_t max)
{
	size_t size = PTL_MIN(whole, PTL_MIN(max, STRING_MAX)), i = 0;
	uintptr_t last = from + size - 1;

	if (!size)
		return whole ? PTL_STRING_CUT : 0;
	/* On the page of the stack that this is on there is nothing to ask. */
	if ((from / PAGE != (uintptr_t)to / PAGE && !may_read('B', from)) ||
	    (from / PAGE != last / PAGE && !may_read('B', last)))
		return PTL_STRING_UNKNOWN;
	store(to + ((size - 1) & ~(size_t)7), 0);
	for (; i + 8 <= size; i += 8)
		store(to + i, load(from + i));
	for (; i < size; i++)
		to[i] = ((const volatile unsigned char *)from)[i];
	return size | (size < whole ? PTL_STRING_CUT : 0);
}

/* As copy_string(), if it is text: what a function is to write to may have
 * anything in it. */
static __attribute__((noinline)) uint64_t copy_text(unsigned char *to,
						    uintptr_t from, size_t max)
{
	uint64_t size = copy_string(to, 'y', from, max);

	for (size_t i = 0; i < (uint32_t)size; i++)
		if (to[i] == 0x7f || (to[i] < ' ' && (to[i] < 7 || to[i] > 13)))
			return PTL_STRING_UNKNOWN;
	return size & PTL_STRING_CUT ? PTL_STRING_UNKNOWN : size;
}

/* What is said of the structure that the i-th of the code is or points to. */
static unsigned int size_of(const struct ptl_typed *typed, size_t i)
{
	return i < PTL_PATCH_SIZED ? typed->size[i] : 0;
}

/* As copy_string(), what those words of a structure lead to. */
static uint64_t copy_slice(unsigned char *to, const uint64_t *structure,
			   unsigned int shape, size_t max)
{
	uint64_t from = structure[shape >> PTL_SLICE_POINTER & 3];
	uint64_t count = structure[shape >> PTL_SLICE_COUNT & 3];
	unsigned int shift = shape >> PTL_SLICE_ELEMENT & 3;

	if (shape & PTL_SLICE_IS_END)
		return copy_bytes(to, from, count > from ? count - from : 0,
				  max);
	return copy_bytes(to, from,
			  PTL_MIN(count, UINT64_MAX >> shift) << shift, max);
}

/* What a structure in memory leads to, as copy_slice(). */
static uint64_t copy_behind(unsigned char *to, uintptr_t at, unsigned int shape,
			    size_t max)
{
	uint64_t structure[4], size;
	unsigned int last = PTL_MAX(shape >> PTL_SLICE_POINTER & 3,
				    shape >> PTL_SLICE_COUNT & 3);

	size = copy_bytes((unsigned char *)structure, at, 8 * (last + 1),
			  sizeof(structure));
	return size & PTL_STRING_UNKNOWN ?
		       size :
		       copy_slice(to, structure, shape, max);
}

/* Of what is no string; arg as for put_string(). */
static __attribute__((noinline)) uint64_t
copy_other(unsigned char *to, const struct ptl_typed *typed, size_t i,
	   const uint64_t *arg, size_t max)
{
	switch (typed->code[i]) {
	case 'B':
		return !i || place(typed->code[i + 1]) != GENERAL ?
			       PTL_STRING_UNKNOWN :
			       copy_bytes(to, *arg, arg[1], max);
	case 'R':
		return copy_bytes(to, *arg, 8 * size_of(typed, i), max);
	case 'r':
	case 'o':
		return copy_bytes(to, *arg, size_of(typed, i), max);
	case 'u':
		/* Only two words are there. */
		return copy_slice(to, arg, size_of(typed, i) & ~0xau, max);
	case 'U':
	case 'O':
		return copy_behind(to, *arg, size_of(typed, i), max);
	default:
		return copy_text(to, *arg, PTL_MIN(max, STRING_MAX));
	}
}

/* Puts a string behind the words that there are, `most' in the end; returns how
 * many there are then.  A whole word more may be stored than there is string.
 * i: which of the code; arg: its words, and of those behind it.
 */
PTL_INLINE size_t put_string(uint64_t *words, size_t nr, size_t most,
			     const struct ptl_typed *typed, size_t i,
			     const uint64_t *arg)
{
	size_t room = most - PTL_TYPED_SPARE - nr;
	unsigned char *to = (unsigned char *)&words[nr + 1];
	char letter = typed->code[i];

	if (nr + PTL_TYPED_SPARE >= most)
		return nr;
	if (PTL_LIKELY(letter == 's' || letter == 'z' || letter == 'S' ||
		       letter == 'Z'))
		words[nr] = copy_string(to, letter, *arg,
					PTL_MIN(8 * room, STRING_MAX));
	else
		words[nr] = copy_other(to, typed, i, arg, 8 * room);
	return nr + 1 + ((uint32_t)words[nr] + 7) / 8;
}

/* ---- where calls have their arguments ------------------------------ */

#if defined(__x86_64__)

#define GENERAL_REGISTERS 6
#define VECTOR_REGISTERS 8

/* As `enter' in stub.S has pushed them. */
static uint64_t general(const uint64_t *ret, unsigned int i)
{
	return ret[-3 - (int)i];
}

static const uint64_t *stack(const uint64_t *ret)
{
	return ret + 1;
}

static __attribute__((noinline)) void save_vectors(uint64_t *to)
{
#define SAVE(n) "movups %%xmm" #n ", 16*" #n "(%0)\n\t"
	__asm__ volatile(SAVE(0) SAVE(1) SAVE(2) SAVE(3) SAVE(4) SAVE(5) SAVE(6)
				 SAVE(7)
			 :
			 : "r"(to)
			 : "memory");
#undef SAVE
}

/* The result, which is left where it is. */
static void save_x87(uint64_t *to)
{
	__asm__ volatile("fstpt (%0)\n\tfldt (%0)" : : "r"(to) : "memory");
	to[1] &= 0xffff;
}

#elif defined(__aarch64__)

#define GENERAL_REGISTERS 8
#define VECTOR_REGISTERS 8

/* As `enter' in stub.S has stored them, in a frame that begins before ret. */
static uint64_t general(const uint64_t *ret, unsigned int i)
{
	return i < 2 ? ret[-1 + 20 + (int)i] : ret[-1 + (int)i];
}

static const uint64_t *stack(const uint64_t *ret)
{
	return ret - 1 + 22;
}

static __attribute__((noinline)) void save_vectors(uint64_t *to)
{
	__asm__ volatile("stp q0, q1, [%0]\n\t"
			 "stp q2, q3, [%0, #32]\n\t"
			 "stp q4, q5, [%0, #64]\n\t"
			 "stp q6, q7, [%0, #96]"
			 :
			 : "r"(to)
			 : "memory");
}

static void save_x87(uint64_t *to)
{
	(void)to;
}

#else

/* No calls are hooked here. */
#define GENERAL_REGISTERS 1
#define VECTOR_REGISTERS 2

static uint64_t general(const uint64_t *ret, unsigned int i)
{
	return ret[i];
}

static const uint64_t *stack(const uint64_t *ret)
{
	return ret;
}

static void save_vectors(uint64_t *to)
{
	memset(to, 0, VECTOR_REGISTERS * 2 * sizeof(*to));
}

static void save_x87(uint64_t *to)
{
	(void)to;
}

#endif

struct frame {
	const uint64_t *ret;
	uint64_t vector[2 * VECTOR_REGISTERS];
	unsigned int nr_general, nr_vector, nr_stack;
	bool has_vectors;
};

/* The next words of the stack.  Aligned: from a place of 16 bytes. */
static const uint64_t *next_of_stack(struct frame *frame, bool is_wide)
{
	const uint64_t *at;

	if (is_wide)
		frame->nr_stack = (frame->nr_stack + 1) & ~1u;
	at = stack(frame->ret) + frame->nr_stack;
	frame->nr_stack += is_wide ? 2 : 1;
	return at;
}

static const uint64_t *next_vector(struct frame *frame, bool is_wide)
{
	if (frame->nr_vector == VECTOR_REGISTERS)
		return next_of_stack(frame, is_wide);
	if (!frame->has_vectors)
		save_vectors(frame->vector);
	frame->has_vectors = true;
	return &frame->vector[2 * frame->nr_vector++];
}

static uint64_t next_general(struct frame *frame)
{
	if (PTL_LIKELY(frame->nr_general < GENERAL_REGISTERS))
		return general(frame->ret, frame->nr_general++);
	return *next_of_stack(frame, false);
}

/* A structure: words that are in general registers, and in vector registers. */
struct parts {
	bool is_vector[2];
	unsigned int nr, vectors;
};

static struct parts parts_of(char letter)
{
	struct parts parts = {
		.is_vector = {letter == 'w' || letter == 'W' || letter == 'M',
			      letter == 'W' || letter == 'm'},
		.nr = letter == 'j' || letter == 'w' ? 1 : 2,
	};

	parts.vectors = parts.is_vector[0] + parts.is_vector[1];
	return parts;
}

/* All of it is in registers, or on the stack.  Returns how many words. */
static size_t put_parts(struct frame *frame, char letter, uint64_t *words)
{
	struct parts parts = parts_of(letter);
	unsigned int generals = parts.nr - parts.vectors;
	bool has_room = frame->nr_general + generals <= GENERAL_REGISTERS &&
			frame->nr_vector + parts.vectors <= VECTOR_REGISTERS;

	for (unsigned int i = 0; i < parts.nr; i++) {
		if (!has_room)
			words[i] = *next_of_stack(frame, false);
		else if (parts.is_vector[i])
			words[i] = *next_vector(frame, false);
		else
			words[i] = next_general(frame);
	}
	return parts.nr;
}

/* The words of all arguments; returns how many there are. */
static size_t put_arguments(struct frame *frame, const struct ptl_typed *typed,
			    uint64_t *words, size_t nr)
{
	const char *params = typed->code + 1;
	const uint64_t *wide;

	for (unsigned int i = 0; i < PARAMS; i++) {
		switch (place(params[i])) {
		case END:
		case NONE:
			return nr;
		case GENERAL:
		case STRING:
			words[nr++] = next_general(frame);
			break;
		case VECTOR:
			words[nr++] = *next_vector(frame, false);
			break;
		case PARTS:
		case SLICE:
			nr += put_parts(frame, params[i], words + nr);
			break;
		case MEMORY:
			break;
		case STACKED:
			wide = stack(frame->ret) + frame->nr_stack;
			words[nr++] = (uintptr_t)wide;
			frame->nr_stack += size_of(typed, 1 + i);
			break;
		case WHOLE:
		case X87:
			wide = place(params[i]) == X87 ?
				       next_of_stack(frame, true) :
				       next_vector(frame, true);
			words[nr++] = wide[0];
			words[nr++] = wide[1];
			break;
		}
	}
	return nr;
}

static unsigned int words_of(char letter)
{
	switch (place(letter)) {
	case WHOLE:
	case X87:
		return 2;
	case PARTS:
	case SLICE:
		return parts_of(letter).nr;
	case MEMORY:
		return 0;
	default:
		return 1;
	}
}

void ptl_typed_plan(struct ptl_typed *typed)
{
	const char *params = typed->code + 1;
	unsigned int i = 0, words = 0;

	typed->is_word = place(typed->code[0]) == GENERAL &&
			 typed->code[0] != 'S' && typed->code[0] != 'Z';
	typed->strings = 0;
	for (; place(params[i]) == GENERAL || place(params[i]) == STRING; i++)
		if (place(params[i]) == STRING)
			typed->strings |= (uint16_t)(1 << i);
	typed->nr = (uint8_t)i;
	typed->is_plain = i <= GENERAL_REGISTERS &&
			  (place(params[i]) == END || place(params[i]) == NONE);
	for (i = 0; i < PARAMS && place(params[i]) > NONE; i++)
		words += words_of(params[i]);
	typed->words = (uint8_t)(1 + words);
}

/* Arguments of any kind. */
static __attribute__((noinline)) size_t put_all(const struct ptl_typed *typed,
						const uint64_t *ret,
						uint64_t *words, size_t most)
{
	struct frame frame;
	size_t nr, at = 1, end;

	frame.ret = ret;
	frame.nr_general = frame.nr_vector = 0;
	frame.nr_stack = typed->above;
	frame.has_vectors = false;
	end = nr = put_arguments(&frame, typed, words, 1);
	for (size_t i = 1; at < end; i++) {
		char letter = typed->code[i];

		if (place(letter) == STRING || place(letter) == STACKED ||
		    place(letter) == SLICE)
			nr = put_string(words, nr, most, typed, i, &words[at]);
		at += words_of(letter);
	}
	return nr;
}

size_t ptl_typed_given(const struct ptl_typed *typed, const uint64_t *ret,
		       uint64_t *words, size_t most)
{
	unsigned int strings = typed->strings;
	size_t nr;

	if (PTL_UNLIKELY(!typed->is_plain))
		return typed->words > most ? most :
					     put_all(typed, ret, words, most);
	for (nr = 0; nr < typed->nr; nr++)
		words[1 + nr] = general(ret, (unsigned int)nr);
	for (nr++; strings; strings &= strings - 1) {
		size_t i = 1 + (size_t)__builtin_ctz(strings);

		nr = put_string(words, nr, most, typed, i, &words[i]);
	}
	return nr;
}

/* Of the result there is no other word of where it is. */
static bool is_where_first_says(const struct ptl_typed *typed)
{
	return PTL_UNLIKELY(typed->code[0] == 'o' || typed->code[0] == 'O');
}

static bool fits(size_t nr, size_t most)
{
	return PTL_LIKELY(nr < most - PTL_TYPED_SPARE);
}

static __attribute__((noinline)) void enter_long(const struct ptl_typed *typed,
						 uint64_t callee,
						 const uint64_t *ret,
						 const void *addr)
{
	uint64_t words[PTL_TYPED_WORDS];
	size_t nr = ptl_typed_given(typed, ret, words, PTL_TYPED_WORDS);

	words[0] = callee;
	ptl_core_call_typed(PTL_EV_CALL_ENTRY_TYPED, words, nr * sizeof(*words),
			    addr);
}

uint64_t ptl_typed_enter(const struct ptl_typed *typed, uint64_t callee,
			 const uint64_t *ret, const void *addr, uint64_t go)
{
	uint64_t words[FEW];
	size_t nr = ptl_typed_given(typed, ret, words, FEW);

	words[0] = callee;
	if (fits(nr, FEW))
		ptl_core_call_typed(PTL_EV_CALL_ENTRY_TYPED, words,
				    nr * sizeof(*words), addr);
	else
		enter_long(typed, callee, ret, addr);
	return go;
}

static __attribute__((noinline)) void begin_long(const struct ptl_typed *typed,
						 uint64_t callee,
						 const uint64_t *ret,
						 const void *addr, uintptr_t at)
{
	uint64_t words[PTL_TYPED_WORDS];
	size_t nr = ptl_typed_given(typed, ret, words, PTL_TYPED_WORDS);

	words[0] = callee;
	ptl_core_call_begin_typed(words, nr * sizeof(*words), addr, at);
}

uint64_t ptl_typed_begin(const struct ptl_typed *typed, uint64_t callee,
			 const uint64_t *ret, const void *addr, uintptr_t at,
			 uint64_t go)
{
	uint64_t words[FEW];
	size_t nr = ptl_typed_given(typed, ret, words, FEW);

	words[0] = callee;
	if (fits(nr, FEW))
		ptl_core_call_begin_typed(words, nr * sizeof(*words), addr, at);
	else
		begin_long(typed, callee, ret, addr, at);
	/* With that limit all arguments are kept. */
	if (PTL_UNLIKELY(is_where_first_says(typed)) && !ptl_limits.ticks)
		ptl_core_nest_keep(at, callee, general(ret, 0));
	return go;
}

/* ---- results ------------------------------------------------------- */

/* In the frame of a function's end the second general register of results is
 * where the third argument was. */
static void put_returned_parts(char letter, uint64_t value, const uint64_t *ret,
			       uint64_t *words)
{
	uint64_t vectors[2 * VECTOR_REGISTERS];
	const uint64_t *vector = vectors;
	struct parts parts = parts_of(letter);
	const uint64_t second = general(ret, 2);
	bool has_general = false;

	save_vectors(vectors);
	for (unsigned int i = 0; i < parts.nr; i++) {
		if (parts.is_vector[i]) {
			words[i] = *vector;
			vector += 2;
		} else {
			words[i] = has_general ? second : value;
			has_general = true;
		}
	}
}

size_t ptl_typed_returned(const struct ptl_typed *typed, uint64_t value,
			  uintptr_t at, uint64_t *words, size_t most)
{
	uint64_t vector[2 * VECTOR_REGISTERS];
	char letter = typed->code[0];

	words[0] = value;
	switch (place(letter)) {
	case END:
	case NONE:
	case MEMORY:
	case STACKED:
		return 0;
	case PARTS:
		put_returned_parts(letter, value, (const uint64_t *)at, words);
		break;
	case SLICE:
		put_returned_parts(letter, value, (const uint64_t *)at, words);
		return put_string(words, 2, most, typed, 0, words);
	case GENERAL:
		/* What was written to: now it is there. */
		if (letter == 'S' || letter == 'Z')
			return put_string(words, 1, most, typed, 0, &value);
		break;
	case STRING:
		return put_string(words, 1, most, typed, 0, &value);
	case VECTOR:
	case WHOLE:
		save_vectors(vector);
		words[0] = vector[0];
		words[1] = vector[1];
		break;
	case X87:
		save_x87(words);
		break;
	}
	return words_of(letter);
}

/* Where the result is, if that is not said when the function ends. */
static uint64_t place_of_result(const struct ptl_typed *typed, uint64_t callee,
				uint64_t value, uintptr_t at)
{
	return is_where_first_says(typed) ? ptl_core_nest_word(at, callee) :
					    value;
}

static __attribute__((noinline)) void leave_long(const struct ptl_typed *typed,
						 uint64_t callee,
						 uint64_t value,
						 const void *addr, uintptr_t at)
{
	uint64_t words[2 + PTL_TYPED_RESULT];
	size_t nr = 1 + ptl_typed_returned(typed, value, at, words + 1,
					   PTL_TYPED_RESULT);

	words[0] = callee;
	ptl_core_call_end_typed(words, nr, addr, at);
}

void ptl_typed_leave(const struct ptl_typed *typed, uint64_t callee,
		     uint64_t value, const void *addr, uintptr_t at)
{
	uint64_t words[2 + FEW];
	size_t nr;

	value = place_of_result(typed, callee, value, at);
	nr = ptl_typed_returned(typed, value, at, words + 1, FEW);
	words[0] = callee;
	if (fits(nr, FEW))
		ptl_core_call_end_typed(words, 1 + nr, addr, at);
	else
		leave_long(typed, callee, value, addr, at);
}

/* ---- with limits ---------------------------------------------------- */

void ptl_typed_ended(const struct ptl_typed *typed, uint64_t callee,
		     uint64_t value, uint64_t since, const void *addr,
		     uintptr_t at)
{
	uint64_t words[2 + PTL_TYPED_RESULT];
	size_t nr;

	value = place_of_result(typed, callee, value, at);
	nr = 1 +
	     ptl_typed_returned(typed, value, at, words + 1, PTL_TYPED_RESULT);
	words[0] = callee;
	words[nr++] = since;
	ptl_core_call_typed(PTL_EV_CALL_RETURN_TYPED, words,
			    nr * sizeof(*words), addr);
}

void ptl_typed_whole(const struct ptl_typed *typed, uint64_t callee,
		     uint64_t value, uint64_t since, const void *addr,
		     uintptr_t at)
{
	uint64_t words[3 + PTL_TYPED_WORDS + PTL_TYPED_RESULT];
	const uint64_t *given;
	size_t nr;

	given = ptl_core_nest_kept(&nr);
	if (is_where_first_says(typed))
		value = nr > 0 ? given[0] : 0;
	words[0] = callee;
	words[1] = nr * sizeof(*words);
	for (size_t i = 0; i < nr; i++)
		words[2 + i] = given[i];
	nr += 2;
	nr += ptl_typed_returned(typed, value, at, words + nr,
				 PTL_TYPED_RESULT);
	words[nr++] = since;
	ptl_core_call_typed(PTL_EV_CALL_RETURN_WHOLE, words,
			    nr * sizeof(*words), addr);
}
