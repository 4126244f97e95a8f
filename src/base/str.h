/* String views and a growing text buffer.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_BASE_STR_H
#define QN_BASE_STR_H

#include <quern/base.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"

/* A view of a C string. */
static inline qn_str qn_str_of(const char *text) { return (qn_str){text, text ? strlen(text) : 0}; }
static inline bool qn_str_equal(qn_str a, qn_str b) {
  return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}
static inline bool qn_str_is(qn_str a, const char *text) {
  return qn_str_equal(a, qn_str_of(text));
}
static inline bool qn_str_starts(qn_str a, const char *prefix) {
  size_t n = strlen(prefix);
  return a.size >= n && memcmp(a.data, prefix, n) == 0;
}
int qn_str_compare(qn_str a, qn_str b);
/* Removes the first item from `list`, whose items are separated by commas, and stores it in
 * *out_item. Returns false at the end of the list. */
bool qn_str_next(qn_str *list, qn_str *out_item);
/* Whether the comma-separated list contains the item. */
bool qn_str_lists(qn_str list, qn_str item);
/* Stores the index of an item in a comma-separated list. Returns false if the list does not contain
 * it. */
bool qn_str_index(qn_str list, qn_str item, uint32_t *out_index);
/* The item at `index`, which must be less than the number of items. */
qn_str qn_str_nth(qn_str list, uint32_t index);
uint64_t qn_str_hash(qn_str text);
/* For printf("%.*s", QN_STR_ARG(view)). */
#define QN_STR_ARG(view) (int)(view).size, (view).data

/* Writes the decimal digits of `value`, without a NUL; returns their number. */
enum { QN_U64_DIGITS = 20 };
size_t qn_write_digits(uint64_t value, char out[QN_U64_DIGITS]);

/* A text buffer on the heap; zero-initialize, deinit when done. Always NUL-terminated once written.
 */
typedef struct qn_text {
  char *data;
  size_t size, capacity;
} qn_text;
void qn_text_deinit(qn_text *text);
void qn_text_clear(qn_text *text);
char *qn_text_reserve(qn_text *text,
                      size_t more); /* makes room for `more` bytes and a NUL; returns the end of the
                                       text, where they are to be written */
/* Appends `view`. Inline, so that the compiler copies short literals without a call. */
static inline void qn_text_put(qn_text *text, qn_str view) {
  bool fits = text->capacity - text->size > view.size; /* with the NUL */
  char *end = fits ? text->data + text->size : qn_text_reserve(text, view.size);
  if (view.size) memcpy(end, view.data, view.size);
  end[view.size] = '\0';
  text->size += view.size;
}
void qn_text_puts(qn_text *text, const char *string);
void qn_text_putc(qn_text *text, char c);
/* Appends a decimal number; many times faster than a format. */
void qn_text_put_u64(qn_text *text, uint64_t value);
void qn_text_put_i64(qn_text *text, int64_t value);
void qn_text_format(qn_text *text, const char *format, ...) QN_PRINTF(2, 3);
void qn_text_vformat(qn_text *text, const char *format, va_list arguments);
qn_str qn_text_view(const qn_text *text);

#endif
