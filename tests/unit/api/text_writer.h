/* A model text that grows as needed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TEST_TEXT_WRITER_H
#define QN_TEST_TEXT_WRITER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* {0} is empty. The owner frees `text`; used = 0 starts over. */
typedef struct writer {
  char *text;
  size_t used, room;
} writer;

/* Appends less than 4 KiB. */
static inline void __attribute__((format(printf, 2, 3))) put(writer *w, const char *format, ...) {
  enum { MOST_AT_ONCE = 4096 };
  va_list args;
  if (w->room - w->used < MOST_AT_ONCE) {
    w->room = 2 * w->room + 2 * MOST_AT_ONCE;
    w->text = realloc(w->text, w->room);
    assert_non_null(w->text);
  }
  va_start(args, format);
  int size = vsnprintf(w->text + w->used, w->room - w->used, format, args);
  va_end(args);
  assert_true(size >= 0 && (size_t)size < w->room - w->used);
  w->used += (size_t)size;
}

#endif
