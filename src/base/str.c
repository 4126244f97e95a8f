/* String views and the text buffer.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/str.h"

#include "base/array.h"
#include "base/guard.h"
#include "base/hash.h"

int qn_str_compare(qn_str a, qn_str b) {
  size_t shorter = a.size < b.size ? a.size : b.size;
  int order = shorter ? memcmp(a.data, b.data, shorter) : 0;
  return order ? order : (a.size > b.size) - (a.size < b.size);
}

bool qn_str_next(qn_str *list, qn_str *out_item) {
  if (list->size == 0) return false;
  const char *comma = memchr(list->data, ',', list->size);
  size_t size = comma ? (size_t)(comma - list->data) : list->size;
  *out_item = (qn_str){list->data, size};
  size_t taken = size + (comma ? 1 : 0);
  *list = (qn_str){list->data + taken, list->size - taken};
  return true;
}

bool qn_str_index(qn_str list, qn_str item, uint32_t *out_index) {
  qn_str each;
  for (uint32_t i = 0; qn_str_next(&list, &each); i++) {
    if (!qn_str_equal(each, item)) continue;
    *out_index = i;
    return true;
  }
  return false;
}

bool qn_str_lists(qn_str list, qn_str item) {
  uint32_t unused;
  return qn_str_index(list, item, &unused);
}

qn_str qn_str_nth(qn_str list, uint32_t index) {
  qn_str item = {0};
  for (uint32_t i = 0; i <= index; i++) QN_ASSERT(qn_str_next(&list, &item));
  return item;
}

uint64_t qn_str_hash(qn_str text) { return qn_hash_bytes(0, text.data, text.size); }

void qn_text_deinit(qn_text *text) {
  qn_heap_free(text->data);
  *text = (qn_text){0};
}

void qn_text_clear(qn_text *text) {
  text->size = 0;
  if (text->data) text->data[0] = '\0';
}

char *qn_text_reserve(qn_text *text, size_t more) {
  size_t needed;
  if (__builtin_add_overflow(text->size + 1, more, &needed)) qn_guard_unwind(QN_EXCEEDED_SYSTEM);
  if (needed > text->capacity) text->data = qn_array_grow(text->data, &text->capacity, needed, 1);
  return text->data + text->size;
}

void qn_text_puts(qn_text *text, const char *string) { qn_text_put(text, qn_str_of(string)); }

void qn_text_putc(qn_text *text, char c) {
  char *end = qn_text_reserve(text, 1);
  end[0] = c;
  end[1] = '\0';
  text->size++;
}

void qn_text_vformat(qn_text *text, const char *format, va_list arguments) {
  enum { USUAL = 64 }; /* most need no second attempt */
  char *end = qn_text_reserve(text, USUAL);
  size_t room = text->capacity - text->size;
  va_list again;
  va_copy(again, arguments);
  int size = vsnprintf(end, room, format, again);
  va_end(again);
  QN_ASSERT(size >= 0);
  if ((size_t)size >= room)
    vsnprintf(qn_text_reserve(text, (size_t)size), (size_t)size + 1, format, arguments);
  text->size += (size_t)size;
}

size_t qn_write_digits(uint64_t value, char out[QN_U64_DIGITS]) {
  char reversed[QN_U64_DIGITS];
  size_t count = 0;
  do {
    reversed[count++] = (char)('0' + value % 10);
    value /= 10;
  } while (value);
  for (size_t i = 0; i < count; i++) out[i] = reversed[count - 1 - i];
  return count;
}

void qn_text_put_u64(qn_text *text, uint64_t value) {
  char digits[QN_U64_DIGITS];
  qn_text_put(text, (qn_str){digits, qn_write_digits(value, digits)});
}

void qn_text_put_i64(qn_text *text, int64_t value) {
  if (value < 0) qn_text_putc(text, '-');
  qn_text_put_u64(text, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void qn_text_format(qn_text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  qn_text_vformat(text, format, arguments);
  va_end(arguments);
}

qn_str qn_text_view(const qn_text *text) {
  return (qn_str){text->data ? text->data : "", text->size};
}
