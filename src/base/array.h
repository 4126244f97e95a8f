/* Typed growable arrays on the heap. Declare with QN_ARRAY(type) name; zero-initialize; free with
 * qn_array_free. The macros only wrap the growth function; elements are accessed directly.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_BASE_ARRAY_H
#define QN_BASE_ARRAY_H

#include <stddef.h>

#define QN_ARRAY(type)                                                                             \
  struct {                                                                                         \
    type *data;                                                                                    \
    size_t count, capacity;                                                                        \
  }

/* Reallocates `data` so that at least `needed` elements fit, and stores the new capacity in
 * *capacity. If allocation fails, the call is aborted. */
void *qn_array_grow(void *data, size_t *capacity, size_t needed, size_t element_size);

#define qn_array_reserve(array, needed)                                                            \
  ((array)->data = (needed) > (array)->capacity ? qn_array_grow((array)->data, &(array)->capacity, \
                                                                (needed), sizeof *(array)->data)   \
                                                : (array)->data)
#define qn_array_push(array, value)                                                                \
  (qn_array_reserve((array), (array)->count + 1), (array)->data[(array)->count++] = (value))
void qn_array_release(void *data);
#define qn_array_free(array)                                                                       \
  (qn_array_release((array)->data), (array)->data = NULL, (array)->count = 0, (array)->capacity = 0)

#endif
